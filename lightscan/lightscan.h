// LightScan: prefix sums at the speed of a memory copy, for Thrust programs. Includes everything.
#pragma once

#include <lightscan/execution_policy.h>
#include <lightscan/host.h>
#include <lightscan/scan.h>
#include <lightscan/version.h>
