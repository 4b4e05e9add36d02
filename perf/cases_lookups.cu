// Predicates and equalities that look each item up in memory of their own, at random places.
#include "select_check.h"
#include "select_data.h"
#include "work.h"

#include <cub/device/device_select.cuh>

#include <thrust/copy.h>
#include <thrust/scan.h>

namespace perf
{
namespace
{
using place   = std::uint32_t;
using element = std::uint32_t;

struct is_low_there
{
  const element* elements;

  __host__ __device__ bool operator()(place i) const
  {
    return is_low<50>{}(elements[i]);
  }
};

// The places whose element is low.
struct looked_up
{
  using cubs = cub::DeviceSelect;
  using ours = lightscan::DeviceSelect;

  static constexpr const char* type = "uint32";
  static constexpr bool by_policy   = false;
  static constexpr int input_bytes  = sizeof(place) + sizeof(element);
  static constexpr int output_bytes = sizeof(place);

  static std::string op()
  {
    return "select_looked_up_50";
  }
  static double bytes_moved(std::int64_t n)
  {
    return static_cast<double>(n * input_bytes + n / 2 * output_bytes);
  }
  static __host__ __device__ element* elements(const arrays& a)
  {
    return a.in<element, sizeof(place)>();
  }

  template <class Device>
  static cudaError_t call(void* scratch, std::size_t& bytes, const arrays& a, std::uint32_t* total)
  {
    const auto n = static_cast<select_count>(a.n);
    return Device::If(scratch, bytes, a.in<place>(), a.out<place>(), total, n, is_low_there{elements(a)}, a.stream);
  }
  template <class Policy>
  static std::int64_t by_thrust(Policy policy, const arrays& a)
  {
    const place* const in = a.in<place>();
    place* const out      = a.out<place>();
    return thrust::copy_if(policy, in, in + a.n, out, is_low_there{elements(a)}) - out;
  }

  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<place>()[i] = static_cast<place>(shuffled(i, a.n));
    elements(a)[i]   = spread<element>::value(i, a.n);
  }
  static __device__ element value(std::int64_t i, std::int64_t n)
  {
    return spread<element>::value(shuffled(i, n), n);
  }
  static __device__ bool kept(element value)
  {
    return is_low<50>{}(value);
  }
  static __device__ bool right(const arrays& a, impl, std::int64_t i, std::int64_t before, bool kept)
  {
    return !kept || a.out<place>()[before] == static_cast<place>(shuffled(i, a.n));
  }
  static verdict check(const arrays& a, impl by, std::int64_t total)
  {
    const verdict found = check_kept<looked_up>(a, by, total);
    return found.wrong != 0 ? found : check_behind(a.out<place>(), total, a.n, a.stream);
  }
};

struct is_same_there
{
  const element* elements;

  __host__ __device__ bool operator()(place left, place right) const
  {
    return elements[left] == elements[right];
  }
};

// Sums of floats under keys that are the same where the elements that they stand for are. Runs of four such keys.
struct sum_by_looked_up
{
  static constexpr int length                   = 4;
  static constexpr const char* op               = "inclusive_sum_by_key_looked_up";
  static constexpr const char* type             = "float";
  static constexpr std::size_t input_bytes_each = sizeof(place) + sizeof(element) + sizeof(float);

  using input  = place; // the elements lie behind the keys, and the values behind these
  using output = float;

  static __host__ __device__ element* elements(place* keys, std::int64_t n)
  {
    return keys + n;
  }
  static __host__ __device__ float* values(place* keys, std::int64_t n)
  {
    return reinterpret_cast<float*>(keys + 2 * n);
  }

  static cudaError_t by_cub(void* scratch, std::size_t& bytes, const addresses<sum_by_looked_up>& p, cub_count n)
  {
    return cub::DeviceScan::InclusiveSumByKey(
      scratch, bytes, p.in, values(p.in, n), p.out, n, is_same_there{elements(p.in, n)}, p.stream);
  }
  template <class Policy>
  static void by_thrust(Policy policy, const addresses<sum_by_looked_up>& p, std::int64_t n)
  {
    thrust::inclusive_scan_by_key(policy, p.in, p.in + n, values(p.in, n), p.out, is_same_there{elements(p.in, n)});
  }

  // Keys of a run are neighbouring places, whose elements are the same; the next run's are anywhere else.
  static __device__ void write(place* keys, std::int64_t i, std::int64_t n)
  {
    const std::int64_t run = i / length;
    keys[i]                = static_cast<place>(shuffled(run, n / length) * length + i % length);
    elements(keys, n)[i]   = static_cast<element>(run);
    values(keys, n)[i]     = random_value<float>(i);
  }
  static __device__ bool right(std::int64_t i, const float* result)
  {
    const float expected = i % length == 0 ? random_value<float>(i) : next_sum(result[i - 1], random_value<float>(i));
    return result[i] == expected && sums_are_exact_up_to(expected);
  }
};
} // namespace

std::vector<scan_case> lookups()
{
  constexpr std::int64_t count = std::int64_t{1} << 26;
  return {make_selection<looked_up>(count), make_case<sum_by_looked_up>("by_key", count)};
}
} // namespace perf
