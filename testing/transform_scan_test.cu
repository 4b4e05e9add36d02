// Rule: thrust::transform_inclusive_scan (with and without an initial value) and transform_exclusive_scan with
// LightScan's policies scan function(element), in the types that Thrust accumulates in, at any size and alignment and in
// place; the function may have state, the operator need not commute.
#include "support/entry_check.h"

#include <lightscan/transform_scan.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_scan.h>

#include <cuda/std/functional>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace testing_support;
using lightscan::util::no_init;

namespace
{
struct triple
{
  __host__ __device__ unsigned operator()(unsigned x) const
  {
    return 3 * x + 1;
  }
};

template <class Out, class In, class Function>
std::vector<Out> transformed(const std::vector<In>& input, Function f)
{
  std::vector<Out> result;
  for (const In& x : input)
  {
    result.push_back(static_cast<Out>(f(x)));
  }
  return result;
}

// Uploads, calls scan(first, last, result), and holds everything against `expected`.
template <class Out, class In, class Scan>
void check(const std::vector<In>& input, const std::vector<Out>& expected, placement where, const char* form, Scan scan)
{
  SCOPED_TRACE(std::string(form) + ", n = " + std::to_string(input.size()) + ", input + "
               + std::to_string(where.input_offset) + ", output + " + std::to_string(where.output_offset)
               + (where.in_place ? ", in place" : ""));
  guarded_memory<In> in(input.size(), where.input_offset);
  guarded_memory<Out> out(input.size(), where.output_offset);
  ASSERT_NO_FATAL_FAILURE(in.upload(input));
  Out* result = out.data();
  if constexpr (std::is_same_v<In, Out>)
  {
    result = where.in_place ? in.data() : out.data();
  }
  Out* const end = scan(in.data(), in.data() + input.size(), result);
  EXPECT_EQ(end, result + input.size());
  if constexpr (std::is_same_v<In, Out>)
  {
    ASSERT_NO_FATAL_FAILURE(expect_equal(where.in_place ? in.download() : out.download(), expected, form));
  }
  else
  {
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, form));
  }
  if (!where.in_place)
  {
    ASSERT_NO_FATAL_FAILURE(expect_equal(in.download(), input, "the input"));
  }
  in.expect_guards_untouched();
  out.expect_guards_untouched();
}

void check_all_forms(std::int64_t n, placement where)
{
  const std::vector<unsigned> input = random_values<unsigned>(static_cast<std::size_t>(n));
  const std::vector<unsigned> seen  = transformed<unsigned>(input, triple{});
  ASSERT_NO_FATAL_FAILURE(
    check(input, host_scan<true>(seen, no_init{}, plus{}), where, "inclusive", [](auto first, auto last, auto result) {
      return thrust::transform_inclusive_scan(lightscan::par, first, last, result, triple{}, plus{});
    }));
  ASSERT_NO_FATAL_FAILURE(
    check(input, host_scan<true>(seen, 77u, plus{}), where, "inclusive, init", [](auto first, auto last, auto result) {
      return thrust::transform_inclusive_scan(lightscan::par, first, last, result, triple{}, 77u, plus{});
    }));
  ASSERT_NO_FATAL_FAILURE(
    check(input, host_scan<false>(seen, 77u, plus{}), where, "exclusive", [](auto first, auto last, auto result) {
      return thrust::transform_exclusive_scan(lightscan::par, first, last, result, triple{}, 77u, plus{});
    }));
}

const std::vector<std::int64_t> few_sizes{1, 33, 4099, (2 << 20) + 12345}; // the last one is over 8 MiB
} // namespace

TEST(transform_scan, every_form_at_every_boundary)
{
  for (const std::int64_t n : entry_sizes<lightscan::tile::scan_kind<unsigned, true>, unsigned, unsigned>())
  {
    ASSERT_NO_FATAL_FAILURE(check_all_forms(n, {}));
  }
}

TEST(transform_scan, every_form_at_any_alignment)
{
  for (const std::int64_t n : few_sizes)
  {
    for (const auto& [in, out] : {std::pair<int, int>{1, 0}, {0, 1}, {1, 1}, {3, 2}})
    {
      ASSERT_NO_FATAL_FAILURE(check_all_forms(n, {static_cast<std::size_t>(in), static_cast<std::size_t>(out), false}));
    }
  }
}

TEST(transform_scan, every_form_in_place)
{
  for (const std::int64_t n : few_sizes)
  {
    ASSERT_NO_FATAL_FAILURE(check_all_forms(n, {0, 0, true}));
    ASSERT_NO_FATAL_FAILURE(check_all_forms(n, {1, 0, true}));
  }
}

namespace
{
// An index to the interval of that one element.
struct to_interval
{
  __host__ __device__ interval operator()(std::uint32_t i) const
  {
    return {i, i + 1};
  }
};
} // namespace

// The interval monoid (support/operators.h): every element is handed on once, in its order, and no other.
TEST(transform_scan, hands_each_transformed_element_on_once_in_order)
{
  for (const std::int64_t n : entry_sizes<lightscan::tile::scan_kind<interval, true>, interval, std::uint32_t>())
  {
    std::vector<std::uint32_t> input(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      input[i] = static_cast<std::uint32_t>(i) + 1;
    }
    const std::vector<interval> seen = transformed<interval>(input, to_interval{});
    const interval before{0, 1};
    for (const std::size_t offset : {0, 1})
    {
      const placement where{offset, 0, false};
      ASSERT_NO_FATAL_FAILURE(check(
        input, host_scan<true>(seen, no_init{}, join{}), where, "inclusive", [](auto first, auto last, auto result) {
          return thrust::transform_inclusive_scan(lightscan::par, first, last, result, to_interval{}, join{});
        }));
      ASSERT_NO_FATAL_FAILURE(check(
        input, host_scan<false>(seen, before, join{}), where, "exclusive", [&](auto first, auto last, auto result) {
          return thrust::transform_exclusive_scan(lightscan::par, first, last, result, to_interval{}, before, join{});
        }));
    }
  }
}

namespace
{
// State that the results depend on, and state that a call changes: each thread's copy is its own.
struct to_affine
{
  std::uint32_t shift;
  std::uint32_t calls = 0;

  __host__ __device__ affine operator()(std::uint32_t x)
  {
    ++calls;
    return {2 * x + 1, x + shift};
  }
};

struct composed_modulo
{
  std::uint32_t mask;

  __host__ __device__ affine operator()(const affine& first, const affine& then) const
  {
    const affine whole = compose{}(first, then);
    return {whole.a & mask, whole.b & mask}; // modulo a power of two: still associative
  }
};
} // namespace

TEST(transform_scan, takes_functions_and_operators_with_state_that_do_not_commute)
{
  for (const std::int64_t n : few_sizes)
  {
    const std::vector<std::uint32_t> input = random_values<std::uint32_t>(static_cast<std::size_t>(n));
    for (const std::uint32_t shift : {7u, 1000001u})
    {
      const to_affine f{shift};
      const composed_modulo op{shift == 7u ? 0xffffffu : 0xffffu};
      const std::vector<affine> expected = host_scan<true>(transformed<affine>(input, f), no_init{}, op);
      // The first result is an element that no operator has seen.
      ASSERT_NO_FATAL_FAILURE(check(input, expected, {}, "stateful", [&](auto first, auto last, auto result) {
        return thrust::transform_inclusive_scan(lightscan::par, first, last, result, f, op);
      }));
    }
  }
}

namespace
{
template <class Out>
struct constantly
{
  Out value;

  __host__ __device__ Out operator()(int) const
  {
    return value;
  }
};

// The last of 100 results, scanned over a function that is `value` throughout.
template <class Out, class Scan>
Out last_of_100(Scan scan)
{
  guarded_memory<Out> out(100, 0);
  scan(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(100), out.data());
  return out.download()[99];
}
} // namespace

TEST(transform_scan, accumulates_in_the_functions_result)
{
  const constantly<std::uint8_t> f{3};
  const int sum = last_of_100<int>([&](auto first, auto last, auto result) {
    thrust::transform_inclusive_scan(lightscan::par, first, last, result, f, cuda::std::plus<>{});
  });
  EXPECT_EQ(sum, 300 % 256);
}

TEST(transform_scan, with_an_initial_value_accumulates_in_what_the_operator_makes_of_both)
{
  const constantly<std::uint8_t> f{3};
  const int sum = last_of_100<int>([&](auto first, auto last, auto result) {
    thrust::transform_inclusive_scan(lightscan::par, first, last, result, f, std::uint8_t{1}, cuda::std::plus<>{});
  });
  EXPECT_EQ(sum, 301); // uint8 + uint8 is an int
}

TEST(transform_scan, exclusive_converts_the_functions_result_to_the_initial_values_type_first)
{
  const constantly<int> f{300};
  const int largest = last_of_100<int>([&](auto first, auto last, auto result) {
    thrust::transform_exclusive_scan(lightscan::par, first, last, result, f, std::uint8_t{5}, maximum{});
  });
  EXPECT_EQ(largest, 300 % 256);
}
