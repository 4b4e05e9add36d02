#include "sweep_work.h"

#include <cstdint>

// Sums of pairs of different types, and of functions of pairs.
std::vector<perf::sweep_case> perf::zipped_otherwise()
{
  return {case_of<call::inclusive_init_op, zip<float, std::int32_t>, to_zip>(),
          case_of<call::inclusive, transform<zip<float>, halves_difference<float>>, to_memory>(),
          case_of<call::exclusive, transform<zip<double>, halves_difference<double>>, to_memory>(),
          case_of<call::inclusive_op, zip_of<transform<contiguous<float>, negated>, counting<std::int32_t>>, to_zip>()};
}
