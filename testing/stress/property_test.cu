// Rule: any type, operator, length, alignment, placement, stream, policy, entry point and number of blocks will do. Chosen
// at random, for as long as LIGHTSCAN_STRESS_SECONDS says (10 where it says nothing).
//
// To have a failure again: LIGHTSCAN_TEST_SEED=<seed> LIGHTSCAN_STRESS_CASE=<case>, both of which it prints.
#include "../support/operators.h"
#include "random_case.h"

#include <thrust/scan.h>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

using namespace testing_support;
using lightscan::carry::default_transport;
using lightscan::util::no_init;

namespace
{
template <class T, class Op>
void check_thrust_call(choice& random, cudaStream_t stream, const char* type)
{
  const std::vector<T> input    = random_values<T>(static_cast<std::size_t>(random_size<T>(random)), random());
  const T init                  = random_values<T>(1, random()).front();
  const std::uint64_t kind      = below(random, 3);
  const std::vector<T> expected = kind == 0 ? host_scan<true>(input, no_init{}, Op{})
                                : kind == 1 ? host_scan<true>(input, init, Op{})
                                            : host_scan<false>(input, init, Op{});
  const char* const name        = kind == 0 ? ", inclusive" : kind == 1 ? ", inclusive, init" : ", exclusive, init";
  const std::int64_t n          = static_cast<std::int64_t>(input.size());
  const auto scan               = [&](const T* first, T* result, std::string& what) {
    with_a_policy(random, stream, n, what, [&](auto policy) {
      T* const end = kind == 0 ? thrust::inclusive_scan(policy, first, first + n, result, Op{})
                                 : kind == 1 ? thrust::inclusive_scan(policy, first, first + n, result, init, Op{})
                                             : thrust::exclusive_scan(policy, first, first + n, result, init, Op{});
      EXPECT_EQ(end, result + n);
    });
  };
  check_on_random_ranges(random, input, expected, true, std::string(type) + name, scan);
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
    check_scan<default_transport, true>(input, no_init{}, Op{}, where, kernel, blocks);
  }
}

const std::vector<random_case> pointer_cases{
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
  std::vector<random_case> kinds(pointer_cases);
  kinds.insert(kinds.end(), entry_point_cases.begin(), entry_point_cases.end());
  const auto begin = std::chrono::steady_clock::now();
  long long cases  = 0;
  while (only >= 0 ? cases == 0 : std::chrono::steady_clock::now() - begin < budget)
  {
    const long long number = only >= 0 ? only : cases;
    choice random(seed() ^ static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15ull);
    const random_case& chosen = kinds[below(random, kinds.size())];
    try
    {
      chosen.run(random, stream, chosen.what);
    }
    catch (const std::exception& thrown)
    {
      ADD_FAILURE() << chosen.what << ": " << thrown.what();
    }
    ++cases;
    ASSERT_FALSE(HasFailure()) << "LIGHTSCAN_TEST_SEED=" << seed() << " LIGHTSCAN_STRESS_CASE=" << number;
  }
  std::printf("%lld cases\n", cases);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
}
