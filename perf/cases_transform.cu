// Sums of a function of the elements, which is applied on the way.
#include "work.h"

#include <thrust/functional.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/transform_scan.h>

#include <type_traits>

namespace perf
{
namespace
{
// Exact in every type, and nothing a compiler can leave out.
struct negated_and_one_more
{
  template <class T>
  __host__ __device__ T operator()(T value) const
  {
    return next_sum(static_cast<T>(1), next_sum(T{}, static_cast<T>(-value)));
  }
};

template <class T>
struct transformed_sum : one_array<transformed_sum<T>, T>
{
  static constexpr const char* op   = "transform_inclusive_sum";
  static constexpr const char* type = std::is_same_v<T, float> ? "float" : "int32";

  using input  = T;
  using output = T;

  static cudaError_t by_cub(void* scratch, std::size_t& bytes, const addresses<transformed_sum>& p, cub_count n)
  {
    return cub::DeviceScan::InclusiveSum(
      scratch, bytes, thrust::make_transform_iterator(p.in, negated_and_one_more{}), p.out, n, p.stream);
  }

  template <class Policy>
  static void by_thrust(Policy policy, const addresses<transformed_sum>& p, std::int64_t n)
  {
    thrust::transform_inclusive_scan(policy, p.in, p.in + n, p.out, negated_and_one_more{}, thrust::plus<T>{});
  }

  // Less than 2^31, so that negating it is defined. Floats come so that what is summed is random_value() again, of mean
  // 0, and exact (random_data.h).
  static __device__ T value(std::int64_t i)
  {
    if constexpr (std::is_same_v<T, float>)
    {
      return 1.0f - random_value<float>(i);
    }
    else
    {
      return static_cast<T>(random_bits(i) >> 33);
    }
  }

  static __device__ bool right(std::int64_t i, const T* result)
  {
    const T before   = i == 0 ? T{} : result[i - 1];
    const T expected = next_sum(before, negated_and_one_more{}(value(i)));
    return result[i] == expected && sums_are_exact_up_to(expected);
  }
};
} // namespace

std::vector<scan_case> transformed_sums()
{
  constexpr std::int64_t count = std::int64_t{1} << 28;
  return {make_case<transformed_sum<std::int32_t>>("transform", count),
          make_case<transformed_sum<float>>("transform", count)};
}
} // namespace perf
