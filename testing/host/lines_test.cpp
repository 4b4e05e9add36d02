// Rule: scans along an axis on host threads are those of a loop over each line, whatever the array: rows, columns, many lines side by
// side and few, one element long or long enough for several tiles; with gaps between layers and between the outer dimension's parts;
// backward; in all forms, in place or not, for any number of threads; by an operator that does not commute; of elements that no slot holds.
#include "../support/operators.h"
#include "../support/random_values.h"

#include <lightscan/host_batched_scan.h>

#include <cstddef>
#include <cstdint>
#include <functional>
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
    for (const int threads : {1, 2, 5})
    {
      std::vector<map> out = poison; // of which what lies between stays
      call(form, threads, along, in.data() - from.least, out.data() - to.least, init);
      ASSERT_TRUE(out == expected_in(poison)) << "form " << form << ", " << threads << " threads";
      if (along.input.along == along.output.along && along.input.outer == along.output.outer)
      {
        std::vector<map> place = in;
        call(form, threads, along, place.data() - from.least, place.data() - from.least, init);
        ASSERT_TRUE(place == expected_in(in)) << "form " << form << " in place, " << threads << " threads";
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

TEST(axes, with_lines_of_several_tiles)
{
  for (const std::int64_t inner : {1, 2, 9})
  {
    axis along(1, 40000, inner);
    ASSERT_NO_FATAL_FAILURE(check(along));
    along.reverse = true;
    ASSERT_NO_FATAL_FAILURE(check(along));
  }
}

TEST(axes, with_gaps_and_other_strides_for_results)
{
  for (const std::int64_t inner : {1, 5, 20})
  {
    axis along(4, 30, inner);
    along.input = {inner + 3, 30 * (inner + 3) + 11};
    ASSERT_NO_FATAL_FAILURE(check(along));
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
    HostBatchedScan::InclusiveSum(host, &value, &value, none);
  }
  for (const axis& wrong : {axis(-1, 3, 2), axis(3, -1, 2), axis(3, 2, -1)})
  {
    EXPECT_THROW(HostBatchedScan::InclusiveSum(host, &value, &value, wrong), std::invalid_argument);
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
    HostBatchedScan::ExclusiveSum(host.threads(3), in.begin(), many.begin(), along);
    EXPECT_EQ(many[0], 0.0f);
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

TEST(exceptions, reach_the_caller)
{
  std::vector<int> values(100000, 1);
  values[54321]     = -1;
  const auto throws = [](int a, int b) {
    return b < 0 ? throw std::runtime_error("negative") : a + b;
  };
  std::vector<int> out(values.size());
  for (const axis& along : {axis(1, 1000, 100), axis(1, 50000, 2)})
  {
    EXPECT_THROW(
      HostBatchedScan::InclusiveScan(host.threads(3), values.begin(), out.begin(), along, throws), std::runtime_error);
  }
}
