// What lightscan::host can scan, and in which type.
//
// Rules covered:
//   - a call accumulates in the documented type
//   - outputs keep what their own assignment leaves
//   - iterators of any kind, converting ones too; types that cannot be made from nothing; types that fit no slot; vector<bool>
#include "beside_sequential.h"

#include <lightscan/host.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace
{
using host_testing::counts;
using host_testing::host;
using host_testing::same_as_sequential;

// Which type a call accumulates in, by what it does to numbers that another type would round or wrap.
TEST(accumulator, is_the_documented_type)
{
  const std::size_t count = 50000;
  const std::vector<std::uint8_t> bytes(count, 200);
  std::vector<std::uint32_t> r(count);
  const auto last = [&] {
    return r.back();
  };
  const std::uint32_t total   = static_cast<std::uint32_t>(count) * 200;
  const std::uint32_t wrapped = total % 256;
  const auto p                = host.threads(2);
  const auto same             = [](auto x) {
    return x;
  };
  const auto wide = [](std::uint8_t x) {
    return static_cast<std::uint32_t>(x);
  };
  thrust::inclusive_scan(p, bytes.begin(), bytes.end(), r.begin());
  EXPECT_EQ(last(), wrapped);
  thrust::inclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), thrust::plus<>{});
  EXPECT_EQ(last(), wrapped);
  thrust::inclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), 0u, thrust::plus<>{});
  EXPECT_EQ(last(), total);
  thrust::exclusive_scan(p, bytes.begin(), bytes.end(), r.begin());
  EXPECT_EQ(last(), (total - 200) % 256);
  thrust::exclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), 0u);
  EXPECT_EQ(last(), total - 200);
  thrust::exclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), std::uint8_t{0}, thrust::plus<>{});
  EXPECT_EQ(last(), (total - 200) % 256);
  thrust::transform_inclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), same, thrust::plus<>{});
  EXPECT_EQ(last(), wrapped);
  thrust::transform_inclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), wide, thrust::plus<>{});
  EXPECT_EQ(last(), total);
  thrust::transform_inclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), same, 0u, thrust::plus<>{});
  EXPECT_EQ(last(), total);
  thrust::transform_exclusive_scan(p, bytes.begin(), bytes.end(), r.begin(), wide, std::uint8_t{0}, thrust::plus<>{});
  EXPECT_EQ(last(), (total - 200) % 256);
  const std::vector<int> keys(count, 1);
  thrust::inclusive_scan_by_key(p, keys.begin(), keys.end(), bytes.begin(), r.begin());
  EXPECT_EQ(last(), wrapped);
  thrust::exclusive_scan_by_key(p, keys.begin(), keys.end(), bytes.begin(), r.begin(), 0u);
  EXPECT_EQ(last(), total - 200);
}

TEST(iterators, may_be_of_any_kind)
{
  const std::size_t count = 200003;
  std::vector<std::uint64_t> expected(count), results(count);
  std::iota(expected.begin(), expected.end(), std::uint64_t{1});
  std::partial_sum(expected.begin(), expected.end(), expected.begin());
  const auto p = host.threads(3);

  const thrust::counting_iterator<std::uint64_t> one(1);
  EXPECT_TRUE(thrust::inclusive_scan(p, one, one + count, results.begin()) == results.end());
  EXPECT_TRUE(results == expected);

  std::deque<std::uint64_t> scattered(count);
  std::iota(scattered.begin(), scattered.end(), std::uint64_t{1});
  const std::deque<std::uint64_t>& fixed = scattered;
  EXPECT_TRUE(thrust::inclusive_scan(p, fixed.begin(), fixed.end(), results.begin()) == results.end());
  EXPECT_TRUE(results == expected);
  EXPECT_TRUE(thrust::inclusive_scan(p, scattered.begin(), scattered.end(), scattered.begin()) == scattered.end());
  EXPECT_TRUE(std::equal(scattered.begin(), scattered.end(), expected.begin()));

  std::vector<std::uint64_t> backwards(count);
  const auto back = thrust::make_reverse_iterator(backwards.end());
  thrust::inclusive_scan(p, one, one + count, back);
  EXPECT_TRUE(std::equal(backwards.rbegin(), backwards.rend(), expected.begin()));

  const auto nowhere = thrust::make_discard_iterator();
  EXPECT_TRUE(thrust::inclusive_scan(p, one, one + count, nowhere) == nowhere + count);

  thrust::exclusive_scan(
    p, thrust::make_constant_iterator(2u), thrust::make_constant_iterator(2u) + count, results.begin());
  EXPECT_EQ(results.back(), 2 * (count - 1));

  const std::vector<std::uint64_t> before = expected;
  std::uint64_t* const raw                = expected.data();
  thrust::inclusive_scan(p, raw, raw + count, raw);
  std::vector<std::uint64_t> twice = before;
  std::partial_sum(twice.begin(), twice.end(), twice.begin());
  EXPECT_TRUE(expected == twice);
}

// What a transform_iterator says that it yields is what is scanned, whatever its function returns.
TEST(iterators, that_convert_what_a_function_returns)
{
  const std::vector<int> values(50000, 2);
  auto times_200 = [](int x) {
    return 200 * x;
  };
  using converting = thrust::transform_iterator<decltype(times_200), const int*, std::uint8_t, std::uint8_t>;
  const converting first(values.data(), times_200);
  std::vector<int> results(values.size());
  thrust::exclusive_scan(
    host.threads(2), first, first + static_cast<std::ptrdiff_t>(values.size()), results.begin(), 0);
  for (std::size_t i = 0; i < results.size(); ++i)
  {
    ASSERT_EQ(results[i], static_cast<int>(i) * (400 % 256)) << i;
  }
}

// Large results go past the caches as bytes, where an assignment writes all of them.
TEST(outputs, keep_what_their_assignment_leaves)
{
  struct one_of_two
  {
    int assigned;
    int left;

    one_of_two& operator=(int value)
    {
      assigned = value;
      return *this;
    }
  };
  static_assert(std::is_trivially_copyable_v<one_of_two>);
  const std::size_t count = (std::size_t{32} << 20) / sizeof(one_of_two) + 1000;
  const std::vector<int> values(count, 1);
  std::vector<one_of_two> results(count);
  for (one_of_two& result : results)
  {
    result.left = 77;
  }
  thrust::inclusive_scan(host.threads(2), values.begin(), values.end(), results.data());
  for (std::size_t i = 0; i < count; ++i)
  {
    ASSERT_EQ(results[i].assigned, static_cast<int>(i) + 1);
    ASSERT_EQ(results[i].left, 77) << i;
  }
}

// So do selected items.
TEST(outputs, keep_what_their_own_assignment_leaves)
{
  struct one_of_two
  {
    int assigned;
    int left;

    one_of_two()                  = default;
    one_of_two(const one_of_two&) = default;
    one_of_two& operator=(const one_of_two& other)
    {
      assigned = other.assigned;
      return *this;
    }
  };
  const std::size_t count = 100000;
  std::vector<one_of_two> items(count);
  std::vector<one_of_two> results(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    items[i].assigned = static_cast<int>(i);
    items[i].left     = 5;
    results[i].left   = 77;
  }
  const auto is_odd = [](const one_of_two& item) {
    return item.assigned % 2 != 0;
  };
  const auto end = thrust::copy_if(host.threads(2), items.begin(), items.end(), results.begin(), is_odd);
  ASSERT_EQ(end - results.begin(), static_cast<std::ptrdiff_t>(count / 2));
  for (std::size_t i = 0; i < count / 2; ++i)
  {
    ASSERT_EQ(results[i].assigned, static_cast<int>(2 * i + 1));
    ASSERT_EQ(results[i].left, 77) << i;
  }
}

TEST(vector_of_bool, is_written_by_one_thread)
{
  const std::size_t count = 3000001;
  std::vector<bool> bits(count), results(count), expected(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    bits[i] = i % 3 == 0 || i % 7 == 0;
  }
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> elsewhere{0};
  const auto differ = [&](bool a, bool b) {
    elsewhere += std::this_thread::get_id() == caller ? 0 : 1;
    return a != b;
  };
  std::partial_sum(bits.begin(), bits.end(), expected.begin(), differ);
  EXPECT_TRUE(thrust::inclusive_scan(host.threads(7), bits.begin(), bits.end(), results.begin(), differ)
              == results.end());
  EXPECT_TRUE(results == expected);
  EXPECT_EQ(elsewhere.load(), 0);
}

TEST(types, that_fit_no_slot_are_scanned_from_left_to_right)
{
  std::vector<std::string> words(3000), expected(3000), results(3000);
  for (std::size_t i = 0; i < words.size(); ++i)
  {
    words[i] = std::string(1, static_cast<char>('a' + i % 26));
  }
  std::partial_sum(words.begin(), words.end(), expected.begin());
  thrust::inclusive_scan(host, words.begin(), words.end(), results.begin());
  EXPECT_TRUE(results == expected);
  thrust::exclusive_scan(host, words.begin(), words.end(), results.begin(), std::string("<"));
  EXPECT_EQ(results[0], "<");
  EXPECT_EQ(results[2999], "<" + expected[2998]);
  const std::vector<int> keys(3000, 1);
  thrust::inclusive_scan_by_key(host, keys.begin(), keys.end(), words.begin(), results.begin());
  EXPECT_TRUE(results == expected);
  thrust::inclusive_scan(host, words.begin(), words.end(), words.begin());
  EXPECT_TRUE(words == expected);

  const auto left = [](std::string a, const std::string& b) {
    return a.empty() ? b : "(" + a + b + ")";
  };
  const std::vector<std::string> four{"a", "b", "c", "d"};
  std::vector<std::string> nested(4);
  thrust::inclusive_scan(host, four.begin(), four.end(), nested.begin(), left);
  EXPECT_EQ(nested[3], "(((ab)c)d)");
}

// No default constructor, and explicit from everything.
class counted
{
public:
  explicit counted(std::uint32_t n)
      : n_(n)
  {}
  friend counted operator+(const counted& a, const counted& b)
  {
    return counted(a.n_ + b.n_);
  }
  friend bool operator==(const counted& a, const counted& b)
  {
    return a.n_ == b.n_;
  }

private:
  std::uint32_t n_;
};
static_assert(!std::is_default_constructible_v<counted>, "what the test is about");

TEST(types, need_no_default_constructor)
{
  for (const std::size_t count : counts)
  {
    const std::vector<counted> v(count, counted(3));
    same_as_sequential<counted>(count, [&](auto p, auto& r) {
      thrust::inclusive_scan(p, v.begin(), v.end(), r.begin());
    });
    same_as_sequential<counted>(count, [&](auto p, auto& r) {
      thrust::exclusive_scan(p, v.begin(), v.end(), r.begin(), counted(8));
    });
  }
}
} // namespace
