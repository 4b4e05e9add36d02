// The first key of each run of equal ones, and the sum of the run's values.
#include "reduction_work.h"

namespace perf
{
// A wide value, whose words are summed each for itself.
struct sixteen_sums
{
  std::uint32_t word[16];

  friend __host__ __device__ sixteen_sums operator+(sixteen_sums a, const sixteen_sums& b)
  {
    for (int w = 0; w < 16; ++w)
    {
      a.word[w] += b.word[w];
    }
    return a;
  }
  friend __host__ __device__ bool operator==(const sixteen_sums& a, const sixteen_sums& b)
  {
    bool same = true;
    for (int w = 0; w < 16; ++w)
    {
      same = same && a.word[w] == b.word[w];
    }
    return same;
  }
};
template <>
inline constexpr const char* type_name<sixteen_sums> = "struct64";
template <>
PERF_HOST_DEVICE inline sixteen_sums random_value<sixteen_sums>(std::int64_t index)
{
  sixteen_sums value;
  for (int w = 0; w < 16; ++w)
  {
    value.word[w] = random_value<std::uint32_t>(16 * index + w);
  }
  return value;
}

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
  cases.push_back(make_selection<reduction<sixteen_sums, 64>>(count / 16));
  return cases;
}
} // namespace

std::vector<scan_case> reductions_by_key()
{
  return reductions_over_runs<1, 4, 64, 1000000>();
}
} // namespace perf
