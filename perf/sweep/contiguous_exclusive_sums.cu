#include "sweep_work.h"

#include <cstdint>

// Exclusive sums of plain memory.
std::vector<perf::sweep_case> perf::contiguous_exclusive_sums()
{
  return {case_of<call::exclusive, contiguous<std::int8_t>, to_memory>(),
          case_of<call::exclusive, contiguous<std::int16_t>, to_memory>(),
          case_of<call::exclusive, contiguous<std::int32_t>, to_memory>(),
          case_of<call::exclusive, contiguous<std::int64_t>, to_memory>(),
          case_of<call::exclusive, contiguous<float>, to_memory>(),
          case_of<call::exclusive, contiguous<double>, to_memory>()};
}
