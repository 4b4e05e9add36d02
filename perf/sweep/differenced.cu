#include "sweep_work.h"

#include <cstdint>

// Sums of differences of neighbours, which a functor finds.
std::vector<perf::sweep_case> perf::differenced()
{
  return {case_of<call::inclusive, differences<std::int32_t>, to_memory>(),
          case_of<call::exclusive, differences<std::int32_t>, to_memory>(),
          case_of<call::inclusive, differences<std::int64_t>, to_memory>(),
          case_of<call::transform_exclusive, differences<std::int32_t>, to_transform>()};
}
