// Sums to what is not plain memory.
#include "tree_work.h"

#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cstdint>

namespace perf
{
namespace
{
// One array of floats.
struct floats
{
  static auto first(const arrays& a)
  {
    return a.in<float>();
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<float>()[i] = random_value<float>(i);
  }
};

// Can be undone, and is exact.
struct doubled_and_negated
{
  __host__ __device__ float operator()(float sum) const
  {
    return -2.0f * sum;
  }
};

struct to_transform : floats, scan_of<to_transform>, moves<4, 4>
{
  static constexpr const char* op   = "inclusive_sum_to_transform";
  static constexpr const char* type = "float";

  static auto result(const arrays& a)
  {
    return thrust::make_transform_output_iterator(a.out<float>(), doubled_and_negated{});
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    const float* const result = a.out<float>();
    return follows(i, i == 0 ? 0.0f : result[i - 1] / -2, random_value<float>(i), result[i] / -2);
  }
};

struct to_sixteenths
{
  __host__ __device__ std::int64_t operator()(float value) const
  {
    return static_cast<std::int64_t>(value * 16);
  }
};
struct of_sixteenths
{
  __host__ __device__ float operator()(std::int64_t sum) const
  {
    return static_cast<float>(sum) / 16;
  }
};

struct transform_to_transform : scan_of<transform_to_transform>, moves<4, 4>
{
  static constexpr const char* op   = "inclusive_sum_transform_to_transform";
  static constexpr const char* type = "float_to_int64";

  static auto first(const arrays& a)
  {
    return thrust::make_transform_iterator(floats::first(a), to_sixteenths{});
  }
  static auto result(const arrays& a)
  {
    return thrust::make_transform_output_iterator(a.out<float>(), of_sixteenths{});
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    floats::write(a, i);
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    return follows(a.out<float>(), i, random_value<float>(i));
  }
};

using int_pair = thrust::tuple<std::int32_t, std::int32_t>;

struct pair_sum
{
  __host__ __device__ int_pair operator()(const int_pair& left, const int_pair& right) const
  {
    return {
      next_sum(thrust::get<0>(left), thrust::get<0>(right)), next_sum(thrust::get<1>(left), thrust::get<1>(right))};
  }
};

// An array of pairs to a pair of arrays.
struct to_zip : scan_of<to_zip>, moves<8, 8>
{
  static constexpr const char* op   = "inclusive_sum_to_zip";
  static constexpr const char* type = "int32_int32";
  using combine                     = pair_sum;

  static auto first(const arrays& a)
  {
    return a.in<int_pair>();
  }
  static auto result(const arrays& a)
  {
    return thrust::make_zip_iterator(a.out<std::int32_t>(), a.out<std::int32_t, 4>());
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<int_pair>()[i] = {random_value<std::int32_t>(i), random_value<std::int32_t>(~i)};
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    return follows(a.out<std::int32_t>(), i, random_value<std::int32_t>(i))
        && follows(a.out<std::int32_t, 4>(), i, random_value<std::int32_t>(~i));
  }
};

// Of which nothing is left to prove.
struct to_discard : floats, scan_of<to_discard>
{
  static constexpr const char* op    = "inclusive_sum_to_discard";
  static constexpr const char* type  = "float";
  static constexpr int read_bytes    = 4;
  static constexpr int written_bytes = 0;
  static constexpr int input_bytes   = 4;
  static constexpr int output_bytes  = 0;

  static auto result(const arrays&)
  {
    return thrust::make_discard_iterator();
  }
  static __device__ bool right(const arrays&, std::int64_t)
  {
    return true;
  }
};
} // namespace

std::vector<scan_case> sums_to_iterators()
{
  return tree_cases<to_transform, transform_to_transform, to_zip, to_discard>();
}
} // namespace perf
