#include "sweep_work.h"

#include <cstdint>

// From the last element of other iterators to the first.
std::vector<perf::sweep_case> perf::reversed_otherwise()
{
  return {case_of<call::inclusive_op, reverse<zip<float>>, to_reverse_zip>(),
          case_of<call::inclusive, reverse<transform<contiguous<float>, negated>>, to_reverse>(),
          case_of<call::inclusive, reverse<permutation<float, true>>, to_reverse>()};
}
