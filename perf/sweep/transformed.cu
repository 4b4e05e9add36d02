#include "sweep_work.h"

#include <cstdint>

// Sums of functions of elements.
std::vector<perf::sweep_case> perf::transformed()
{
  return {case_of<call::inclusive, transform<contiguous<std::int8_t>, negated>, to_memory>(),
          case_of<call::inclusive, transform<contiguous<std::int16_t>, negated>, to_memory>(),
          case_of<call::inclusive, transform<contiguous<std::int32_t>, negated>, to_memory>(),
          case_of<call::inclusive, transform<contiguous<double>, negated>, to_memory>(),
          case_of<call::exclusive, transform<contiguous<float>, negated>, to_memory>(),
          case_of<call::inclusive, transform<contiguous<std::int32_t>, negated>, in_place>()};
}
