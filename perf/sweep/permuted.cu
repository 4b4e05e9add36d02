#include "sweep_work.h"

#include <cstdint>

// Sums of elements that indices lead to, in order.
std::vector<perf::sweep_case> perf::permuted()
{
  return {case_of<call::inclusive, permutation<float, true>, to_memory>(),
          case_of<call::inclusive, permutation<std::int8_t, true>, to_memory>(),
          case_of<call::exclusive, permutation<std::int32_t, true>, to_memory>(),
          case_of<call::inclusive, permutation<double, true>, to_memory>(),
          case_of<call::inclusive, permutation<float, true>, to_permutation>()};
}
