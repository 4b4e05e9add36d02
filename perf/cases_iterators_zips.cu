// Scans over several arrays at once.
#include "tree_work.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cstdint>

namespace perf
{
namespace
{
using float_pair = thrust::tuple<float, float>;
using triple     = thrust::tuple<float, float, std::int32_t>;

struct pair_sum
{
  __host__ __device__ float_pair operator()(const float_pair& left, const float_pair& right) const
  {
    return {thrust::get<0>(left) + thrust::get<0>(right), thrust::get<1>(left) + thrust::get<1>(right)};
  }
};

struct triple_sum
{
  __host__ __device__ triple operator()(const triple& left, const triple& right) const
  {
    return {thrust::get<0>(left) + thrust::get<0>(right),
            thrust::get<1>(left) + thrust::get<1>(right),
            next_sum(thrust::get<2>(left), thrust::get<2>(right))};
  }
};

__device__ float first_value(std::int64_t i)
{
  return random_value<float>(i);
}
__device__ float second_value(std::int64_t i)
{
  return random_value<float>(~i);
}

// Two arrays of floats.
struct two_arrays
{
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<float>()[i]    = first_value(i);
    a.in<float, 4>()[i] = second_value(i);
  }
};

struct of_pairs : scan_of<of_pairs>, moves<8, 8>, two_arrays
{
  static constexpr const char* op   = "inclusive_sum_zip_to_zip";
  static constexpr const char* type = "float_float";
  using combine                     = pair_sum;

  static auto first(const arrays& a)
  {
    return thrust::make_zip_iterator(a.in<float>(), a.in<float, 4>());
  }
  static auto result(const arrays& a)
  {
    return thrust::make_zip_iterator(a.out<float>(), a.out<float, 4>());
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    return follows(a.out<float>(), i, first_value(i)) && follows(a.out<float, 4>(), i, second_value(i));
  }
};

struct difference
{
  __host__ __device__ float operator()(const float_pair& values) const
  {
    return thrust::get<0>(values) - thrust::get<1>(values);
  }
};

struct of_differences : scan_of<of_differences>, moves<8, 4>, two_arrays
{
  static constexpr const char* op   = "inclusive_sum_transform_zip";
  static constexpr const char* type = "float";

  static auto first(const arrays& a)
  {
    return thrust::make_transform_iterator(of_pairs::first(a), difference{});
  }
  static auto result(const arrays& a)
  {
    return a.out<float>();
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    return follows(a.out<float>(), i, first_value(i) - second_value(i));
  }
};

struct negated
{
  __host__ __device__ float operator()(float value) const
  {
    return -value;
  }
};

struct halved
{
  __host__ __device__ float operator()(float value) const
  {
    return 0.5f * value;
  }
};

// What follows sums halves of sixteenths: exact as long as the sums stay within half of what sums_are_exact_up_to says.
__device__ bool half_follows(const float* result, std::int64_t i, float value)
{
  return follows(result, i, value) && sums_are_exact_up_to(2 * result[i]);
}

struct of_triples : scan_of<of_triples>, two_arrays
{
  static constexpr const char* op    = "inclusive_sum_zip_of_transforms";
  static constexpr const char* type  = "float_float_int32";
  static constexpr int read_bytes    = 8;
  static constexpr int written_bytes = 12;
  static constexpr int input_bytes   = 8;
  static constexpr int output_bytes  = 12;
  using combine                      = triple_sum;

  static auto first(const arrays& a)
  {
    return thrust::make_zip_iterator(thrust::make_transform_iterator(a.in<float>(), negated{}),
                                     thrust::make_transform_iterator(a.in<float, 4>(), halved{}),
                                     thrust::make_counting_iterator(std::int32_t{0}));
  }
  static auto result(const arrays& a)
  {
    return thrust::make_zip_iterator(a.out<float>(), a.out<float, 4>(), a.out<std::int32_t, 8>());
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    return follows(a.out<float>(), i, -first_value(i)) && half_follows(a.out<float, 4>(), i, second_value(i) / 2)
        && follows(a.out<std::int32_t, 8>(), i, static_cast<std::int32_t>(i));
  }
};

// One number of three.
struct mixed
{
  __host__ __device__ float operator()(const triple& values) const
  {
    const float sum = thrust::get<0>(values) + thrust::get<1>(values);
    return thrust::get<2>(values) % 2 == 0 ? sum : -sum;
  }
};

struct of_mixtures : scan_of<of_mixtures>, moves<8, 4>, two_arrays
{
  static constexpr const char* op   = "inclusive_sum_transform_zip_of_transforms";
  static constexpr const char* type = "float";

  static auto first(const arrays& a)
  {
    return thrust::make_transform_iterator(of_triples::first(a), mixed{});
  }
  static auto result(const arrays& a)
  {
    return a.out<float>();
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    const triple values{-first_value(i), second_value(i) / 2, static_cast<std::int32_t>(i)};
    return half_follows(a.out<float>(), i, mixed{}(values));
  }
};
} // namespace

std::vector<scan_case> sums_of_zips()
{
  return tree_cases<of_pairs, of_differences, of_triples, of_mixtures>();
}
} // namespace perf
