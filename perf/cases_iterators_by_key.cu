// Sums by key whose keys or values are computed, or more than one array.
#include "random_keys.h"
#include "tree_work.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <type_traits>

namespace perf
{
namespace
{
__device__ std::int32_t first_key(std::int64_t i)
{
  return key_at<std::int32_t, 32>(i);
}
// Of a pair: changes elsewhere than the first one does.
__device__ std::int32_t second_key(std::int64_t i)
{
  return key_at<std::int32_t, 100>(i);
}

// Element i of a sum within a segment that begins at element i or earlier.
template <class T>
__device__ bool follows_in_segment(const T* result, std::int64_t i, bool begins, T value)
{
  return begins ? result[i] == value : follows(result, i, value);
}

// Ranks within a segment.
struct of_constant : sum_by_key_of<of_constant>, moves<4, 4>
{
  static constexpr const char* op   = "inclusive_sum_by_key_constant";
  static constexpr const char* type = "int32";

  static auto keys(const arrays& a)
  {
    return a.in<std::int32_t>();
  }
  static auto values(const arrays&)
  {
    return thrust::make_constant_iterator(std::int32_t{1});
  }
  static auto result(const arrays& a)
  {
    return a.out<std::int32_t>();
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<std::int32_t>()[i] = first_key(i);
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    const bool begins = i == 0 || first_key(i) != first_key(i - 1);
    return follows_in_segment(a.out<std::int32_t>(), i, begins, 1);
  }
};

struct row_of
{
  static constexpr std::int32_t width = 1000;

  __host__ __device__ std::int32_t operator()(std::int32_t i) const
  {
    return i / width;
  }
};

// The rows of a matrix.
template <class T>
struct of_rows : sum_by_key_of<of_rows<T>>, moves<4, 4>
{
  static constexpr const char* op   = "inclusive_sum_by_key_computed";
  static constexpr const char* type = std::is_same_v<T, float> ? "float" : "int32";

  static auto keys(const arrays&)
  {
    return thrust::make_transform_iterator(thrust::make_counting_iterator(std::int32_t{0}), row_of{});
  }
  static auto values(const arrays& a)
  {
    return a.template in<T>();
  }
  static auto result(const arrays& a)
  {
    return a.template out<T>();
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.template in<T>()[i] = random_value<T>(i);
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    return follows_in_segment(a.template out<T>(), i, i % row_of::width == 0, random_value<T>(i));
  }
};

struct of_rows_and_constant : sum_by_key_of<of_rows_and_constant>, moves<0, 4>
{
  static constexpr const char* op   = "inclusive_sum_by_key_computed_constant";
  static constexpr const char* type = "int32";

  static auto keys(const arrays& a)
  {
    return of_rows<std::int32_t>::keys(a);
  }
  static auto values(const arrays& a)
  {
    return of_constant::values(a);
  }
  static auto result(const arrays& a)
  {
    return a.out<std::int32_t>();
  }
  static __device__ void write(const arrays&, std::int64_t) {}
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    return a.out<std::int32_t>()[i] == static_cast<std::int32_t>(i % row_of::width) + 1;
  }
};

struct of_pairs : sum_by_key_of<of_pairs>, moves<8, 4>
{
  static constexpr const char* op   = "inclusive_sum_by_key_zip";
  static constexpr const char* type = "int32";

  static auto keys(const arrays& a)
  {
    return thrust::make_zip_iterator(a.in<std::int32_t>(), a.in<std::int32_t, 4>());
  }
  static auto values(const arrays& a)
  {
    return of_constant::values(a);
  }
  static auto result(const arrays& a)
  {
    return a.out<std::int32_t>();
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<std::int32_t>()[i]    = first_key(i);
    a.in<std::int32_t, 4>()[i] = second_key(i);
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    const bool begins = i == 0 || first_key(i) != first_key(i - 1) || second_key(i) != second_key(i - 1);
    return follows_in_segment(a.out<std::int32_t>(), i, begins, 1);
  }
};

// By binary search, in a functor.
struct of_search : sum_by_key_of<of_search>
{
  static constexpr const char* op    = "inclusive_sum_by_key_search";
  static constexpr const char* type  = "float";
  static constexpr int read_bytes    = 4;
  static constexpr int written_bytes = 4;
  static constexpr int input_bytes   = 5; // and the ends, of which caches hold what the search reads
  static constexpr int output_bytes  = 4;

  static auto keys(const arrays& a)
  {
    const segment_of segment{a.in<std::int32_t, 4>(), static_cast<std::int32_t>(a.n / segment_length)};
    return thrust::make_transform_iterator(thrust::make_counting_iterator(std::int32_t{0}), segment);
  }
  static auto values(const arrays& a)
  {
    return a.in<float>();
  }
  static auto result(const arrays& a)
  {
    return a.out<float>();
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<float>()[i] = random_value<float>(i);
    if (i < a.n / segment_length)
    {
      a.in<std::int32_t, 4>()[i] = static_cast<std::int32_t>(end_of_segment(i));
    }
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    const bool begins = i == 0 || i == end_of_segment(i / segment_length);
    return follows_in_segment(a.out<float>(), i, begins, random_value<float>(i));
  }
};

// Of elements that lie anywhere, as indices in memory say.
struct of_places : sum_by_key_of<of_places>, moves<12, 4>
{
  static constexpr const char* op   = "inclusive_sum_by_key_permutation_random";
  static constexpr const char* type = "float";

  static auto keys(const arrays& a)
  {
    return a.in<std::int32_t>();
  }
  static auto values(const arrays& a)
  {
    return thrust::make_permutation_iterator(a.in<float, 4>(), a.in<std::int32_t, 8>());
  }
  static auto result(const arrays& a)
  {
    return a.out<float>();
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<std::int32_t>()[i]    = first_key(i);
    a.in<float, 4>()[i]        = random_value<float>(i);
    a.in<std::int32_t, 8>()[i] = static_cast<std::int32_t>(shuffled(i, a.n));
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    const bool begins = i == 0 || first_key(i) != first_key(i - 1);
    return follows_in_segment(a.out<float>(), i, begins, random_value<float>(shuffled(i, a.n)));
  }
};

// From the last element to the first, by pairs of keys, in place.
template <bool Inclusive>
struct of_pairs_backwards : sum_by_key_of<of_pairs_backwards<Inclusive>, Inclusive>
{
  static constexpr const char* op    = Inclusive ? "inclusive_sum_by_key_reversed_zip"
                                                 : "exclusive_sum_by_key_reversed_zip";
  static constexpr const char* type  = "float";
  static constexpr int read_bytes    = 12;
  static constexpr int written_bytes = 4;
  static constexpr int input_bytes   = 12;
  static constexpr int output_bytes  = 0;

  static auto keys(const arrays& a)
  {
    return thrust::make_reverse_iterator(
      thrust::make_zip_iterator(a.in<std::int32_t>() + a.n, a.in<std::int32_t, 4>() + a.n));
  }
  static auto values(const arrays& a)
  {
    return thrust::make_reverse_iterator(a.in<float, 8>() + a.n);
  }
  static auto result(const arrays& a)
  {
    return values(a);
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<std::int32_t>()[i]    = first_key(i);
    a.in<std::int32_t, 4>()[i] = second_key(i);
    a.in<float, 8>()[i]        = random_value<float>(i);
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    const float* const result = a.in<float, 8>();
    const bool begins         = i == a.n - 1 || first_key(i) != first_key(i + 1) || second_key(i) != second_key(i + 1);
    const float first         = Inclusive ? random_value<float>(i) : 0.0f;
    const float more          = random_value<float>(Inclusive ? i : i + 1);
    const float expected      = begins ? first : next_sum(result[i + 1], more);
    return result[i] == expected && sums_are_exact_up_to(expected);
  }
};
} // namespace

std::vector<scan_case> sums_by_computed_key()
{
  return tree_cases<of_constant,
                    of_rows<std::int32_t>,
                    of_rows<float>,
                    of_rows_and_constant,
                    of_pairs,
                    of_search,
                    of_places,
                    of_pairs_backwards<true>,
                    of_pairs_backwards<false>>();
}
} // namespace perf
