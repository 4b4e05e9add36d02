#include "sweep_work.h"

#include <cstdint>

// Values by key that need no memory.
std::vector<perf::sweep_case> perf::computed_by_key()
{
  return {case_of<call::inclusive_by_key, keyed<contiguous_keys<std::int32_t>, constant<std::int32_t>>, to_memory>(),
          case_of<call::exclusive_by_key, keyed<contiguous_keys<std::int32_t>, constant<std::int32_t>>, to_memory>(),
          case_of<call::inclusive_by_key, keyed<contiguous_keys<std::int64_t>, constant<std::int64_t>>, to_memory>(),
          case_of<call::inclusive_by_key, keyed<contiguous_keys<std::int32_t>, counting<std::int32_t>>, to_memory>()};
}
