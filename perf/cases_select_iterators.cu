// Selections and reductions by key of what iterators yield: indices, elements or keys gathered by an index, keys calculated from it.
#include "reduction_work.h"
#include "select_check.h"
#include "select_data.h"

#include <cub/device/device_select.cuh>

#include <thrust/copy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace perf
{
namespace
{
using element = std::uint32_t;
using place   = std::int32_t;

// Half of all elements are kept.
template <class Work>
struct half_kept
{
  using cubs = cub::DeviceSelect;
  using ours = lightscan::DeviceSelect;

  static constexpr bool by_policy   = false;
  static constexpr int output_bytes = sizeof(element);

  static double bytes_moved(std::int64_t n)
  {
    return static_cast<double>(n * Work::input_bytes + n / 2 * output_bytes);
  }
  static __device__ element value(std::int64_t i, std::int64_t n)
  {
    return spread<element>::value(i, n);
  }
  static __device__ bool kept(element value)
  {
    return is_low<50>{}(value);
  }
  static verdict check(const arrays& a, impl by, std::int64_t total)
  {
    const verdict found = check_kept<Work>(a, by, total);
    return found.wrong != 0 ? found : check_behind(a.out<element>(), total, a.n, a.stream);
  }
};

// The indices of the elements that are kept.
struct indices : half_kept<indices>
{
  static constexpr const char* type = "int32";
  static constexpr int input_bytes  = sizeof(element);

  static std::string op()
  {
    return "select_indices_50";
  }

  template <class Device>
  static cudaError_t call(void* scratch, std::size_t& bytes, const arrays& a, std::uint32_t* total)
  {
    return Device::FlaggedIf(scratch,
                             bytes,
                             thrust::make_counting_iterator(place{0}),
                             a.in<element>(),
                             a.out<place>(),
                             total,
                             static_cast<select_count>(a.n),
                             is_low<50>{},
                             a.stream);
  }
  template <class Policy>
  static std::int64_t by_thrust(Policy policy, const arrays& a)
  {
    const auto first = thrust::make_counting_iterator(place{0});
    place* const out = a.out<place>();
    return thrust::copy_if(policy, first, first + a.n, a.in<element>(), out, is_low<50>{}) - out;
  }

  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<element>()[i] = value(i, a.n);
  }
  static __device__ bool right(const arrays& a, impl, std::int64_t i, std::int64_t before, bool kept)
  {
    return !kept || a.out<place>()[before] == i;
  }
};

// An array's elements, in the order of another one's indices, which is their own.
struct gathered_elements : half_kept<gathered_elements>
{
  static constexpr const char* type = "uint32";
  static constexpr int input_bytes  = sizeof(element) + sizeof(place);

  static std::string op()
  {
    return "select_gathered_50";
  }

  static auto first(const arrays& a)
  {
    return thrust::make_permutation_iterator(a.in<element>(), a.in<place, sizeof(element)>());
  }
  template <class Device>
  static cudaError_t call(void* scratch, std::size_t& bytes, const arrays& a, std::uint32_t* total)
  {
    const auto n = static_cast<select_count>(a.n);
    return Device::If(scratch, bytes, first(a), a.out<element>(), total, n, is_low<50>{}, a.stream);
  }
  template <class Policy>
  static std::int64_t by_thrust(Policy policy, const arrays& a)
  {
    const auto in      = first(a);
    element* const out = a.out<element>();
    return thrust::copy_if(policy, in, in + a.n, out, is_low<50>{}) - out;
  }

  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<element>()[i]                = value(i, a.n);
    a.in<place, sizeof(element)>()[i] = static_cast<place>(i);
  }
  static __device__ bool right(const arrays& a, impl, std::int64_t i, std::int64_t before, bool kept)
  {
    return !kept || a.out<element>()[before] == value(i, a.n);
  }
};

// Keys that lie in memory, in the order of indices that do, too.
template <int Length>
struct gathered_keys : over_runs<gathered_keys<Length>, Length>, sums_under_keys<gathered_keys<Length>, float>
{
  static constexpr int input_bytes  = sizeof(float) + sizeof(run_key) + sizeof(place);
  static constexpr int output_bytes = sums_under_keys<gathered_keys, float>::output_bytes;

  static std::string op()
  {
    return "reduce_by_key_gathered_" + std::to_string(Length);
  }
  static __host__ __device__ float* values(const arrays& a)
  {
    return a.in<float>();
  }
  static __host__ __device__ run_key* unordered(const arrays& a)
  {
    return a.in<run_key, sizeof(float)>();
  }
  static __host__ __device__ place* order(const arrays& a)
  {
    return a.in<place, sizeof(float) + sizeof(run_key)>();
  }
  static auto keys(const arrays& a)
  {
    return thrust::make_permutation_iterator(unordered(a), order(a));
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    values(a)[i]    = random_value<float>(i);
    unordered(a)[i] = key_at<run_key, Length>(i);
    order(a)[i]     = static_cast<place>(i);
  }
};

// Rows of a matrix: the key of an element is its row.
template <int Length>
struct row_of
{
  __host__ __device__ run_key operator()(place i) const
  {
    return static_cast<run_key>(i / Length);
  }
};

template <class Work, int Length>
struct right_in_row
{
  arrays a;

  __device__ bool operator()(std::int64_t row) const
  {
    const std::int64_t end = (row + 1) * Length;
    return a.out<run_key>()[row] == row && Work::right(a, row, row * Length, end < a.n ? end : a.n);
  }
};

template <int Length>
struct rows : sums_under_keys<rows<Length>, float>
{
  static constexpr bool by_policy  = false;
  static constexpr int input_bytes = sizeof(float);

  static std::string op()
  {
    return "reduce_by_key_rows_" + std::to_string(Length);
  }
  static std::int64_t number(std::int64_t n)
  {
    return (n + Length - 1) / Length;
  }
  static double bytes_moved(std::int64_t n)
  {
    return static_cast<double>(n * input_bytes + number(n) * rows::output_bytes);
  }
  static __host__ __device__ float* values(const arrays& a)
  {
    return a.in<float>();
  }
  static auto keys(const arrays&)
  {
    return thrust::make_transform_iterator(thrust::make_counting_iterator(place{0}), row_of<Length>{});
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    values(a)[i] = random_value<float>(i);
  }
  static verdict check(const arrays& a, impl, std::int64_t total)
  {
    const std::int64_t all = number(a.n);
    if (total != all)
    {
      return {1, static_cast<unsigned long long>(all)};
    }
    const verdict found = check_by(right_in_row<rows, Length>{a}, 0, all, a.stream);
    return found.wrong != 0 ? found : rows::check_all_behind(a, all);
  }
};
} // namespace

std::vector<scan_case> selections_of_iterators()
{
  constexpr std::int64_t count = std::int64_t{1} << 28;
  return {make_selection<indices>(count),
          make_selection<gathered_elements>(count),
          make_selection<gathered_keys<1>>(count / 2),
          make_selection<gathered_keys<64>>(count / 2),
          make_selection<rows<32>>(count / 2),
          make_selection<rows<1000>>(count / 2)};
}
} // namespace perf
