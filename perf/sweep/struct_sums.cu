#include "sweep_work.h"

#include <cstdint>

// Structs of up to 32 bytes with an operator of their own.
std::vector<perf::sweep_case> perf::struct_sums()
{
  return {case_of<call::inclusive_op, contiguous<sums<12>>, to_memory>(),
          case_of<call::inclusive_op, contiguous<sums<16>>, to_memory>(),
          case_of<call::inclusive_op, contiguous<sums<16>>, in_place>(),
          case_of<call::exclusive_init_op, contiguous<sums<16>>, to_memory>(),
          case_of<call::inclusive_op, contiguous<sums<24>>, to_memory>(),
          case_of<call::inclusive_op, contiguous<sums<32>>, to_memory>()};
}
