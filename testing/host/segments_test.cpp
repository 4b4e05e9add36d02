// Rule: scans of segments on host threads are those of a loop over the segments, whatever these are: rows of any length, and segments at
// offsets, also empty ones, thousands in a row, one of nearly all elements; in all forms, in place or not, for any number of threads; by
// an operator that does not commute; of elements that no slot holds; through iterators. What the operator throws reaches the caller.
#include "../support/operators.h"
#include "../support/random_values.h"

#include <lightscan/host_segmented_scan.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace
{
using lightscan::host;
using lightscan::HostSegmentedScan;
using testing_support::compose;
using testing_support::random_values;
using map = testing_support::affine;

template <class T, class Op>
std::vector<T>
by_a_loop(const std::vector<T>& in, const std::vector<int>& offsets, Op op, bool inclusive, std::optional<T> init)
{
  std::vector<T> out(in.size());
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
  {
    std::optional<T> fold = init;
    for (auto i = static_cast<std::size_t>(offsets[s]); i < static_cast<std::size_t>(offsets[s + 1]); ++i)
    {
      if (!inclusive)
      {
        out[i] = *fold;
      }
      fold = fold ? op(*fold, in[i]) : in[i];
      if (inclusive)
      {
        out[i] = *fold;
      }
    }
  }
  return out;
}

std::vector<int> rows_of(int rows, int length)
{
  std::vector<int> offsets;
  for (int r = 0; r <= rows; ++r)
  {
    offsets.push_back(r * length);
  }
  return offsets;
}

// All three forms, into other memory and in place. call(form, in, out).
template <class Call>
void check(const std::vector<map>& in, const std::vector<int>& offsets, Call call)
{
  const map init{3, 5};
  const std::vector<map> expected[] = {by_a_loop(in, offsets, compose{}, true, std::optional<map>()),
                                       by_a_loop(in, offsets, compose{}, true, std::optional<map>(init)),
                                       by_a_loop(in, offsets, compose{}, false, std::optional<map>(init))};
  for (int form = 0; form < 3; ++form)
  {
    for (const int threads : {1, 2, 5})
    {
      std::vector<map> out(in.size(), map{77, 77});
      call(form, host.threads(threads), in.begin(), out.begin(), init);
      ASSERT_TRUE(out == expected[form]) << "form " << form << ", " << threads << " threads";
      std::vector<map> place = in;
      call(form, host.threads(threads), place.begin(), place.begin(), init);
      ASSERT_TRUE(place == expected[form]) << "form " << form << " in place, " << threads << " threads";
    }
  }
}

template <class First, class Second>
auto forms(First first, Second second)
{
  return [=](int form, const auto& policy, auto in, auto out, const map& init) {
    if (form == 0)
    {
      HostSegmentedScan::InclusiveSegmentedScan(policy, in, out, first, second, compose{});
    }
    else if (form == 1)
    {
      HostSegmentedScan::InclusiveSegmentedScanInit(policy, in, out, first, second, compose{}, init);
    }
    else
    {
      HostSegmentedScan::ExclusiveSegmentedScan(policy, in, out, first, second, compose{}, init);
    }
  };
}

void check_offsets(const std::vector<int>& offsets)
{
  const std::vector<map> in = random_values<map>(static_cast<std::size_t>(offsets.back()));
  check(in, offsets, forms(offsets.begin(), static_cast<int>(offsets.size()) - 1));
}
} // namespace

TEST(rows, of_any_length)
{
  for (const int length : {1, 2, 7, 63, 64, 65, 1000, 50001})
  {
    for (const int items : {1, 300, 70000})
    {
      const int rows = (items - 1) / length + 1;
      SCOPED_TRACE(std::to_string(rows) + " rows of " + std::to_string(length));
      const std::vector<map> in = random_values<map>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(length));
      ASSERT_NO_FATAL_FAILURE(check(in, rows_of(rows, length), forms(rows, length)));
    }
  }
}

TEST(segments, of_any_lengths)
{
  std::mt19937_64 random(testing_support::seed());
  for (const int longest : {1, 3, 40, 3000})
  {
    for (const int items : {1, 500, 60000})
    {
      std::vector<int> offsets{0};
      while (offsets.back() < items)
      {
        const bool empty = random() % 4 == 0;
        offsets.push_back(offsets.back()
                          + (empty ? 0 : 1 + static_cast<int>(random() % static_cast<unsigned>(longest))));
      }
      SCOPED_TRACE("up to " + std::to_string(longest));
      ASSERT_NO_FATAL_FAILURE(check_offsets(offsets));
    }
  }
}

TEST(segments, one_of_nearly_all_and_thousands_of_none)
{
  std::vector<int> offsets{0, 1, 2, 40000};
  offsets.resize(9000, 40000);
  offsets.push_back(40001);
  offsets.resize(20000, 70000);
  check_offsets(offsets);
  check_offsets({0, 0, 0, 1, 1});
}

// As where the output is large.
struct past_the_caches : lightscan::host_engine::default_tuning
{
  static constexpr lightscan::host_engine::index streams_from_bytes = 1;
};

TEST(segments, written_past_the_caches)
{
  const std::vector<int> offsets{0, 5, 60001, 60001, 90000, 100001};
  const std::vector<map> in = random_values<map>(100001);
  const auto check_form     = [&](auto is_inclusive, auto init, const std::optional<map>& before) {
    std::vector<map> out(in.size(), map{77, 77});
    const lightscan::tile::offset_list<const int*, lightscan::host_engine::index> list{offsets.data(), 5};
    lightscan::host_engine::scan_segments<past_the_caches, is_inclusive, map>(
      3, 100001, list, in.data(), out.data(), compose{}, init);
    EXPECT_TRUE(out == by_a_loop(in, offsets, compose{}, is_inclusive, before));
  };
  const map init{3, 5};
  check_form(std::true_type{}, init, init);
  check_form(std::false_type{}, init, init);
  check_form(std::true_type{}, lightscan::util::no_init{}, std::nullopt);
}

// As on a GPU.
TEST(segments, begin_with_the_first_element_in_any_case)
{
  for (const int first : {1, 5, 20000})
  {
    const std::vector<int> offsets{first, first + 5, first + 30000};
    const std::vector<map> in = random_values<map>(static_cast<std::size_t>(offsets.back()));
    check(in, {0, first, first + 5, first + 30000}, forms(offsets.begin(), 2));
  }
}

// What is done of them without assertions: any_offsets_test.cpp.
TEST(segments, at_offsets_that_do_not_ascend_stop_the_program)
{
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const std::vector<int>& offsets : {std::vector<int>{0, 90000, 40000}, {0, -50, 100}, {0, 30, 10, 60}})
  {
    std::vector<int> in(static_cast<std::size_t>(offsets.back()), 1), out(in.size());
    EXPECT_DEATH(HostSegmentedScan::InclusiveSegmentedSum(
                   host.threads(3), in.begin(), out.begin(), offsets.begin(), static_cast<int>(offsets.size()) - 1),
                 "an offset of a segment is");
  }
}

template <class Offset>
void check_offsets_of(const std::vector<int>& at)
{
  const std::vector<Offset> offsets(at.begin(), at.end());
  const std::vector<map> in = random_values<map>(static_cast<std::size_t>(at.back()));
  check(in, at, forms(offsets.begin(), static_cast<unsigned char>(at.size() - 1)));
}

TEST(segments, at_offsets_of_any_integer_type)
{
  check_offsets_of<std::int8_t>({0, 3, 3, 100, 127});
  check_offsets_of<std::uint8_t>({0, 3, 200, 255});
  check_offsets_of<std::uint16_t>({0, 1, 40000, 65535});
  check_offsets_of<std::uint64_t>({0, 1, 40000, 65535});
}

TEST(segments, of_none_and_less_do_nothing)
{
  int value = 7;
  const std::vector<int> offsets{0, 0};
  HostSegmentedScan::ExclusiveSegmentedSum(host, &value, &value, offsets.data(), 0);
  HostSegmentedScan::ExclusiveSegmentedSum(host, &value, &value, offsets.data(), 1);
  HostSegmentedScan::ExclusiveSegmentedSum(host, &value, &value, offsets.data(), -1);
  HostSegmentedScan::ExclusiveSegmentedSum(host, &value, &value, 0, 5);
  HostSegmentedScan::ExclusiveSegmentedSum(host, &value, &value, 5, 0);
  HostSegmentedScan::ExclusiveSegmentedSum(host, &value, &value, -5, 5);
  EXPECT_EQ(value, 7);
}

TEST(sums, through_iterators_and_in_other_types)
{
  const int n      = 100000;
  const auto ones  = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), [](int i) {
    return i % 3;
  });
  const auto every = thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), [](std::int64_t j) {
    return 10 * j;
  });
  std::vector<std::int64_t> inclusive(n), exclusive(n);
  HostSegmentedScan::InclusiveSegmentedSum(host.threads(3), ones, inclusive.begin(), every, n / 10);
  HostSegmentedScan::ExclusiveSegmentedSum(host.threads(3), ones, exclusive.begin(), n / 10, 10);
  std::int64_t sum = 0;
  for (int i = 0; i < n; ++i)
  {
    sum = i % 10 == 0 ? 0 : sum;
    ASSERT_EQ(exclusive[static_cast<std::size_t>(i)], sum) << i;
    sum += i % 3;
    ASSERT_EQ(inclusive[static_cast<std::size_t>(i)], sum) << i;
  }
  std::vector<bool> any(n); // neighbours share memory
  HostSegmentedScan::InclusiveSegmentedScan(host.threads(3), ones, any.begin(), n / 10, 10, std::plus<int>{});
  for (int i = 0; i < n; ++i)
  {
    ASSERT_EQ(any[static_cast<std::size_t>(i)], inclusive[static_cast<std::size_t>(i)] != 0) << i;
  }
}

TEST(sums, have_the_same_bits_for_any_number_of_threads)
{
  std::vector<float> in(200000);
  for (std::size_t i = 0; i < in.size(); ++i)
  {
    in[i] = 1.0f / static_cast<float>(1 + i % 97); // sums are rounded
  }
  std::vector<float> one(in.size()), many(in.size());
  HostSegmentedScan::InclusiveSegmentedSum(host.threads(1), in.begin(), one.begin(), 2, 100000);
  for (const int threads : {2, 3, 8})
  {
    HostSegmentedScan::InclusiveSegmentedSum(host.threads(threads), in.begin(), many.begin(), 2, 100000);
    ASSERT_TRUE(one == many) << threads;
  }
}

TEST(words, that_no_slot_holds)
{
  std::vector<std::string> in(5000), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i)
  {
    in[i] = std::string(1, static_cast<char>('a' + i % 26));
  }
  const std::vector<int> offsets{0, 3, 3, 4900, 5000};
  HostSegmentedScan::InclusiveSegmentedScan(
    host, in.begin(), out.begin(), offsets.begin(), 4, std::plus<std::string>{});
  EXPECT_TRUE(out == by_a_loop(in, offsets, std::plus<std::string>{}, true, std::optional<std::string>()));
  HostSegmentedScan::ExclusiveSegmentedScan(
    host, in.begin(), out.begin(), offsets.begin(), 4, std::plus<std::string>{}, std::string("-"));
  EXPECT_TRUE(out == by_a_loop(in, offsets, std::plus<std::string>{}, false, std::optional<std::string>("-")));
}

TEST(exceptions, reach_the_caller_from_any_thread)
{
  const auto throws = [](int a, int b) {
    return b < 0 ? throw std::runtime_error("negative") : a + b;
  };
  for (const std::size_t bad : {50u, 20001u, 40050u, 54321u, 99999u}) // tiles have 16,384
  {
    std::vector<int> values(100000, 1), out(values.size());
    values[bad]     = -1;
    const auto scan = [&] {
      HostSegmentedScan::InclusiveSegmentedScan(host.threads(3), values.begin(), out.begin(), 1000, 100, throws);
    };
    EXPECT_THROW(scan(), std::runtime_error) << bad;
    values[bad] = 1;
    scan();
    EXPECT_EQ(out[bad], static_cast<int>(bad % 100 + 1));
  }
}
