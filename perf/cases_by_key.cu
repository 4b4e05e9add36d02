// Sums by key.
#include "random_keys.h"
#include "work.h"

#include <thrust/scan.h>

namespace perf
{
namespace
{
template <int Length, class Value = float, class Key = std::int32_t>
struct sum_by_key
{
  static constexpr const char* op   = Length == 1  ? "inclusive_sum_by_key_run1"
                                    : Length == 32 ? "inclusive_sum_by_key_run32"
                                                   : "inclusive_sum_by_key_run1000000";
  static constexpr const char* type = sizeof(Key) == 8 ? "double_by_int64" : sizeof(Value) == 8 ? "double" : "float";
  static constexpr std::size_t input_bytes_each = sizeof(Key) + sizeof(Value);

  using input  = Key; // the values lie behind the keys
  using output = Value;

  static __host__ __device__ Value* values(Key* keys, std::int64_t n)
  {
    return reinterpret_cast<Value*>(keys + n);
  }

  static cudaError_t by_cub(void* scratch, std::size_t& bytes, const addresses<sum_by_key>& p, cub_count n)
  {
    return cub::DeviceScan::InclusiveSumByKey(
      scratch, bytes, p.in, values(p.in, n), p.out, n, ::cuda::std::equal_to<>{}, p.stream);
  }

  template <class Policy>
  static void by_thrust(Policy policy, const addresses<sum_by_key>& p, std::int64_t n)
  {
    thrust::inclusive_scan_by_key(policy, p.in, p.in + n, values(p.in, n), p.out);
  }

  static __device__ void write(Key* keys, std::int64_t i, std::int64_t n)
  {
    keys[i]            = key_at<Key, Length>(i);
    values(keys, n)[i] = random_value<Value>(i);
  }

  static __device__ bool right(std::int64_t i, const Value* result)
  {
    const bool begins    = i == 0 || key_at<Key, Length>(i) != key_at<Key, Length>(i - 1);
    const Value expected = begins ? random_value<Value>(i) : next_sum(result[i - 1], random_value<Value>(i));
    return result[i] == expected && sums_are_exact_up_to(expected);
  }
};
} // namespace

std::vector<scan_case> sums_by_key()
{
  constexpr std::int64_t count = std::int64_t{1} << 28;
  return {make_case<sum_by_key<1>>("by_key", count),
          make_case<sum_by_key<32>>("by_key", count),
          make_case<sum_by_key<1000000>>("by_key", count),
          make_case<sum_by_key<32>>("by_key", std::int64_t{1} << 19),
          make_case<sum_by_key<32, double>>("by_key", count / 2),
          make_case<sum_by_key<32, double, std::int64_t>>("by_key", count / 2)};
}
} // namespace perf
