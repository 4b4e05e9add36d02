// Sums by key.
#include "random_keys.h"
#include "work.h"

#include <thrust/scan.h>

namespace perf
{
namespace
{
// A key of several words, as identifiers are.
template <int Words>
struct wide_key
{
  std::int64_t word[Words];

  wide_key() = default;
  explicit __host__ __device__ wide_key(std::int64_t of)
  {
    for (int w = 0; w < Words; ++w)
    {
      word[w] = of + w;
    }
  }

  friend __host__ __device__ bool operator==(const wide_key& left, const wide_key& right)
  {
    bool equal = true;
    for (int w = 0; w < Words; ++w)
    {
      equal = equal && left.word[w] == right.word[w];
    }
    return equal;
  }
  friend __host__ __device__ bool operator!=(const wide_key& left, const wide_key& right)
  {
    return !(left == right);
  }
};

template <class Value, class Key>
constexpr const char* type_name()
{
  return sizeof(Key) == 32  ? "float_by_32_bytes"
       : sizeof(Key) == 16  ? "float_by_16_bytes"
       : sizeof(Key) == 4   ? (sizeof(Value) == 8 ? "double" : "float")
       : sizeof(Value) == 8 ? "double_by_int64"
                            : "float_by_int64";
}

template <int Length, class Value = float, class Key = std::int32_t>
struct sum_by_key
{
  static constexpr const char* op               = Length == 1  ? "inclusive_sum_by_key_run1"
                                                : Length == 32 ? "inclusive_sum_by_key_run32"
                                                               : "inclusive_sum_by_key_run1000000";
  static constexpr const char* type             = type_name<Value, Key>();
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
          make_case<sum_by_key<32, double, std::int64_t>>("by_key", count / 2),
          make_case<sum_by_key<32, float, std::int64_t>>("by_key", count / 2),
          make_case<sum_by_key<32, float, wide_key<2>>>("by_key", count / 4),
          make_case<sum_by_key<32, float, wide_key<4>>>("by_key", count / 8)};
}
} // namespace perf
