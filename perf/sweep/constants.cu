#include "sweep_work.h"

#include <cstdint>

// Sums of one number.
std::vector<perf::sweep_case> perf::constants()
{
  return {case_of<call::inclusive, constant<std::int8_t>, to_memory>(),
          case_of<call::inclusive, constant<std::int32_t>, to_memory>(),
          case_of<call::exclusive_init, constant<std::int64_t>, to_memory>(),
          case_of<call::inclusive, constant<std::int32_t>, to_permutation>()};
}
