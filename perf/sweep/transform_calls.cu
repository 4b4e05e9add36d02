#include "sweep_work.h"

#include <cstdint>

// Transform scans of plain memory.
std::vector<perf::sweep_case> perf::transform_calls()
{
  return {case_of<call::transform_inclusive, contiguous<float>, to_memory>(),
          case_of<call::transform_inclusive_init, contiguous<std::int32_t>, to_memory>(),
          case_of<call::transform_exclusive, contiguous<float>, to_memory>(),
          case_of<call::transform_inclusive, contiguous<std::int32_t>, in_place>()};
}
