// Sums of one arithmetic type, inclusive and exclusive, by every implementation. Included by what cases_sums.cu.in becomes and,
// for the names of types, by reduction_work.h.
#pragma once

#include "cub_run_to_run.h"
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
inline constexpr const char* type_name<std::uint32_t> = "uint32";
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

// CUB with its requirement, and a LightScan launch by the other transport.
template <class T, bool Inclusive>
struct further_calls<sum<T, Inclusive>>
{
  static void call(impl i, const addresses<sum<T, Inclusive>>& p, std::int64_t n)
  {
    if constexpr (cub_sums_run_to_run<T>)
    {
      if (i == impl::cub_run_to_run)
      {
        require(sum_run_to_run_by_cub<Inclusive>(p.in, p.out, static_cast<cub_count>(n), p.stream),
                "scanning with CUB, run to run");
        return;
      }
    }
    namespace dispatch = lightscan::dispatch;
    using init         = ::cuda::std::conditional_t<Inclusive, lightscan::util::no_init, T>;
    using problem      = dispatch::scan_problem<T, T*, T*, ::cuda::std::plus<>, init, Inclusive>;
    using launcher     = dispatch::launcher<problem, lightscan::carry::cg_transport>;

    const auto done = launcher({p.in, p.out, n, {}, init{}}, p.stream).run();
    require(done.error, done.doing);
  }
};

template <class T>
std::vector<impl> all_of_a_sum()
{
  std::vector<impl> all{impl::memcpy, impl::cub, impl::thrust, impl::lightscan, impl::lightscan_cg};
  if (cub_sums_run_to_run<T>)
  {
    all.push_back(impl::cub_run_to_run);
  }
  return all;
}

// Types whose sums are measured in awkward addresses too.
template <class T>
inline constexpr bool placed_awkwardly = std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::int32_t>;

template <class T>
std::vector<scan_case> sums_of()
{
  std::vector<scan_case> cases;
  for (const std::int64_t count : sum_counts(sizeof(T)))
  {
    cases.push_back(make_case<sum<T, true>>("sums", count, placement::apart, all_of_a_sum<T>()));
    cases.push_back(make_case<sum<T, false>>("sums", count, placement::apart, all_of_a_sum<T>()));
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
