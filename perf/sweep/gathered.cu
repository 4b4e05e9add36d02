#include "sweep_work.h"

#include <cstdint>

// Sums of elements that indices lead to, in no order, by key, too.
std::vector<perf::sweep_case> perf::gathered()
{
  return {
    case_of<call::inclusive, permutation<std::int32_t, false>, to_memory>(),
    case_of<call::exclusive, permutation<double, false>, to_memory>(),
    case_of<call::inclusive, lookup<std::int32_t>, to_memory>(),
    case_of<call::inclusive_op, lookup<float>, to_memory>(),
    case_of<call::inclusive_by_key, keyed<contiguous_keys<std::int32_t>, permutation<float, false, 1>>, to_memory>(),
    case_of<call::exclusive_by_key, keyed<contiguous_keys<std::int32_t>, permutation<double, false, 1>>, to_memory>(),
    case_of<call::inclusive_by_key, keyed<row_keys, permutation<float, false>>, to_memory>()};
}
