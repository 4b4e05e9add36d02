// A summed-area table of an image: each entry is the sum of all pixels above and to the left of it, so that the sum over any rectangle is
// four entries' work. It is a scan along the rows, and one of that along the columns, in place.
#include "example.h"

#include <lightscan/lightscan.h>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <cstddef>
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
  const int height = 1080, width = 1920;
  std::mt19937 generator(20261125);
  thrust::host_vector<unsigned char> image(static_cast<std::size_t>(height) * width);
  for (unsigned char& pixel : image)
  {
    pixel = static_cast<unsigned char>(generator() >> 24);
  }

  const thrust::device_vector<unsigned char> pixels = image;
  thrust::device_vector<unsigned> table(pixels.size());
  // What is accumulated has the type that the operator gives: 32 bits, though pixels have 8.
  const cuda::std::plus<unsigned> plus;
  example::check(
    lightscan::DeviceBatchedScan::InclusiveScan(pixels.begin(), table.begin(), lightscan::axis(height, width), plus));
  example::check(lightscan::DeviceBatchedScan::InclusiveScan(
    table.begin(), table.begin(), lightscan::axis(1, height, width), plus));

  const thrust::host_vector<unsigned> sums = table;
  std::vector<unsigned> expected(image.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
  {
    const bool first_row    = i < static_cast<std::size_t>(width);
    const bool first_column = i % static_cast<std::size_t>(width) == 0;
    const unsigned above    = first_row ? 0 : expected[i - width];
    const unsigned left     = first_column ? 0 : expected[i - 1];
    const unsigned both     = first_row || first_column ? 0 : expected[i - width - 1];
    expected[i]             = image[i] + above + left - both;
  }
  std::printf("the sum of all pixels is %u\n", sums.back());
  return example::compare("summed-area table", sums, expected);
}
