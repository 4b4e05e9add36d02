// Sums of what is computed from an element's index, from nothing or from memory that the index leads to.
#include "tree_work.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cstdint>

namespace perf
{
namespace
{
// To an array of integers.
template <class Work>
struct int_sum : scan_of<Work>
{
  static constexpr const char* type = "int32";

  static auto result(const arrays& a)
  {
    return a.out<std::int32_t>();
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    return follows(a.out<std::int32_t>(), i, Work::value(a, i));
  }
};

// Of nothing in memory.
template <class Work>
struct computed_sum : int_sum<Work>, moves<0, 4>
{
  static __device__ void write(const arrays&, std::int64_t) {}
};

struct of_counting : computed_sum<of_counting>
{
  static constexpr const char* op = "inclusive_sum_counting";

  static auto first(const arrays&)
  {
    return thrust::make_counting_iterator(std::int32_t{0});
  }
  static __device__ std::int32_t value(const arrays&, std::int64_t i)
  {
    return static_cast<std::int32_t>(i);
  }
};

struct of_constant : computed_sum<of_constant>
{
  static constexpr const char* op = "inclusive_sum_constant";

  static auto first(const arrays&)
  {
    return thrust::make_constant_iterator(std::int32_t{3});
  }
  static __device__ std::int32_t value(const arrays&, std::int64_t)
  {
    return 3;
  }
};

struct spread
{
  __host__ __device__ std::int32_t operator()(std::int32_t i) const
  {
    const auto bits = static_cast<std::uint32_t>(i);
    return static_cast<std::int32_t>((bits ^ (bits >> 7)) & 1023);
  }
};

struct of_function : computed_sum<of_function>
{
  static constexpr const char* op = "inclusive_sum_transform_counting";

  static auto first(const arrays&)
  {
    return thrust::make_transform_iterator(thrust::make_counting_iterator(std::int32_t{0}), spread{});
  }
  static __device__ std::int32_t value(const arrays&, std::int64_t i)
  {
    return spread{}(static_cast<std::int32_t>(i));
  }
};

// a[index[i]], the indices in order or not.
template <bool Ordered>
struct of_permutation : scan_of<of_permutation<Ordered>>, moves<8, 4>
{
  static constexpr const char* op   = Ordered ? "inclusive_sum_permutation" : "inclusive_sum_permutation_random";
  static constexpr const char* type = "float";

  static auto first(const arrays& a)
  {
    return thrust::make_permutation_iterator(a.in<float>(), a.in<std::int32_t, 4>());
  }
  static auto result(const arrays& a)
  {
    return a.out<float>();
  }
  static __device__ std::int64_t index(const arrays& a, std::int64_t i)
  {
    return Ordered ? i : shuffled(i, a.n);
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<float>()[i]           = random_value<float>(i);
    a.in<std::int32_t, 4>()[i] = static_cast<std::int32_t>(index(a, i));
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    return follows(a.out<float>(), i, random_value<float>(index(a, i)));
  }
};

// The length of a row, from where rows begin: the array has one element more than there are rows.
struct row_length
{
  const std::int32_t* offsets;

  __host__ __device__ std::int32_t operator()(std::int32_t i) const
  {
    return offsets[i + 1] - offsets[i];
  }
};

struct of_row_lengths : int_sum<of_row_lengths>, moves<4, 4>
{
  static constexpr const char* op = "inclusive_sum_differences";

  static auto first(const arrays& a)
  {
    return thrust::make_transform_iterator(
      thrust::make_counting_iterator(std::int32_t{0}), row_length{a.in<std::int32_t>()});
  }
  static __device__ std::int32_t offset(std::int64_t i)
  {
    return static_cast<std::int32_t>(4 * i + static_cast<std::int64_t>(random_bits(i) % 4));
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<std::int32_t>()[i] = offset(i);
    if (i == a.n - 1)
    {
      a.in<std::int32_t>()[a.n] = offset(a.n);
    }
  }
  static __device__ std::int32_t value(const arrays&, std::int64_t i)
  {
    return offset(i + 1) - offset(i);
  }
};

struct degree_of
{
  const std::int32_t* degrees;

  __host__ __device__ std::int32_t operator()(std::int32_t vertex) const
  {
    return degrees[vertex];
  }
};

// The degrees of a frontier's vertices, which lie anywhere.
struct of_degrees : int_sum<of_degrees>, moves<8, 4>
{
  static constexpr const char* op = "inclusive_sum_degrees";

  static auto first(const arrays& a)
  {
    return thrust::make_transform_iterator(a.in<std::int32_t, 4>(), degree_of{a.in<std::int32_t>()});
  }
  static __device__ std::int32_t vertex(const arrays& a, std::int64_t i)
  {
    return static_cast<std::int32_t>(random_bits(i) % static_cast<std::uint64_t>(a.n));
  }
  static __device__ std::int32_t degree(std::int32_t vertex)
  {
    return static_cast<std::int32_t>(random_bits(~std::int64_t{vertex}) % 64);
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<std::int32_t>()[i]    = degree(static_cast<std::int32_t>(i));
    a.in<std::int32_t, 4>()[i] = vertex(a, i);
  }
  static __device__ std::int32_t value(const arrays& a, std::int64_t i)
  {
    return degree(vertex(a, i));
  }
};

struct product
{
  __host__ __device__ std::int32_t operator()(const thrust::tuple<std::int32_t, std::int32_t>& pair) const
  {
    return thrust::get<0>(pair) * thrust::get<1>(pair);
  }
};

// Elements of a sparse matrix, each times that of a vector in its column, which may be any.
struct of_products : int_sum<of_products>, moves<12, 4>
{
  static constexpr const char* op = "inclusive_sum_products_random";

  static auto first(const arrays& a)
  {
    const auto vector = thrust::make_permutation_iterator(a.in<std::int32_t, 4>(), a.in<std::int32_t, 8>());
    return thrust::make_transform_iterator(thrust::make_zip_iterator(a.in<std::int32_t>(), vector), product{});
  }
  static __device__ std::int32_t small(std::int64_t i)
  {
    return static_cast<std::int32_t>(random_bits(i) % 8);
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<std::int32_t>()[i]    = small(i);
    a.in<std::int32_t, 4>()[i] = small(~i);
    a.in<std::int32_t, 8>()[i] = static_cast<std::int32_t>(shuffled(i, a.n));
  }
  static __device__ std::int32_t value(const arrays& a, std::int64_t i)
  {
    return small(i) * small(~shuffled(i, a.n));
  }
};
} // namespace

std::vector<scan_case> sums_of_computed()
{
  return tree_cases<of_counting,
                    of_constant,
                    of_function,
                    of_permutation<true>,
                    of_permutation<false>,
                    of_row_lengths,
                    of_degrees,
                    of_products>();
}
} // namespace perf
