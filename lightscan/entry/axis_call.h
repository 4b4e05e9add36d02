// What a call of lightscan::DeviceBatchedScan asks for: lines that lie side by side are the batched kernel's; lines that follow one another,
// and are scanned forward, are segments of one length, which the scan kernels serve.
#pragma once

#include <lightscan/axis.h>
#include <lightscan/dispatch/batched_launch.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/entry/arguments.h>
#include <lightscan/entry/axis_shape.h>
#include <lightscan/entry/environment.h>
#include <lightscan/entry/segments.h>
#include <lightscan/entry/storage.h>
#include <lightscan/entry/temporary_memory.h>
#include <lightscan/entry/types.h>
#include <lightscan/runtime/device.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>

#include <cstddef>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
template <class InputIt, class OutputIt, class... Environment>
using if_batched =
  ::cuda::std::enable_if_t<is_iterator<InputIt> && is_iterator<OutputIt> && says_where<Environment...>, int>;

template <class InputIt, class OutputIt, class Op, class... Environment>
using if_batched_scan = ::cuda::std::enable_if_t<
  is_iterator<InputIt> && is_iterator<OutputIt> && is_operator<Op> && !is_environment<Op> && says_where<Environment...>,
  int>;

#if defined(__CUDACC__)
// A call that the batched kernel serves.
template <class Problem, bool IsExact>
struct by_batched_kernel
{
  static constexpr bool has_own_memory = false;

  Problem problem;

  template <same_bits Required>
  static constexpr bool offers()
  {
    return says_whether_exact<Required, IsExact>();
  }

  // How much memory run() takes on the current GPU, at any alignment.
  cudaError_t ask(std::size_t& bytes) const
  {
    const runtime::driver* calls = nullptr;
    runtime::device_attributes device;
    runtime::outcome found  = runtime::find_driver(calls);
    found                   = found ? runtime::current_device(*calls, device) : found;
    const std::size_t taken = found
                              ? dispatch::batched_launcher<Problem>::bytes_for(problem.along, device.multiprocessors)
                              : 0;
    bytes                   = taken > 0 ? bytes_at_any_alignment(taken) : 0;
    return found.error;
  }

  cudaError_t run(void* storage, std::size_t bytes, cudaStream_t stream) const
  {
    const std::size_t lost = slot_alignment - 1; // at most, to the alignment
    return dispatch::batched_launcher<Problem>(problem, stream)
      .run(storage == nullptr ? nullptr : aligned(storage), bytes > lost ? bytes - lost : 0)
      .error;
  }
};

// A single call asks where its ranges lie: one that threads walk takes none.
template <class Problem, bool IsExact>
cudaError_t ask_now(const by_batched_kernel<Problem, IsExact>& call, std::size_t& bytes, cudaStream_t stream)
{
  std::size_t taken           = 0;
  const runtime::outcome done = dispatch::batched_launcher<Problem>(call.problem, stream).bytes_as_they_lie(taken);
  bytes                       = bytes_at_any_alignment(taken);
  return done.error;
}

// f(call) with what serves the call; or the error in its arguments.
template <bool Inclusive, class InputIt, class OutputIt, class Op, class Init, class F>
cudaError_t with_batched_call(InputIt in, OutputIt out, const axis& along, Op op, Init init, F f)
{
  using T = typename accumulator<Op, Init, InputIt>::type;
  if constexpr (::cuda::std::is_same_v<T, untold>)
  {
    return f(by_nobody{});
  }
  else
  {
    static_assert(
      util::is_bitwise_copyable<T> && sizeof(T) <= dispatch::max_batched_bytes,
      "lightscan::DeviceBatchedScan: what is accumulated must be bitwise copyable, and of at most 512 bytes");
    if (!makes_sense(along))
    {
      runtime::last_report() = launch_report{};
      return cudaErrorInvalidValue;
    }
    if (follow_one_another(along))
    {
      return f(entry::segmented_scan_of<Inclusive>(in, out, along.outer, along.length, op, init));
    }
    constexpr bool exact = is_exact<Op, T, value_t<InputIt>>;
    const auto before    = entry::settled(init);
    using start          = ::cuda::std::remove_const_t<decltype(before)>;
    using problem =
      dispatch::batched_problem<T, Inclusive, util::unwrapped_t<InputIt>, util::unwrapped_t<OutputIt>, Op, start>;
    return f(by_batched_kernel<problem, exact>{problem{util::unwrapped(in), util::unwrapped(out), along, op, before}});
  }
}
#endif
} // namespace entry
LIGHTSCAN_NAMESPACE_END
