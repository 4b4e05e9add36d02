#include "sweep_work.h"

#include <cstdint>

// Exclusive calls by key on plain memory.
std::vector<perf::sweep_case> perf::exclusive_calls_by_key()
{
  return {case_of<call::exclusive_by_key, keyed<contiguous_keys<std::int32_t>, contiguous<std::int32_t>>, to_memory>(),
          case_of<call::exclusive_by_key_init, keyed<contiguous_keys<std::int32_t>, contiguous<float>>, to_memory>(),
          case_of<call::exclusive_by_key_init_same,
                  keyed<contiguous_keys<std::int32_t>, contiguous<std::int32_t>>,
                  to_memory>(),
          case_of<call::exclusive_by_key_init_same_op,
                  keyed<contiguous_keys<std::int32_t>, contiguous<std::int32_t>>,
                  to_memory>()};
}
