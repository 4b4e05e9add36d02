// The first key of each run of equal ones, and the sum of the run's values.
#include "reduction_work.h"

namespace perf
{
namespace
{
template <class Value, int Length>
struct reduction : over_runs<reduction<Value, Length>, Length>, sums_under_keys<reduction<Value, Length>, Value>
{
  static constexpr int input_bytes  = sizeof(run_key) + sizeof(Value);
  static constexpr int output_bytes = sums_under_keys<reduction, Value>::output_bytes;

  static std::string op()
  {
    return "reduce_by_key_" + std::to_string(Length);
  }

  static __host__ __device__ run_key* keys(const arrays& a)
  {
    return a.in<run_key>();
  }
  static __host__ __device__ Value* values(const arrays& a)
  {
    return a.in<Value, sizeof(run_key)>();
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    reduction::write_key(a, i);
    values(a)[i] = random_value<Value>(i);
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
