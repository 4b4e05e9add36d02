// Sums of one arithmetic type, inclusive and exclusive, by every implementation. Included by the cases_<type>.cu.
#pragma once

#include "sizes.h"
#include "work.h"

#include <cuda/std/functional>

#include <cstddef>
#include <cstdint>
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

  static cudaError_t by_cub(void* scratch, std::size_t& bytes, const places<sum>& p, cub_count n)
  {
    return Inclusive ? cub::DeviceScan::InclusiveSum(scratch, bytes, p.in, p.out, n, p.stream)
                     : cub::DeviceScan::ExclusiveSum(scratch, bytes, p.in, p.out, n, p.stream);
  }

  template <class Policy>
  static void by_thrust(Policy policy, const places<sum>& p, std::int64_t n)
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

// One LightScan launch with another exchange between blocks than its own.
template <class T, bool Inclusive>
struct further_calls<sum<T, Inclusive>>
{
  template <lightscan::carry::protocol Protocol, class Transport>
  static void call(const places<sum<T, Inclusive>>& p, std::int64_t n)
  {
    namespace carry    = lightscan::carry;
    namespace dispatch = lightscan::dispatch;
    using init         = ::cuda::std::conditional_t<Inclusive, carry::no_init, T>;
    using problem      = dispatch::problem<T, T*, T*, ::cuda::std::plus<>, init, Inclusive>;
    using exchange     = carry::exchange<Protocol, Transport>;

    const dispatch::outcome done = dispatch::launcher<problem, exchange>({p.in, p.out, n, {}, init{}}, p.stream).run();
    require(done.error, done.doing);
  }

  static void call(impl i, const places<sum<T, Inclusive>>& p, std::int64_t n)
  {
    namespace carry = lightscan::carry;
    if (i == impl::lightscan_cg)
    {
      call<carry::protocol::look_across, carry::cg_transport>(p, n);
    }
    else
    {
      call<carry::protocol::chain, carry::atomic_transport>(p, n);
    }
  }
};

inline const std::vector<impl> all_of_a_sum{
  impl::memcpy, impl::cub, impl::thrust, impl::lightscan, impl::lightscan_cg, impl::chain};

template <class T>
std::vector<scan_case> sums_of()
{
  std::vector<scan_case> cases;
  for (const std::int64_t count : sum_counts(sizeof(T)))
  {
    cases.push_back(make_case<sum<T, true>>("sums", count, placement::apart, all_of_a_sum));
    cases.push_back(make_case<sum<T, false>>("sums", count, placement::apart, all_of_a_sum));
  }
  return cases;
}

// 2 GiB of input in awkward places.
template <class T>
void add_placed_sums(std::vector<scan_case>& cases)
{
  const auto count = static_cast<std::int64_t>((std::size_t{2} << 30) / sizeof(T));
  for (const placement where : {placement::in_place, placement::misaligned, placement::output_off})
  {
    cases.push_back(make_case<sum<T, true>>("forms", count, where));
  }
}
} // namespace perf
