// The first element of each run of equal ones.
#include "run_work.h"

#include <cub/device/device_select.cuh>

#include <thrust/unique.h>

namespace perf
{
namespace
{
template <int Length>
struct unique : over_runs<unique<Length>, Length>
{
  using cubs = cub::DeviceSelect;
  using ours = lightscan::DeviceSelect;

  static constexpr const char* type = "uint32";
  static constexpr int input_bytes  = sizeof(run_key);
  static constexpr int output_bytes = sizeof(run_key);

  static std::string op()
  {
    return "unique_" + std::to_string(Length);
  }

  template <class Device>
  static cudaError_t call(void* scratch, std::size_t& bytes, const arrays& a, std::uint32_t* total)
  {
    const auto n = static_cast<select_count>(a.n);
    return Device::Unique(scratch, bytes, a.in<run_key>(), a.out<run_key>(), total, n, a.stream);
  }

  template <class Policy>
  static std::int64_t by_thrust(Policy policy, const arrays& a)
  {
    const run_key* const in = a.in<run_key>();
    run_key* const out      = a.out<run_key>();
    return thrust::unique_copy(policy, in, in + a.n, out) - out;
  }

  static __device__ void write(const arrays& a, std::int64_t i)
  {
    unique::write_key(a, i);
  }
  static __device__ bool right(const arrays&, std::int64_t, std::int64_t, std::int64_t)
  {
    return true;
  }
  static verdict check_all_behind(const arrays& a, std::int64_t runs)
  {
    return check_behind(a.out<run_key>(), runs, a.n, a.stream);
  }
};
} // namespace

std::vector<scan_case> uniques()
{
  constexpr std::int64_t count = std::int64_t{1} << 28;
  return {make_selection<unique<1>>(count), make_selection<unique<4>>(count), make_selection<unique<64>>(count)};
}
} // namespace perf
