#include "sweep_work.h"

#include <cstdint>

// Sums of pairs.
std::vector<perf::sweep_case> perf::zipped()
{
  return {case_of<call::inclusive_op, zip<float>, to_zip>(),
          case_of<call::inclusive_op, zip<float>, in_place_zip>(),
          case_of<call::inclusive_op, zip<std::int32_t>, to_zip>(),
          case_of<call::inclusive_op, zip<double>, to_zip>(),
          case_of<call::exclusive_init_op, zip<float>, to_zip>()};
}
