// Every implementation's call for elements of type T. Included by the cases_*.cu, one for each type.
#pragma once

#include "checked_steps.h"
#include "element_type.h"
#include "gpu.h"
#include "random_data.h"

#include <lightscan/lightscan.h>

#include <cub/device/device_scan.cuh>

#include <thrust/scan.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cuda/std/functional>

#include <cstddef>
#include <cstdint>

namespace perf
{
template <class T>
struct calls
{
  static T* input(const buffers& b)
  {
    return static_cast<T*>(b.input);
  }

  static T* output(const buffers& b)
  {
    return static_cast<T*>(b.output);
  }

  // CUB counts in 32 bits when asked in 32 bits, which suits it better; no case is larger.
  static cudaError_t cub_scan(op o, void* scratch, std::size_t& bytes, const buffers& b, std::int64_t count)
  {
    const int items = static_cast<int>(count);
    return o == op::inclusive_sum ? cub::DeviceScan::InclusiveSum(scratch, bytes, input(b), output(b), items, b.stream)
                                  : cub::DeviceScan::ExclusiveSum(scratch, bytes, input(b), output(b), items, b.stream);
  }

  static std::size_t scratch_bytes(std::int64_t count)
  {
    std::size_t most = 0;
    for (const op o : {op::inclusive_sum, op::exclusive_sum})
    {
      std::size_t bytes = 0;
      require(cub_scan(o, nullptr, bytes, buffers{}, count), "asking CUB how much temporary memory it wants");
      most = bytes > most ? bytes : most;
    }
    return most;
  }

  template <class Policy>
  static void thrust_scan(op o, Policy policy, const buffers& b, std::int64_t count)
  {
    T* const in = input(b);
    if (o == op::inclusive_sum)
    {
      thrust::inclusive_scan(policy, in, in + count, output(b));
    }
    else
    {
      thrust::exclusive_scan(policy, in, in + count, output(b));
    }
  }

  // One LightScan launch with another exchange between blocks than its own.
  template <class Exchange>
  static void exchange_scan(op o, const buffers& b, std::int64_t count)
  {
    using plus      = ::cuda::std::plus<>;
    using no_init   = lightscan::carry::no_init;
    using inclusive = lightscan::dispatch::problem<T, T*, T*, plus, no_init, true>;
    using exclusive = lightscan::dispatch::problem<T, T*, T*, plus, T, false>;

    lightscan::dispatch::outcome done;
    if (o == op::inclusive_sum)
    {
      done = lightscan::dispatch::launcher<inclusive, Exchange>({input(b), output(b), count, {}, {}}, b.stream).run();
    }
    else
    {
      done = lightscan::dispatch::launcher<exclusive, Exchange>({input(b), output(b), count, {}, T{}}, b.stream).run();
    }
    require(done.error, done.doing);
  }

  static void call(impl i, op o, const buffers& b, std::int64_t count)
  {
    namespace carry   = lightscan::carry;
    using look_across = carry::exchange<carry::protocol::look_across, carry::cg_transport>;
    using chain       = carry::exchange<carry::protocol::chain, carry::atomic_transport>;
    std::size_t bytes = b.scratch_bytes;
    switch (i)
    {
      case impl::memcpy:
        require(cudaMemcpyAsync(
                  b.output, b.input, static_cast<std::size_t>(count) * sizeof(T), cudaMemcpyDeviceToDevice, b.stream),
                "copying");
        break;
      case impl::cub:
        require(cub_scan(o, b.scratch, bytes, b, count), "scanning with CUB");
        break;
      case impl::thrust:
        thrust_scan(o, thrust::cuda::par.on(b.stream), b, count);
        break;
      case impl::lightscan:
        thrust_scan(o, lightscan::par_nosync.on(b.stream), b, count);
        break;
      case impl::lightscan_cg:
        exchange_scan<look_across>(o, b, count);
        break;
      case impl::chain:
        exchange_scan<chain>(o, b, count);
        break;
    }
  }

  static void fill(const buffers& b, std::int64_t count)
  {
    fill_with_random_values(input(b), count, b.stream);
  }

  static verdict check(op o, const buffers& b, std::int64_t count)
  {
    return o == op::inclusive_sum ? check_result<true>(output(b), 0, count, b.stream)
                                  : check_result<false>(output(b), 0, count, b.stream);
  }

  static constexpr element_type described_as(const char* name)
  {
    return {name, sizeof(T), scratch_bytes, fill, call, check};
  }
};
} // namespace perf
