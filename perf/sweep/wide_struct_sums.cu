#include "sweep_work.h"

#include <cstdint>

// Structs of 48 and 64 bytes with an operator of their own.
std::vector<perf::sweep_case> perf::wide_struct_sums()
{
  return {case_of<call::inclusive_op, contiguous<sums<48>>, to_memory>(),
          case_of<call::inclusive_op, contiguous<sums<64>>, to_memory>(),
          case_of<call::inclusive_op, contiguous<sums<64>>, in_place>(),
          case_of<call::exclusive_init_op, contiguous<sums<64>>, to_memory>()};
}
