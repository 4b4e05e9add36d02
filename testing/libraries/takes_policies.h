#pragma once

#include <lightscan/execution_policy.h>
#include <lightscan/host/policy.h>

enum class thrown;

thrown by_scan_with(lightscan::stream_policy<true> policy);
long long sum_below_with(lightscan::host_policy policy, int n);
