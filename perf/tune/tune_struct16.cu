#include "candidates.h"

namespace perf::tune
{
namespace
{
struct __align__(16) four
{
  int value[4];
};

struct sums
{
  __host__ __device__ four operator()(const four& left, const four& right) const
  {
    four result;
    for (int i = 0; i < 4; ++i)
    {
      result.value[i] = next_sum(left.value[i], right.value[i]);
    }
    return result;
  }
};

struct sums_of_four : scan_of_one_array<four, four, sums>
{
  static __device__ four value(std::int64_t i)
  {
    return {{random_value<int>(4 * i),
             random_value<int>(4 * i + 1),
             random_value<int>(4 * i + 2),
             random_value<int>(4 * i + 3)}};
  }

  static __device__ void write(void* input, std::int64_t i, std::int64_t)
  {
    static_cast<four*>(input)[i] = value(i);
  }

  static __device__ bool right(std::int64_t i, const four* result)
  {
    const four expected = i == 0 ? value(0) : sums{}(result[i - 1], value(i));
    bool all            = true;
    for (int k = 0; k < 4; ++k)
    {
      all = all && result[i].value[k] == expected.value[k];
    }
    return all;
  }
};
} // namespace

kind_to_tune struct16_to_tune()
{
  return kind_of<sums_of_four>("struct16", for_wide_elements{});
}
} // namespace perf::tune
