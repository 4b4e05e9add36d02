#include "candidates.h"

namespace perf::tune
{
namespace
{
// int32 keys in runs of 32, and behind them float values.
struct sums_by_key
{
  using key    = std::int32_t;
  using output = float;

  static constexpr std::size_t input_bytes = sizeof(key) + sizeof(float);
  static constexpr std::int64_t run        = 32;

  static lightscan::dispatch::by_key_problem<key,
                                             float,
                                             const key*,
                                             const float*,
                                             float*,
                                             ::cuda::std::equal_to<>,
                                             ::cuda::std::plus<>,
                                             lightscan::util::no_init>
  problem(const void* input, void* output, std::int64_t count)
  {
    const key* const keys = static_cast<const key*>(input);
    return {{keys, reinterpret_cast<const float*>(keys + count)}, static_cast<float*>(output), count, {}, {}};
  }

  static __device__ void write(void* input, std::int64_t i, std::int64_t count)
  {
    key* const keys                           = static_cast<key*>(input);
    keys[i]                                   = static_cast<key>(i / run);
    reinterpret_cast<float*>(keys + count)[i] = random_value<float>(i);
  }

  static __device__ bool right(std::int64_t i, const float* result)
  {
    const float expected = next_sum(i % run == 0 ? 0.0f : result[i - 1], random_value<float>(i));
    return result[i] == expected && sums_are_exact_up_to(expected);
  }
};
} // namespace

kind_to_tune keys_to_tune()
{
  return kind_of<sums_by_key>("float by int32 keys", for_keys{});
}
} // namespace perf::tune
