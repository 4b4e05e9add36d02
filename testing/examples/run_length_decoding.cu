// Runs of (value, length) back to the values, in two scans: the exclusive sum of the lengths says where each run begins;
// with each run's number written there, the running maximum tells every output which run it belongs to. And the values to runs
// again, none of which is empty now, in one reduction by key: of a one for each value.
#include "example.h"

#include <lightscan/lightscan.h>

#include <thrust/device_vector.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scatter.h>

#include <cuda/functional>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

template <template <class...> class Vector, class Policy>
Vector<char> decoded(Policy policy, const std::vector<char>& run_values, const std::vector<int>& run_lengths)
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

struct page
{
  thrust::host_vector<char> pixels;
  thrust::host_vector<char> run_values; // as encoded again
  thrust::host_vector<int> run_lengths;
};

template <template <class...> class Vector, class Policy>
page decoded_and_encoded(Policy policy, const std::vector<char>& run_values, const std::vector<int>& run_lengths)
{
  const Vector<char> pixels = decoded<Vector>(policy, run_values, run_lengths);

  // There are no more runs than there were.
  Vector<char> values(run_values.size());
  Vector<int> lengths(run_lengths.size());
  const auto ends = thrust::reduce_by_key(
    policy, pixels.begin(), pixels.end(), thrust::make_constant_iterator(1), values.begin(), lengths.begin());
  values.erase(ends.first, values.end());
  lengths.erase(ends.second, lengths.end());
  return {pixels, values, lengths};
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

  const page result = example::on_gpu() ? decoded_and_encoded<thrust::device_vector>(lightscan::par, values, lengths)
                                        : decoded_and_encoded<thrust::host_vector>(lightscan::host, values, lengths);
  std::printf("%d runs are %zu pixels, the first of them %s; they are %zu runs again\n",
              runs,
              result.pixels.size(),
              std::string(result.pixels.begin(), result.pixels.begin() + 60).c_str(),
              result.run_values.size());

  std::vector<char> expected;
  std::vector<char> expected_values;
  std::vector<int> expected_lengths;
  for (std::size_t run = 0; run < values.size(); ++run)
  {
    const int length = lengths[run];
    expected.insert(expected.end(), static_cast<std::size_t>(length), values[run]);
    if (length > 0 && !expected_values.empty() && expected_values.back() == values[run])
    {
      expected_lengths.back() += length;
    }
    else if (length > 0)
    {
      expected_values.push_back(values[run]);
      expected_lengths.push_back(length);
    }
  }
  const int wrong_pixels = example::compare("pixels", result.pixels, expected);
  const int wrong_values = example::compare("values of runs", result.run_values, expected_values);
  const int wrong_runs   = example::compare("lengths of runs", result.run_lengths, expected_lengths);
  return wrong_pixels || wrong_values || wrong_runs ? 1 : 0;
}
