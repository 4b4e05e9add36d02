// The elements that a predicate holds for, and the others.
#include "select_check.h"
#include "select_data.h"

#include <cub/device/device_partition.cuh>

#include <thrust/iterator/reverse_iterator.h>
#include <thrust/partition.h>

namespace perf
{
namespace
{
using element = std::uint32_t;

// To one array: the others from its end on backwards.
struct partition
{
  using cubs    = cub::DevicePartition;
  using ours    = lightscan::DevicePartition;
  using is_kept = is_low<50>;

  static constexpr const char* type = "uint32";
  static constexpr int input_bytes  = sizeof(element);
  static constexpr int output_bytes = sizeof(element);
  static constexpr bool by_policy   = false;

  static std::string op()
  {
    return "partition_50";
  }
  static double bytes_moved(std::int64_t n)
  {
    return 2.0 * static_cast<double>(n) * sizeof(element);
  }

  template <class Device>
  static cudaError_t call(void* scratch, std::size_t& bytes, const arrays& a, std::uint32_t* total)
  {
    const auto n = static_cast<select_count>(a.n);
    return Device::If(scratch, bytes, a.in<element>(), a.out<element>(), total, n, is_kept{}, a.stream);
  }

  template <class Policy>
  static std::int64_t by_thrust(Policy policy, const arrays& a)
  {
    const element* const in = a.in<element>();
    element* const out      = a.out<element>();
    const auto others       = thrust::make_reverse_iterator(out + a.n);
    return thrust::partition_copy(policy, in, in + a.n, out, others, is_kept{}).first - out;
  }

  static __device__ element value(std::int64_t i, std::int64_t n)
  {
    return spread<element>::value(i, n);
  }
  static __device__ bool kept(element value)
  {
    return is_kept{}(value);
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<element>()[i] = value(i, a.n);
  }
  static __device__ bool right(const arrays& a, impl, std::int64_t i, std::int64_t before, bool kept)
  {
    return a.out<element>()[kept ? before : a.n - 1 - (i - before)] == value(i, a.n);
  }
  static verdict check(const arrays& a, impl by, std::int64_t total)
  {
    return check_kept<partition>(a, by, total);
  }
};

// To two arrays, through the policies. CUB's is the other partition, which reads and writes as much.
struct partition_copy : partition
{
  static constexpr int output_bytes = 2 * sizeof(element);
  static constexpr bool by_policy   = true;

  static std::string op()
  {
    return "partition_copy_50";
  }

  template <class Policy>
  static std::int64_t by_thrust(Policy policy, const arrays& a)
  {
    const element* const in = a.in<element>();
    element* const out      = a.out<element>();
    element* const others   = a.out<element, sizeof(element)>();
    return thrust::partition_copy(policy, in, in + a.n, out, others, is_kept{}).first - out;
  }

  static __device__ bool right(const arrays& a, impl by, std::int64_t i, std::int64_t before, bool kept)
  {
    if (by == impl::cub || kept)
    {
      return partition::right(a, by, i, before, kept);
    }
    return a.out<element, sizeof(element)>()[i - before] == value(i, a.n);
  }
  static verdict check(const arrays& a, impl by, std::int64_t total)
  {
    const verdict found = check_kept<partition_copy>(a, by, total);
    if (found.wrong != 0 || by == impl::cub)
    {
      return found;
    }
    return first_of({check_behind(a.out<element>(), total, a.n, a.stream),
                     check_behind(a.out<element, sizeof(element)>(), a.n - total, a.n, a.stream)});
  }
};
} // namespace

std::vector<scan_case> partitions()
{
  constexpr std::int64_t count = std::int64_t{1} << 28;
  return {make_selection<partition>(count), make_selection<partition_copy>(count)};
}
} // namespace perf
