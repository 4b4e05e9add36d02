// Rule: a band that all threads scan in tiles of layers comes out as by a loop over each line, for any number of threads, of tiles and of
// layers in the last one; its bits do not depend on the number of threads; and a thread whose operator throws keeps no other waiting.
#include "../support/operators.h"
#include "../support/random_values.h"

#include <lightscan/host/layer_tiles.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace
{
namespace engine = lightscan::host_engine;
using count      = engine::index;
using lightscan::util::no_init;
using testing_support::compose;
using testing_support::random_values;
using map = testing_support::affine;

// On several threads from two tiles on.
struct always : engine::default_tuning
{
  static constexpr count tiles_for_threads = 2;
};

template <bool Inclusive, class T, class Op, class Init>
void scan(int threads, count length, count lines, const T* in, T* out, const Op& op, const Init& init)
{
  using layers = engine::strided<const T*>;
  engine::layer_tiles<always, Inclusive, T, const T*, T*, Op, Init>(
    length, lines, layers{in, lines}, engine::strided<T*>{out, lines}, op, init)
    .run(threads);
}

template <bool Inclusive, class Init>
void check(count length, count lines, const Init& init, const std::optional<map>& start)
{
  const std::vector<map> in = random_values<map>(static_cast<std::size_t>(length * lines));
  std::vector<map> expected(in.size());
  for (count l = 0; l < lines; ++l)
  {
    map fold = start.value_or(map{});
    for (count k = 0; k < length; ++k)
    {
      const auto at   = static_cast<std::size_t>(k * lines + l);
      const map after = k > 0 || start ? compose{}(fold, in[at]) : in[at];
      expected[at]    = Inclusive ? after : fold;
      fold            = after;
    }
  }
  for (const int threads : {1, 2, 5})
  {
    std::vector<map> out(in.size(), map{7, 7});
    scan<Inclusive>(threads, length, lines, in.data(), out.data(), compose{}, init);
    ASSERT_TRUE(out == expected) << length << " layers of " << lines << ", " << threads << " threads";
  }
}
} // namespace

TEST(layer_tiles, of_any_number)
{
  const map init{3, 5};
  for (const count lines : {1, 5, 512, 700}) // 8192, 1638, 16 and 16 layers a tile
  {
    const count tile = lines == 1 ? 8192 : lines == 5 ? 1638 : 16;
    for (const count length : {count{1}, tile - 1, tile, tile + 1, 2 * tile + 1, 7 * tile - 3})
    {
      ASSERT_NO_FATAL_FAILURE((check<true>(length, lines, no_init{}, std::nullopt)));
      ASSERT_NO_FATAL_FAILURE((check<true>(length, lines, init, init)));
      ASSERT_NO_FATAL_FAILURE((check<false>(length, lines, init, init)));
    }
  }
}

TEST(layer_tiles, have_the_same_bits_for_any_number_of_threads)
{
  constexpr count length = 30000;
  constexpr count lines  = 6;
  std::vector<float> in(static_cast<std::size_t>(length * lines));
  for (std::size_t i = 0; i < in.size(); ++i)
  {
    in[i] = 1.0f / static_cast<float>(1 + i % 97); // sums are rounded
  }
  std::vector<float> one(in.size()), many(in.size());
  const auto plus = [](float a, float b) {
    return a + b;
  };
  scan<true>(1, length, lines, in.data(), one.data(), plus, no_init{});
  for (const int threads : {2, 3, 8})
  {
    scan<true>(threads, length, lines, in.data(), many.data(), plus, no_init{});
    ASSERT_TRUE(one == many) << threads;
  }
}

TEST(layer_tiles, whose_operator_throws_keep_nobody_waiting)
{
  constexpr count length = 40000;
  constexpr count lines  = 5;
  const auto throws      = [](int a, int b) {
    return b < 0 ? throw std::runtime_error("negative") : a + b;
  };
  for (const std::size_t bad : {7u, 20000u, 100000u, 199999u})
  {
    std::vector<int> in(static_cast<std::size_t>(length * lines), 1), out(in.size());
    in[bad] = -1;
    EXPECT_THROW(scan<true>(3, length, lines, in.data(), out.data(), throws, no_init{}), std::runtime_error);
    in[bad] = 1;
    scan<true>(3, length, lines, in.data(), out.data(), throws, no_init{});
    EXPECT_EQ(out[bad], static_cast<int>(bad / lines + 1));
  }
}
