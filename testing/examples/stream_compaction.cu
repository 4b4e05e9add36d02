// Keep what passes a test, in order. Where each element that is kept goes is the exclusive scan of "does it pass?"; copy_if does
// that in the pass that moves them, with neither flags nor places in memory, and remove_if in the place of the input.
#include "example.h"

#include <lightscan/lightscan.h>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

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
  __host__ __device__ bool operator()(const particle& p) const
  {
    return p.energy > 0.25f;
  }
};

struct is_fast
{
  __host__ __device__ bool operator()(const particle& p) const
  {
    return p.energy > 0.75f;
  }
};

// Those that are alive, but for the fast ones, which leave.
template <template <class...> class Vector, class Policy>
thrust::host_vector<particle> those_left(Policy policy, const std::vector<particle>& particles)
{
  const Vector<particle> all(particles);

  Vector<particle> living(all.size());
  const auto end = thrust::copy_if(policy, all.begin(), all.end(), living.begin(), is_alive{});
  living.resize(static_cast<std::size_t>(end - living.begin()));

  living.erase(thrust::remove_if(policy, living.begin(), living.end(), is_fast{}), living.end());
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

  const thrust::host_vector<particle> left = example::on_gpu()
                                             ? those_left<thrust::device_vector>(lightscan::par, particles)
                                             : those_left<thrust::host_vector>(lightscan::host, particles);
  std::printf("%zu of %d particles are left\n", left.size(), n);

  std::vector<particle> expected;
  std::copy_if(particles.begin(), particles.end(), std::back_inserter(expected), [](const particle& p) {
    return is_alive{}(p) && !is_fast{}(p);
  });
  return example::compare("particles that are left", left, expected);
}
