// Which of all cases a run measures.
#pragma once

#include "options.h"
#include "scan_case.h"

#include <string>
#include <vector>

namespace perf
{
// In the order given. Throws bad_arguments where a group, type or operation is named that no case has, or where nothing
// is left.
std::vector<scan_case> chosen(const std::vector<scan_case>& all, const options& wanted);
} // namespace perf
