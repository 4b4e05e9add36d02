#pragma once

#include <lightscan/execution_policy.h>

bool sums_are_right(const lightscan::stream_policy<true>& policy);
