// Rule: sums of 1-byte integers, which are made four at a time, are those made one by one; and nothing else is taken for them.
#include "../support/launched_shape.h"
#include "../support/random_values.h"
#include "../support/scan_check.h"

#include <lightscan/bulk/byte_sum.h>
#include <lightscan/dispatch/choice.h>
#include <lightscan/dispatch/tuning.h>

#include <cuda/std/functional>

#include <cstddef>
#include <cstdint>

using cuda::std::plus;
using lightscan::carry::default_transport;
using lightscan::util::no_init;
using testing_support::check_scan;
using testing_support::guarded_memory;
using testing_support::kernels;
using testing_support::launched_shape;
using testing_support::placement;
using testing_support::random_values;
namespace tile = lightscan::tile;

template <class T, class Output, class Input>
using items = lightscan::bulk::column_items<tile::scan_kind<T, true>, Output, Input>;
template <class T>
using column = tile::column<T>;
using byte   = signed char;

static_assert(lightscan::bulk::sums_bytes<items<byte, column<byte>, column<byte>>, plus<>>);
static_assert(lightscan::bulk::sums_bytes<items<byte, column<char>, column<unsigned char>>, plus<int>>);
static_assert(!lightscan::bulk::sums_bytes<items<byte, column<byte>, column<byte>>, testing_support::plus>);
static_assert(!lightscan::bulk::sums_bytes<items<byte, column<byte>, column<byte>>, cuda::std::minus<>>);
static_assert(
  !lightscan::bulk::sums_bytes<items<byte, column<byte>, column<byte>>, plus<float>>); // which may not fit into a byte
static_assert(!lightscan::bulk::sums_bytes<items<byte, column<byte>, column<byte>>, plus<bool>>);
static_assert(!lightscan::bulk::sums_bytes<items<bool, column<byte>, column<byte>>, plus<>>);
static_assert(!lightscan::bulk::sums_bytes<items<byte, column<bool>, column<byte>>, plus<>>);
static_assert(!lightscan::bulk::sums_bytes<items<byte, column<byte>, column<bool>>, plus<>>);
static_assert(!lightscan::bulk::sums_bytes<items<int, column<byte>, column<byte>>, plus<>>);
static_assert(!lightscan::bulk::sums_bytes<items<byte, column<int>, column<byte>>, plus<>>);
static_assert(!lightscan::bulk::sums_bytes<items<byte, column<byte>, column<short>>, plus<>>);
static_assert(
  !lightscan::bulk::sums_bytes<items<byte, tile::column<byte, cuda::std::identity, true>, column<byte>>, plus<>>);
static_assert(!lightscan::bulk::sums_bytes<items<byte, column<byte>, tile::column<byte, cuda::std::negate<>>>, plus<>>);

// And what a launch makes of pointers to bytes is taken for bytes.
template <class T, bool Inclusive>
using launched = typename lightscan::dispatch::
  bulk_view<lightscan::dispatch::tuned_policies, tile::scan_kind<T, Inclusive>, T*, const T*>::type::items;
static_assert(lightscan::bulk::sums_bytes<launched<signed char, true>, plus<>>);
static_assert(lightscan::bulk::sums_bytes<launched<char, false>, plus<char>>);
static_assert(!lightscan::bulk::sums_bytes<launched<short, true>, plus<>>);

template <class T, bool Inclusive, class Init, class Op>
void expect_sums(Init init, Op op)
{
  const std::int64_t tile = launched_shape<T>().tile_bytes;
  for (const std::int64_t n : {tile, 2 * tile - 1, 300 * tile + 17})
  {
    const std::vector<T> input = random_values<T>(static_cast<std::size_t>(n));
    for (const placement where : {placement{0, 0, false}, placement{3, 3, true}, placement{5, 2, false}})
    {
      ASSERT_NO_FATAL_FAILURE((check_scan<default_transport, Inclusive>(input, init, op, where, kernels::bulk_only)));
    }
  }
}

TEST(byte_sum, signed_char)
{
  expect_sums<signed char, true>(no_init{}, plus<>{});
  expect_sums<signed char, false>(static_cast<signed char>(-100), plus<signed char>{});
}

TEST(byte_sum, unsigned_char)
{
  expect_sums<unsigned char, true>(static_cast<unsigned char>(200), plus<int>{});
  expect_sums<unsigned char, false>(static_cast<unsigned char>(0), plus<>{});
}

TEST(byte_sum, plain_char)
{
  expect_sums<char, true>(no_init{}, plus<char>{});
}

// The types may differ, so long as all are bytes.
TEST(byte_sum, of_one_type_accumulated_in_another_and_stored_in_a_third)
{
  using problem = lightscan::dispatch::scan_problem<signed char, const unsigned char*, char*, plus<>, no_init, true>;
  const std::size_t n                    = 300 * static_cast<std::size_t>(launched_shape<char>().tile_bytes) + 17;
  const std::vector<unsigned char> input = random_values<unsigned char>(n);
  guarded_memory<unsigned char> in(n, 3);
  guarded_memory<char> out(n, 3);
  ASSERT_NO_FATAL_FAILURE(in.upload(input));
  const problem sum{in.data(), out.data(), static_cast<std::int64_t>(n), {}, {}};
  ASSERT_TRUE(lightscan::dispatch::launcher<problem>(sum, nullptr, kernels::bulk_only).run());
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  const std::vector<char> results = out.download();
  unsigned running                = 0;
  for (std::size_t i = 0; i < n; ++i)
  {
    running += input[i];
    ASSERT_EQ(static_cast<unsigned char>(results[i]), running % 256) << "element " << i;
  }
  out.expect_guards_untouched();
}
