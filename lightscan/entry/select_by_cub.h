// What lightscan::DeviceSelect and its like leave to CUB's own algorithms: items that may not travel as their bytes, or are too
// large for a slot. (scan_by_cub.h has what DeviceScan leaves.)
#pragma once

#include <lightscan/dispatch/problem.h>
#include <lightscan/entry/environment.h>
#include <lightscan/entry/select_problem.h>
#include <lightscan/entry/types.h>
#include <lightscan/runtime/report.h>
#include <lightscan/version.h>

#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>

#include <thrust/iterator/discard_iterator.h>

#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstddef>
#include <limits>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
#if defined(__CUDACC__)
namespace cubs = CUB_NS_QUALIFIER;

// A call that CUB serves: `algorithm`, called with storage, its size, the number of items and the stream. Its body is a template,
// so that it is compiled only for calls that are offered. CUB, too, writes the total where there are no items. (by_kernels in
// storage.h is its like.) `IsSame`: the bits do not depend on the order of combination. `IsThere`: this CUB has the algorithm.
template <bool IsSame, bool IsThere, class Count, class Algorithm>
struct left_to_cub
{
  static constexpr bool has_own_memory = false;

  const char* call;
  Count num_items;
  Algorithm algorithm;

  // Says why a call is not offered. Nothing else of it is compiled then, so that this is the only error.
  template <same_bits Required>
  static constexpr bool offers()
  {
    constexpr bool counted = ::cuda::std::is_integral_v<Count>;
    constexpr bool granted = Required == same_bits::unasked || IsSame;
    static_assert(
      counted,
      "lightscan: the number of items cannot lie in device memory here, because CUB serves items that are not "
      "bitwise copyable or too large");
    static_assert(
      IsThere || !counted, "lightscan: items that are not bitwise copyable or too large need a newer CUB here");
    static_assert(
      granted || !IsThere || !counted,
      "lightscan: the same bits in every run cannot be required here, because CUB serves items that are not "
      "bitwise copyable or too large");
    return counted && IsThere && granted;
  }

  // How much memory run() takes.
  cudaError_t ask(std::size_t& bytes) const
  {
    return algorithm(nullptr, bytes, counted(), nullptr);
  }

  cudaError_t run(void* storage, std::size_t bytes, cudaStream_t stream) const
  {
    return runtime::run_reported(
             path::cub,
             call,
             counted(),
             stream,
             [&] {
               return runtime::outcome{algorithm(storage, bytes, counted(), stream), "in CUB's algorithm"};
             })
      .error;
  }

private:
  ::cuda::std::int64_t counted() const
  {
    return num_items > 0 ? num_items : 0;
  }
};

template <bool IsSame = true, bool IsThere = true, class Count, class Algorithm>
left_to_cub<IsSame, IsThere, Count, Algorithm> by_cubs(const char* call, Count num_items, Algorithm algorithm)
{
  return {call, num_items, algorithm};
}

// CUB's Unique takes neither an equality nor data in place in older versions of CCCL (3.2, say); in newer ones (3.5) both.
template <class It, class TotalIt, class EqualityOp, class = void>
inline constexpr bool cub_has_unique_in_place = false;
template <class It, class TotalIt, class EqualityOp>
inline constexpr bool
  cub_has_unique_in_place<It,
                          TotalIt,
                          EqualityOp,
                          ::cuda::std::void_t<decltype(cubs::DeviceSelect::Unique(nullptr,
                                                                                  ::cuda::std::declval<std::size_t&>(),
                                                                                  ::cuda::std::declval<It>(),
                                                                                  ::cuda::std::declval<TotalIt>(),
                                                                                  ::cuda::std::int64_t{},
                                                                                  ::cuda::std::declval<EqualityOp>(),
                                                                                  cudaStream_t{}))>> = true;

// With an equality by key, which every CUB has.
template <class InputIt, class OutputIt, class TotalIt, class EqualityOp>
cudaError_t cubs_unique(void* storage,
                        std::size_t& bytes,
                        InputIt in,
                        OutputIt out,
                        TotalIt total,
                        ::cuda::std::int64_t num_items,
                        EqualityOp equality_op,
                        cudaStream_t stream)
{
  if constexpr (::cuda::std::is_same_v<EqualityOp, ::cuda::std::equal_to<>>)
  {
    return cubs::DeviceSelect::Unique(storage, bytes, in, out, total, num_items, stream);
  }
  else
  {
    const auto values = entry::constantly('\0');
    const THRUST_NS_QUALIFIER::discard_iterator<> nowhere;
    return cubs::DeviceSelect::UniqueByKey(
      storage, bytes, in, values, out, nowhere, total, num_items, equality_op, stream);
  }
}

// CUB counts the items in an int before CCCL 3.1, and in any type since.
template <class InputIt, class OffsetIt, class LengthIt, class TotalIt, class = void>
inline constexpr bool cub_measures_any = false;
template <class InputIt, class OffsetIt, class LengthIt, class TotalIt>
inline constexpr bool cub_measures_any<
  InputIt,
  OffsetIt,
  LengthIt,
  TotalIt,
  ::cuda::std::void_t<
    decltype(cubs::DeviceRunLengthEncode::NonTrivialRuns<InputIt, OffsetIt, LengthIt, TotalIt, ::cuda::std::int64_t>(
      nullptr,
      ::cuda::std::declval<std::size_t&>(),
      ::cuda::std::declval<InputIt>(),
      ::cuda::std::declval<OffsetIt>(),
      ::cuda::std::declval<LengthIt>(),
      ::cuda::std::declval<TotalIt>(),
      ::cuda::std::int64_t{},
      cudaStream_t{}))>> = true;

template <class InputIt, class OffsetIt, class LengthIt, class TotalIt>
cudaError_t cubs_runs(void* storage,
                      std::size_t& bytes,
                      InputIt in,
                      OffsetIt offsets,
                      LengthIt lengths,
                      TotalIt total,
                      ::cuda::std::int64_t num_items,
                      cudaStream_t stream)
{
  using cubs::DeviceRunLengthEncode;
  if constexpr (cub_measures_any<InputIt, OffsetIt, LengthIt, TotalIt>)
  {
    return DeviceRunLengthEncode::NonTrivialRuns(storage, bytes, in, offsets, lengths, total, num_items, stream);
  }
  else
  {
    return num_items > std::numeric_limits<int>::max()
           ? cudaErrorNotSupported
           : DeviceRunLengthEncode::NonTrivialRuns(
             storage, bytes, in, offsets, lengths, total, static_cast<int>(num_items), stream);
  }
}
#endif
} // namespace entry
LIGHTSCAN_NAMESPACE_END
