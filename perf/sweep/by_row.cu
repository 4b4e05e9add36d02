#include "sweep_work.h"

#include <cstdint>

// By the rows of a matrix.
std::vector<perf::sweep_case> perf::by_row()
{
  return {case_of<call::inclusive_by_key, keyed<row_keys, contiguous<float>>, to_memory>(),
          case_of<call::exclusive_by_key, keyed<row_keys, contiguous<std::int32_t>>, to_memory>(),
          case_of<call::inclusive_by_key, keyed<row_keys, constant<std::int32_t>>, to_memory>(),
          case_of<call::inclusive_by_key, keyed<row_keys, contiguous<double>>, in_place>(),
          case_of<call::inclusive_by_key, keyed<row_keys, permutation<float, true>>, to_memory>(),
          case_of<call::inclusive_by_key, keyed<row_keys, contiguous<float>>, to_permutation>()};
}
