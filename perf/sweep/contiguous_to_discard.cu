#include "sweep_work.h"

#include <cstdint>

// From plain memory to nothing, or through a function.
std::vector<perf::sweep_case> perf::contiguous_to_discard()
{
  return {case_of<call::inclusive, contiguous<std::int32_t>, to_discard>(),
          case_of<call::inclusive, contiguous<double>, to_discard>(),
          case_of<call::inclusive, contiguous<std::int8_t>, to_discard>(),
          case_of<call::inclusive, contiguous<float>, to_transform>(),
          case_of<call::inclusive, contiguous<std::int8_t>, to_transform>(),
          case_of<call::exclusive, contiguous<double>, to_transform>()};
}
