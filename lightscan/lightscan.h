/// @file
/// LightScan: prefix sums at the speed of a memory copy, for Thrust programs. Includes everything but <lightscan/multi_gpu.h>,
/// <lightscan/host_segmented_scan.h> and <lightscan/host_batched_scan.h>. A file that only scans compiles sooner with
/// <lightscan/scan.h> or its like; an algorithm of Thrust's whose header of ours is not there is Thrust's own.
#pragma once

#include <lightscan/axis.h>
#include <lightscan/device_batched_scan.h>
#include <lightscan/device_partition.h>
#include <lightscan/device_reduce.h>
#include <lightscan/device_run_length_encode.h>
#include <lightscan/device_scan.h>
#include <lightscan/device_segmented_scan.h>
#include <lightscan/device_select.h>
#include <lightscan/execution_policy.h>
#include <lightscan/host.h>
#include <lightscan/partition.h>
#include <lightscan/path.h>
#include <lightscan/reduce_by_key.h>
#include <lightscan/scan.h>
#include <lightscan/scan_by_key.h>
#include <lightscan/select.h>
#include <lightscan/transform_scan.h>
#include <lightscan/unique_by_key.h>
#include <lightscan/version.h>
