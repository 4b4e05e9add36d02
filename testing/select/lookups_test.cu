// Rule: predicates and equalities that look items up in memory of their own, at random places, select, reduce and scan as on the host,
// for items of any width: the rows of the tuning table that are made for them (lightscan/dispatch/tuning.h) shape whole and cut tiles.
#include "problems.h"

#include <lightscan/lightscan.h>

#include "../support/entry_check.h"

#include <thrust/iterator/constant_iterator.h>

#include <cuda/std/functional>

#include <algorithm>
#include <iterator>
#include <utility>

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

TYPED_TEST(lookups, at_random_places_do_as_on_the_host)
{
  using item  = TypeParam;
  using value = std::uint32_t;
  const on_both<std::uint32_t> table(random_table());
  for (const std::int64_t n : sizes)
  {
    SCOPED_TRACE("n = " + std::to_string(n));
    const auto count = static_cast<std::size_t>(n);
    const on_both<item> in(random_items<item>(n));
    const on_both<value> values(random_values<value>(count, 2));
    guarded_memory<item> out(count, 1);
    guarded_memory<value> reduced(count, 1);
    const item* const first = in.gpu.data();
    const item* const last  = first + n;
    const is_odd_there odd{table.gpu.data()};
    const is_odd_there odd_on_host{table.host.data()};
    const is_same_there same{table.gpu.data()};
    const is_same_there same_on_host{table.host.data()};
    const cuda::std::plus<> add;
    const auto expect_out = [&](const item* end, const std::vector<item>& wanted, const char* what) {
      EXPECT_EQ(end - out.data(), static_cast<std::ptrdiff_t>(wanted.size())) << what;
      ASSERT_NO_FATAL_FAILURE(expect_results(out, wanted, what));
      out.poison_all();
    };
    const auto expect_reduced = [&](const value* end, const std::vector<value>& wanted, const char* what) {
      EXPECT_EQ(end - reduced.data(), static_cast<std::ptrdiff_t>(wanted.size())) << what;
      ASSERT_NO_FATAL_FAILURE(expect_results(reduced, wanted, what));
      reduced.poison_all();
    };

    std::vector<item> odd_ones;
    std::copy_if(in.host.begin(), in.host.end(), std::back_inserter(odd_ones), odd_on_host);
    expect_out(thrust::copy_if(lightscan::par, first, last, out.data(), odd), odd_ones, "copy_if");

    const runs_of_keys<item, value> runs(in.host, values.host, same_on_host, add);
    expect_out(thrust::unique_copy(lightscan::par, first, last, out.data(), same), runs.keys, "unique_copy");

    const auto sums = thrust::reduce_by_key(
      lightscan::par, first, last, values.gpu.data(), out.data(), reduced.data(), same, add);
    expect_out(sums.first, runs.keys, "keys of reduce_by_key");
    expect_reduced(sums.second, runs.values, "sums of reduce_by_key");

    const runs_of_keys<item, value> counted(in.host, std::vector<value>(count, 1), same_on_host, add);
    const auto lengths = thrust::reduce_by_key(
      lightscan::par, first, last, thrust::make_constant_iterator(value{1}), out.data(), reduced.data(), same, add);
    expect_out(lengths.first, counted.keys, "keys of what is counted");
    expect_reduced(lengths.second, counted.values, "lengths of runs");

    const value* const end = thrust::inclusive_scan_by_key(
      lightscan::par, first, last, values.gpu.data(), reduced.data(), same, add);
    const auto scanned = host_scan_by_key<true, value>(
      in.host, values.host, lightscan::util::no_init{}, same_on_host, add);
    expect_reduced(end, scanned, "inclusive_scan_by_key");
  }
}

// A value that `remove` compares with looks nothing up, however wide; a struct's own operator may.
static_assert(!lightscan::util::can_hold_address<lightscan::entry::equals<double>>);
static_assert(!lightscan::util::can_hold_address<lightscan::entry::equals<std::int64_t>>);
static_assert(lightscan::util::can_hold_address<lightscan::entry::equals<const int*>>);
} // namespace
