#include "sweep_work.h"

#include <cstdint>

// Sums of consecutive numbers.
std::vector<perf::sweep_case> perf::counted()
{
  return {case_of<call::inclusive, counting<std::int32_t>, to_memory>(),
          case_of<call::inclusive, counting<std::int64_t>, to_memory>(),
          case_of<call::exclusive, counting<std::int32_t>, to_memory>(),
          case_of<call::inclusive_op, counting<std::int32_t>, to_memory>(),
          case_of<call::inclusive, counting<std::int32_t>, to_transform>()};
}
