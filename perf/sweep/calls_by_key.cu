#include "sweep_work.h"

#include <cstdint>

// Calls by key on plain memory.
std::vector<perf::sweep_case> perf::calls_by_key()
{
  return {
    case_of<call::inclusive_by_key, keyed<contiguous_keys<std::int32_t>, contiguous<float>>, to_memory>(),
    case_of<call::inclusive_by_key_same, keyed<contiguous_keys<std::int32_t>, contiguous<std::int32_t>>, to_memory>(),
    case_of<call::inclusive_by_key_same_op, keyed<contiguous_keys<std::int32_t>, contiguous<float>>, to_memory>(),
    case_of<call::inclusive_by_key, keyed<contiguous_keys<std::int32_t>, contiguous<double>>, to_memory>(),
    case_of<call::inclusive_by_key, keyed<contiguous_keys<std::int64_t>, contiguous<double>>, to_memory>(),
    case_of<call::inclusive_by_key, keyed<contiguous_keys<std::int32_t>, contiguous<std::int8_t>>, to_memory>()};
}
