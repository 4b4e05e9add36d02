// y[i] = a[i] * y[i - 1] + b[i], here to smooth a signal that is sampled at uneven times. Each step is an affine map;
// composing maps is associative, so all y come out of one scan. It is not commutative, and need not be.
#include "example.h"

#include <lightscan/lightscan.h>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

// y -> a * y + b
struct affine_map
{
  float a;
  float b;
};

struct then
{
  __host__ __device__ affine_map operator()(const affine_map& first, const affine_map& second) const
  {
    return {second.a * first.a, second.a * first.b + second.b};
  }
};

// All the maps up to each step, as one.
template <template <class...> class Vector, class Policy>
thrust::host_vector<affine_map> compositions(Policy policy, const std::vector<affine_map>& steps)
{
  Vector<affine_map> maps(steps);
  thrust::inclusive_scan(policy, maps.begin(), maps.end(), maps.begin(), then{});
  return maps;
}

int main()
{
  // The longer ago the last sample, the less it counts.
  const int n = 4000000;
  std::vector<affine_map> steps(n);
  std::mt19937 generator(3);
  std::exponential_distribution<double> seconds(10.0);
  std::normal_distribution<double> noise(0.0, 0.5);
  double now = 0;
  for (affine_map& step : steps)
  {
    const double passed = seconds(generator);
    now += passed;
    const double weight = std::exp(-passed);
    const double sample = std::sin(now / 1000) + noise(generator);
    step                = {static_cast<float>(weight), static_cast<float>((1 - weight) * sample)};
  }

  // From y = 0, the map of the first i steps leads to its b.
  const thrust::host_vector<affine_map> results = example::on_gpu()
                                                  ? compositions<thrust::device_vector>(lightscan::par, steps)
                                                  : compositions<thrust::host_vector>(lightscan::host, steps);

  double y     = 0;
  double worst = 0;
  for (std::size_t i = 0; i < results.size(); ++i)
  {
    y                = steps[i].a * y + steps[i].b;
    const double off = std::abs(results[i].b - y);
    worst            = off > worst || std::isnan(off) ? off : worst;
  }
  std::printf(
    "%d samples smoothed; the last is %f, one after the other in double precision %f\n", n, results.back().b, y);
  std::printf("no sample is further than %.2g from that\n", worst);
  return worst < 1e-5 ? 0 : 1;
}
