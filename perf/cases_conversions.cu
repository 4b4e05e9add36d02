// Sums in another type than the input's, whose elements are converted on the way.
#include "work.h"

#include <cuda/std/functional>

namespace perf
{
namespace
{
template <class In, class Out>
inline constexpr const char* name_of = "";
template <>
inline constexpr const char* name_of<std::int32_t, std::int64_t> = "int32_to_int64";
template <>
inline constexpr const char* name_of<std::uint8_t, std::int32_t> = "uint8_to_int32";
template <>
inline constexpr const char* name_of<std::uint8_t, std::int64_t> = "uint8_to_int64";
template <>
inline constexpr const char* name_of<std::int64_t, std::int32_t> = "int64_to_int32";
template <>
inline constexpr const char* name_of<std::int32_t, std::uint8_t> = "int32_to_uint8";

// The initial value's type is what all three implementations accumulate in.
template <class In, class Out>
struct converting_sum : one_array<converting_sum<In, Out>, In>
{
  static constexpr const char* op   = "inclusive_sum";
  static constexpr const char* type = name_of<In, Out>;

  using input  = In;
  using output = Out;
  using plus   = ::cuda::std::plus<Out>;

  static cudaError_t by_cub(void* scratch, std::size_t& bytes, const addresses<converting_sum>& p, cub_count n)
  {
    return cub::DeviceScan::InclusiveScanInit(scratch, bytes, p.in, p.out, plus{}, Out{}, n, p.stream);
  }

  template <class Policy>
  static void by_thrust(Policy policy, const addresses<converting_sum>& p, std::int64_t n)
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

// Twice for those that perf/NOTES.md, "Conversions", compares with sums of one type: as many elements as 2 GiB of results, and as 4 GiB.
std::vector<scan_case> converting_sums()
{
  return {make_case<converting_sum<std::int32_t, std::int64_t>>("forms", std::int64_t{1} << 28),
          make_case<converting_sum<std::int32_t, std::int64_t>>("forms", std::int64_t{1} << 29),
          make_case<converting_sum<std::uint8_t, std::int32_t>>("forms", std::int64_t{1} << 29),
          make_case<converting_sum<std::uint8_t, std::int32_t>>("forms", std::int64_t{1} << 30),
          make_case<converting_sum<std::uint8_t, std::int64_t>>("forms", std::int64_t{1} << 28),
          make_case<converting_sum<std::int64_t, std::int32_t>>("forms", std::int64_t{1} << 28),
          make_case<converting_sum<std::int32_t, std::uint8_t>>("forms", std::int64_t{1} << 29)};
}
} // namespace perf
