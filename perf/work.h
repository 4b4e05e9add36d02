// From a description of one operation to a case of it. Included by the cases_*.cu.
//
// A `Work` is a class with nothing but static members:
//
//   op, type                           names in the result file
//   input, output                      element types
//   by_cub(scratch, bytes, addresses, n)  the call of cub::DeviceScan
//   by_thrust(policy, addresses, n)       the call of Thrust; LightScan's is the same with its policy
//   value(i)                           input element i, worked out from its index
//   right(i, result)                   whether element i of a result is right, given that those before it are
//
// and `write`, `input_bytes_each`: those of one_array below, or its own where the input is more than one array.
#pragma once

#include "checked_steps.h"
#include "gpu.h"
#include "random_data.h"
#include "scan_case.h"

#include <lightscan/lightscan.h>

#include <cub/device/device_scan.cuh>

#include <thrust/scan.h>
#include <thrust/system/cuda/execution_policy.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perf
{
// Where a scan reads and writes.
template <class Work>
struct addresses
{
  typename Work::input* in;
  typename Work::output* out;
  cudaStream_t stream;
};

enum class placement
{
  apart,      // as cudaMalloc gives memory
  in_place,   // the output is the input
  misaligned, // input and output begin one element later
  output_off  // the output alone does: it lies differently on the 16-byte grid than the input
};

inline std::string placed(const char* op, placement where)
{
  constexpr const char* endings[] = {"", "_in_place", "_misaligned", "_output_off"};
  return std::string(op) + endings[static_cast<int>(where)];
}

template <class Work>
addresses<Work> addresses_of(const buffers& b, placement where)
{
  auto* const in        = static_cast<typename Work::input*>(b.input);
  void* const out_bytes = where == placement::in_place ? b.input : b.output;
  auto* const out       = static_cast<typename Work::output*>(out_bytes);
  const bool in_later   = where == placement::misaligned;
  const bool out_later  = where == placement::misaligned || where == placement::output_off;
  return {in + (in_later ? 1 : 0), out + (out_later ? 1 : 0), b.stream};
}

template <class Work>
__global__ void write_input(typename Work::input* input, std::int64_t count)
{
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
  {
    Work::write(input, i, count);
  }
}

// CUB counts in 32 bits when asked in 32 bits, which suits it better; no case is larger.
using cub_count = std::uint32_t;

// The same bytes with no scan: half of them are read, half written.
template <class Work>
void copy_as_much(const buffers& b, double bytes_moved)
{
  const auto bytes = static_cast<std::size_t>(bytes_moved / 2);
  require(cudaMemcpyAsync(b.output, b.input, bytes, cudaMemcpyDeviceToDevice, b.stream), "copying");
}

// Implementations that only some operations have; `sum` in sums.h has them.
template <class Work>
struct further_calls
{
  static void call(impl i, const addresses<Work>&, std::int64_t)
  {
    throw std::logic_error(std::string("no such implementation of ") + Work::op + ": " + name_of(i));
  }
};

template <class Work>
void call_one(impl i, const buffers& b, placement where, std::int64_t count, double bytes_moved)
{
  const addresses<Work> p = addresses_of<Work>(b, where);
  std::size_t bytes       = b.scratch_bytes;
  switch (i)
  {
    case impl::memcpy:
      copy_as_much<Work>(b, bytes_moved);
      break;
    case impl::cub:
      require(Work::by_cub(b.scratch, bytes, p, static_cast<cub_count>(count)), "scanning with CUB");
      break;
    case impl::thrust:
      Work::by_thrust(thrust::cuda::par.on(b.stream), p, count);
      break;
    case impl::lightscan:
      Work::by_thrust(lightscan::par_nosync.on(b.stream), p, count);
      break;
    default:
      further_calls<Work>::call(i, p, count);
      break;
  }
}

template <class Work>
scan_case make_case(const char* group,
                    std::int64_t count,
                    placement where         = placement::apart,
                    std::vector<impl> impls = {impl::memcpy, impl::cub, impl::thrust, impl::lightscan})
{
  const double n           = static_cast<double>(count);
  const double bytes_moved = n * static_cast<double>(Work::input_bytes_each + sizeof(typename Work::output));
  const std::size_t spare  = 16; // what a misaligned range needs more
  scan_case c;
  c.group        = group;
  c.op           = placed(Work::op, where);
  c.type         = Work::type;
  c.count        = count;
  c.bytes_moved  = bytes_moved;
  c.input_bytes  = static_cast<std::size_t>(count) * Work::input_bytes_each + spare;
  c.output_bytes = static_cast<std::size_t>(count) * sizeof(typename Work::output) + spare;
  // A copy of as many bytes may want more room than the scan itself.
  c.input_bytes   = std::max(c.input_bytes, static_cast<std::size_t>(bytes_moved / 2));
  c.output_bytes  = std::max(c.output_bytes, static_cast<std::size_t>(bytes_moved / 2));
  c.impls         = std::move(impls);
  c.scratch_bytes = [count] {
    std::size_t bytes = 0;
    require(Work::by_cub(nullptr, bytes, addresses<Work>{}, static_cast<cub_count>(count)),
            "asking CUB how much temporary memory it wants");
    return bytes;
  };
  c.fill = [count, where](const buffers& b) {
    const addresses<Work> p = addresses_of<Work>(b, where);
    if (where != placement::in_place)
    {
      // An earlier, right result must not stand in for an element that is not written.
      const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(typename Work::output);
      require(cudaMemsetAsync(p.out, 0xff, bytes, b.stream), "clearing the output");
    }
    write_input<Work><<<fill_blocks, fill_threads, 0, b.stream>>>(p.in, count);
    require(cudaGetLastError(), "making the input");
  };
  c.call = [=](impl i, const buffers& b) {
    call_one<Work>(i, b, where, count, bytes_moved);
  };
  c.check = [=](impl, const buffers& b) {
    return check_by_steps<Work>(addresses_of<Work>(b, where).out, 0, count, b.stream);
  };
  return c;
}

// For a Work whose input is one array.
template <class Work, class Input>
struct one_array
{
  static constexpr std::size_t input_bytes_each = sizeof(Input);

  static __device__ void write(Input* input, std::int64_t i, std::int64_t)
  {
    input[i] = Work::value(i);
  }
};
} // namespace perf
