// Sums of values under keys, however these come. Included by cases_reduce_by_key.cu, cases_select_iterators.cu and cases_select_zips.cu.
#pragma once

#include "run_work.h"
#include "sums.h"

#include <cub/device/device_reduce.cuh>

#include <thrust/reduce.h>

#include <cuda/std/functional>

namespace perf
{
// Where keys go: to the output's first array.
struct one_key
{
  static constexpr int bytes = sizeof(run_key);

  static __host__ __device__ run_key* out(const arrays& a)
  {
    return a.out<run_key>();
  }
};

// Work::keys(arrays) and Work::values(arrays) are the input. The output has the keys first, and sums behind them.
template <class Work, class Value, class Keys = one_key>
struct sums_under_keys
{
  using cubs = cub::DeviceReduce;
  using ours = lightscan::DeviceReduce;

  static constexpr const char* type = type_name<Value>;
  static constexpr int output_bytes = Keys::bytes + sizeof(Value);

  static __host__ __device__ Value* sums(const arrays& a)
  {
    return a.out<Value, Keys::bytes>();
  }

  template <class Device>
  static cudaError_t call(void* scratch, std::size_t& bytes, const arrays& a, std::uint32_t* total)
  {
    return Device::ReduceByKey(scratch,
                               bytes,
                               Work::keys(a),
                               Keys::out(a),
                               Work::values(a),
                               sums(a),
                               total,
                               ::cuda::std::plus<>{},
                               static_cast<select_count>(a.n),
                               a.stream);
  }
  template <class Policy>
  static std::int64_t by_thrust(Policy policy, const arrays& a)
  {
    const auto keys = Work::keys(a);
    const auto out  = Keys::out(a);
    return thrust::reduce_by_key(policy, keys, keys + a.n, Work::values(a), out, sums(a)).first - out;
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
} // namespace perf
