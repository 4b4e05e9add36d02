// The first key of each run of equal ones, and the sum of the run's values.
#include "run_work.h"

#include <cub/device/device_reduce.cuh>

#include <thrust/reduce.h>

#include <cuda/std/functional>

#include <type_traits>

namespace perf
{
namespace
{
template <class Value, int Length>
struct reduction : over_runs<reduction<Value, Length>, Length>
{
  using cubs = cub::DeviceReduce;
  using ours = lightscan::DeviceReduce;

  static constexpr const char* type = std::is_same_v<Value, float> ? "float" : "uint32";
  static constexpr int input_bytes  = sizeof(run_key) + sizeof(Value);
  static constexpr int output_bytes = input_bytes;

  static std::string op()
  {
    return "reduce_by_key_" + std::to_string(Length);
  }

  static __host__ __device__ Value* values(const arrays& a)
  {
    return a.in<Value, sizeof(run_key)>();
  }
  static __host__ __device__ Value* sums(const arrays& a)
  {
    return a.out<Value, sizeof(run_key)>();
  }

  template <class Device>
  static cudaError_t call(void* scratch, std::size_t& bytes, const arrays& a, std::uint32_t* total)
  {
    return Device::ReduceByKey(scratch,
                               bytes,
                               a.in<run_key>(),
                               a.out<run_key>(),
                               values(a),
                               sums(a),
                               total,
                               ::cuda::std::plus<>{},
                               static_cast<select_count>(a.n),
                               a.stream);
  }

  template <class Policy>
  static std::int64_t by_thrust(Policy policy, const arrays& a)
  {
    const run_key* const keys = a.in<run_key>();
    run_key* const out        = a.out<run_key>();
    return thrust::reduce_by_key(policy, keys, keys + a.n, values(a), out, sums(a)).first - out;
  }

  static __device__ void write(const arrays& a, std::int64_t i)
  {
    reduction::write_key(a, i);
    values(a)[i] = random_value<Value>(i);
  }
  static __device__ bool right(const arrays& a, std::int64_t run, std::int64_t begin, std::int64_t end)
  {
    Value sum  = random_value<Value>(begin);
    bool exact = sums_are_exact_up_to(sum);
    for (std::int64_t i = begin + 1; i < end; ++i)
    {
      sum   = next_sum(sum, random_value<Value>(i));
      exact = exact && sums_are_exact_up_to(sum);
    }
    return exact && sums(a)[run] == sum;
  }
  static verdict check_all_behind(const arrays& a, std::int64_t runs)
  {
    return first_of({check_behind(a.out<run_key>(), runs, a.n, a.stream), check_behind(sums(a), runs, a.n, a.stream)});
  }
};

template <int... Length>
std::vector<scan_case> reductions_over_runs()
{
  constexpr std::int64_t count = std::int64_t{1} << 27;
  std::vector<scan_case> cases;
  (cases.push_back(make_selection<reduction<std::uint32_t, Length>>(count)), ...);
  (cases.push_back(make_selection<reduction<float, Length>>(count)), ...);
  return cases;
}
} // namespace

std::vector<scan_case> reductions_by_key()
{
  return reductions_over_runs<1, 4, 64, 1000000>();
}
} // namespace perf
