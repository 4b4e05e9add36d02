// Rule: selections, reductions by key and run lengths of what a function makes of an index are right on every architecture, whatever runs
// when: each group calculates its own tile (bulk/block.h), and looks at neighbours afterwards.
#include "emissions.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <atomic>
#include <memory>

using namespace emulated;
namespace entry = lightscan::entry;
namespace tile  = lightscan::tile;

namespace
{
using map = maps<std::uint32_t, 1>;

// How often a function was called with each index. (One that holds an address is evaluated: dispatch/leaves.h.)
std::unique_ptr<std::atomic<unsigned>[]> calls;

// Any bits.
std::uint32_t item(std::uint32_t i)
{
  return i * 2654435761u >> 7;
}
// Runs of 64, but that some of their items differ.
std::uint32_t key(std::uint32_t i)
{
  return i * 2654435761u >> 29 == 0 ? i / 64 + 1000000 : i / 64;
}

template <std::uint32_t (*Made)(std::uint32_t)>
struct counting_function
{
  std::uint32_t operator()(std::uint32_t i) const
  {
    ++calls[i];
    return Made(i);
  }
};

struct is_odd
{
  bool operator()(std::uint32_t x) const
  {
    return x % 2 != 0;
  }
};

// f(random, n, the iterator).
template <std::uint32_t (*Made)(std::uint32_t), class F>
void each(F f)
{
  each_seed(seeds, [&](std::mt19937_64& random) {
    const std::size_t n = any_size(random);
    calls               = std::make_unique<std::atomic<unsigned>[]>(n);
    SCOPED_TRACE("n = " + std::to_string(n));
    f(random,
      n,
      thrust::make_transform_iterator(thrust::make_counting_iterator(std::uint32_t{0}), counting_function<Made>{}));
  });
}

void expect_one_call_each(std::size_t n)
{
  for (std::size_t i = 0; i < n; ++i)
  {
    ASSERT_EQ(calls[i], 1u) << "item " << i;
  }
}

std::int64_t length(std::size_t n)
{
  return static_cast<std::int64_t>(n);
}
} // namespace

TEST(calculated, and_selected)
{
  each<item>([](std::mt19937_64& random, std::size_t n, auto first) {
    const range<std::uint32_t> out(n, any_place(random));
    total count(1);
    ASSERT_NO_FATAL_FAILURE(
      launch(entry::select_problem_of<true>(
               tile::if_test<is_odd>{}, entry::these(first), entry::these(out.data()), count.data(), length(n)),
             kernels::bulk_only));
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t i = 0; i < n; ++i)
    {
      if (is_odd{}(item(i)))
      {
        wanted.push_back(item(i));
      }
    }
    EXPECT_EQ(count.differs_from(counts({wanted.size()})), "");
    EXPECT_EQ(out.differs_from(wanted), "");
    expect_one_call_each(n);
  });
}

TEST(calculated, as_a_stencil)
{
  each<item>([](std::mt19937_64& random, std::size_t n, auto first) {
    const auto input = values<std::uint8_t>(n, random);
    const range<std::uint8_t> in(input, any_place(random));
    const range<std::uint8_t> out(n, any_place(random));
    total count(1);
    ASSERT_NO_FATAL_FAILURE(
      launch(entry::select_problem_of<false>(tile::if_test<is_odd>{},
                                             entry::these(first, static_cast<const std::uint8_t*>(in.data())),
                                             entry::these(out.data()),
                                             count.data(),
                                             length(n)),
             kernels::bulk_only));
    std::vector<std::uint8_t> wanted;
    for (std::uint32_t i = 0; i < n; ++i)
    {
      if (is_odd{}(item(i)))
      {
        wanted.push_back(input[i]);
      }
    }
    EXPECT_EQ(count.differs_from(counts({wanted.size()})), "");
    EXPECT_EQ(out.differs_from(wanted), "");
    expect_one_call_each(n);
  });
}

TEST(calculated, and_compared_with_neighbours)
{
  each<key>([](std::mt19937_64& random, std::size_t n, auto first) {
    const range<std::uint32_t> out(n, any_place(random));
    total count(1);
    ASSERT_NO_FATAL_FAILURE(launch(entry::select_problem_of<true>(tile::run_test<cuda::std::equal_to<>>{},
                                                                  entry::these(first),
                                                                  entry::these(out.data()),
                                                                  count.data(),
                                                                  length(n)),
                                   kernels::bulk_only));
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t i = 0; i < n; ++i)
    {
      if (i == 0 || key(i) != key(i - 1))
      {
        wanted.push_back(key(i));
      }
    }
    EXPECT_EQ(count.differs_from(counts({wanted.size()})), "");
    EXPECT_EQ(out.differs_from(wanted), "");
  });
}

TEST(calculated, and_measured)
{
  each<key>([](std::mt19937_64& random, std::size_t n, auto first) {
    const range<std::int64_t> offsets(n, any_place(random));
    const range<std::int32_t> lengths(n, any_place(random));
    total count(1);
    ASSERT_NO_FATAL_FAILURE(launch(
      entry::runs_problem_of(first, offsets.data(), lengths.data(), count.data(), length(n), cuda::std::equal_to<>{}),
      kernels::bulk_only));
    std::vector<std::int64_t> wanted_offsets;
    std::vector<std::int32_t> wanted_lengths;
    for (std::uint32_t i = 0; i < n;)
    {
      std::uint32_t end = i + 1;
      while (end < n && key(end) == key(i))
      {
        ++end;
      }
      if (end - i > 1)
      {
        wanted_offsets.push_back(i);
        wanted_lengths.push_back(static_cast<std::int32_t>(end - i));
      }
      i = end;
    }
    EXPECT_EQ(count.differs_from(counts({wanted_offsets.size()})), "");
    EXPECT_EQ(offsets.differs_from(wanted_offsets), "");
    EXPECT_EQ(lengths.differs_from(wanted_lengths), "");
  });
}

TEST(calculated, as_keys_of_what_is_reduced)
{
  each<key>([](std::mt19937_64& random, std::size_t n, auto first) {
    const auto input = values<map>(n, random);
    const range<map> in(input, any_place(random));
    const range<std::uint32_t> keys_out(n, any_place(random));
    const range<map> out(n, any_place(random));
    total count(1);
    ASSERT_NO_FATAL_FAILURE(launch(entry::reduce_by_key_problem_of<map>(first,
                                                                        static_cast<const map*>(in.data()),
                                                                        keys_out.data(),
                                                                        out.data(),
                                                                        count.data(),
                                                                        length(n),
                                                                        cuda::std::equal_to<>{},
                                                                        compose{}),
                                   kernels::bulk_only));
    std::vector<std::uint32_t> keys;
    for (std::uint32_t i = 0; i < n; ++i)
    {
      keys.push_back(key(i));
    }
    const reduced_runs wanted(keys, input, compose{});
    EXPECT_EQ(count.differs_from(counts({wanted.keys.size()})), "");
    EXPECT_EQ(keys_out.differs_from(wanted.keys), "");
    EXPECT_EQ(out.differs_from(wanted.values), "");
  });
}
