// Suffix sums: from the last element to the first, by way of reverse iterators.
#include "work.h"

#include <thrust/iterator/reverse_iterator.h>

#include <type_traits>

namespace perf
{
namespace
{
// Every size of this file; an element's index in the input is counted from the end.
constexpr std::int64_t count_of_all = std::int64_t{1} << 28;

template <class T>
struct reversed_sum : one_array<reversed_sum<T>, T>
{
  static constexpr const char* op   = "reverse_inclusive_sum";
  static constexpr const char* type = std::is_same_v<T, float> ? "float" : "int32";

  using input  = T;
  using output = T;

  static cudaError_t by_cub(void* scratch, std::size_t& bytes, const addresses<reversed_sum>& p, cub_count n)
  {
    return cub::DeviceScan::InclusiveSum(
      scratch, bytes, thrust::make_reverse_iterator(p.in + n), thrust::make_reverse_iterator(p.out + n), n, p.stream);
  }

  template <class Policy>
  static void by_thrust(Policy policy, const addresses<reversed_sum>& p, std::int64_t n)
  {
    const auto first = thrust::make_reverse_iterator(p.in + n);
    thrust::inclusive_scan(policy, first, first + n, thrust::make_reverse_iterator(p.out + n));
  }

  static __device__ T value(std::int64_t i)
  {
    return random_value<T>(i);
  }

  static __device__ bool right(std::int64_t i, const T* result)
  {
    const T before   = i == count_of_all - 1 ? T{} : result[i + 1];
    const T expected = next_sum(before, value(i));
    return result[i] == expected && sums_are_exact_up_to(expected);
  }
};
} // namespace

std::vector<scan_case> reversed_sums()
{
  return {make_case<reversed_sum<std::int32_t>>("reverse", count_of_all),
          make_case<reversed_sum<float>>("reverse", count_of_all)};
}
} // namespace perf
