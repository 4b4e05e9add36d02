// From a description of one operation whose output is shorter than its input, or in another order, to a case of it. Included by
// cases_select.cu, cases_select_iterators.cu, cases_select_zips.cu, cases_lookups.cu, cases_partition.cu, cases_unique.cu,
// cases_reduce_by_key.cu and cases_run_lengths.cu.
//
// A `Work` is a class with nothing but static members; its input and output are arrays as in tree_work.h:
//
//   op(), type                  names in the result file
//   input_bytes, output_bytes   of one element, in memory that the case is given
//   bytes_moved(n)              that the operation cannot but read and write
//   cubs, ours                  CUB's class of entry points, and LightScan's
//   call<Class>(scratch, bytes, arrays, total)  the call of either; `total` is where it puts how many there are
//   by_thrust(policy, arrays)   the call of Thrust; returns how many there are
//   by_policy                   whether LightScan is called as Thrust is, by lightscan::par, and so waits
//   write(arrays, i)            makes element i of the input
//   check(arrays, impl, total)  of what an implementation left
#pragma once

#include "tree_work.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace perf
{
// All calls count in it: CUB's offsets are then 32 bits wide, which suits it better; no case is larger.
using select_count = std::int32_t;

template <class Work>
__global__ void empty_kernel()
{}

// Where the number of outputs goes on the GPU: behind them.
template <class Work>
std::uint32_t* total_of(const arrays& a)
{
  return reinterpret_cast<std::uint32_t*>(static_cast<char*>(a.output) + Work::output_bytes * a.n);
}

inline constexpr std::int64_t not_on_host = -1;

// Returns how many outputs there are, where the call says so on the host.
template <class Work>
std::int64_t call_selection(impl i, const arrays& a, const buffers& b)
{
  std::size_t bytes          = b.scratch_bytes;
  std::uint32_t* const total = total_of<Work>(a);
  switch (i)
  {
    case impl::memcpy: {
      const auto half = static_cast<std::size_t>(Work::bytes_moved(a.n) / 2);
      require(cudaMemcpyAsync(b.output, b.input, half, cudaMemcpyDeviceToDevice, b.stream), "copying");
      return not_on_host;
    }
    case impl::empty_kernel:
      empty_kernel<Work><<<1, 32, 0, b.stream>>>();
      require(cudaGetLastError(), "launching an empty kernel");
      if (Work::by_policy)
      {
        require(cudaStreamSynchronize(b.stream), "waiting for an empty kernel");
      }
      return not_on_host;
    case impl::cub:
      require(Work::template call<typename Work::cubs>(b.scratch, bytes, a, total), "calling CUB");
      return not_on_host;
    case impl::thrust:
      return Work::by_thrust(thrust::cuda::par.on(b.stream), a);
    case impl::lightscan:
      if constexpr (Work::by_policy)
      {
        return Work::by_thrust(lightscan::par.on(b.stream), a);
      }
      else
      {
        require(Work::template call<typename Work::ours>(b.scratch, bytes, a, total), "calling LightScan");
        return not_on_host;
      }
    default:
      throw std::logic_error("no such implementation of " + Work::op() + ": " + name_of(i));
  }
}

// What both want; LightScan's, too, is at hand.
template <class Work>
std::size_t scratch_bytes_of(std::int64_t count)
{
  const arrays nowhere{nullptr, nullptr, count, nullptr};
  std::size_t bytes = 0;
  require(Work::template call<typename Work::cubs>(nullptr, bytes, nowhere, static_cast<std::uint32_t*>(nullptr)),
          "asking CUB how much temporary memory it wants");
  std::size_t most = bytes;
  if constexpr (!Work::by_policy)
  {
    require(Work::template call<typename Work::ours>(nullptr, bytes, nowhere, static_cast<std::uint32_t*>(nullptr)),
            "asking LightScan how much storage it wants");
    most = std::max(most, bytes);
  }
  return most;
}

inline const std::vector<impl> all_of_a_selection{impl::memcpy, impl::cub, impl::thrust, impl::lightscan};
inline const std::vector<impl> all_of_a_small_selection{
  impl::memcpy, impl::empty_kernel, impl::cub, impl::thrust, impl::lightscan};

template <class Work>
scan_case make_selection(std::int64_t count, std::vector<impl> impls = all_of_a_selection)
{
  const auto n            = static_cast<std::size_t>(count);
  const std::size_t spare = 256; // for how many there are
  const auto in           = [count](const buffers& b) {
    return arrays{b.input, b.output, count, b.stream};
  };
  const auto said_on_host = std::make_shared<std::int64_t>(not_on_host);
  scan_case c;
  c.group       = "select";
  c.op          = Work::op();
  c.type        = Work::type;
  c.count       = count;
  c.bytes_moved = Work::bytes_moved(count);
  // A copy of as many bytes may want more room than the operation itself.
  const auto half = static_cast<std::size_t>(c.bytes_moved / 2);
  c.input_bytes   = std::max(n * Work::input_bytes, half) + spare;
  c.output_bytes  = std::max(n * Work::output_bytes, half) + spare;
  c.impls         = std::move(impls);
  c.scratch_bytes = [count] {
    return scratch_bytes_of<Work>(count);
  };
  c.fill = [=](const buffers& b) {
    // An earlier, right result must not stand in for what is not written.
    *said_on_host = not_on_host;
    require(cudaMemsetAsync(b.output, 0xff, n * Work::output_bytes + spare, b.stream), "clearing the output");
    write_arrays<Work><<<fill_blocks, fill_threads, 0, b.stream>>>(in(b));
    require(cudaGetLastError(), "making the input");
  };
  c.call = [=](impl i, const buffers& b) {
    *said_on_host = call_selection<Work>(i, in(b), b);
  };
  c.check = [=](impl i, const buffers& b) {
    std::uint32_t on_gpu = 0;
    require(cudaMemcpyAsync(&on_gpu, total_of<Work>(in(b)), sizeof(on_gpu), cudaMemcpyDeviceToHost, b.stream),
            "reading how many there are");
    require(cudaStreamSynchronize(b.stream), "reading how many there are");
    return Work::check(in(b), i, *said_on_host == not_on_host ? std::int64_t{on_gpu} : *said_on_host);
  };
  return c;
}

struct still_cleared
{
  const unsigned char* bytes;

  __device__ bool operator()(std::int64_t i) const
  {
    return bytes[i] == 0xff;
  }
};

// Of an array of n elements of which `total` are results, the bytes just behind those.
template <class T>
verdict check_behind(const T* array, std::int64_t total, std::int64_t n, cudaStream_t stream)
{
  constexpr auto size  = static_cast<std::int64_t>(sizeof(T));
  constexpr auto guard = std::int64_t{1} << 16;
  const auto* bytes    = reinterpret_cast<const unsigned char*>(array);
  const verdict found  = check_by(still_cleared{bytes}, total * size, std::min(total * size + guard, n * size), stream);
  return found.wrong == 0 ? found : verdict{found.wrong, found.first_wrong / size};
}

// The first that found something.
inline verdict first_of(std::initializer_list<verdict> all)
{
  const auto found = std::find_if(all.begin(), all.end(), [](const verdict& v) {
    return v.wrong != 0;
  });
  return found == all.end() ? *all.begin() : *found;
}
} // namespace perf
