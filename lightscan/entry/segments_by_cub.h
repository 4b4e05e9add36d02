// What lightscan::DeviceSegmentedScan leaves to CUB's own: segments told as CUB's are, by where each begins and where it ends, which may
// lie apart, overlap and stand in any order, also in another order in the output. A flag beside each element cannot tell those.
#pragma once

#include <lightscan/entry/arguments.h>
#include <lightscan/entry/environment.h>
#include <lightscan/entry/segments.h>
#include <lightscan/entry/storage.h>
#include <lightscan/entry/types.h>
#include <lightscan/runtime/report.h>
#include <lightscan/version.h>

#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstddef>

#include <cuda_runtime_api.h>

#if __has_include(<cub/device/device_segmented_scan.cuh>)
#  include <cub/device/device_segmented_scan.cuh>
#  define LIGHTSCAN_DETAIL_CUBS_SEGMENTS // CCCL 3.3
#endif

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
#if defined(__CUDACC__)
// CUB's five functions. Behind the number of segments a call has so many operands: an operator, an initial value.
#  if defined(LIGHTSCAN_DETAIL_CUBS_SEGMENTS)
#    define LIGHTSCAN_DETAIL_CALL_CUBS(function) return CUB_NS_QUALIFIER::DeviceSegmentedScan::function(args...)
#  else
#    define LIGHTSCAN_DETAIL_CALL_CUBS(function) return ((void) args, ..., cudaErrorNotSupported)
#  endif
#  define LIGHTSCAN_DETAIL_CUBS_FUNCTION(name, function, report, number) \
    struct name                                                          \
    {                                                                    \
      static constexpr const char* call = report;                        \
      static constexpr int operands     = number;                        \
                                                                         \
      template <class... Args>                                           \
      static cudaError_t run(Args&... args)                              \
      {                                                                  \
        LIGHTSCAN_DETAIL_CALL_CUBS(function);                            \
      }                                                                  \
    }
LIGHTSCAN_DETAIL_CUBS_FUNCTION(cubs_inclusive_sum, InclusiveSegmentedSum, "inclusive_segmented_scan", 0);
LIGHTSCAN_DETAIL_CUBS_FUNCTION(cubs_exclusive_sum, ExclusiveSegmentedSum, "exclusive_segmented_scan", 0);
LIGHTSCAN_DETAIL_CUBS_FUNCTION(cubs_inclusive_scan, InclusiveSegmentedScan, "inclusive_segmented_scan", 1);
LIGHTSCAN_DETAIL_CUBS_FUNCTION(cubs_inclusive_scan_init, InclusiveSegmentedScanInit, "inclusive_segmented_scan", 2);
LIGHTSCAN_DETAIL_CUBS_FUNCTION(cubs_exclusive_scan, ExclusiveSegmentedScan, "exclusive_segmented_scan", 2);
#  undef LIGHTSCAN_DETAIL_CUBS_FUNCTION
#  undef LIGHTSCAN_DETAIL_CALL_CUBS

#  if defined(LIGHTSCAN_DETAIL_CUBS_SEGMENTS)
inline constexpr bool cub_has_segments = true;
#  else
inline constexpr bool cub_has_segments = false;
#  endif

// The type of argument `I` of a call; untold where there are fewer.
template <int I, class... Args>
struct argument
{
  using type = untold;
};
template <class First, class... More>
struct argument<0, First, More...>
{
  using type = ::cuda::std::remove_cvref_t<First>;
};
template <int I, class First, class... More>
struct argument<I, First, More...> : argument<I - 1, More...>
{};
template <int I, class... Args>
using argument_t = typename argument<I, Args...>::type;

// Whether a call's arguments from number `At` on say where it works: a stream in two phases, or anything that a single call takes.
template <int At, class... Args>
constexpr bool end_in_where(bool in_two_phases)
{
  constexpr int left = static_cast<int>(sizeof...(Args)) - At;
  using stream       = argument_t<At, Args...>;
  using resource     = argument_t<At + 1, Args...>;
  if constexpr (left == 1)
  {
    return in_two_phases ? ::cuda::std::is_convertible_v<const stream&, cudaStream_t> : says_where<stream>;
  }
  else if constexpr (left == 2)
  {
    return !in_two_phases && says_where<stream, resource>;
  }
  else
  {
    return left == 0;
  }
}

// A call of CUB's as its arguments say: (storage and its size,) input, output, where segments begin and end (, where results of each
// begin), their number (, operator (, initial value)) (, where it works).
template <class Function, class... Args>
struct cubs_call
{
  static constexpr bool in_two_phases =
    ::cuda::std::is_convertible_v<argument_t<0, Args...>,
                                  void*> && ::cuda::std::is_same_v<argument_t<1, Args...>, std::size_t>;
  static constexpr int first = in_two_phases ? 2 : 0;
  static constexpr int number =
    first + 4
    + (is_iterator<argument_t<first + 4, Args...>> && !lies_in_device_memory<argument_t<first + 4, Args...>> ? 1 : 0);
  static constexpr int where = number + 1 + Function::operands;

  using input = argument_t<first, Args...>;
  using count = argument_t<number, Args...>;
  using op = ::cuda::std::conditional_t<Function::operands == 0, ::cuda::std::plus<>, argument_t<number + 1, Args...>>;
  using init     = argument_t<number + 2, Args...>;
  using has_init = ::cuda::std::bool_constant<Function::operands == 2>;

  using ranges =
    iterators<input, argument_t<first + 1, Args...>, argument_t<first + 2, Args...>, argument_t<first + 3, Args...>>;

  static constexpr bool value = ranges::value && counts_segments<count> && end_in_where<where, Args...>(in_two_phases);
};

template <class Function, class... Args>
using if_cubs_segments = ::cuda::std::enable_if_t<cubs_call<Function, Args...>::value, int>;

// Such a call, from input to initial value. (by_kernels in storage.h is its like.)
template <class Function, class Call, class... Args>
struct segments_left_to_cub
{
  static constexpr bool has_own_memory = false;

  ::cuda::std::tuple<Args...> args;

  // Says why a call is not offered. Nothing else of it is compiled then, so that this is the only error.
  template <same_bits Required>
  static constexpr bool offers()
  {
    using value            = value_t<typename Call::input>;
    constexpr bool there   = Call::value && cub_has_segments;
    constexpr bool counted = there && ::cuda::std::is_integral_v<typename Call::count>;
    constexpr bool begins  = counted && !(Call::has_init::value && lies_in_device_memory<typename Call::init>);
    constexpr bool granted = begins && (Required == same_bits::unasked || is_exact<typename Call::op, value, value>);
    static_assert(there,
                  "lightscan::DeviceSegmentedScan: begin and end offsets are left to cub::DeviceSegmentedScan, which "
                  "this CCCL does "
                  "not have (3.3 has it); where each segment ends with the beginning of the next, give the "
                  "num_segments + 1 offsets "
                  "alone");
    static_assert(
      counted || !there,
      "lightscan::DeviceSegmentedScan: the number of segments cannot lie in device memory here, because begin and "
      "end offsets are left to CUB");
    static_assert(
      begins || !counted,
      "lightscan::DeviceSegmentedScan: the initial value cannot lie in device memory here, because begin and end "
      "offsets are left to CUB");
    static_assert(
      granted || !begins,
      "lightscan::DeviceSegmentedScan: the same bits in every run cannot be required here, because begin and end "
      "offsets are left to CUB");
    return granted;
  }

  // How much memory run() takes.
  cudaError_t ask(std::size_t& bytes) const
  {
    return call(nullptr, bytes, nullptr);
  }

  cudaError_t run(void* storage, std::size_t bytes, cudaStream_t stream) const
  {
    constexpr int only_the_gpu_knows = -1;
    return runtime::run_reported(path::cub,
                                 Function::call,
                                 only_the_gpu_knows,
                                 stream,
                                 [&] {
                                   return runtime::outcome{call(storage, bytes, stream), "in CUB's scan of segments"};
                                 })
      .error;
  }

private:
  cudaError_t call(void* storage, std::size_t& bytes, cudaStream_t stream) const
  {
    return ::cuda::std::apply(
      [&](auto... each) {
        return Function::run(storage, bytes, each..., stream);
      },
      args);
  }
};

inline cudaStream_t stream_or_default(cudaStream_t stream = nullptr)
{
  return stream;
}

template <class Function, class... Args, std::size_t... I, std::size_t... W>
cudaError_t segments_by_cub(::cuda::std::tuple<Args&...> all,
                            ::cuda::std::index_sequence<I...>,
                            ::cuda::std::index_sequence<W...>)
{
  using call_type = cubs_call<Function, Args...>;
  using ::cuda::std::get;
  constexpr int first = call_type::first;
  const segments_left_to_cub<Function, call_type, argument_t<first + static_cast<int>(I), Args...>...> call{
    {get<first + I>(all)...}};
  if constexpr (call_type::in_two_phases)
  {
    return entry::in_storage(
      get<0>(all), get<1>(all), call, entry::stream_or_default(get<call_type::where + W>(all)...));
  }
  else
  {
    return entry::at_once(call, get<call_type::where + W>(all)...);
  }
}

template <class Function, class... Args>
cudaError_t segments_by_cub(Args&... args) noexcept
{
  using call = cubs_call<Function, Args...>;
  return entry::segments_by_cub<Function, Args...>(::cuda::std::tuple<Args&...>(args...),
                                                   ::cuda::std::make_index_sequence<call::where - call::first>{},
                                                   ::cuda::std::make_index_sequence<sizeof...(Args) - call::where>{});
}
#endif
} // namespace entry
LIGHTSCAN_NAMESPACE_END
