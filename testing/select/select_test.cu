// Rule: each overload of copy_if, remove, partition, unique and their like puts out by the policy what a loop does, for items
// of 1 to 256 bytes, returns the end of that, and writes nothing behind. A stencil that says another thing than the items is
// asked in their place.
#include "problems.h"

#include <lightscan/partition.h>
#include <lightscan/select.h>
#include <lightscan/unique_by_key.h>

#include <thrust/device_ptr.h>
#include <thrust/pair.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <numeric>

using namespace testing_support;

namespace
{
// 256 bytes, of which the first ones say what it is and the last ones, too.
struct widest
{
  std::uint64_t number[32];

  __host__ __device__ widest(std::uint64_t n = 0)
      : number{n}
  {
    number[31] = ~n;
  }
  __host__ __device__ operator std::uint64_t() const
  {
    return number[0];
  }
  __host__ __device__ friend bool operator==(const widest& l, const widest& r)
  {
    return l.number[0] == r.number[0];
  }
};

struct equal
{
  template <class T>
  __host__ __device__ bool operator()(const T& l, const T& r) const
  {
    return l == r;
  }
};

struct same_tens
{
  __host__ __device__ bool operator()(int l, int r) const
  {
    return l / 10 == r / 10;
  }
};

// Small calls by the plain kernel, those from 300,000 items on by the pipeline.
template <class T>
std::vector<std::int64_t> sizes()
{
  std::vector<std::int64_t> all = {0, 1, 2, 31, 32, 33, 1000, 5632, 2 * 5632, 3 * 5632 + 1, 70001, 300007};
  if (sizeof(T) <= sizeof(wide))
  {
    all.push_back(3000017);
  }
  return all;
}

// Items, what lies beside them, and room for what comes out.
template <class T>
class calls_of
{
public:
  calls_of(std::int64_t n, int pattern)
      : items(items_of_pattern<T>(n, pattern))
      , stencil(items_of_pattern<std::uint8_t>(n, (pattern + 2) % patterns))
      , indices(items.size())
      , in(items.size(), 1)
      , beside(items.size(), 5)
      , where(items.size(), 3)
      , first(items.size(), 2)
      , second(items.size(), 3)
  {
    for (std::size_t i = 0; i < indices.size(); ++i)
    {
      indices[i] = static_cast<int>(i);
    }
    beside.upload(stencil);
    again();
  }
  void again()
  {
    in.upload(items);
    where.upload(indices);
    first.poison_all();
    second.poison_all();
  }
  T* begin() const
  {
    return in.data();
  }
  T* end() const
  {
    return in.data() + items.size();
  }

  // The items whose index is wanted, or is not.
  template <class IsWanted>
  std::vector<T> those(IsWanted is_wanted, bool wanted = true) const
  {
    std::vector<T> found;
    for (std::size_t i = 0; i < items.size(); ++i)
    {
      if (is_wanted(i) == wanted)
      {
        found.push_back(items[i]);
      }
    }
    return found;
  }
  auto is_odd_at() const
  {
    return [this](std::size_t i) {
      return is_odd{}(items[i]);
    };
  }
  auto has_odd_beside() const
  {
    return [this](std::size_t i) {
      return is_odd{}(stencil[i]);
    };
  }
  template <class Same>
  auto begins_run(Same same) const
  {
    return [this, same](std::size_t i) {
      return i == 0 || !same(items[i - 1], items[i]);
    };
  }

  // Everything is as it was but for the outputs, which are these.
  void expect(T* end_of_first, const std::vector<T>& wanted, const char* what)
  {
    EXPECT_EQ(end_of_first - first.data(), static_cast<std::ptrdiff_t>(wanted.size())) << what;
    expect_results(first, wanted, what);
    expect_results(in, items, what);
    again();
  }
  void expect(thrust::pair<T*, T*> ends, const std::vector<T>& one, const std::vector<T>& other, const char* what)
  {
    EXPECT_EQ(ends.second - second.data(), static_cast<std::ptrdiff_t>(other.size())) << what;
    expect_results(second, other, what);
    expect(ends.first, one, what);
  }
  // In place, the range begins with these; `rest` is what follows them, where anything is said of it.
  void expect_there(T* middle, std::vector<T> wanted, const char* what, const std::vector<T>& rest = {})
  {
    EXPECT_EQ(middle - begin(), static_cast<std::ptrdiff_t>(wanted.size())) << what;
    wanted.insert(wanted.end(), rest.begin(), rest.end());
    const std::vector<T> there = in.download();
    EXPECT_TRUE(wanted.empty() || std::memcmp(there.data(), wanted.data(), wanted.size() * sizeof(T)) == 0) << what;
    in.expect_guards_untouched();
    again();
  }
  // The values beside were their indices: those of the runs' first items are left.
  void expect_indices_there(int* end_of_where, const char* what)
  {
    std::vector<int> wanted = indices;
    wanted.erase(std::remove_if(wanted.begin(),
                                wanted.end(),
                                [&](int i) {
                                  return !begins_run(equal{})(static_cast<std::size_t>(i));
                                }),
                 wanted.end());
    EXPECT_EQ(end_of_where - where.data(), static_cast<std::ptrdiff_t>(wanted.size())) << what;
    const std::vector<int> there = where.download();
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), there.begin())) << what;
    where.expect_guards_untouched();
  }

  std::vector<T> items;
  std::vector<std::uint8_t> stencil;
  std::vector<int> indices;
  guarded_memory<T> in;
  guarded_memory<std::uint8_t> beside;
  guarded_memory<int> where;
  guarded_memory<T> first;
  guarded_memory<T> second;
};

template <class T, class Check>
void at_every_size(Check check)
{
  for (const std::int64_t n : sizes<T>())
  {
    for (const int pattern : {0, 1, 2, 3, 4, 5})
    {
      SCOPED_TRACE(::testing::Message() << n << " items, pattern " << pattern);
      calls_of<T> call(n, pattern);
      check(call);
      if (::testing::Test::HasFailure())
      {
        return;
      }
    }
  }
}

const auto par = lightscan::par;

template <class T>
class items_of : public ::testing::Test
{};
__extension__ using integer_of_128_bits = __int128;
using types = ::testing::Types<std::uint8_t, std::int32_t, std::uint64_t, integer_of_128_bits, wide, widest>;
TYPED_TEST_SUITE(items_of, types);

// One call of each kind for each type; all overloads are below.
TYPED_TEST(items_of, any_size_go_where_they_belong)
{
  at_every_size<TypeParam>([](calls_of<TypeParam>& c) {
    const auto odd = c.those(c.is_odd_at()), even = c.those(c.is_odd_at(), false);
    c.expect(thrust::copy_if(par, c.begin(), c.end(), c.first.data(), is_odd{}), odd, "copy_if");
    c.expect_there(thrust::remove_if(par, c.begin(), c.end(), is_odd{}), even, "remove_if");
    c.expect_there(thrust::stable_partition(par, c.begin(), c.end(), is_odd{}), odd, "stable_partition", even);
    c.expect(thrust::partition_copy(par, c.begin(), c.end(), c.first.data(), c.second.data(), is_odd{}),
             odd,
             even,
             "partition_copy");
    const auto unique = c.those(c.begins_run(equal{}));
    const auto ends   = thrust::unique_by_key(par, c.begin(), c.end(), c.where.data());
    c.expect_indices_there(ends.second, "unique_by_key");
    c.expect_there(ends.first, unique, "unique_by_key");
  });
}

TEST(overloads, that_copy_or_remove)
{
  at_every_size<int>([](calls_of<int>& c) {
    const auto beside = c.beside.data();
    const auto to     = c.first.data();
    const auto not_1  = c.those([&](std::size_t i) {
      return c.items[i] != 1;
    });
    const auto wanted = c.those(c.has_odd_beside()), others = c.those(c.has_odd_beside(), false);
    c.expect(thrust::copy_if(par, c.begin(), c.end(), beside, to, is_odd{}), wanted, "copy_if, stencil");
    c.expect(thrust::remove_copy(par, c.begin(), c.end(), to, 1), not_1, "remove_copy");
    c.expect(
      thrust::remove_copy_if(par, c.begin(), c.end(), to, is_odd{}), c.those(c.is_odd_at(), false), "remove_copy_if");
    c.expect(thrust::remove_copy_if(par, c.begin(), c.end(), beside, to, is_odd{}), others, "remove_copy_if, stencil");
    c.expect_there(thrust::remove(par, c.begin(), c.end(), 1), not_1, "remove");
    c.expect_there(thrust::remove_if(par, c.begin(), c.end(), beside, is_odd{}), others, "remove_if, stencil");
  });
}

// The value is what the range's element was before the call, though something else comes to stand there.
TEST(overloads, that_remove_an_element_of_the_range)
{
  std::vector<int> items(3000017);
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    items[i] = static_cast<int>(i % 3);
  }
  guarded_memory<int> elements(items.size(), 0);
  elements.upload(items);
  const thrust::device_ptr<int> first(elements.data());
  const auto end      = thrust::remove(par, first, first + static_cast<std::ptrdiff_t>(items.size()), first[0]);
  const auto expected = std::remove(items.begin(), items.end(), 0);
  EXPECT_EQ(end - first, expected - items.begin());
  items.resize(static_cast<std::size_t>(expected - items.begin()));
  std::vector<int> left = elements.download();
  left.resize(items.size());
  EXPECT_EQ(left, items);
}

// Objects that can be assigned and not made from an item: they are assigned, by either kernel.
struct assigned
{
  int value;
  int untouched;

  __host__ __device__ assigned& operator=(int item)
  {
    value = item;
    return *this;
  }
};

TEST(results, are_assigned_where_they_cannot_be_made)
{
  for (const int count : {1000, 3000017})
  {
    std::vector<int> items(static_cast<std::size_t>(count));
    std::iota(items.begin(), items.end(), 0);
    guarded_memory<int> from(items.size(), 0);
    guarded_memory<assigned> to(items.size(), 0);
    from.upload(items);
    to.upload(std::vector<assigned>(items.size(), assigned{-1, 7}));
    const auto end = thrust::copy_if(par, from.data(), from.data() + count, to.data(), is_odd{});
    ASSERT_EQ(end - to.data(), count / 2);
    const std::vector<assigned> results = to.download();
    for (std::size_t i = 0; i < results.size(); ++i)
    {
      const int expected = static_cast<int>(i) < count / 2 ? 2 * static_cast<int>(i) + 1 : -1;
      ASSERT_EQ(results[i].value, expected) << i;
      ASSERT_EQ(results[i].untouched, 7) << i;
    }
  }
}

// Objects whose own assignment leaves a part as it was: they are assigned, by either kernel.
struct half_assigned
{
  int value;
  int untouched;

  half_assigned()                     = default;
  half_assigned(const half_assigned&) = default;
  __host__ __device__ half_assigned(int item, int other)
      : value(item)
      , untouched(other)
  {}
  __host__ __device__ half_assigned& operator=(const half_assigned& other)
  {
    value = other.value;
    return *this;
  }
  __host__ __device__ bool operator==(const half_assigned& other) const
  {
    return value == other.value;
  }
};
static_assert(!lightscan::util::assigns_bytes<half_assigned, half_assigned>);
static_assert(lightscan::util::assigns_bytes<thrust::pair<int, float>, thrust::pair<int, float>>);
static_assert(!lightscan::util::assigns_bytes<thrust::tuple<int, half_assigned>, thrust::tuple<int, half_assigned>>);

TEST(results, keep_what_their_assignment_leaves)
{
  for (const int count : {1000, 3000017})
  {
    std::vector<half_assigned> items;
    std::vector<half_assigned> before;
    for (int i = 0; i < count; ++i)
    {
      items.emplace_back(i / 2, 5);
      before.emplace_back(-1, 7);
    }
    guarded_memory<half_assigned> from(items.size(), 0);
    guarded_memory<half_assigned> to(items.size(), 0);
    from.upload(items);
    to.upload(before);
    const auto end = thrust::unique_copy(par, from.data(), from.data() + count, to.data());
    ASSERT_EQ(end - to.data(), (count + 1) / 2);
    const std::vector<half_assigned> results = to.download();
    for (std::size_t i = 0; i < results.size(); ++i)
    {
      const int number = static_cast<int>(i);
      ASSERT_EQ(results[i].value, number < (count + 1) / 2 ? number : -1) << i;
      ASSERT_EQ(results[i].untouched, 7) << i;
    }
  }
}

struct of_third
{
  __host__ __device__ bool operator()(int item) const
  {
    return item % 3 == 0;
  }
  __host__ __device__ bool operator()(const half_assigned& item) const
  {
    return item.value % 3 == 0;
  }
};

// In place, too: what is set aside meanwhile is whole objects.
TEST(results, of_partitions_keep_what_their_assignment_leaves)
{
  for (const int count : {1000, 3000017})
  {
    std::vector<half_assigned> items;
    std::vector<int> expected(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
    {
      items.emplace_back(i, 5);
    }
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_partition(expected.begin(), expected.end(), of_third{});
    guarded_memory<half_assigned> in(items.size(), 0);
    in.upload(items);
    const auto end = thrust::stable_partition(par, in.data(), in.data() + count, of_third{});
    ASSERT_EQ(end - in.data(), (count + 2) / 3);
    const std::vector<half_assigned> results = in.download();
    for (std::size_t i = 0; i < results.size(); ++i)
    {
      ASSERT_EQ(results[i].value, expected[i]) << i;
      ASSERT_EQ(results[i].untouched, 5) << i;
    }
  }
}

TEST(overloads, that_partition)
{
  at_every_size<int>([](calls_of<int>& c) {
    const auto beside = c.beside.data();
    const auto odd = c.those(c.is_odd_at()), even = c.those(c.is_odd_at(), false);
    const auto wanted = c.those(c.has_odd_beside()), others = c.those(c.has_odd_beside(), false);
    c.expect_there(thrust::partition(par, c.begin(), c.end(), is_odd{}), odd, "partition", even);
    c.expect_there(thrust::partition(par, c.begin(), c.end(), beside, is_odd{}), wanted, "partition, stencil", others);
    c.expect_there(
      thrust::stable_partition(par, c.begin(), c.end(), beside, is_odd{}), wanted, "stable_partition, stencil", others);
    c.expect(thrust::partition_copy(par, c.begin(), c.end(), beside, c.first.data(), c.second.data(), is_odd{}),
             wanted,
             others,
             "partition_copy, stencil");
    c.expect(thrust::stable_partition_copy(par, c.begin(), c.end(), c.first.data(), c.second.data(), is_odd{}),
             odd,
             even,
             "stable_partition_copy");
    c.expect(thrust::stable_partition_copy(par, c.begin(), c.end(), beside, c.first.data(), c.second.data(), is_odd{}),
             wanted,
             others,
             "stable_partition_copy, stencil");
  });
}

TEST(overloads, that_find_runs)
{
  at_every_size<int>([](calls_of<int>& c) {
    const auto unique = c.those(c.begins_run(equal{})), tens = c.those(c.begins_run(same_tens{}));
    const auto from = c.begin(), to = c.end(), out = c.first.data();
    c.expect_there(thrust::unique(par, from, to), unique, "unique");
    c.expect_there(thrust::unique(par, from, to, same_tens{}), tens, "unique, same");
    c.expect(thrust::unique_copy(par, from, to, out), unique, "unique_copy");
    c.expect(thrust::unique_copy(par, from, to, out, same_tens{}), tens, "unique_copy, same");
    EXPECT_EQ(thrust::unique_count(par, from, to), static_cast<std::ptrdiff_t>(unique.size()));
    EXPECT_EQ(thrust::unique_count(par, from, to, same_tens{}), static_cast<std::ptrdiff_t>(tens.size()));
    c.expect_there(
      thrust::unique_by_key(par, from, to, c.where.data(), same_tens{}).first, tens, "unique_by_key, same");
    // The values are the keys again.
    c.expect(
      thrust::unique_by_key_copy(par, from, to, from, out, c.second.data()), unique, unique, "unique_by_key_copy");
    c.expect(thrust::unique_by_key_copy(par, from, to, from, out, c.second.data(), same_tens{}),
             tens,
             tens,
             "unique_by_key_copy, same");
  });
}
} // namespace
