// Where a call of lightscan::DeviceScan or its like runs, as CUB's calls are told: by a stream, by a stream and a memory
// resource, or by an environment, which may carry both and ask for the same bits in another run or on another GPU.
#pragma once

#include <lightscan/execution_policy.h>
#include <lightscan/version.h>

#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/stream_ref>

#include <cuda_runtime_api.h>

#if __has_include(<cuda/__execution/determinism.h>) && __has_include(<cuda/__stream/get_stream.h>)
#  include <cuda/__execution/determinism.h>
#  include <cuda/__execution/require.h>
#  include <cuda/__memory_resource/get_memory_resource.h>
#  include <cuda/__stream/get_stream.h>
#  include <cuda/std/__execution/env.h>
#  define LIGHTSCAN_DETAIL_ENVIRONMENTS // CCCL 3.1
#endif

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
// Which other runs must give the same bits.
enum class same_bits
{
  unasked,
  in_every_run,
  on_every_gpu,
  outside_require // asked in a way that CUB refuses
};

#if defined(LIGHTSCAN_DETAIL_ENVIRONMENTS)
namespace exec = ::cuda::std::execution;

template <class T>
inline constexpr bool names_stream = ::cuda::std::is_invocable_v<const ::cuda::get_stream_t&, const T&>;

template <class T>
inline constexpr bool names_resource = ::cuda::std::is_invocable_v<const ::cuda::mr::get_memory_resource_t&, const T&>;

template <class T>
inline constexpr bool has_requirements = exec::__queryable_with<const T&, ::cuda::execution::__get_requirements_t>;

template <class T>
inline constexpr bool has_determinism =
  exec::__queryable_with<const T&, ::cuda::execution::determinism::__get_determinism_t>;

template <class T>
inline constexpr bool is_cccls_environment = false;
template <class... Parts>
inline constexpr bool is_cccls_environment<exec::env<Parts...>> = true;
template <class Query, class Value>
inline constexpr bool is_cccls_environment<exec::prop<Query, Value>> = true;

template <class T>
::cuda::stream_ref stream_named_by(const T& environment)
{
  return ::cuda::get_stream(environment);
}

template <class T>
constexpr same_bits required_by()
{
  namespace determinism = ::cuda::execution::determinism;
  if constexpr (has_determinism<T>)
  {
    return same_bits::outside_require;
  }
  else if constexpr (has_requirements<T>)
  {
    using requirements =
      ::cuda::std::remove_cvref_t<exec::__query_result_t<const T&, ::cuda::execution::__get_requirements_t>>;
    using asked = ::cuda::std::remove_cvref_t<
      exec::__query_result_or_t<requirements, determinism::__get_determinism_t, determinism::not_guaranteed_t>>;
    return ::cuda::std::is_same_v<asked, determinism::gpu_to_gpu_t> ? same_bits::on_every_gpu
         : ::cuda::std::is_same_v<asked, determinism::run_to_run_t> ? same_bits::in_every_run
                                                                    : same_bits::unasked;
  }
  else
  {
    return same_bits::unasked;
  }
}
#else // a CCCL without environments has streams at least
template <class T, class = void>
inline constexpr bool has_member_stream = false;
template <class T>
inline constexpr bool has_member_stream<T, ::cuda::std::void_t<decltype(::cuda::std::declval<const T&>().stream())>> =
  ::cuda::std::is_convertible_v<decltype(::cuda::std::declval<const T&>().stream()), ::cuda::stream_ref>;

template <class T, class = void>
inline constexpr bool has_member_get_stream = false;
template <class T>
inline constexpr bool
  has_member_get_stream<T, ::cuda::std::void_t<decltype(::cuda::std::declval<const T&>().get_stream())>> =
    ::cuda::std::is_convertible_v<decltype(::cuda::std::declval<const T&>().get_stream()), ::cuda::stream_ref>;

template <class T>
inline constexpr bool names_stream =
  ::cuda::std::is_convertible_v<const T&, ::cuda::stream_ref> || has_member_stream<T> || has_member_get_stream<T>;

template <class T>
inline constexpr bool names_resource = false;
template <class T>
inline constexpr bool has_requirements = false;
template <class T>
inline constexpr bool has_determinism = false;
template <class T>
inline constexpr bool is_cccls_environment = false;

template <class T>
::cuda::stream_ref stream_named_by(const T& environment)
{
  if constexpr (::cuda::std::is_convertible_v<const T&, ::cuda::stream_ref>)
  {
    return environment;
  }
  else if constexpr (has_member_stream<T>)
  {
    return environment.stream();
  }
  else
  {
    return environment.get_stream();
  }
}

template <class T>
constexpr same_bits required_by()
{
  return same_bits::unasked;
}
#endif

// A policy across GPUs: a call with it is one of a scan across them, on its stream.
template <class T>
inline constexpr bool is_across = false;
template <class Policy, class Group>
inline constexpr bool is_across<across_policy<Policy, Group>> = true;

// A class that says something of what is asked here. One of CCCL's own may also say other things only (how CUB is to be
// tuned), which no result depends on.
template <class T>
inline constexpr bool says_something =
  is_across<
    T> || names_stream<T> || names_resource<T> || has_requirements<T> || has_determinism<T> || is_cccls_environment<T>;

template <class T>
inline constexpr bool is_environment = ::cuda::std::is_class_v<T>&& says_something<T>;

// A stream as the runtime's calls take it; as there, null may be written as nullptr or 0.
template <class T>
inline constexpr bool is_stream =
  ::cuda::std::is_convertible_v<const T&, cudaStream_t> || ::cuda::std::is_integral_v<T>;

// Whether the last arguments of a call are none, a stream or an environment, with a resource behind it or not.
template <class... Environment>
inline constexpr bool are_where = sizeof...(Environment) == 0;
template <class Environment>
inline constexpr bool are_where<Environment> = is_stream<Environment> || is_environment<Environment>;
template <class Environment, class Resource>
inline constexpr bool are_where<Environment, Resource> = are_where<Environment>&& ::cuda::std::is_class_v<Resource>;

template <class... Environment>
inline constexpr bool says_where = are_where<::cuda::std::remove_cvref_t<Environment>...>;

template <class... Environment>
inline constexpr bool begins_with_number = false;
template <class First, class... More>
inline constexpr bool begins_with_number<First, More...> =
  ::cuda::std::is_integral_v<::cuda::std::remove_cvref_t<First>>;

// Only a null stream can be written as a number: `found` is false for any other.
template <class T>
cudaStream_t stream_of(const T& environment, bool& found)
{
  if constexpr (::cuda::std::is_integral_v<T>)
  {
    found = environment == 0;
    return nullptr;
  }
  else if constexpr (::cuda::std::is_convertible_v<const T&, cudaStream_t>)
  {
    return environment;
  }
  else if constexpr (names_stream<T>)
  {
    return entry::stream_named_by(environment).get();
  }
  else
  {
    return nullptr;
  }
}

// Operators of CCCL's that are associative in truth on integers, which wrap: however a scan is cut into tiles, its bits
// are the same.
template <class Op>
inline constexpr bool is_exact_on_integers = false;
template <class T>
inline constexpr bool is_exact_on_integers<::cuda::std::plus<T>> = true;
template <class T>
inline constexpr bool is_exact_on_integers<::cuda::std::multiplies<T>> = true;
template <class T>
inline constexpr bool is_exact_on_integers<::cuda::std::bit_and<T>> = true;
template <class T>
inline constexpr bool is_exact_on_integers<::cuda::std::bit_or<T>> = true;
template <class T>
inline constexpr bool is_exact_on_integers<::cuda::std::bit_xor<T>> = true;
template <class T>
inline constexpr bool is_exact_on_integers<::cuda::minimum<T>> = true;
template <class T>
inline constexpr bool is_exact_on_integers<::cuda::maximum<T>> = true;

template <class Op, class T, class Value>
inline constexpr bool is_exact =
  is_exact_on_integers<Op>&& ::cuda::std::is_integral_v<T>&& ::cuda::std::is_integral_v<Value>;
} // namespace entry
LIGHTSCAN_NAMESPACE_END
