// Keep what passes a test, in order: the exclusive scan of "does it pass?" says where each element that is kept goes.
//
// The flags are never stored: a transform iterator makes them as the scan reads.
#include "example.h"

#include <lightscan/lightscan.h>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scatter.h>

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

template <template <class...> class Vector, class Policy>
thrust::host_vector<particle> those_alive(Policy policy, const std::vector<particle>& particles)
{
  const Vector<particle> all(particles);
  const auto flags = thrust::make_transform_iterator(all.begin(), is_alive{});
  const auto n     = particles.size();

  // An inclusive scan written one place further on is the exclusive one, with the number of those alive at its end.
  Vector<int> places(n + 1, 0);
  thrust::inclusive_scan(policy, flags, flags + n, places.begin() + 1);

  Vector<particle> living(static_cast<std::size_t>(places.back()));
  thrust::scatter_if(policy, all.begin(), all.end(), places.begin(), flags, living.begin());
  return living;
}

int main()
{
  const int n = 3000000;
  std::vector<particle> particles(n);
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> energies(0.0f, 1.0f);
  for (int i = 0; i < n; ++i)
  {
    particles[static_cast<std::size_t>(i)] = {energies(generator), i};
  }

  const thrust::host_vector<particle> kept = example::on_gpu()
                                             ? those_alive<thrust::device_vector>(lightscan::par, particles)
                                             : those_alive<thrust::host_vector>(lightscan::host, particles);
  std::printf("%zu of %d particles are alive\n", kept.size(), n);

  std::vector<particle> expected;
  std::copy_if(particles.begin(), particles.end(), std::back_inserter(expected), [](const particle& p) {
    return is_alive{}(p) != 0;
  });
  return example::compare("particles that are alive", kept, expected);
}
