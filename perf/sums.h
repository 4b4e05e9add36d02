// Sums of one arithmetic type, inclusive and exclusive, by every implementation. Included by what cases_sums.cu.in becomes.
#pragma once

#include "sizes.h"
#include "work.h"

#include <cuda/std/functional>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace perf
{
template <class T>
inline constexpr const char* type_name = "";
template <>
inline constexpr const char* type_name<std::int8_t> = "int8";
template <>
inline constexpr const char* type_name<std::int16_t> = "int16";
template <>
inline constexpr const char* type_name<std::int32_t> = "int32";
template <>
inline constexpr const char* type_name<std::int64_t> = "int64";
template <>
inline constexpr const char* type_name<float> = "float";
template <>
inline constexpr const char* type_name<double> = "double";

template <class T, bool Inclusive>
struct sum : one_array<sum<T, Inclusive>, T>, sum_step<T, Inclusive>
{
  static constexpr const char* op   = Inclusive ? "inclusive_sum" : "exclusive_sum";
  static constexpr const char* type = type_name<T>;

  using input  = T;
  using output = T;

  static cudaError_t by_cub(void* scratch, std::size_t& bytes, const addresses<sum>& p, cub_count n)
  {
    return Inclusive ? cub::DeviceScan::InclusiveSum(scratch, bytes, p.in, p.out, n, p.stream)
                     : cub::DeviceScan::ExclusiveSum(scratch, bytes, p.in, p.out, n, p.stream);
  }

  template <class Policy>
  static void by_thrust(Policy policy, const addresses<sum>& p, std::int64_t n)
  {
    if constexpr (Inclusive)
    {
      thrust::inclusive_scan(policy, p.in, p.in + n, p.out);
    }
    else
    {
      thrust::exclusive_scan(policy, p.in, p.in + n, p.out);
    }
  }

  static __device__ T value(std::int64_t i)
  {
    return random_value<T>(i);
  }
};

// A LightScan launch by the other transport.
template <class T, bool Inclusive>
struct further_calls<sum<T, Inclusive>>
{
  static void call(impl, const addresses<sum<T, Inclusive>>& p, std::int64_t n)
  {
    namespace dispatch = lightscan::dispatch;
    using init         = ::cuda::std::conditional_t<Inclusive, lightscan::util::no_init, T>;
    using problem      = dispatch::scan_problem<T, T*, T*, ::cuda::std::plus<>, init, Inclusive>;
    using launcher     = dispatch::launcher<problem, lightscan::carry::cg_transport>;

    const auto done = launcher({p.in, p.out, n, {}, init{}}, p.stream).run();
    require(done.error, done.doing);
  }
};

inline const std::vector<impl> all_of_a_sum{impl::memcpy, impl::cub, impl::thrust, impl::lightscan, impl::lightscan_cg};

// Types whose sums are measured in awkward addresses too.
template <class T>
inline constexpr bool placed_awkwardly = std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::int32_t>;

template <class T>
std::vector<scan_case> sums_of()
{
  std::vector<scan_case> cases;
  for (const std::int64_t count : sum_counts(sizeof(T)))
  {
    cases.push_back(make_case<sum<T, true>>("sums", count, placement::apart, all_of_a_sum));
    cases.push_back(make_case<sum<T, false>>("sums", count, placement::apart, all_of_a_sum));
  }
  if constexpr (placed_awkwardly<T>)
  {
    const auto count = static_cast<std::int64_t>((std::size_t{2} << 30) / sizeof(T));
    for (const placement where : {placement::in_place, placement::misaligned, placement::output_off})
    {
      cases.push_back(make_case<sum<T, true>>("forms", count, where));
    }
  }
  return cases;
}
} // namespace perf
