#include "sweep_work.h"

#include <cstdint>

// By key to what is not plain memory, or in place.
std::vector<perf::sweep_case> perf::by_key_to_outputs()
{
  return {
    case_of<call::inclusive_by_key, keyed<contiguous_keys<std::int32_t>, contiguous<float>>, to_discard>(),
    case_of<call::inclusive_by_key, keyed<contiguous_keys<std::int32_t>, contiguous<std::int32_t>>, to_transform>(),
    case_of<call::inclusive_by_key, keyed<contiguous_keys<std::int32_t>, contiguous<float>>, in_place>(),
    case_of<call::exclusive_by_key, keyed<contiguous_keys<std::int32_t>, contiguous<std::int64_t>>, in_place>()};
}
