#include "sweep_work.h"

#include <cstdint>

// Sums in another type than the elements'.
std::vector<perf::sweep_case> perf::converted()
{
  return {case_of<call::inclusive, transform<contiguous<float>, sixteenths>, to_memory>(),
          case_of<call::inclusive, transform<contiguous<float>, sixteenths>, to_floats>(),
          case_of<call::exclusive, transform<contiguous<std::uint8_t>, widened>, to_memory>(),
          case_of<call::inclusive, transform<contiguous<std::uint8_t>, widened>, to_discard>()};
}
