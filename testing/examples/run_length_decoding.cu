// Runs of (value, length) back to the values, in two scans: the exclusive sum of the lengths says where each run begins;
// with each run's number written there, the running maximum tells every output which run it belongs to.
#include "example.h"

#include <lightscan/lightscan.h>

#include <thrust/device_vector.h>

#include <cuda/functional>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

// Runs of no length leave no mark.
__global__ void mark_beginnings(const int* begins, const int* lengths, int runs, int* marks)
{
  const int run = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (run < runs && lengths[run] > 0)
  {
    marks[begins[run]] = run;
  }
}

__global__ void look_up(const int* run_of, const char* values, int n, char* out)
{
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
  {
    out[i] = values[run_of[i]];
  }
}

int main()
{
  int exit_code = 0;
  if (example::gpu_is_missing(exit_code))
  {
    return exit_code;
  }

  // A scanned page in black and white, some runs of which are empty.
  const int runs = 400000;
  std::vector<char> values(runs);
  std::vector<int> lengths(runs);
  std::mt19937 generator(11);
  std::geometric_distribution<int> any_length(0.1);
  for (std::size_t run = 0; run < values.size(); ++run)
  {
    values[run]  = run % 2 == 0 ? '.' : '#';
    lengths[run] = any_length(generator);
  }

  const thrust::device_vector<char> device_values(values.begin(), values.end());
  const thrust::device_vector<int> device_lengths(lengths.begin(), lengths.end());

  thrust::device_vector<int> begins(runs);
  thrust::exclusive_scan(lightscan::par, device_lengths.begin(), device_lengths.end(), begins.begin());
  const int n = begins.back() + device_lengths.back();

  const int threads = 256;
  thrust::device_vector<int> run_of(static_cast<std::size_t>(n), 0);
  mark_beginnings<<<(runs + threads - 1) / threads, threads>>>(thrust::raw_pointer_cast(begins.data()),
                                                               thrust::raw_pointer_cast(device_lengths.data()),
                                                               runs,
                                                               thrust::raw_pointer_cast(run_of.data()));
  example::check(cudaGetLastError());
  thrust::inclusive_scan(lightscan::par, run_of.begin(), run_of.end(), run_of.begin(), cuda::maximum<int>{});

  thrust::device_vector<char> decoded(static_cast<std::size_t>(n));
  look_up<<<(n + threads - 1) / threads, threads>>>(thrust::raw_pointer_cast(run_of.data()),
                                                    thrust::raw_pointer_cast(device_values.data()),
                                                    n,
                                                    thrust::raw_pointer_cast(decoded.data()));
  example::check(cudaDeviceSynchronize());

  std::vector<char> page(decoded.size());
  thrust::copy(decoded.begin(), decoded.end(), page.begin());
  std::printf(
    "%d runs are %d pixels, the first of them %s\n", runs, n, std::string(page.begin(), page.begin() + 60).c_str());

  std::vector<char> expected;
  for (std::size_t run = 0; run < values.size(); ++run)
  {
    expected.insert(expected.end(), static_cast<std::size_t>(lengths[run]), values[run]);
  }
  return example::compare("pixels", page, expected);
}
