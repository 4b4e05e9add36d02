// Elements of 8 and 16 bytes that are no arithmetic type: 2 GiB of each.
#include "work.h"

#include <cuda/std/complex>
#include <cuda/std/functional>

namespace perf
{
namespace
{
template <class Work, class T>
struct struct_scan : one_array<Work, T>
{
  using input  = T;
  using output = T;

  static cudaError_t by_cub(void* scratch, std::size_t& bytes, const addresses<Work>& p, cub_count n)
  {
    return cub::DeviceScan::InclusiveScan(scratch, bytes, p.in, p.out, typename Work::combine{}, n, p.stream);
  }

  template <class Policy>
  static void by_thrust(Policy policy, const addresses<Work>& p, std::int64_t n)
  {
    thrust::inclusive_scan(policy, p.in, p.in + n, p.out, typename Work::combine{});
  }
};

// The map x -> scale * x + offset; combining two applies the left one first, so order matters. Scales of +1 and -1 make
// every offset a sum of multiples of 1/16 of either sign, exact as in random_data.h.
struct affine
{
  float scale;
  float offset;
};

struct then
{
  __host__ __device__ affine operator()(affine left, affine right) const
  {
    return {left.scale * right.scale, left.offset * right.scale + right.offset};
  }
};

struct composition : struct_scan<composition, affine>
{
  static constexpr const char* op   = "inclusive_compose";
  static constexpr const char* type = "affine_float";
  using combine                     = then;

  static __device__ affine value(std::int64_t i)
  {
    return {random_bits(~i) % 2 == 0 ? 1.0f : -1.0f, random_value<float>(i)};
  }
  static __device__ bool right(std::int64_t i, const affine* result)
  {
    const affine expected = i == 0 ? value(0) : then{}(result[i - 1], value(i));
    return result[i].scale == expected.scale && result[i].offset == expected.offset
        && sums_are_exact_up_to(expected.offset);
  }
};

using complex = ::cuda::std::complex<float>;

struct complex_sum : struct_scan<complex_sum, complex>
{
  static constexpr const char* op   = "inclusive_sum";
  static constexpr const char* type = "complex_float";
  using combine                     = ::cuda::std::plus<>;

  static __device__ complex value(std::int64_t i)
  {
    return {random_value<float>(2 * i), random_value<float>(2 * i + 1)};
  }
  static __device__ bool right(std::int64_t i, const complex* result)
  {
    const complex expected = i == 0 ? value(0) : result[i - 1] + value(i);
    return result[i] == expected && sums_are_exact_up_to(expected.real()) && sums_are_exact_up_to(expected.imag());
  }
};

// Statistics of a stretch of a series: 16 bytes with an operator of their own.
struct __align__(16) summary
{
  int count;
  int sum;
  int smallest;
  int largest;
};

struct joined
{
  __host__ __device__ summary operator()(const summary& left, const summary& right) const
  {
    return {left.count + right.count,
            next_sum(left.sum, right.sum),
            left.smallest < right.smallest ? left.smallest : right.smallest,
            left.largest > right.largest ? left.largest : right.largest};
  }
};

struct summaries : struct_scan<summaries, summary>
{
  static constexpr const char* op   = "inclusive_summarize";
  static constexpr const char* type = "struct16";
  using combine                     = joined;

  static __device__ summary value(std::int64_t i)
  {
    // The extremes keep moving, as in cases_operators.cu.
    const std::uint64_t bits = random_bits(i);
    const int drift          = static_cast<int>(i >> 6);
    return {1, random_value<int>(i), -drift + static_cast<int>(bits & 1023), drift - static_cast<int>(bits & 1023)};
  }
  static __device__ bool right(std::int64_t i, const summary* result)
  {
    const summary expected = i == 0 ? value(0) : joined{}(result[i - 1], value(i));
    return result[i].count == expected.count && result[i].sum == expected.sum && result[i].smallest == expected.smallest
        && result[i].largest == expected.largest;
  }
};
} // namespace

std::vector<scan_case> struct_operators()
{
  constexpr std::int64_t bytes = std::int64_t{2} << 30;
  return {make_case<composition>("operators", bytes / 8),
          make_case<complex_sum>("operators", bytes / 8),
          make_case<summaries>("operators", bytes / 16)};
}
} // namespace perf
