// Cumulative sums of a batch of time series, which lie one behind the other as the rows of a matrix: what each of many meters has
// counted up to each hour of a year. Rows have one length, so nothing but that length says where they begin.
//
// An hour's consumption is 32-bit, a meter's reading 64-bit: the initial value's type is the one that is accumulated in.
#include "example.h"

#include <lightscan/lightscan.h>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <cuda/std/functional>

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

int main()
{
  int exit_code = 0;
  if (example::gpu_is_missing(exit_code))
  {
    return exit_code;
  }

  const std::size_t meters = 300, hours = 8760;
  std::mt19937 generator(365);
  std::uniform_int_distribution<int> milliwatt_hours(0, 3000000);
  std::vector<int> consumed(meters * hours);
  for (int& hour : consumed)
  {
    hour = milliwatt_hours(generator);
  }

  const thrust::device_vector<int> input(consumed);
  thrust::device_vector<std::int64_t> readings(input.size());
  example::check(lightscan::DeviceSegmentedScan::InclusiveSegmentedScanInit(
    input.begin(), readings.begin(), meters, hours, cuda::std::plus<>{}, std::int64_t{0}));

  const thrust::host_vector<std::int64_t> found = readings;
  std::printf("the first meter reads %lld kWh after a year\n", static_cast<long long>(found[hours - 1] / 1000000));

  std::vector<std::int64_t> expected(consumed.size());
  for (std::size_t meter = 0; meter < meters; ++meter)
  {
    std::int64_t reading = 0;
    for (std::size_t hour = 0; hour < hours; ++hour)
    {
      reading += consumed[meter * hours + hour];
      expected[meter * hours + hour] = reading;
    }
  }
  return example::compare("meter readings", found, expected);
}
