// From a description of one scan over iterators that are more than pointers to a case of it. Included by cases_iterators_*.cu.
//
// What a `Work` is, beside what work.h says: its input and its output are any number of arrays, one behind the other, so
// that it has these instead of `input`, `output` and `value`:
//
//   read_bytes, written_bytes   of one element, by the leaves of its iterators: what a memcpy is to move
//   input_bytes, output_bytes   of one element, in memory that the case is given; where they differ, as in place
//   write(arrays, i)            makes element i of the input
//   right(arrays, i)            whether element i of the result is right, given that those before it are
//
// scan_of and sum_by_key_of below make its calls from the iterators that it names.
#pragma once

#include "checked_steps.h"
#include "gpu.h"
#include "random_data.h"
#include "scan_case.h"
#include "work.h"

#include <lightscan/lightscan.h>

#include <cub/device/device_scan.cuh>

#include <thrust/scan.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cuda/std/functional>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf
{
struct arrays
{
  void* input;
  void* output;
  std::int64_t n;
  cudaStream_t stream;

  // The array behind those whose elements have `Before` bytes together. With n a power of two from 2^16 up, each lies on a
  // 256-byte boundary.
  template <class T, int Before = 0>
  __host__ __device__ T* in() const
  {
    return reinterpret_cast<T*>(static_cast<char*>(input) + Before * n);
  }
  template <class T, int Before = 0>
  __host__ __device__ T* out() const
  {
    return reinterpret_cast<T*>(static_cast<char*>(output) + Before * n);
  }
};

// What the leaves read and write, where that is what lies in memory.
template <int Read, int Written>
struct moves
{
  static constexpr int read_bytes    = Read;
  static constexpr int written_bytes = Written;
  static constexpr int input_bytes   = Read;
  static constexpr int output_bytes  = Written;
};

// An inclusive scan from Work::first(arrays) to Work::result(arrays) by Work::combine.
template <class Work>
struct scan_of
{
  using combine = ::cuda::std::plus<>;

  static cudaError_t by_cub(void* scratch, std::size_t& bytes, const arrays& a)
  {
    return cub::DeviceScan::InclusiveScan(
      scratch, bytes, Work::first(a), Work::result(a), typename Work::combine{}, static_cast<cub_count>(a.n), a.stream);
  }

  template <class Policy>
  static void by_thrust(Policy policy, const arrays& a)
  {
    const auto first = Work::first(a);
    thrust::inclusive_scan(policy, first, first + a.n, Work::result(a), typename Work::combine{});
  }
};

// A sum of Work::values(arrays) by Work::keys(arrays) to Work::result(arrays).
template <class Work, bool Inclusive = true>
struct sum_by_key_of
{
  static cudaError_t by_cub(void* scratch, std::size_t& bytes, const arrays& a)
  {
    const auto sum = [&](auto keys, auto values, auto result) {
      const auto n = static_cast<cub_count>(a.n);
      const ::cuda::std::equal_to<> same{};
      if constexpr (Inclusive)
      {
        return cub::DeviceScan::InclusiveSumByKey(scratch, bytes, keys, values, result, n, same, a.stream);
      }
      else
      {
        return cub::DeviceScan::ExclusiveSumByKey(scratch, bytes, keys, values, result, n, same, a.stream);
      }
    };
    return sum(Work::keys(a), Work::values(a), Work::result(a));
  }

  template <class Policy>
  static void by_thrust(Policy policy, const arrays& a)
  {
    const auto first = Work::keys(a);
    if constexpr (Inclusive)
    {
      thrust::inclusive_scan_by_key(policy, first, first + a.n, Work::values(a), Work::result(a));
    }
    else
    {
      thrust::exclusive_scan_by_key(policy, first, first + a.n, Work::values(a), Work::result(a));
    }
  }
};

template <class Work>
__global__ void write_arrays(arrays a)
{
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < a.n; i += step)
  {
    Work::write(a, i);
  }
}

template <class Work>
struct right_in_arrays
{
  arrays a;

  __device__ bool operator()(std::int64_t i) const
  {
    return Work::right(a, i);
  }
};

// The leaves' bytes with no scan: half of them are read, half written; where nothing is read, all of them are.
template <class Work>
void move_as_much(const arrays& a)
{
  const auto n = static_cast<std::size_t>(a.n);
  if constexpr (Work::read_bytes == 0)
  {
    require(cudaMemsetAsync(a.output, 1, n * Work::written_bytes, a.stream), "setting memory");
  }
  else
  {
    const std::size_t bytes = n * (Work::read_bytes + Work::written_bytes) / 2;
    require(cudaMemcpyAsync(a.output, a.input, bytes, cudaMemcpyDeviceToDevice, a.stream), "copying");
  }
}

template <class Work>
void call_over_arrays(impl i, const arrays& a, const buffers& b)
{
  std::size_t bytes = b.scratch_bytes;
  switch (i)
  {
    case impl::memcpy:
      move_as_much<Work>(a);
      break;
    case impl::cub:
      require(Work::by_cub(b.scratch, bytes, a), "scanning with CUB");
      break;
    case impl::thrust:
      Work::by_thrust(thrust::cuda::par.on(b.stream), a);
      break;
    case impl::lightscan:
      Work::by_thrust(lightscan::par_nosync.on(b.stream), a);
      break;
    default:
      throw std::logic_error(std::string("no such implementation of ") + Work::op + ": " + name_of(i));
  }
}

template <class Work>
scan_case make_tree_case(std::int64_t count)
{
  const auto n            = static_cast<std::size_t>(count);
  const std::size_t moved = n * (Work::read_bytes + Work::written_bytes);
  const std::size_t spare = 16; // for one element more than the scan has, as offsets have
  const auto in           = [count](const buffers& b) {
    return arrays{b.input, b.output, count, b.stream};
  };
  scan_case c;
  c.group       = "iterators";
  c.op          = Work::op;
  c.type        = Work::type;
  c.count       = count;
  c.bytes_moved = static_cast<double>(moved);
  // A copy of as many bytes may want more room than the scan itself.
  c.input_bytes   = std::max(n * Work::input_bytes, moved / 2) + spare;
  c.output_bytes  = std::max(n * Work::output_bytes, moved / 2) + spare;
  c.impls         = {impl::memcpy, impl::cub, impl::thrust, impl::lightscan};
  c.scratch_bytes = [count] {
    std::size_t bytes = 0;
    require(Work::by_cub(nullptr, bytes, {nullptr, nullptr, count, nullptr}),
            "asking CUB how much temporary memory it wants");
    return bytes;
  };
  c.fill = [in, n](const buffers& b) {
    // An earlier, right result must not stand in for an element that is not written.
    require(cudaMemsetAsync(b.output, 0xff, n * Work::output_bytes, b.stream), "clearing the output");
    write_arrays<Work><<<fill_blocks, fill_threads, 0, b.stream>>>(in(b));
    require(cudaGetLastError(), "making the input");
  };
  c.call = [in](impl i, const buffers& b) {
    call_over_arrays<Work>(i, in(b), b);
  };
  c.check = [in, count](impl, const buffers& b) {
    return check_by(right_in_arrays<Work>{in(b)}, 0, count, b.stream);
  };
  return c;
}

// Small, in between, and as large as the other groups.
template <class Work>
void add_cases(std::vector<scan_case>& cases)
{
  for (const int exponent : {16, 20, 24, 28})
  {
    cases.push_back(make_tree_case<Work>(std::int64_t{1} << exponent));
  }
}

// All of them, each at its sizes.
template <class... Work>
std::vector<scan_case> tree_cases()
{
  std::vector<scan_case> cases;
  (add_cases<Work>(cases), ...);
  return cases;
}

// Whether `result` is the sum of the one before it and `value`, which a float holds exactly.
template <class T>
__device__ bool follows(std::int64_t i, T before, T value, T result)
{
  const T expected = i == 0 ? value : next_sum(before, value);
  return result == expected && sums_are_exact_up_to(expected);
}
template <class T>
__device__ bool follows(const T* result, std::int64_t i, T value)
{
  return follows(i, i == 0 ? T{} : result[i - 1], value, result[i]);
}
} // namespace perf
