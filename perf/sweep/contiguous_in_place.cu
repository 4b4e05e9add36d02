#include "sweep_work.h"

#include <cstdint>

// Sums of plain memory in place.
std::vector<perf::sweep_case> perf::contiguous_in_place()
{
  return {case_of<call::inclusive, contiguous<std::int8_t>, in_place>(),
          case_of<call::inclusive, contiguous<std::int32_t>, in_place>(),
          case_of<call::inclusive, contiguous<double>, in_place>(),
          case_of<call::exclusive, contiguous<std::int32_t>, in_place>(),
          case_of<call::exclusive, contiguous<float>, in_place>()};
}
