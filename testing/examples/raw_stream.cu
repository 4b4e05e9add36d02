// No Thrust container, one stream, nothing that waits before the end: a histogram becomes a distribution function, from
// which values are then drawn at random.
#include "example.h"

#include <lightscan/lightscan.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include <cuda_runtime_api.h>

// For each draw, a number below the total: the first bin up to which there are more values than that.
__global__ void draw_bins(const unsigned* up_to, int bins, const unsigned* draws, int n, int* drawn)
{
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
  {
    int begin = 0;
    int end   = bins;
    while (begin < end)
    {
      const int middle = begin + (end - begin) / 2;
      if (up_to[middle] > draws[i])
      {
        end = middle;
      }
      else
      {
        begin = middle + 1;
      }
    }
    drawn[i] = begin;
  }
}

int main()
{
  int exit_code = 0;
  if (example::gpu_is_missing(exit_code))
  {
    return exit_code;
  }

  const int bins = 500000;
  const int n    = 200000;
  std::mt19937 generator(17);
  std::uniform_int_distribution<unsigned> counts(0, 100);
  std::vector<unsigned> histogram(bins);
  unsigned total = 0;
  for (unsigned& bin : histogram)
  {
    bin = counts(generator);
    total += bin;
  }
  std::uniform_int_distribution<unsigned> below_total(0, total - 1);
  std::vector<unsigned> draws(n);
  std::generate(draws.begin(), draws.end(), [&] {
    return below_total(generator);
  });
  std::vector<int> drawn(n);

  cudaStream_t stream = nullptr;
  example::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  unsigned* device_bins  = nullptr;
  unsigned* device_draws = nullptr;
  int* device_drawn      = nullptr;
  example::check(cudaMallocAsync(&device_bins, bins * sizeof(unsigned), stream));
  example::check(cudaMallocAsync(&device_draws, n * sizeof(unsigned), stream));
  example::check(cudaMallocAsync(&device_drawn, n * sizeof(int), stream));
  example::check(
    cudaMemcpyAsync(device_bins, histogram.data(), bins * sizeof(unsigned), cudaMemcpyHostToDevice, stream));
  example::check(cudaMemcpyAsync(device_draws, draws.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice, stream));

  try
  {
    thrust::inclusive_scan(lightscan::par_nosync.on(stream), device_bins, device_bins + bins, device_bins);
  }
  catch (const thrust::system_error& error)
  {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }

  const int threads = 256;
  draw_bins<<<(n + threads - 1) / threads, threads, 0, stream>>>(device_bins, bins, device_draws, n, device_drawn);
  example::check(cudaGetLastError());
  example::check(cudaMemcpyAsync(drawn.data(), device_drawn, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  example::check(cudaFreeAsync(device_bins, stream));
  example::check(cudaFreeAsync(device_draws, stream));
  example::check(cudaFreeAsync(device_drawn, stream));
  example::check(cudaStreamSynchronize(stream));
  example::check(cudaStreamDestroy(stream));
  std::printf("%d values drawn from %d bins, the first from bin %d\n", n, bins, drawn[0]);

  std::vector<unsigned> up_to(bins);
  unsigned sum = 0;
  for (std::size_t bin = 0; bin < up_to.size(); ++bin)
  {
    sum += histogram[bin];
    up_to[bin] = sum;
  }
  std::vector<int> expected(n);
  std::transform(draws.begin(), draws.end(), expected.begin(), [&](unsigned draw) {
    return static_cast<int>(std::upper_bound(up_to.begin(), up_to.end(), draw) - up_to.begin());
  });
  return example::compare("bins drawn", drawn, expected);
}
