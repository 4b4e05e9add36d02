// Sums of what a function takes long to make of an element: kernels that call it twice, or with few threads, show it.
#include "tree_work.h"

#include <thrust/iterator/transform_iterator.h>

#include <cstdint>

namespace perf
{
namespace
{
// Sixteenths, as many below zero as above, so that sums stay exact; after as many dependent steps as an exp of a double has, and more.
template <class T>
struct mixed
{
  __host__ __device__ T operator()(float value) const
  {
    auto bits = static_cast<std::uint32_t>(16 * (value < 0 ? -value : value));
    for (int step = 0; step < 64; ++step)
    {
      bits = bits * 2654435761u + 12345u;
      bits ^= bits >> 15;
    }
    const T made = static_cast<T>(bits % 17) / 16;
    return value < 0 ? -made : value > 0 ? made : T{};
  }
};

// Floats to T's.
template <class T>
struct of_long_function : scan_of<of_long_function<T>>, moves<4, static_cast<int>(sizeof(T))>
{
  static constexpr const char* op   = "inclusive_sum_long_function";
  static constexpr const char* type = sizeof(T) == 4 ? "float" : "float_to_double";

  static auto first(const arrays& a)
  {
    return thrust::make_transform_iterator(a.in<float>(), mixed<T>{});
  }
  static auto result(const arrays& a)
  {
    return a.out<T>();
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.in<float>()[i] = random_value<float>(i);
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    return follows(a.out<T>(), i, mixed<T>{}(random_value<float>(i)));
  }
};
} // namespace

std::vector<scan_case> sums_of_long_functions()
{
  return tree_cases<of_long_function<float>, of_long_function<double>>();
}
} // namespace perf
