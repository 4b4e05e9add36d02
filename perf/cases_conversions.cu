// Sums in a wider type than the input's, whose elements are widened on the way.
#include "work.h"

#include <cuda/std/functional>

#include <type_traits>

namespace perf
{
namespace
{
// The initial value's type is what all three implementations accumulate in.
template <class In, class Out>
struct widening_sum : one_array<widening_sum<In, Out>, In>
{
  static constexpr const char* op   = "inclusive_sum";
  static constexpr const char* type = std::is_same_v<In, std::int32_t> ? "int32_to_int64" : "uint8_to_int32";

  using input  = In;
  using output = Out;
  using plus   = ::cuda::std::plus<Out>;

  static cudaError_t by_cub(void* scratch, std::size_t& bytes, const places<widening_sum>& p, cub_count n)
  {
    return cub::DeviceScan::InclusiveScanInit(scratch, bytes, p.in, p.out, plus{}, Out{}, n, p.stream);
  }

  template <class Policy>
  static void by_thrust(Policy policy, const places<widening_sum>& p, std::int64_t n)
  {
    thrust::inclusive_scan(policy, p.in, p.in + n, p.out, Out{}, plus{});
  }

  static __device__ In value(std::int64_t i)
  {
    return random_value<In>(i);
  }

  static __device__ bool right(std::int64_t i, const Out* result)
  {
    const Out before = i == 0 ? Out{} : result[i - 1];
    return result[i] == next_sum(before, static_cast<Out>(value(i)));
  }
};
} // namespace

std::vector<scan_case> converting_sums()
{
  return {make_case<widening_sum<std::int32_t, std::int64_t>>("forms", std::int64_t{1} << 28),
          make_case<widening_sum<std::uint8_t, std::int32_t>>("forms", std::int64_t{1} << 29)};
}
} // namespace perf
