#include "sweep_work.h"

#include <cstdint>

// Structs of 128 and 256 bytes with an operator of their own.
std::vector<perf::sweep_case> perf::widest_struct_sums()
{
  return {case_of<call::inclusive_op, contiguous<sums<128>>, to_memory>(),
          case_of<call::inclusive_op, contiguous<sums<256>>, to_memory>()};
}
