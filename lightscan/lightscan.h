/// @file
/// LightScan: prefix sums at the speed of a memory copy, for Thrust programs. Includes everything.
#pragma once

#include <lightscan/device_scan.h>
#include <lightscan/execution_policy.h>
#include <lightscan/host.h>
#include <lightscan/path.h>
#include <lightscan/scan.h>
#include <lightscan/scan_by_key.h>
#include <lightscan/transform_scan.h>
#include <lightscan/version.h>
