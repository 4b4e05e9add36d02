#include "sweep_work.h"

#include <cstdint>

// Those kinds of call on plain memory that name an operator or an initial value.
std::vector<perf::sweep_case> perf::contiguous_calls()
{
  return {case_of<call::inclusive_op, contiguous<float>, to_memory>(),
          case_of<call::inclusive_op, contiguous<std::int64_t>, in_place>(),
          case_of<call::inclusive_init_op, contiguous<std::int32_t>, to_memory>(),
          case_of<call::exclusive_init, contiguous<std::int32_t>, to_memory>(),
          case_of<call::exclusive_init_op, contiguous<float>, to_memory>()};
}
