// Keep what passes a test, in order: the exclusive scan of "does it pass?" says where each element that is kept goes.
//
// The flags are never stored: a transform iterator makes them as the scan reads.
#include "example.h"

#include <lightscan/lightscan.h>

#include <thrust/device_vector.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <random>
#include <vector>

struct particle
{
  float energy;
  int id;
};

bool operator==(const particle& a, const particle& b)
{
  return a.energy == b.energy && a.id == b.id;
}

struct is_alive
{
  __host__ __device__ int operator()(const particle& p) const
  {
    return p.energy > 0.25f ? 1 : 0;
  }
};

__global__ void move_the_living(const particle* from, const int* places, int n, particle* to)
{
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && is_alive{}(from[i]))
  {
    to[places[i]] = from[i];
  }
}

int main()
{
  int exit_code = 0;
  if (example::gpu_is_missing(exit_code))
  {
    return exit_code;
  }

  const int n = 3000000;
  std::vector<particle> particles(n);
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> energies(0.0f, 1.0f);
  for (int i = 0; i < n; ++i)
  {
    particles[static_cast<std::size_t>(i)] = {energies(generator), i};
  }

  const thrust::device_vector<particle> all(particles.begin(), particles.end());
  const auto flags = thrust::make_transform_iterator(all.begin(), is_alive{});

  // An inclusive scan written one place further on is the exclusive one, with the number of those alive at its end.
  thrust::device_vector<int> places(n + 1, 0);
  thrust::inclusive_scan(lightscan::par, flags, flags + n, places.begin() + 1);
  const int alive = places[n];

  thrust::device_vector<particle> living(static_cast<std::size_t>(alive));
  const int threads = 256;
  move_the_living<<<(n + threads - 1) / threads, threads>>>(thrust::raw_pointer_cast(all.data()),
                                                            thrust::raw_pointer_cast(places.data()),
                                                            n,
                                                            thrust::raw_pointer_cast(living.data()));
  example::check(cudaDeviceSynchronize());
  std::printf("%d of %d particles are alive\n", alive, n);

  std::vector<particle> kept(living.size());
  thrust::copy(living.begin(), living.end(), kept.begin());
  std::vector<particle> expected;
  std::copy_if(particles.begin(), particles.end(), std::back_inserter(expected), [](const particle& p) {
    return is_alive{}(p) != 0;
  });
  return example::compare("particles that are alive", kept, expected);
}
