// Rule: any type, operator, length, alignment, placement, stream, policy, entry point and number of blocks will do. Chosen
// at random, for as long as LIGHTSCAN_STRESS_SECONDS says (10 where it says nothing).
//
// To have a failure again: LIGHTSCAN_TEST_SEED=<seed> LIGHTSCAN_STRESS_CASE=<case>, both of which it prints.
#include "../support/expect_cuda.h"
#include "../support/guarded_memory.h"
#include "../support/operators.h"
#include "../support/random_values.h"
#include "../support/scan_check.h"

#include <lightscan/lightscan.h>

#include <thrust/scan.h>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

using namespace testing_support;
using lightscan::carry::default_exchange;
using lightscan::carry::no_init;

namespace
{
using choice = std::mt19937_64;

std::uint64_t below(choice& random, std::uint64_t end)
{
  return random() % end;
}

// As often short as long; often near where a tile, a window or the reach of a kernel ends.
template <class T>
std::int64_t random_size(choice& random)
{
  using shape                = typename lightscan::dispatch::bulk_shape_for<T>::type;
  const std::int64_t tile    = shape::tile_bytes / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t longest = (std::int64_t{48} << 20) / static_cast<std::int64_t>(sizeof(T));
  std::int64_t n             = 0;
  switch (below(random, 4))
  {
    case 0:
      n = static_cast<std::int64_t>(below(random, 2) + below(random, std::uint64_t{2} << below(random, 23)));
      break;
    case 1:
      n = tile * static_cast<std::int64_t>(1 + below(random, 6)) + static_cast<std::int64_t>(below(random, 5)) - 2;
      break;
    case 2:
      n = tile * static_cast<std::int64_t>(160 * (1 + below(random, 3))) + static_cast<std::int64_t>(below(random, 5))
        - 2;
      break;
    default:
      n = lightscan::dispatch::bulk_shape_for<T>::row.min_bytes / static_cast<std::int64_t>(sizeof(T))
        + static_cast<std::int64_t>(below(random, 5)) - 2;
      break;
  }
  return n < longest ? n : longest;
}

// Calls f with one of the policies; by the time it returns, the scan has ended.
template <class F>
void with_a_policy(unsigned which, cudaStream_t stream, std::string& what, F f)
{
  switch (which)
  {
    case 0:
      what += ", par";
      f(lightscan::par);
      break;
    case 1:
      what += ", par_nosync";
      f(lightscan::par_nosync);
      LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(nullptr));
      break;
    case 2:
      what += ", par.on(stream)";
      f(lightscan::par.on(stream));
      break;
    default:
      what += ", par_nosync.on(stream)";
      f(lightscan::par_nosync.on(stream));
      LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
      break;
  }
}

template <class T, class Op>
void check_thrust_call(choice& random, cudaStream_t stream, const char* type)
{
  const std::int64_t n        = random_size<T>(random);
  const std::size_t count     = static_cast<std::size_t>(n);
  const std::size_t in_shift  = below(random, 17);
  const std::size_t out_shift = below(random, 17);
  const bool in_place         = below(random, 3) == 0;
  const unsigned form         = static_cast<unsigned>(below(random, 3));
  const unsigned policy       = static_cast<unsigned>(below(random, 4));
  const std::vector<T> input  = random_values<T>(count, random());
  const T init                = random_values<T>(1, random()).front();

  std::string what = std::string(type) + ", n = " + std::to_string(n) + ", input + " + std::to_string(in_shift)
                   + ", output + " + std::to_string(out_shift) + (in_place ? ", in place" : "")
                   + (form == 0   ? ", inclusive"
                      : form == 1 ? ", inclusive, init"
                                  : ", exclusive, init");
  guarded_memory<T> in(count, in_shift);
  guarded_memory<T> out(count, out_shift);
  ASSERT_NO_FATAL_FAILURE(in.upload(input));
  guarded_memory<T>& result = in_place ? in : out;
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());

  T* end = nullptr;
  ASSERT_NO_FATAL_FAILURE(with_a_policy(policy, stream, what, [&](auto p) {
    const T* const first = in.data();
    switch (form)
    {
      case 0:
        end = thrust::inclusive_scan(p, first, first + n, result.data(), Op{});
        break;
      case 1:
        end = thrust::inclusive_scan(p, first, first + n, result.data(), init, Op{});
        break;
      default:
        end = thrust::exclusive_scan(p, first, first + n, result.data(), init, Op{});
        break;
    }
  }));
  SCOPED_TRACE(what);
  EXPECT_EQ(end, result.data() + n);
  const std::vector<T> expected = form == 0 ? host_scan<true>(input, no_init{}, Op{})
                                : form == 1 ? host_scan<true>(input, init, Op{})
                                            : host_scan<false>(input, init, Op{});
  const std::vector<T> actual   = result.download();
  for (std::size_t i = 0; i < count; ++i)
  {
    ASSERT_TRUE(actual[i] == expected[i]) << "element " << i;
  }
  in.expect_guards_untouched();
  out.expect_guards_untouched();
}

// One launch with the kernel and the number of blocks chosen, too.
template <class T, class Op>
void check_launch(choice& random, cudaStream_t, const char* type)
{
  const std::vector<T> input = random_values<T>(static_cast<std::size_t>(random_size<T>(random)), random());
  placement where;
  where.input_offset   = below(random, 17);
  where.output_offset  = below(random, 17);
  where.in_place       = below(random, 3) == 0;
  const kernels kernel = below(random, 2) == 0 ? kernels::bulk_only : kernels::plain_only;
  const int blocks     = static_cast<int>(below(random, 2) * below(random, 150));
  SCOPED_TRACE(type);
  if (!input.empty())
  {
    check_scan<default_exchange, true>(input, no_init{}, Op{}, where, kernel, blocks);
  }
}

using check = void (*)(choice&, cudaStream_t, const char*);
const struct
{
  check run;
  const char* type;
} checks[] = {
  {check_thrust_call<signed char, plus>, "signed char, plus"},
  {check_thrust_call<short, maximum>, "short, maximum"},
  {check_thrust_call<int, plus>, "int, plus"},
  {check_thrust_call<double, plus>, "double, plus"},
  {check_thrust_call<affine, compose>, "affine, compose"},
  {check_thrust_call<words_of_size<3>, plus>, "twelve bytes, plus"},
  {check_launch<int, plus>, "int, plus"},
  {check_launch<words_of_size<3>, plus>, "twelve bytes, plus"},
};

const char* variable(const char* name, const char* otherwise)
{
  const char* const value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}
} // namespace

TEST(property, any_scan_is_right)
{
  cudaStream_t stream = nullptr;
  LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const std::chrono::duration<double> budget(std::strtod(variable("LIGHTSCAN_STRESS_SECONDS", "10"), nullptr));
  const long long only = std::strtoll(variable("LIGHTSCAN_STRESS_CASE", "-1"), nullptr, 10);
  const auto begin     = std::chrono::steady_clock::now();
  long long cases      = 0;
  while (only >= 0 ? cases == 0 : std::chrono::steady_clock::now() - begin < budget)
  {
    const long long number = only >= 0 ? only : cases;
    choice random(seed() ^ static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15ull);
    const auto& chosen = checks[below(random, sizeof(checks) / sizeof(checks[0]))];
    chosen.run(random, stream, chosen.type);
    ++cases;
    ASSERT_FALSE(HasFailure()) << "LIGHTSCAN_TEST_SEED=" << seed() << " LIGHTSCAN_STRESS_CASE=" << number;
  }
  std::printf("%lld cases\n", cases);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
}
