// Rule: predicates and equalities that look items up in memory of their own, at random places, select, reduce and scan as on the host,
// for items of any width: the rows of the tuning table that are made for them (lightscan/dispatch/tuning.h) shape whole and cut tiles.
#include "../support/guarded_memory.h"
#include "../support/random_values.h"

#include <lightscan/lightscan.h>

#include <thrust/iterator/constant_iterator.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace testing_support;

namespace
{
// Small calls by the plain kernel, large ones by the pipeline.
const std::int64_t sizes[] = {1, 33, 1000, 70001, 1200001, 3000017};

constexpr std::uint32_t places = 1 << 16;

struct wide_place
{
  std::uint32_t at;
  std::uint32_t number[3];

  friend bool operator==(const wide_place& left, const wide_place& right)
  {
    return left.at == right.at && std::equal(left.number, left.number + 3, right.number);
  }
};

__host__ __device__ std::uint32_t place_of(std::uint32_t item)
{
  return item;
}
__host__ __device__ std::int64_t place_of(std::int64_t item)
{
  return item;
}
__host__ __device__ std::uint32_t place_of(const wide_place& item)
{
  return item.at;
}

void make(std::uint32_t& item, std::uint32_t place, std::uint32_t)
{
  item = place;
}
void make(std::int64_t& item, std::uint32_t place, std::uint32_t)
{
  item = place;
}
void make(wide_place& item, std::uint32_t place, std::uint32_t number)
{
  item = {place, {number, number, number}};
}

struct is_odd_there
{
  const std::uint32_t* table;

  template <class Item>
  __host__ __device__ bool operator()(const Item& item) const
  {
    return table[place_of(item)] % 2 != 0;
  }
};

struct is_same_there
{
  const std::uint32_t* table;

  template <class Item>
  __host__ __device__ bool operator()(const Item& left, const Item& right) const
  {
    return table[place_of(left)] == table[place_of(right)];
  }
};

template <class Item>
class lookups : public ::testing::Test
{};
using item_types = ::testing::Types<std::uint32_t, std::int64_t, wide_place>;
TYPED_TEST_SUITE(lookups, item_types);

// What is behind a pointer on the host and on the GPU.
template <class T>
class on_both
{
public:
  explicit on_both(std::vector<T> values)
      : host(std::move(values))
      , gpu(host.size(), 0)
  {
    gpu.upload(host);
  }

  const std::vector<T> host;
  guarded_memory<T> gpu;
};

// Neighbours are often the same there, and at another place.
template <class Item>
std::vector<Item> random_items(std::int64_t n)
{
  const std::vector<std::uint32_t> bits = random_values<std::uint32_t>(static_cast<std::size_t>(n));
  std::vector<Item> items(bits.size());
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    make(items[i], bits[i] % places, static_cast<std::uint32_t>(i));
  }
  return items;
}
std::vector<std::uint32_t> random_table()
{
  std::vector<std::uint32_t> table = random_values<std::uint32_t>(places, 1);
  for (std::uint32_t& value : table)
  {
    value %= 4;
  }
  return table;
}

template <class T>
void expect_results(const guarded_memory<T>& out, std::int64_t found, const std::vector<T>& wanted, const char* what)
{
  ASSERT_EQ(found, static_cast<std::int64_t>(wanted.size())) << what;
  const std::vector<T> there = out.download();
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), there.begin())) << what;
  out.expect_guards_untouched();
}

TYPED_TEST(lookups, at_random_places_do_as_on_the_host)
{
  using item = TypeParam;
  const on_both<std::uint32_t> table(random_table());
  for (const std::int64_t n : sizes)
  {
    SCOPED_TRACE("n = " + std::to_string(n));
    const auto count = static_cast<std::size_t>(n);
    const on_both<item> in(random_items<item>(n));
    const on_both<int> values(random_values<int>(count, 2));
    guarded_memory<item> out(count, 1);
    guarded_memory<int> sums(count, 1);
    const item* const first = in.gpu.data();
    const is_odd_there odd{table.gpu.data()};
    const is_same_there same{table.gpu.data()};
    const is_same_there same_on_host{table.host.data()};

    std::vector<item> wanted;
    std::copy_if(in.host.begin(), in.host.end(), std::back_inserter(wanted), is_odd_there{table.host.data()});
    expect_results(
      out, thrust::copy_if(lightscan::par, first, first + n, out.data(), odd) - out.data(), wanted, "copy_if");

    wanted.clear();
    std::unique_copy(in.host.begin(), in.host.end(), std::back_inserter(wanted), same_on_host);
    out.poison_all();
    expect_results(
      out, thrust::unique_copy(lightscan::par, first, first + n, out.data(), same) - out.data(), wanted, "unique_copy");

    std::vector<int> wanted_sums;
    std::vector<int> wanted_lengths;
    std::vector<int> scanned(count);
    for (std::size_t i = 0; i < count; ++i)
    {
      const auto value = static_cast<std::uint32_t>(values.host[i]);
      if (i > 0 && same_on_host(in.host[i - 1], in.host[i]))
      {
        wanted_sums.back() = static_cast<int>(static_cast<std::uint32_t>(wanted_sums.back()) + value);
        ++wanted_lengths.back();
      }
      else
      {
        wanted_sums.push_back(static_cast<int>(value));
        wanted_lengths.push_back(1);
      }
      scanned[i] = wanted_sums.back();
    }
    const cuda::std::plus<> add;
    out.poison_all();
    const auto reduced = thrust::reduce_by_key(
      lightscan::par, first, first + n, values.gpu.data(), out.data(), sums.data(), same, add);
    expect_results(out, reduced.first - out.data(), wanted, "keys of reduce_by_key");
    expect_results(sums, reduced.second - sums.data(), wanted_sums, "sums of reduce_by_key");

    out.poison_all();
    sums.poison_all();
    const auto counted = thrust::reduce_by_key(
      lightscan::par, first, first + n, thrust::make_constant_iterator(1), out.data(), sums.data(), same, add);
    expect_results(out, counted.first - out.data(), wanted, "keys of what is counted");
    expect_results(sums, counted.second - sums.data(), wanted_lengths, "lengths of runs");

    sums.poison_all();
    const int* const end = thrust::inclusive_scan_by_key(
      lightscan::par, first, first + n, values.gpu.data(), sums.data(), same, add);
    expect_results(sums, end - sums.data(), scanned, "inclusive_scan_by_key");
  }
}

// A value that `remove` compares with looks nothing up, however wide; a struct's own operator may.
static_assert(!lightscan::util::can_hold_address<lightscan::entry::equals<double>>);
static_assert(!lightscan::util::can_hold_address<lightscan::entry::equals<std::int64_t>>);
static_assert(lightscan::util::can_hold_address<lightscan::entry::equals<const int*>>);
} // namespace
