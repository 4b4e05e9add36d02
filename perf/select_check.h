// Proves on the GPU which elements a selection kept, and where it put them, with no scan of any library. Included by
// cases_select.cu, cases_select_iterators.cu, cases_select_zips.cu, cases_lookups.cu and cases_partition.cu.
//
// How many elements of each short stretch of the input are kept is counted by one thread each; the host adds these numbers up.
// Then a thread walks over each stretch again and knows where every element of it has to be. Elements and what is kept of
// them are worked out again from their index.
#pragma once

#include "select_work.h"

#include <vector>

namespace perf
{
inline constexpr std::int64_t walked_by_thread = 64;

template <class Work>
__global__ void count_kept(std::int64_t n, std::int64_t stretches, std::uint32_t* kept)
{
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t s = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; s < stretches; s += step)
  {
    std::uint32_t count    = 0;
    const std::int64_t end = min((s + 1) * walked_by_thread, n);
    for (std::int64_t i = s * walked_by_thread; i < end; ++i)
    {
      count += Work::kept(Work::value(i, n)) ? 1 : 0;
    }
    kept[s] = count;
  }
}

// How many are kept before each stretch, and at the end of all.
template <class Work>
std::vector<std::int64_t> kept_before(std::int64_t n, cudaStream_t stream)
{
  const std::int64_t stretches = (n + walked_by_thread - 1) / walked_by_thread;
  std::vector<std::uint32_t> kept(static_cast<std::size_t>(stretches));
  const device_memory<std::uint32_t> on_gpu(kept.size());
  count_kept<Work><<<check_blocks, check_threads, 0, stream>>>(n, stretches, on_gpu.data());
  require(cudaGetLastError(), "counting what is to be kept");
  require(cudaMemcpyAsync(kept.data(), on_gpu.data(), on_gpu.bytes(), cudaMemcpyDeviceToHost, stream),
          "counting what is to be kept");
  require(cudaStreamSynchronize(stream), "counting what is to be kept");

  std::vector<std::int64_t> before{0};
  before.reserve(kept.size() + 1);
  for (const std::uint32_t more : kept)
  {
    before.push_back(before.back() + more);
  }
  return before;
}

// Work::right(arrays, impl, i, before, kept) says whether element i, before which so many are kept, is where it belongs.
template <class Work>
struct right_in_stretch
{
  arrays a;
  impl by;
  const std::int64_t* before;

  __device__ bool operator()(std::int64_t s) const
  {
    const std::int64_t end = min((s + 1) * walked_by_thread, a.n);
    std::int64_t rank      = before[s];
    for (std::int64_t i = s * walked_by_thread; i < end; ++i)
    {
      const bool kept = Work::kept(Work::value(i, a.n));
      if (!Work::right(a, by, i, rank, kept))
      {
        return false;
      }
      rank += kept ? 1 : 0;
    }
    return true;
  }
};

// The first wrong one, here, is the first element of a stretch that has one.
template <class Work>
verdict check_kept(const arrays& a, impl by, std::int64_t total)
{
  const std::vector<std::int64_t> before = kept_before<Work>(a.n, a.stream);
  if (total != before.back())
  {
    return {1, static_cast<unsigned long long>(before.back())};
  }
  const device_memory<std::int64_t> on_gpu(before.size());
  require(cudaMemcpyAsync(on_gpu.data(), before.data(), on_gpu.bytes(), cudaMemcpyHostToDevice, a.stream),
          "checking the result");
  const auto stretches = static_cast<std::int64_t>(before.size()) - 1;
  const verdict found  = check_by(right_in_stretch<Work>{a, by, on_gpu.data()}, 0, stretches, a.stream);
  return {found.wrong, found.wrong == 0 ? found.first_wrong : found.first_wrong * walked_by_thread};
}
} // namespace perf
