// Selections and reductions by key of columns that lie apart: particles, entries of a sparse matrix.
#include "reduction_work.h"
#include "select_check.h"
#include "select_data.h"

#include <cub/device/device_select.cuh>

#include <thrust/copy.h>
#include <thrust/iterator/zip_iterator.h>

#include <cuda/std/tuple>
#include <cuda/version>

namespace perf
{
namespace
{
// By the first of four columns half of all items are kept.
struct four_columns
{
  using cubs   = cub::DeviceSelect;
  using ours   = lightscan::DeviceSelect;
  using column = std::uint32_t;

  static constexpr const char* type = "uint32_uint32_uint32_uint32";
  static constexpr bool by_policy   = false;
  static constexpr int input_bytes  = 4 * sizeof(column);
  static constexpr int output_bytes = input_bytes;

  struct first_is_low
  {
    template <class Items>
    __host__ __device__ bool operator()(const Items& items) const
    {
      return kept(cuda::std::get<0>(items));
    }
  };

  static std::string op()
  {
    return "select_zip_50";
  }
  static double bytes_moved(std::int64_t n)
  {
    return static_cast<double>(n * input_bytes + n / 2 * output_bytes);
  }

  template <int Column>
  static __host__ __device__ column* in(const arrays& a)
  {
    return a.in<column, Column * sizeof(column)>();
  }
  template <int Column>
  static __host__ __device__ column* out(const arrays& a)
  {
    return a.out<column, Column * sizeof(column)>();
  }
  static auto first(const arrays& a)
  {
    return thrust::make_zip_iterator(in<0>(a), in<1>(a), in<2>(a), in<3>(a));
  }
  static auto result(const arrays& a)
  {
    return thrust::make_zip_iterator(out<0>(a), out<1>(a), out<2>(a), out<3>(a));
  }

  template <class Device>
  static cudaError_t call(void* scratch, std::size_t& bytes, const arrays& a, std::uint32_t* total)
  {
    const auto n = static_cast<select_count>(a.n);
    return Device::If(scratch, bytes, first(a), result(a), total, n, first_is_low{}, a.stream);
  }
  template <class Policy>
  static std::int64_t by_thrust(Policy policy, const arrays& a)
  {
    const auto to = result(a);
    return thrust::copy_if(policy, first(a), first(a) + a.n, to, first_is_low{}) - to;
  }

  static __device__ column value(std::int64_t i, std::int64_t n)
  {
    return spread<column>::value(i, n);
  }
  static __host__ __device__ bool kept(column value)
  {
    return is_low<50>{}(value);
  }
  static __device__ column beside(std::int64_t i, int number)
  {
    return static_cast<column>(i) * static_cast<column>(2 * number + 1);
  }

  static __device__ void write(const arrays& a, std::int64_t i)
  {
    in<0>(a)[i] = value(i, a.n);
    in<1>(a)[i] = beside(i, 1);
    in<2>(a)[i] = beside(i, 2);
    in<3>(a)[i] = beside(i, 3);
  }
  static __device__ bool right(const arrays& a, impl, std::int64_t i, std::int64_t before, bool kept)
  {
    return !kept
        || (out<0>(a)[before] == value(i, a.n) && out<1>(a)[before] == beside(i, 1) && out<2>(a)[before] == beside(i, 2)
            && out<3>(a)[before] == beside(i, 3));
  }
  static verdict check(const arrays& a, impl by, std::int64_t total)
  {
    const verdict found = check_kept<four_columns>(a, by, total);
    return found.wrong != 0 ? found
                            : first_of({check_behind(out<0>(a), total, a.n, a.stream),
                                        check_behind(out<1>(a), total, a.n, a.stream),
                                        check_behind(out<2>(a), total, a.n, a.stream),
                                        check_behind(out<3>(a), total, a.n, a.stream)});
  }
};

// CUB 3.5's reduction takes no zips as keys: it chooses between a tuple and a tuple of references, which does not compile.
#if CCCL_VERSION < 3005000
#  define LIGHTSCAN_PERF_ZIPS_AS_KEYS

// Rows and columns of a sparse matrix's entries, some of which are there several times: their values are summed.
struct two_keys
{
  static constexpr int bytes = 2 * sizeof(run_key);

  static auto out(const arrays& a)
  {
    return thrust::make_zip_iterator(a.out<run_key>(), a.out<run_key, sizeof(run_key)>());
  }
};

template <class Value, int Length>
struct under_two_keys : over_runs<under_two_keys<Value, Length>, Length>,
                        sums_under_keys<under_two_keys<Value, Length>, Value, two_keys>
{
  using sums = sums_under_keys<under_two_keys, Value, two_keys>;

  static constexpr int input_bytes  = two_keys::bytes + sizeof(Value);
  static constexpr int output_bytes = sums::output_bytes;

  static std::string op()
  {
    return "reduce_by_key_zip_" + std::to_string(Length);
  }

  static __host__ __device__ run_key* second(const arrays& a)
  {
    return a.in<run_key, sizeof(run_key)>();
  }
  static __device__ run_key second_of(run_key first)
  {
    return first / 8;
  }
  static auto keys(const arrays& a)
  {
    return thrust::make_zip_iterator(a.in<run_key>(), second(a));
  }
  static __host__ __device__ Value* values(const arrays& a)
  {
    return a.in<Value, two_keys::bytes>();
  }

  static __device__ void write(const arrays& a, std::int64_t i)
  {
    under_two_keys::write_key(a, i);
    second(a)[i] = second_of(a.in<run_key>()[i]);
    values(a)[i] = random_value<Value>(i);
  }
  static __device__ bool right(const arrays& a, std::int64_t run, std::int64_t begin, std::int64_t end)
  {
    return a.out<run_key, sizeof(run_key)>()[run] == second_of(a.out<run_key>()[run])
        && sums::right(a, run, begin, end);
  }
  static verdict check_all_behind(const arrays& a, std::int64_t runs)
  {
    return first_of(
      {sums::check_all_behind(a, runs), check_behind(a.out<run_key, sizeof(run_key)>(), runs, a.n, a.stream)});
  }
};
#endif
} // namespace

std::vector<scan_case> selections_of_zips()
{
  constexpr std::int64_t count = std::int64_t{1} << 26;
  std::vector<scan_case> cases{make_selection<four_columns>(count)};
#ifdef LIGHTSCAN_PERF_ZIPS_AS_KEYS
  cases.push_back(make_selection<under_two_keys<double, 16>>(count));
#endif
  return cases;
}
} // namespace perf
