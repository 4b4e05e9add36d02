#include "sweep_work.h"

#include <cstdint>

// From the last element to the first.
std::vector<perf::sweep_case> perf::reversed()
{
  return {case_of<call::inclusive, reverse<contiguous<std::int32_t>>, to_memory>(),
          case_of<call::inclusive, reverse<contiguous<std::int8_t>>, to_reverse>(),
          case_of<call::inclusive, reverse<contiguous<float>>, to_reverse>(),
          case_of<call::exclusive, reverse<contiguous<double>>, to_reverse>(),
          case_of<call::inclusive, reverse<contiguous<std::int32_t>>, in_place_reversed>()};
}
