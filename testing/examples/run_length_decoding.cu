// Runs of (value, length) back to the values, in two scans: the exclusive sum of the lengths says where each run begins;
// with each run's number written there, the running maximum tells every output which run it belongs to.
#include "example.h"

#include <lightscan/lightscan.h>

#include <thrust/device_vector.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scatter.h>

#include <cuda/functional>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

template <template <class...> class Vector, class Policy>
thrust::host_vector<char> decoded(Policy policy,
                                  const std::vector<char>& run_values,
                                  const std::vector<int>& run_lengths)
{
  const Vector<char> values(run_values);
  const Vector<int> lengths(run_lengths);

  Vector<int> begins(lengths.size());
  thrust::exclusive_scan(policy, lengths.begin(), lengths.end(), begins.begin());
  const int n = begins.back() + lengths.back();

  // Runs of no length leave no mark.
  Vector<int> run_of(static_cast<std::size_t>(n), 0);
  const thrust::counting_iterator<int> runs(0);
  thrust::scatter_if(policy, runs, runs + lengths.size(), begins.begin(), lengths.begin(), run_of.begin());
  thrust::inclusive_scan(policy, run_of.begin(), run_of.end(), run_of.begin(), cuda::maximum<int>{});

  Vector<char> pixels(run_of.size());
  thrust::gather(policy, run_of.begin(), run_of.end(), values.begin(), pixels.begin());
  return pixels;
}

int main()
{
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

  const thrust::host_vector<char> page = example::on_gpu()
                                         ? decoded<thrust::device_vector>(lightscan::par, values, lengths)
                                         : decoded<thrust::host_vector>(lightscan::host, values, lengths);
  std::printf("%d runs are %zu pixels, the first of them %s\n",
              runs,
              page.size(),
              std::string(page.begin(), page.begin() + 60).c_str());

  std::vector<char> expected;
  for (std::size_t run = 0; run < values.size(); ++run)
  {
    expected.insert(expected.end(), static_cast<std::size_t>(lengths[run]), values[run]);
  }
  return example::compare("pixels", page, expected);
}
