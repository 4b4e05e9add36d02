// What a check of a result found.
#pragma once

namespace perf
{
// Only the first wrong element is known to be wrong: each is judged by the one before it.
struct verdict
{
  unsigned long long wrong;       // steps from one element to the next
  unsigned long long first_wrong; // the element that the first of them leads to, where there is one
};
} // namespace perf
