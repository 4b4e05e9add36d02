// Rule: scans along an axis on host threads are those of a loop over each line, whatever the array: rows, columns, many lines side by
// side and few, one element long or long enough for several tiles; with gaps between layers and between the outer dimension's parts;
// backward; in all forms, in place or not, for any number of threads; by an operator that does not commute; of elements that no slot holds.
#include "../support/operators.h"
#include "../support/random_values.h"

#include <lightscan/host_batched_scan.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace
{
using lightscan::axis;
using lightscan::host;
using lightscan::HostBatchedScan;
using testing_support::compose;
using testing_support::random_values;
using map = testing_support::affine;

// Elements from the first to the last that an axis names, of memory that begins where its least place is.
struct extent
{
  std::int64_t least = 0;
  std::int64_t most  = 0;
};

template <class F>
void each_place(const axis& along, const lightscan::axis_strides& strides, F f)
{
  for (std::int64_t o = 0; o < along.outer; ++o)
  {
    for (std::int64_t l = 0; l < along.inner; ++l)
    {
      for (std::int64_t k = 0; k < along.length; ++k)
      {
        f(o * strides.outer + (along.reverse ? along.length - 1 - k : k) * strides.along + l, k == 0);
      }
    }
  }
}

extent extent_of(const axis& along, const lightscan::axis_strides& strides)
{
  extent found;
  each_place(along, strides, [&](std::int64_t at, bool) {
    found.least = at < found.least ? at : found.least;
    found.most  = at > found.most ? at : found.most;
  });
  return found;
}

template <class T, class Op>
std::vector<T> by_a_loop(
  const axis& along, const std::vector<T>& in, std::vector<T> out, Op op, bool inclusive, const std::optional<T>& init)
{
  const std::int64_t from = -extent_of(along, along.input).least;
  const std::int64_t to   = -extent_of(along, along.output).least;
  std::vector<std::int64_t> places;
  places.reserve(in.size());
  each_place(along, along.output, [&](std::int64_t at, bool) {
    places.push_back(at + to);
  });
  std::size_t next = 0;
  std::optional<T> fold;
  each_place(along, along.input, [&](std::int64_t at, bool begins) {
    fold          = begins ? init : fold;
    const T value = in[static_cast<std::size_t>(at + from)];
    T& result     = out[static_cast<std::size_t>(places[next++])];
    if (!inclusive)
    {
      result = *fold;
    }
    fold = fold ? static_cast<T>(op(*fold, value)) : value;
    if (inclusive)
    {
      result = *fold;
    }
  });
  return out;
}

void call(int form, int threads, const axis& along, const map* in, map* out, const map& init)
{
  const auto policy = host.threads(threads);
  if (form == 0)
  {
    HostBatchedScan::InclusiveScan(policy, in, out, along, compose{});
  }
  else if (form == 1)
  {
    HostBatchedScan::InclusiveScanInit(policy, in, out, along, compose{}, init);
  }
  else
  {
    HostBatchedScan::ExclusiveScan(policy, in, out, along, compose{}, init);
  }
}

void check(const axis& along)
{
  SCOPED_TRACE(std::to_string(along.outer) + " x " + std::to_string(along.length) + " x " + std::to_string(along.inner)
               + (along.reverse ? " backward" : ""));
  const extent from         = extent_of(along, along.input);
  const extent to           = extent_of(along, along.output);
  const std::vector<map> in = random_values<map>(static_cast<std::size_t>(from.most - from.least + 1));
  const map init{3, 5};
  for (int form = 0; form < 3; ++form)
  {
    const auto expected_in = [&](const std::vector<map>& out) {
      return by_a_loop(along, in, out, compose{}, form<2, form> 0 ? std::optional<map>(init) : std::optional<map>());
    };
    const std::vector<map> poison(static_cast<std::size_t>(to.most - to.least + 1), map{77, 78});
    const std::vector<map> expected = expected_in(poison); // of which what lies between stays
    const bool lie_alike = along.input.along == along.output.along && along.input.outer == along.output.outer;
    const std::vector<map> expected_in_place = lie_alike ? expected_in(in) : in;
    for (const int threads : {1, 2, 5})
    {
      std::vector<map> out = poison;
      call(form, threads, along, in.data() - from.least, out.data() - to.least, init);
      ASSERT_TRUE(out == expected) << "form " << form << ", " << threads << " threads";
      if (lie_alike)
      {
        std::vector<map> place = in;
        call(form, threads, along, place.data() - from.least, place.data() - from.least, init);
        ASSERT_TRUE(place == expected_in_place) << "form " << form << " in place, " << threads << " threads";
      }
    }
  }
}
} // namespace

TEST(axes, of_many_shapes)
{
  for (const std::int64_t inner : {1, 2, 3, 7, 8, 9, 100})
  {
    for (const std::int64_t outer : {1, 3, 20})
    {
      for (const std::int64_t length : {1, 2, 50, 700})
      {
        axis along(outer, length, inner);
        ASSERT_NO_FATAL_FAILURE(check(along));
        along.reverse = true;
        ASSERT_NO_FATAL_FAILURE(check(along));
      }
    }
  }
}

// One to three, which are scans of packs, and more; few enough for all threads to scan a band together, and each a band of its own.
TEST(axes, with_lines_of_several_tiles)
{
  for (const std::int64_t outer : {1, 2, 16})
  {
    for (const std::int64_t inner : {1, 2, 3, 4, 9, 30})
    {
      axis along(outer, 40000 / (outer * inner) + 1200, inner);
      ASSERT_NO_FATAL_FAILURE(check(along));
      along.reverse = true;
      ASSERT_NO_FATAL_FAILURE(check(along));
    }
  }
}

// Bands have 256 to 2,048 lines of these elements: one, one, two that all threads scan together, and some that they share out.
TEST(axes, with_layers_of_several_bands)
{
  for (const std::int64_t outer : {1, 3})
  {
    for (const std::int64_t inner : {255, 600, 3000, 5000})
    {
      axis along(outer, inner < 3000 ? 100 : 70, inner);
      ASSERT_NO_FATAL_FAILURE(check(along));
      along.reverse = true;
      ASSERT_NO_FATAL_FAILURE(check(along));
    }
  }
}

// Of which a band has few: how many bands there are depends on the number of threads, and 65 lines make no bands of one width.
struct row
{
  unsigned value[64] = {};
};

TEST(axes, cut_into_other_bands_have_the_same_bits)
{
  struct first_of_both // not associative where 100 is exceeded: shows the order
  {
    row operator()(const row& l, const row& r) const
    {
      row sum;
      sum.value[0] = l.value[0] + r.value[0] > 100 ? l.value[0] / 2 + r.value[0] : l.value[0] + r.value[0];
      return sum;
    }
  };
  const axis along(2, 20, 65);
  std::vector<row> in(2 * 20 * 65);
  for (std::size_t i = 0; i < in.size(); ++i)
  {
    in[i].value[0] = static_cast<unsigned>(i % 37);
  }
  const auto firsts = [&](int threads) {
    std::vector<row> out(in.size());
    HostBatchedScan::InclusiveScan(host.threads(threads), in.begin(), out.begin(), along, first_of_both{});
    std::vector<unsigned> first;
    for (const row& result : out)
    {
      first.push_back(result.value[0]);
    }
    return first;
  };
  const std::vector<unsigned> one = firsts(1);
  for (const int threads : {2, 3, 4, 5, 8})
  {
    EXPECT_EQ(firsts(threads), one) << threads << " threads";
  }
}

// A slot holds one, but not a pack of them; and what cannot be made from nothing.
TEST(axes, of_two_and_three_large_or_unusual_accumulators)
{
  struct large
  {
    std::uint64_t value[20];
  };
  struct with_initialiser
  {
    unsigned value = 1;
  };
  for (const std::int64_t inner : {2, 3})
  {
    const axis along(1, 9000, inner);
    const auto n = static_cast<std::size_t>(9000 * inner);
    std::vector<large> in(n), out(n);
    std::vector<with_initialiser> ones(n), sums(n);
    for (large& value : in)
    {
      value.value[19] = 1;
    }
    HostBatchedScan::InclusiveScan(host.threads(3), in.begin(), out.begin(), along, [](const large& l, const large& r) {
      large sum     = l;
      sum.value[19] = l.value[19] + r.value[19];
      return sum;
    });
    HostBatchedScan::InclusiveScan(
      host.threads(3), ones.begin(), sums.begin(), along, [](with_initialiser l, with_initialiser r) {
        return with_initialiser{l.value + r.value};
      });
    for (std::size_t i = 0; i < n; ++i)
    {
      ASSERT_EQ(out[i].value[19], i / static_cast<std::size_t>(inner) + 1);
      ASSERT_EQ(sums[i].value, i / static_cast<std::size_t>(inner) + 1);
    }
  }
}

TEST(axes, beyond_32_bits)
{
  axis along(3, 40, 2);
  along.input = {std::int64_t{1} << 33, std::int64_t{1} << 40};
  std::vector<std::int64_t> out(240);
  HostBatchedScan::ExclusiveSum(host, thrust::counting_iterator<std::int64_t>(0), out.begin(), along);
  for (std::int64_t o = 0; o < 3; ++o)
  {
    for (std::int64_t l = 0; l < 2; ++l)
    {
      std::int64_t sum = 0;
      for (std::int64_t k = 0; k < 40; ++k)
      {
        ASSERT_EQ(out[static_cast<std::size_t>((o * 40 + k) * 2 + l)], sum) << o << " " << k << " " << l;
        sum += o * along.input.outer + k * along.input.along + l;
      }
    }
  }
}

// Folds of bool, which have an std::vector of their own; results that share memory.
TEST(axes, of_conditions)
{
  for (const axis& along : {axis(1, 3000, 3), axis(1, 50, 500), axis(20, 50, 3), axis(10, 50)})
  {
    const auto n = static_cast<std::size_t>(along.outer * along.length * along.inner);
    std::vector<char> in(n);
    for (std::size_t i = 0; i < n; ++i)
    {
      in[i] = i % 37 == 5;
    }
    const auto any = [](bool a, bool b) {
      return a || b;
    };
    const std::vector<char> expected = by_a_loop(along, in, std::vector<char>(n), any, true, std::optional<char>());
    std::vector<bool> shared(n);
    std::unique_ptr<bool[]> apart(new bool[n]);
    HostBatchedScan::InclusiveScan(host.threads(3), in.begin(), shared.begin(), along, any);
    HostBatchedScan::InclusiveScan(host.threads(3), in.begin(), apart.get(), along, any);
    for (std::size_t i = 0; i < n; ++i)
    {
      ASSERT_EQ(shared[i], expected[i] != 0) << i;
      ASSERT_EQ(apart[i], expected[i] != 0) << i;
    }
  }
}

TEST(axes, in_the_type_that_operator_and_initial_value_say)
{
  for (const axis& along : {axis(1, 3000, 3), axis(1, 50, 500), axis(20, 50, 3)})
  {
    const auto n = static_cast<std::size_t>(along.outer * along.length * along.inner);
    const std::vector<std::int64_t> wide(n, 100);
    std::vector<std::int64_t> out(n);
    HostBatchedScan::InclusiveScanInit(host.threads(3),
                                       thrust::constant_iterator<signed char>(100),
                                       out.begin(),
                                       along,
                                       std::plus<>{},
                                       std::int64_t{1} << 40);
    EXPECT_EQ(out,
              by_a_loop(along,
                        wide,
                        std::vector<std::int64_t>(n),
                        std::plus<>{},
                        true,
                        std::optional<std::int64_t>(std::int64_t{1} << 40)));
  }
}

TEST(axes, with_gaps_and_other_strides_for_results)
{
  for (const std::int64_t inner : {1, 5, 20})
  {
    axis along(4, 30, inner);
    along.input = {inner + 3, 30 * (inner + 3) + 11};
    ASSERT_NO_FATAL_FAILURE(check(along));
    axis alike   = along;
    alike.output = alike.input; // in place, too
    ASSERT_NO_FATAL_FAILURE(check(alike));
    alike.reverse = true;
    ASSERT_NO_FATAL_FAILURE(check(alike));
    alike.input.along = alike.output.along = -(inner + 3);
    ASSERT_NO_FATAL_FAILURE(check(alike));
    along.output  = {2 * inner, 70 * inner};
    along.reverse = true;
    ASSERT_NO_FATAL_FAILURE(check(along));
    along.input.along  = -(inner + 3);
    along.output.outer = -70 * inner;
    ASSERT_NO_FATAL_FAILURE(check(along));
  }
}

TEST(axes, without_elements_do_nothing_and_negative_ones_are_errors)
{
  int value = 7;
  for (const axis& none : {axis(0, 3, 2), axis(3, 0, 2), axis(3, 2, 0)})
  {
    HostBatchedScan::ExclusiveSum(host, &value, &value, none);
  }
  for (const axis& wrong : {axis(-1, 3, 2), axis(3, -1, 2), axis(3, 2, -1)})
  {
    EXPECT_THROW(HostBatchedScan::ExclusiveSum(host, &value, &value, wrong), std::invalid_argument);
  }
  EXPECT_EQ(value, 7);
}

TEST(sums, have_the_same_bits_for_any_number_of_threads)
{
  std::vector<float> in(400000);
  for (std::size_t i = 0; i < in.size(); ++i)
  {
    in[i] = 1.0f / static_cast<float>(1 + i % 97); // sums are rounded
  }
  for (const axis& along : {axis(1, 200000, 2), axis(1, 4000, 100), axis(40, 100, 100), axis(2, 200000)})
  {
    std::vector<float> one(in.size()), many(in.size());
    HostBatchedScan::InclusiveSum(host.threads(1), in.begin(), one.begin(), along);
    for (const int threads : {2, 3, 8})
    {
      HostBatchedScan::InclusiveSum(host.threads(threads), in.begin(), many.begin(), along);
      ASSERT_TRUE(one == many) << threads;
    }
  }
}

TEST(sums, are_those_of_a_loop)
{
  for (const axis& along : {axis(1, 20000, 2), axis(1, 400, 100), axis(20, 100, 3), axis(2, 20000)})
  {
    const auto n                   = static_cast<std::size_t>(along.outer * along.length * along.inner);
    const std::vector<unsigned> in = random_values<unsigned>(n);
    std::vector<unsigned> out(n);
    HostBatchedScan::InclusiveSum(host.threads(3), in.begin(), out.begin(), along);
    EXPECT_EQ(out, by_a_loop(along, in, std::vector<unsigned>(n), std::plus<>{}, true, std::optional<unsigned>()));
    HostBatchedScan::ExclusiveSum(host.threads(3), in.begin(), out.begin(), along);
    EXPECT_EQ(out, by_a_loop(along, in, std::vector<unsigned>(n), std::plus<>{}, false, std::optional<unsigned>(0u)));
  }
}

TEST(words, that_no_slot_holds)
{
  std::vector<std::string> in(600);
  for (std::size_t i = 0; i < in.size(); ++i)
  {
    in[i] = std::string(1, static_cast<char>('a' + i % 26));
  }
  for (const axis& along : {axis(3, 20, 10), axis(1, 300, 2), axis(2, 300)})
  {
    std::vector<std::string> out(in.size());
    HostBatchedScan::InclusiveScan(host.threads(3), in.begin(), out.begin(), along, std::plus<std::string>{});
    EXPECT_TRUE(
      out
      == by_a_loop(
        along, in, std::vector<std::string>(in.size()), std::plus<std::string>{}, true, std::optional<std::string>()));
  }
}

TEST(exceptions, reach_the_caller_from_any_thread)
{
  const auto throws = [](int a, int b) {
    return b < 0 ? throw std::runtime_error("negative") : a + b;
  };
  for (const axis& along : {axis(1, 250, 400), axis(1, 50000, 2), axis(50, 1000, 2)})
  {
    for (const std::size_t bad : {40010u, 54321u, 54399u, 99999u}) // in the first lines, in the last ones
    {
      std::vector<int> values(100000, 1), out(values.size());
      values[bad]     = -1;
      const auto scan = [&] {
        HostBatchedScan::InclusiveScan(host.threads(3), values.begin(), out.begin(), along, throws);
      };
      EXPECT_THROW(scan(), std::runtime_error) << bad;
      values[bad] = 1;
      scan();
      EXPECT_EQ(
        out, by_a_loop(along, values, std::vector<int>(values.size()), std::plus<>{}, true, std::optional<int>()));
    }
  }
}
