// Copies of the elements that a predicate holds for.
#include "select_check.h"
#include "select_data.h"

#include <cub/device/device_select.cuh>

#include <thrust/copy.h>

namespace perf
{
namespace
{
template <class T>
inline constexpr const char* name_of_kept = "struct64";
template <>
inline constexpr const char* name_of_kept<struct16> = "struct16";
template <>
inline constexpr const char* name_of_kept<std::uint8_t> = "uint8";
template <>
inline constexpr const char* name_of_kept<std::uint16_t> = "uint16";
template <>
inline constexpr const char* name_of_kept<std::uint32_t> = "uint32";
template <>
inline constexpr const char* name_of_kept<std::uint64_t> = "uint64";

template <class T, int Percent>
struct selection
{
  using cubs = cub::DeviceSelect;
  using ours = lightscan::DeviceSelect;

  static constexpr const char* type = name_of_kept<T>;
  static constexpr int input_bytes  = sizeof(T);
  static constexpr int output_bytes = sizeof(T);
  static constexpr bool by_policy   = false;

  static std::string op()
  {
    return "select_" + std::to_string(Percent);
  }
  static double bytes_moved(std::int64_t n)
  {
    return static_cast<double>((n + n * Percent / 100) * static_cast<std::int64_t>(sizeof(T)));
  }

  template <class Device>
  static cudaError_t call(void* scratch, std::size_t& bytes, const arrays& a, std::uint32_t* total)
  {
    return Device::If(scratch,
                      bytes,
                      a.template in<T>(),
                      a.template out<T>(),
                      total,
                      static_cast<select_count>(a.n),
                      is_low<Percent>{},
                      a.stream);
  }

  template <class Policy>
  static std::int64_t by_thrust(Policy policy, const arrays& a)
  {
    const T* const in = a.template in<T>();
    T* const out      = a.template out<T>();
    return thrust::copy_if(policy, in, in + a.n, out, is_low<Percent>{}) - out;
  }

  static __device__ T value(std::int64_t i, std::int64_t n)
  {
    return spread<T>::value(i, n);
  }
  static __device__ bool kept(const T& value)
  {
    return is_low<Percent>{}(value);
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    a.template in<T>()[i] = value(i, a.n);
  }
  static __device__ bool right(const arrays& a, impl, std::int64_t i, std::int64_t before, bool kept)
  {
    return !kept || same_bits(a.template out<T>()[before], value(i, a.n));
  }
  static verdict check(const arrays& a, impl by, std::int64_t total)
  {
    const verdict found = check_kept<selection>(a, by, total);
    return found.wrong != 0 ? found : check_behind(a.template out<T>(), total, a.n, a.stream);
  }
};

// Through the policies: how many there are is known on the host at the end of the call.
struct copied : selection<std::uint32_t, 50>
{
  static constexpr bool by_policy = true;

  static std::string op()
  {
    return "copy_if_50";
  }
};
} // namespace

std::vector<scan_case> selections()
{
  constexpr std::int64_t count = std::int64_t{1} << 28;
  std::vector<scan_case> cases{make_selection<selection<std::uint32_t, 5>>(count),
                               make_selection<selection<std::uint32_t, 50>>(count),
                               make_selection<selection<std::uint32_t, 95>>(count),
                               make_selection<selection<std::uint64_t, 50>>(count),
                               make_selection<selection<struct16, 50>>(count),
                               make_selection<selection<struct64, 50>>(count / 4),
                               make_selection<selection<std::uint8_t, 50>>(count),
                               make_selection<selection<std::uint16_t, 50>>(count)};
  for (const int exponent : {10, 16, 20})
  {
    cases.push_back(
      make_selection<selection<std::uint32_t, 50>>(std::int64_t{1} << exponent, all_of_a_small_selection));
  }
  cases.push_back(make_selection<copied>(std::int64_t{1} << 10, {impl::empty_kernel, impl::thrust, impl::lightscan}));
  return cases;
}
} // namespace perf
