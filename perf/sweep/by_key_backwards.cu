#include "sweep_work.h"

#include <cstdint>

// By pairs of keys in place, from the last element to the first.
std::vector<perf::sweep_case> perf::by_key_backwards()
{
  return {case_of<call::inclusive_by_key, keyed<reverse<zip_keys>, reverse<contiguous<float>>>, in_place_reversed>(),
          case_of<call::exclusive_by_key, keyed<reverse<zip_keys>, reverse<contiguous<float>>>, in_place_reversed>()};
}
