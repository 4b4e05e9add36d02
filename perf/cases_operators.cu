// Other operators on floats. Each input is made so that the result is known exactly, and so that it keeps changing: the
// maximum of random values alone would stand still after a few.
#include "work.h"

#include <cuda/functional>
#include <cuda/std/functional>

namespace perf
{
namespace
{
template <class Work>
struct float_scan : one_array<Work, float>
{
  static constexpr const char* type = "float";

  using input  = float;
  using output = float;

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

// Rises by 1 every 64 elements, with dips of up to 1,023: whole numbers below 2^24, which floats hold exactly.
__device__ float rising(std::int64_t i)
{
  return static_cast<float>((i >> 6) - static_cast<std::int64_t>(random_bits(i) & 1023));
}

struct largest : float_scan<largest>
{
  static constexpr const char* op = "inclusive_max";
  using combine                   = ::cuda::maximum<>;

  static __device__ float value(std::int64_t i)
  {
    return rising(i);
  }
  static __device__ bool right(std::int64_t i, const float* result)
  {
    return result[i] == (i == 0 ? value(i) : fmaxf(result[i - 1], value(i)));
  }
};

struct smallest : float_scan<smallest>
{
  static constexpr const char* op = "inclusive_min";
  using combine                   = ::cuda::minimum<>;

  static __device__ float value(std::int64_t i)
  {
    return -rising(i);
  }
  static __device__ bool right(std::int64_t i, const float* result)
  {
    return result[i] == (i == 0 ? value(i) : fminf(result[i - 1], value(i)));
  }
};

// Powers of two, each the quotient of two neighbours in a random sequence: the product of any stretch is the quotient of
// two of the sequence, so nothing is rounded, overflows or vanishes.
struct product : float_scan<product>
{
  static constexpr const char* op = "inclusive_multiplies";
  using combine                   = ::cuda::std::multiplies<>;

  static __device__ float sequence(std::int64_t i)
  {
    const std::uint64_t bits = random_bits(i);
    const int exponent       = static_cast<int>((bits >> 32) % 41) - 20;
    return ldexpf(bits % 2 == 0 ? 1.0f : -1.0f, exponent);
  }
  static __device__ float value(std::int64_t i)
  {
    return i == 0 ? sequence(0) : sequence(i) / sequence(i - 1);
  }
  static __device__ bool right(std::int64_t i, const float* result)
  {
    return result[i] == sequence(i);
  }
};
} // namespace

std::vector<scan_case> float_operators()
{
  constexpr std::int64_t count = std::int64_t{1} << 29; // 2 GiB
  return {make_case<largest>("operators", count),
          make_case<smallest>("operators", count),
          make_case<product>("operators", count)};
}
} // namespace perf
