#include "sweep_work.h"

#include <cstdint>

// The most common calls of all.
std::vector<perf::sweep_case> perf::contiguous_sums()
{
  return {case_of<call::inclusive, contiguous<std::int8_t>, to_memory>(),
          case_of<call::inclusive, contiguous<std::int16_t>, to_memory>(),
          case_of<call::inclusive, contiguous<std::int32_t>, to_memory>(),
          case_of<call::inclusive, contiguous<std::int64_t>, to_memory>(),
          case_of<call::inclusive, contiguous<float>, to_memory>(),
          case_of<call::inclusive, contiguous<double>, to_memory>()};
}
