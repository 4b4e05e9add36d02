#include "digest.h"

#include "../gpu.h"
#include "../random_data.h"

namespace perf
{
namespace
{
// Sums of mixed words do not depend on the order in which they are added.
__global__ void add_words(const std::uint32_t* words, std::int64_t count, std::int64_t seed, unsigned long long* sum)
{
  const std::int64_t step  = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  unsigned long long mixed = 0;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
  {
    mixed += random_bits(static_cast<std::int64_t>(random_bits(seed + i) ^ words[i]));
  }
  atomicAdd(sum, mixed);
}
} // namespace

std::uint64_t digest_of(const std::vector<written_bytes>& written, cudaStream_t stream)
{
  const device_memory<unsigned long long> on_gpu(1);
  unsigned long long sum = 0;
  require(cudaMemsetAsync(on_gpu.data(), 0, on_gpu.bytes(), stream), "comparing results");
  std::int64_t seed = 0;
  for (const written_bytes& part : written)
  {
    // Numbers of elements are multiples of four.
    const auto count = static_cast<std::int64_t>(part.bytes / sizeof(std::uint32_t));
    add_words<<<fill_blocks, fill_threads, 0, stream>>>(
      static_cast<const std::uint32_t*>(part.begin), count, seed, on_gpu.data());
    require(cudaGetLastError(), "comparing results");
    seed += count;
  }
  require(cudaMemcpyAsync(&sum, on_gpu.data(), sizeof(sum), cudaMemcpyDeviceToHost, stream), "comparing results");
  require(cudaStreamSynchronize(stream), "comparing results");
  return sum;
}
} // namespace perf
