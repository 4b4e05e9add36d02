// The sixteen kinds of call that thrust::*_scan and *_scan_by_key have, by Thrust's functions and by CUB's.
#pragma once

#include "elements.h"

#include <cub/device/device_scan.cuh>

#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>

#include <cuda/std/functional>

#include <cstdint>

namespace perf
{
enum class call
{
  inclusive,
  inclusive_op,
  inclusive_init_op,
  exclusive,
  exclusive_init,
  exclusive_init_op,
  transform_inclusive,
  transform_inclusive_init,
  transform_exclusive,
  inclusive_by_key,
  inclusive_by_key_same,
  inclusive_by_key_same_op,
  exclusive_by_key,
  exclusive_by_key_init,
  exclusive_by_key_init_same,
  exclusive_by_key_init_same_op
};

inline constexpr const char* call_names[] = {"inclusive_scan",
                                             "inclusive_scan_op",
                                             "inclusive_scan_init_op",
                                             "exclusive_scan",
                                             "exclusive_scan_init",
                                             "exclusive_scan_init_op",
                                             "transform_inclusive_scan",
                                             "transform_inclusive_scan_init",
                                             "transform_exclusive_scan",
                                             "inclusive_scan_by_key",
                                             "inclusive_scan_by_key_same",
                                             "inclusive_scan_by_key_same_op",
                                             "exclusive_scan_by_key",
                                             "exclusive_scan_by_key_init",
                                             "exclusive_scan_by_key_init_same",
                                             "exclusive_scan_by_key_init_same_op"};

constexpr bool by_key(call c)
{
  return c >= call::inclusive_by_key;
}
constexpr bool is_inclusive(call c)
{
  return c == call::inclusive || c == call::inclusive_op || c == call::inclusive_init_op
      || c == call::transform_inclusive || c == call::transform_inclusive_init || c == call::inclusive_by_key
      || c == call::inclusive_by_key_same || c == call::inclusive_by_key_same_op;
}
constexpr bool names_op(call c)
{
  return c == call::inclusive_op || c == call::inclusive_init_op || c == call::exclusive_init_op
      || c == call::inclusive_by_key_same_op || c == call::exclusive_by_key_init_same_op;
}
constexpr bool names_init(call c)
{
  return c == call::inclusive_init_op || c == call::exclusive_init || c == call::exclusive_init_op
      || c == call::transform_inclusive_init || c == call::transform_exclusive || c == call::exclusive_by_key_init
      || c == call::exclusive_by_key_init_same || c == call::exclusive_by_key_init_same_op;
}
constexpr bool transforms(call c)
{
  return c == call::transform_inclusive || c == call::transform_inclusive_init || c == call::transform_exclusive;
}

// Equal keys, by a type of the caller's own.
struct same_key
{
  template <class Left, class Right>
  __host__ __device__ bool operator()(const Left& left, const Right& right) const
  {
    return left == right;
  }
};

template <call C, class T>
auto operator_for()
{
  if constexpr (names_op(C))
  {
    return typename operator_of<T>::type{};
  }
  else
  {
    return ::cuda::std::plus<>{};
  }
}

template <call C, class Policy, class It, class Out>
void scan_by_thrust(Policy policy, It first, std::int64_t n, Out out)
{
  using T         = value_of<It>;
  const auto last = first + n;
  const auto op   = operator_for<C, T>();
  const T init    = initial<T>::value();
  if constexpr (C == call::inclusive)
  {
    thrust::inclusive_scan(policy, first, last, out);
  }
  else if constexpr (C == call::inclusive_op)
  {
    thrust::inclusive_scan(policy, first, last, out, op);
  }
  else if constexpr (C == call::inclusive_init_op)
  {
    thrust::inclusive_scan(policy, first, last, out, init, op);
  }
  else if constexpr (C == call::exclusive)
  {
    thrust::exclusive_scan(policy, first, last, out);
  }
  else if constexpr (C == call::exclusive_init)
  {
    thrust::exclusive_scan(policy, first, last, out, init);
  }
  else if constexpr (C == call::exclusive_init_op)
  {
    thrust::exclusive_scan(policy, first, last, out, init, op);
  }
  else if constexpr (C == call::transform_inclusive)
  {
    thrust::transform_inclusive_scan(policy, first, last, out, negated{}, op);
  }
  else if constexpr (C == call::transform_inclusive_init)
  {
    thrust::transform_inclusive_scan(policy, first, last, out, negated{}, init, op);
  }
  else
  {
    static_assert(C == call::transform_exclusive);
    thrust::transform_exclusive_scan(policy, first, last, out, negated{}, init, op);
  }
}

template <call C, class Policy, class Keys, class Values, class Out>
void scan_by_thrust(Policy policy, Keys keys, Values values, std::int64_t n, Out out)
{
  using T         = value_of<Values>;
  const auto last = keys + n;
  const auto op   = operator_for<C, T>();
  const T init    = initial<T>::value();
  if constexpr (C == call::inclusive_by_key)
  {
    thrust::inclusive_scan_by_key(policy, keys, last, values, out);
  }
  else if constexpr (C == call::inclusive_by_key_same)
  {
    thrust::inclusive_scan_by_key(policy, keys, last, values, out, same_key{});
  }
  else if constexpr (C == call::inclusive_by_key_same_op)
  {
    thrust::inclusive_scan_by_key(policy, keys, last, values, out, same_key{}, op);
  }
  else if constexpr (C == call::exclusive_by_key)
  {
    thrust::exclusive_scan_by_key(policy, keys, last, values, out);
  }
  else if constexpr (C == call::exclusive_by_key_init)
  {
    thrust::exclusive_scan_by_key(policy, keys, last, values, out, init);
  }
  else if constexpr (C == call::exclusive_by_key_init_same)
  {
    thrust::exclusive_scan_by_key(policy, keys, last, values, out, init, same_key{});
  }
  else
  {
    static_assert(C == call::exclusive_by_key_init_same_op);
    thrust::exclusive_scan_by_key(policy, keys, last, values, out, init, same_key{}, op);
  }
}

struct cub_storage
{
  void* memory;
  std::size_t& bytes;
};

// CUB counts in 32 bits when asked in 32 bits, which suits it better; no case is larger.
template <call C, class It>
auto input_of_call(It first)
{
  if constexpr (transforms(C))
  {
    return thrust::make_transform_iterator(first, negated{});
  }
  else
  {
    return first;
  }
}

template <call C, class It, class Out>
cudaError_t scan_by_cub(cub_storage storage, It first, std::uint32_t n, Out out, cudaStream_t stream)
{
  using T       = value_of<It>;
  const auto in = input_of_call<C>(first);
  const auto op = operator_for<C, T>();
  const T init  = names_init(C) ? initial<T>::value() : T{};
  if constexpr (!is_inclusive(C))
  {
    return cub::DeviceScan::ExclusiveScan(storage.memory, storage.bytes, in, out, op, init, n, stream);
  }
  else if constexpr (names_init(C))
  {
    return cub::DeviceScan::InclusiveScanInit(storage.memory, storage.bytes, in, out, op, init, n, stream);
  }
  else
  {
    return cub::DeviceScan::InclusiveScan(storage.memory, storage.bytes, in, out, op, n, stream);
  }
}

template <call C>
auto sameness_for()
{
  constexpr bool named = C == call::inclusive_by_key_same || C == call::inclusive_by_key_same_op
                      || C == call::exclusive_by_key_init_same || C == call::exclusive_by_key_init_same_op;
  if constexpr (named)
  {
    return same_key{};
  }
  else
  {
    return ::cuda::std::equal_to<>{};
  }
}

template <call C, class Keys, class Values, class Out>
cudaError_t scan_by_cub(cub_storage storage, Keys keys, Values values, std::uint32_t n, Out out, cudaStream_t stream)
{
  using T         = value_of<Values>;
  const auto op   = operator_for<C, T>();
  const auto same = sameness_for<C>();
  if constexpr (is_inclusive(C))
  {
    return cub::DeviceScan::InclusiveScanByKey(storage.memory, storage.bytes, keys, values, out, op, n, same, stream);
  }
  else
  {
    const T init = names_init(C) ? initial<T>::value() : T{};
    return cub::DeviceScan::ExclusiveScanByKey(
      storage.memory, storage.bytes, keys, values, out, op, init, n, same, stream);
  }
}
} // namespace perf
