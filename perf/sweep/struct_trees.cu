#include "sweep_work.h"

#include <cstdint>

// Structs that indices lead to, and backwards.
std::vector<perf::sweep_case> perf::struct_trees()
{
  return {case_of<call::inclusive_op, permutation<sums<16>, true>, to_memory>(),
          case_of<call::inclusive_op, reverse<contiguous<sums<16>>>, to_reverse>()};
}
