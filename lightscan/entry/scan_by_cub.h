// What lightscan::DeviceScan leaves to CUB's own scan: accumulators that cannot travel through slots as plain words, or
// are too large for them.
#pragma once

#include <lightscan/device_value.h>
#include <lightscan/entry/arguments.h>
#include <lightscan/entry/environment.h>
#include <lightscan/runtime/report.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cub/device/device_scan.cuh>

#include <cuda/std/type_traits>

#include <cstddef>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace entry
{
#if defined(__CUDACC__)
// CUB knows one way to say where an initial value lies, and does not write there.
template <class Init>
Init as_cubs(Init init)
{
  return init;
}
template <class T>
CUB_NS_QUALIFIER::FutureValue<T> as_cubs(device_value<T> init)
{
  return CUB_NS_QUALIFIER::FutureValue<T>(const_cast<T*>(init.pointer));
}

template <class InputIt, class OutputIt, class Op, class Init, bool Inclusive, class Count>
struct cubs_scan
{
  using count_type = Count;

  static constexpr const char* call      = Inclusive ? "inclusive_scan" : "exclusive_scan";
  static constexpr bool takes_such_inits = !Inclusive || !lies_in_device_memory<Init>;

  InputIt input;
  OutputIt output;
  Count num_items;
  Op op;
  Init init;

  cudaError_t operator()(void* storage, std::size_t& bytes, cudaStream_t stream) const
  {
    using CUB_NS_QUALIFIER::DeviceScan;
    if constexpr (::cuda::std::is_same_v<Init, util::no_init>)
    {
      return DeviceScan::InclusiveScan(storage, bytes, input, output, op, num_items, stream);
    }
    else if constexpr (Inclusive)
    {
      return DeviceScan::InclusiveScanInit(storage, bytes, input, output, op, init, num_items, stream);
    }
    else
    {
      return DeviceScan::ExclusiveScan(storage, bytes, input, output, op, entry::as_cubs(init), num_items, stream);
    }
  }
};

template <class KeyIt, class ValueIt, class OutputIt, class Same, class Op, class Init, class Count>
struct cubs_scan_by_key
{
  using count_type = Count;

  static constexpr bool inclusive        = ::cuda::std::is_same_v<Init, util::no_init>;
  static constexpr const char* call      = inclusive ? "inclusive_scan_by_key" : "exclusive_scan_by_key";
  static constexpr bool takes_such_inits = !lies_in_device_memory<Init>;

  KeyIt keys;
  ValueIt values;
  OutputIt output;
  Count num_items;
  Same same;
  Op op;
  Init init;

  cudaError_t operator()(void* storage, std::size_t& bytes, cudaStream_t stream) const
  {
    using CUB_NS_QUALIFIER::DeviceScan;
    if constexpr (inclusive)
    {
      return DeviceScan::InclusiveScanByKey(storage, bytes, keys, values, output, op, num_items, same, stream);
    }
    else
    {
      return DeviceScan::ExclusiveScanByKey(storage, bytes, keys, values, output, op, init, num_items, same, stream);
    }
  }
};

// A call that CUB serves, by either of these. (by_kernels in storage.h is its like.)
template <class Scan, bool IsExact>
struct by_cub
{
  static constexpr bool has_own_memory = false;

  Scan scan;

  // Says why a call is not offered. Nothing else of it is compiled then, so that this is the only error.
  template <same_bits Required>
  static constexpr bool offers()
  {
    constexpr bool counted = ::cuda::std::is_integral_v<typename Scan::count_type>;
    constexpr bool begins  = Scan::takes_such_inits;
    constexpr bool granted = Required == same_bits::unasked || IsExact;
    static_assert(
      counted,
      "lightscan::DeviceScan: the number of items cannot lie in device memory here, because CUB's scan serves "
      "accumulators (by key: keys or values) that are not bitwise copyable or too large");
    static_assert(
      begins || !counted,
      "lightscan::DeviceScan: the initial value cannot lie in device memory here, because CUB's scan serves "
      "accumulators (by key: keys or values) that are not bitwise copyable or too large");
    static_assert(
      granted || !begins || !counted,
      "lightscan::DeviceScan: the same bits in every run cannot be required here, because CUB's scan serves "
      "accumulators (by key: keys or values) that are not bitwise copyable or too large");
    return counted && begins && granted;
  }

  // How much memory run() takes.
  cudaError_t ask(std::size_t& bytes) const
  {
    return scan.num_items > 0 ? scan(nullptr, bytes, nullptr) : (bytes = 0, cudaSuccess);
  }

  cudaError_t run(void* storage, std::size_t bytes, cudaStream_t stream) const
  {
    if (scan.num_items <= 0)
    {
      runtime::last_report() = launch_report{};
      return cudaSuccess;
    }
    return runtime::run_reported(path::cub,
                                 Scan::call,
                                 scan.num_items,
                                 stream,
                                 [&] {
                                   return runtime::outcome{scan(storage, bytes, stream), "in CUB's scan"};
                                 })
      .error;
  }
};
#endif
} // namespace entry
LIGHTSCAN_NAMESPACE_END
