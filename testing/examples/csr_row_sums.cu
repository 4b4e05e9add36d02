// Row sums of a sparse matrix in compressed sparse rows: one scan of all rows for themselves, of which the last of each row is its sum.
// However uneven the rows are, the GPU has the same work everywhere; a row without entries is an empty segment, and its sum is 0.
#include "example.h"

#include <lightscan/lightscan.h>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

#include <cstdio>
#include <random>
#include <vector>

struct csr_matrix
{
  std::vector<int> offsets; // where each row begins, and where the last one ends
  std::vector<double> values;
};

// Half of the rows are empty, a few have thousands of entries. Entries are small integers, so that sums are exact in any order.
csr_matrix random_matrix(int rows)
{
  std::mt19937 generator(1993);
  std::uniform_int_distribution<int> percent(0, 99), entry(-50, 50);
  csr_matrix matrix{{0}, {}};
  for (int row = 0; row < rows; ++row)
  {
    const int drawn  = percent(generator);
    const int length = row % 10000 == 0 ? 5000 : drawn < 50 ? 0 : drawn / 10;
    for (int k = 0; k < length; ++k)
    {
      matrix.values.push_back(entry(generator));
    }
    matrix.offsets.push_back(static_cast<int>(matrix.values.size()));
  }
  return matrix;
}

struct last_of_row
{
  const int* offsets;
  const double* sums;

  __host__ __device__ double operator()(int row) const
  {
    return offsets[row] == offsets[row + 1] ? 0.0 : sums[offsets[row + 1] - 1];
  }
};

int main()
{
  int exit_code = 0;
  if (example::gpu_is_missing(exit_code))
  {
    return exit_code;
  }

  const int rows          = 200000;
  const csr_matrix matrix = random_matrix(rows);

  const thrust::device_vector<int> offsets(matrix.offsets);
  const thrust::device_vector<double> values(matrix.values);
  thrust::device_vector<double> running(values.size());
  thrust::device_vector<double> sums(rows);
  const int* const where = thrust::raw_pointer_cast(offsets.data());

  example::check(lightscan::DeviceSegmentedScan::InclusiveSegmentedSum(values.begin(), running.begin(), where, rows));
  const thrust::counting_iterator<int> row(0);
  thrust::transform(row, row + rows, sums.begin(), last_of_row{where, thrust::raw_pointer_cast(running.data())});

  const thrust::host_vector<double> found = sums;
  std::printf("%d rows, %zu entries; the first row's sum is %g\n", rows, values.size(), found[0]);

  std::vector<double> expected;
  for (std::size_t r = 0; r + 1 < matrix.offsets.size(); ++r)
  {
    double sum = 0;
    for (int k = matrix.offsets[r]; k < matrix.offsets[r + 1]; ++k)
    {
      sum += matrix.values[static_cast<std::size_t>(k)];
    }
    expected.push_back(sum);
  }
  return example::compare("row sums", found, expected);
}
