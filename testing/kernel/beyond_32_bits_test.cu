// Rule: sizes are 64-bit throughout. Checked on the GPU, by a kernel that knows nothing of scans: out[i] - out[i - 1]
// must be in[i] for every i.
#include "../support/expect_cuda.h"
#include "../support/operators.h"

#include <lightscan/dispatch/launch.h>

#include <gtest/gtest.h>

#include <cstdint>

using lightscan::dispatch::kernels;
using lightscan::util::no_init;

namespace
{
__global__ void fill(unsigned char* values, std::int64_t n)
{
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < n; i += stride)
  {
    values[i] = static_cast<unsigned char>((static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15ull) >> 56);
  }
}

__global__ void
count_wrong(const unsigned char* in, const unsigned char* out, std::int64_t n, unsigned long long* wrong)
{
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < n; i += stride)
  {
    const unsigned char before = i == 0 ? 0 : out[i - 1];
    if (out[i] != static_cast<unsigned char>(before + in[i]))
    {
      atomicAdd(wrong, 1ull);
    }
  }
}
} // namespace

TEST(beyond_32_bits, bytes)
{
  using problem = lightscan::dispatch::
    scan_problem<unsigned char, const unsigned char*, unsigned char*, testing_support::plus, no_init, true>;
  constexpr std::int64_t most = (std::int64_t{1} << 32) + 1;
  std::size_t available       = 0;
  std::size_t total           = 0;
  LIGHTSCAN_EXPECT_CUDA(cudaMemGetInfo(&available, &total));
  if (available < 2 * static_cast<std::size_t>(most) + (std::size_t{1} << 28))
  {
    GTEST_SKIP() << "needs 9 GB of free GPU memory";
  }
  unsigned char* in         = nullptr;
  unsigned char* out        = nullptr;
  unsigned long long* wrong = nullptr;
  LIGHTSCAN_EXPECT_CUDA(cudaMalloc(&in, most));
  LIGHTSCAN_EXPECT_CUDA(cudaMalloc(&out, most));
  LIGHTSCAN_EXPECT_CUDA(cudaMalloc(&wrong, sizeof(*wrong)));
  fill<<<4096, 256>>>(in, most);
  for (const kernels allowed : {kernels::bulk_only, kernels::plain_only})
  {
    for (const std::int64_t n : {(std::int64_t{1} << 31) + 1, most - 2, most - 1, most})
    {
      LIGHTSCAN_EXPECT_CUDA(cudaMemset(out, 0xee, most));
      LIGHTSCAN_EXPECT_CUDA(cudaMemset(wrong, 0, sizeof(*wrong)));
      const auto done = lightscan::dispatch::launcher<problem>(problem{in, out, n, {}, {}}, nullptr, allowed).run();
      ASSERT_TRUE(done) << done.doing;
      count_wrong<<<4096, 256>>>(in, out, n, wrong);
      unsigned long long found = ~0ull;
      LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(&found, wrong, sizeof(found), cudaMemcpyDeviceToHost));
      EXPECT_EQ(found, 0u) << "n = " << n;
    }
  }
  LIGHTSCAN_EXPECT_CUDA(cudaFree(in));
  LIGHTSCAN_EXPECT_CUDA(cudaFree(out));
  LIGHTSCAN_EXPECT_CUDA(cudaFree(wrong));
}
