// What the random cases of property_test.cu and property_entry_points.cu are drawn with: a size, a policy, ranges.
#pragma once

#include "../support/counting_allocator.h"
#include "../support/entry_check.h"
#include "../support/launched_shape.h"

#include <lightscan/dispatch/shape.h>
#include <lightscan/lightscan.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace testing_support
{
using choice = std::mt19937_64;

// One kind of random case. Everything about a case comes out of `random`; `stream` is one that a case may use.
struct random_case
{
  void (*run)(choice& random, cudaStream_t stream, const char* what);
  const char* what;
};

// property_entry_points.cu's.
extern const std::vector<random_case> entry_point_cases;

inline std::uint64_t below(choice& random, std::uint64_t end)
{
  return random() % end;
}

// As often short as long; often near where a tile, a window or the reach of a kernel ends.
template <class Kind, class Out, class... In>
std::int64_t random_size(choice& random)
{
  namespace tile = lightscan::tile;
  const lightscan::dispatch::bulk_shape shape =
    lightscan::dispatch::shape_on<lightscan::bulk::column_items<Kind, tile::column<Out>, tile::column<In>...>,
                                  lightscan::dispatch::tuned_policies>(compiled_for());
  EXPECT_TRUE(shape.serves) << "the bulk pipeline must serve what these sizes are for";
  constexpr std::int64_t bytes   = static_cast<std::int64_t>((sizeof(In) + ...)); // read for an item
  const std::int64_t items       = shape.tile_items;
  constexpr std::int64_t longest = (std::int64_t{48} << 20) / bytes;
  const std::int64_t near        = static_cast<std::int64_t>(below(random, 5)) - 2;
  std::int64_t n                 = 0;
  switch (below(random, 4))
  {
    case 0:
      n = static_cast<std::int64_t>(below(random, 2) + below(random, std::uint64_t{2} << below(random, 23)));
      break;
    case 1:
      n = items * static_cast<std::int64_t>(1 + below(random, 6)) + near;
      break;
    case 2:
      n = items * static_cast<std::int64_t>(160 * (1 + below(random, 3))) + near;
      break;
    default:
      n = fewest_for_the_pipeline<Kind, Out, In...>() + near;
      break;
  }
  return n < longest ? n : longest;
}

template <class T>
std::int64_t random_size(choice& random)
{
  return random_size<lightscan::tile::scan_kind<T, true>, T, T>(random);
}

// Calls f with one of the policies and adds its name to `what`; by the time it returns, the scan has ended. One with an
// allocator asks it for memory where there is more to scan than one tile holds, and must have given it back.
template <class F>
void with_a_policy(choice& random, cudaStream_t stream, std::int64_t n, std::string& what, F f)
{
  ledger books;
  counting_allocator allocator(books);
  const std::uint64_t which = below(random, 8);
  switch (which)
  {
    case 0:
      what += ", par";
      f(lightscan::par);
      break;
    case 1:
      what += ", par_nosync";
      f(lightscan::par_nosync);
      break;
    case 2:
      what += ", par.on(stream)";
      f(lightscan::par.on(stream));
      break;
    case 3:
      what += ", par_nosync.on(stream)";
      f(lightscan::par_nosync.on(stream));
      break;
    case 4:
    case 5:
      what += which == 4 ? ", par(allocator)" : ", par(allocator).on(stream)";
      f(which == 4 ? lightscan::par(allocator) : lightscan::par(allocator).on(stream));
      break;
    default:
      what += which == 6 ? ", par_nosync(allocator)" : ", par_nosync.on(stream)(allocator)";
      f(which == 6 ? lightscan::par_nosync(allocator) : lightscan::par_nosync.on(stream)(allocator));
      break;
  }
  if (which == 1 || which == 3 || which >= 6) // par has waited itself
  {
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(which == 1 || which == 6 ? nullptr : stream));
  }
  constexpr std::int64_t more_than_a_tile = 1 << 17;
  EXPECT_LE(books.calls, which >= 4 && n > 0 ? 1u : 0u) << what;
  EXPECT_GE(books.calls, which >= 4 && n > more_than_a_tile ? 1u : 0u) << what;
  EXPECT_EQ(books.in_use, 0u) << what;
}

// Calls scan(in, out, what) with ranges placed at random, the result at times in place of the input where `may_replace`
// says that it can be; by the time that returns, the scan has ended, and it has added to `what` how it was called.
template <class In, class Out, class Scan>
void check_on_random_ranges(choice& random,
                            const std::vector<In>& input,
                            const std::vector<Out>& expected,
                            bool may_replace,
                            std::string what,
                            Scan scan)
{
  const std::size_t in_shift  = below(random, 17);
  const std::size_t out_shift = below(random, 17);
  const bool in_place         = below(random, 3) == 0 && may_replace && std::is_same_v<In, Out>;
  what += ", n = " + std::to_string(input.size()) + ", input + " + std::to_string(in_shift) + ", output + "
        + std::to_string(out_shift) + (in_place ? ", in place" : "");
  guarded_memory<In> in(input.size(), in_shift);
  guarded_memory<Out> out(input.size(), out_shift);
  ASSERT_NO_FATAL_FAILURE(in.upload(input));
  Out* result = out.data();
  if constexpr (std::is_same_v<In, Out>)
  {
    result = in_place ? in.data() : out.data();
  }
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());

  scan(in.data(), result, what);

  SCOPED_TRACE(what);
  ASSERT_FALSE(::testing::Test::HasFailure()) << "of the call itself";
  std::vector<Out> actual(input.size());
  LIGHTSCAN_EXPECT_CUDA(cudaMemcpy(actual.data(), result, actual.size() * sizeof(Out), cudaMemcpyDeviceToHost));
  ASSERT_NO_FATAL_FAILURE(expect_equal(actual, expected, "the result"));
  if (!in_place)
  {
    ASSERT_NO_FATAL_FAILURE(expect_equal(in.download(), input, "the input"));
  }
  in.expect_guards_untouched();
  out.expect_guards_untouched();
}
} // namespace testing_support
