#include "sweep_work.h"

#include <cstdint>

// By keys that are two arrays, or found by binary search.
std::vector<perf::sweep_case> perf::by_pair_or_search()
{
  return {case_of<call::inclusive_by_key, keyed<zip_keys, constant<std::int32_t>>, to_memory>(),
          case_of<call::exclusive_by_key, keyed<zip_keys, contiguous<float>>, to_memory>(),
          case_of<call::inclusive_by_key, keyed<search_keys, contiguous<float>>, to_memory>(),
          case_of<call::inclusive_by_key, keyed<search_keys, contiguous<float>>, in_place>()};
}
