#include "sweep_work.h"

#include <cstdint>

// Sums of functions of an index.
std::vector<perf::sweep_case> perf::computed()
{
  return {case_of<call::inclusive, transform_counting<std::int32_t>, to_memory>(),
          case_of<call::inclusive, transform_counting<float>, to_memory>(),
          case_of<call::exclusive, transform_counting<double>, to_memory>(),
          case_of<call::inclusive, transform_counting<std::int16_t>, to_memory>(),
          case_of<call::inclusive, transform_counting<std::int64_t>, to_reverse>()};
}
