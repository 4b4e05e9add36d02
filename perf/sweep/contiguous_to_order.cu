#include "sweep_work.h"

#include <cstdint>

// From plain memory to memory in another order.
std::vector<perf::sweep_case> perf::contiguous_to_order()
{
  return {case_of<call::inclusive, contiguous<std::int32_t>, to_permutation>(),
          case_of<call::inclusive, contiguous<double>, to_permutation>(),
          case_of<call::inclusive, contiguous<float>, to_reverse>(),
          case_of<call::exclusive_init_op, contiguous<std::int64_t>, to_reverse>()};
}
