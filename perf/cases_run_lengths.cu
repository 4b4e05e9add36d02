// The first element of each run of equal ones, and the run's length; where it begins, and how long it is, of those of two or more.
#include "run_work.h"

#include <cub/device/device_run_length_encode.cuh>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>

#include <stdexcept>

namespace perf
{
namespace
{
using run_length = std::uint32_t;

template <int Length>
struct encoding : over_runs<encoding<Length>, Length>
{
  using cubs = cub::DeviceRunLengthEncode;
  using ours = lightscan::DeviceRunLengthEncode;

  static constexpr const char* type = "uint32";
  static constexpr int input_bytes  = sizeof(run_key);
  static constexpr int output_bytes = sizeof(run_key) + sizeof(run_length);

  static std::string op()
  {
    return "run_length_encode_" + std::to_string(Length);
  }

  static __host__ __device__ run_length* lengths(const arrays& a)
  {
    return a.out<run_length, sizeof(run_key)>();
  }

  template <class Device>
  static cudaError_t call(void* scratch, std::size_t& bytes, const arrays& a, std::uint32_t* total)
  {
    const auto n = static_cast<select_count>(a.n);
    return Device::Encode(scratch, bytes, a.in<run_key>(), a.out<run_key>(), lengths(a), total, n, a.stream);
  }

  // Thrust has no name for it; this is how its users write it.
  template <class Policy>
  static std::int64_t by_thrust(Policy policy, const arrays& a)
  {
    const run_key* const in = a.in<run_key>();
    run_key* const out      = a.out<run_key>();
    const auto ones         = thrust::make_constant_iterator(run_length{1});
    return thrust::reduce_by_key(policy, in, in + a.n, ones, out, lengths(a)).first - out;
  }

  static __device__ void write(const arrays& a, std::int64_t i)
  {
    encoding::write_key(a, i);
  }
  static __device__ bool right(const arrays& a, std::int64_t run, std::int64_t begin, std::int64_t end)
  {
    return lengths(a)[run] == static_cast<run_length>(end - begin);
  }
  static verdict check_all_behind(const arrays& a, std::int64_t runs)
  {
    return first_of(
      {check_behind(a.out<run_key>(), runs, a.n, a.stream), check_behind(lengths(a), runs, a.n, a.stream)});
  }
};

// Where each run of two or more begins, and how long it is: of runs that are all equally long, so that it is known how many there are.
template <int Length>
struct measuring
{
  using cubs = cub::DeviceRunLengthEncode;
  using ours = lightscan::DeviceRunLengthEncode;

  static constexpr const char* type = "uint32";
  static constexpr bool by_policy   = false;
  static constexpr int input_bytes  = sizeof(run_key);
  static constexpr int output_bytes = 2 * sizeof(std::int32_t);

  static std::string op()
  {
    return "non_trivial_runs_" + std::to_string(Length);
  }
  static std::int64_t number(std::int64_t n)
  {
    return n / Length;
  }
  static double bytes_moved(std::int64_t n)
  {
    return static_cast<double>(n * input_bytes + number(n) * output_bytes);
  }

  static __host__ __device__ std::int32_t* offsets(const arrays& a)
  {
    return a.out<std::int32_t>();
  }
  static __host__ __device__ std::int32_t* lengths(const arrays& a)
  {
    return a.out<std::int32_t, sizeof(std::int32_t)>();
  }

  template <class Device>
  static cudaError_t call(void* scratch, std::size_t& bytes, const arrays& a, std::uint32_t* total)
  {
    const auto n = static_cast<select_count>(a.n);
    return Device::NonTrivialRuns(scratch, bytes, a.in<run_key>(), offsets(a), lengths(a), total, n, a.stream);
  }
  template <class Policy>
  static std::int64_t by_thrust(Policy, const arrays&)
  {
    throw std::logic_error("Thrust has no name for runs of two or more");
  }

  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<run_key>()[i] = static_cast<run_key>(i / Length);
  }

  struct right
  {
    arrays a;

    __device__ bool operator()(std::int64_t run) const
    {
      return offsets(a)[run] == run * Length && lengths(a)[run] == Length;
    }
  };
  static verdict check(const arrays& a, impl, std::int64_t total)
  {
    const std::int64_t runs = number(a.n);
    if (total != runs)
    {
      return {1, static_cast<unsigned long long>(runs)};
    }
    return first_of({check_by(right{a}, 0, runs, a.stream),
                     check_behind(offsets(a), runs, a.n, a.stream),
                     check_behind(lengths(a), runs, a.n, a.stream)});
  }
};
} // namespace

std::vector<scan_case> run_lengths()
{
  constexpr std::int64_t count = std::int64_t{1} << 28;
  return {make_selection<encoding<1>>(count),
          make_selection<encoding<4>>(count),
          make_selection<encoding<64>>(count),
          make_selection<encoding<1000000>>(count),
          make_selection<measuring<2>>(count, {impl::memcpy, impl::cub, impl::lightscan}),
          make_selection<measuring<64>>(count, {impl::memcpy, impl::cub, impl::lightscan})};
}
} // namespace perf
