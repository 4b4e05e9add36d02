#include "sweep_work.h"

#include <cstdint>

// Functions of memory by key.
std::vector<perf::sweep_case> perf::functions_by_key()
{
  return {case_of<call::inclusive_by_key,
                  keyed<contiguous_keys<std::int32_t>, transform<contiguous<float>, negated>>,
                  to_memory>(),
          case_of<call::inclusive_by_key,
                  keyed<contiguous_keys<std::int32_t>, transform<zip<float>, halves_difference<float>>>,
                  to_memory>(),
          case_of<call::inclusive_by_key, keyed<contiguous_keys<std::int32_t>, differences<std::int32_t>>, to_memory>(),
          case_of<call::inclusive_by_key_same_op, keyed<contiguous_keys<std::int32_t>, zip<float>>, to_zip>()};
}
