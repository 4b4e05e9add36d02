// Rule: a scan along an axis is right for arrays of all shapes, with gaps or without, forward and backward, in place or not, with as
// many bands, windows and blocks as there may be; what lies in gaps is left as it was.
#include "case.h"

#include <lightscan/axis.h>
#include <lightscan/dispatch/batched_launch.h>

#include <functional>

using namespace emulated;
using lightscan::axis;
using lightscan::axis_strides;

namespace
{
using number          = maps<std::uint16_t, 1>; // 4 bytes
using pair_of_numbers = maps<std::uint32_t, 1>; // 8 bytes
using wide            = maps<std::uint32_t, 5>; // 24 bytes

// Where an array's first element lies in the memory that holds it.
std::int64_t first_of(const axis& along, const axis_strides& strides)
{
  return (strides.along < 0 ? (1 - along.length) * strides.along : 0)
       + (strides.outer < 0 ? (1 - along.outer) * strides.outer : 0);
}

std::size_t place_of(const axis& along, const axis_strides& strides, std::int64_t o, std::int64_t i, std::int64_t k)
{
  return static_cast<std::size_t>(first_of(along, strides) + o * strides.outer + i * strides.along + k);
}

std::size_t reach_of(const axis& along, const axis_strides& strides)
{
  const std::int64_t last_outer = strides.outer < 0 ? 0 : along.outer - 1;
  const std::int64_t last       = strides.along < 0 ? 0 : along.length - 1;
  return place_of(along, strides, last_outer, last, along.inner - 1) + 1;
}

// What `out` is to hold after a scan of `in`.
template <bool Inclusive, class T, class Init>
void scan_lines(const axis& along, const std::vector<T>& in, std::vector<T>& out, Init init)
{
  const std::vector<T> input = in;
  for (std::int64_t o = 0; o < along.outer; ++o)
  {
    for (std::int64_t k = 0; k < along.inner; ++k)
    {
      std::vector<T> line;
      for (std::int64_t i = 0; i < along.length; ++i)
      {
        line.push_back(input[place_of(along, along.input, o, along.reverse ? along.length - 1 - i : i, k)]);
      }
      const std::vector<T> scanned = scan_of<Inclusive>(line, init, compose{});
      for (std::int64_t i = 0; i < along.length; ++i)
      {
        out[place_of(along, along.output, o, along.reverse ? along.length - 1 - i : i, k)] =
          scanned[static_cast<std::size_t>(i)];
      }
    }
  }
}

// Of some thousand elements at most.
axis any_axis(std::mt19937_64& random)
{
  const int inners[]        = {1, 2, 3, 4, 7, 16, 31, 32, 33, 45, 64, 100, 130, 257, 1 + below(random, 600)};
  const std::int64_t inner  = inners[below(random, sizeof inners / sizeof *inners)];
  const std::int64_t most   = 1 + 60000 / inner;
  const int lengths[]       = {1, 2, 3, 26, 27, 28, 216, 217, 1000, 1 + below(random, static_cast<int>(most))};
  const std::int64_t length = std::min<std::int64_t>(most, lengths[below(random, sizeof lengths / sizeof *lengths)]);
  axis along(1 + below(random, static_cast<int>(std::max<std::int64_t>(1, most / length))), length, inner);
  if (below(random, 2) == 0)
  {
    along.outer = std::min<std::int64_t>(along.outer, 1 + below(random, 3));
  }
  along.reverse = below(random, 3) == 0;
  if (below(random, 3) == 0)
  {
    along.input.along += below(random, 3);
    along.input.outer = along.length * along.input.along + below(random, 5);
    along.output      = along.input;
    switch (below(random, 3))
    {
      case 0:
        along.output = {along.outer * along.inner, along.inner}; // the axis outside of all others
        break;
      case 1:
        along.output.along = -along.output.along; // from the last place on
        break;
      default:
        break;
    }
  }
  return along;
}

template <bool Inclusive, class T, class Init>
void check_form(const axis& along, Init init, std::mt19937_64& random, bool on_grid = false)
{
  using problem       = dispatch::batched_problem<T, Inclusive, const T*, T*, compose, Init>;
  using launcher      = dispatch::batched_launcher<problem>;
  const bool in_place = along.input.along == along.output.along && along.input.outer == along.output.outer
                     && below(random, 2) == 0;
  const std::vector<T> from = values<T>(reach_of(along, along.input), random);
  std::vector<T> expected   = in_place ? from : values<T>(reach_of(along, along.output), random);
  range<T> in(from, on_grid ? place{0, true} : any_place(random));
  range<T> out(expected, on_grid ? place{0, true} : any_place(random));
  scan_lines<Inclusive>(along, from, expected, init);

  const std::size_t bytes = launcher::bytes_for(along, device().multiprocessors);
  std::vector<std::uint64_t> slots(bytes / 8 + 1, random());
  const int most_blocks = below(random, 3) == 0 ? 1 + below(random, 5) : 0;
  try
  {
    const problem scan{in.data() + first_of(along, along.input),
                       (in_place ? in : out).data() + first_of(along, along.output),
                       along,
                       {},
                       init};
    const auto done = launcher(scan, nullptr, most_blocks).run(slots.data(), bytes);
    ASSERT_TRUE(done) << done.doing;
  }
  catch (const failure& failed)
  {
    FAIL() << failed.what();
  }
  EXPECT_EQ((in_place ? in : out).differs_from(expected), "");
  if (!in_place)
  {
    EXPECT_EQ(in.differs_from(from), "");
  }
}

template <class T>
void check(std::mt19937_64& random)
{
  const axis along = any_axis(random);
  SCOPED_TRACE(std::to_string(along.outer) + " x " + std::to_string(along.length) + " x " + std::to_string(along.inner)
               + ", strides " + std::to_string(along.input.along) + ", " + std::to_string(along.input.outer) + " to "
               + std::to_string(along.output.along) + ", " + std::to_string(along.output.outer)
               + (along.reverse ? ", backward" : ""));
  const T init = any_value<T>::from(random);
  switch (below(random, 3))
  {
    case 0:
      return check_form<true, T>(along, no_init{}, random);
    case 1:
      return check_form<true, T>(along, init, random);
    default:
      return check_form<false, T>(along, init, random);
  }
}

// In the tile in which the first of two lines ends, against arithmetic in 64 bits.
template <class Policy>
void check_where_a_line_ends(std::int64_t length)
{
  SCOPED_TRACE("lines of " + std::to_string(length));
  namespace batched             = lightscan::batched;
  const batched::geometry lines = batched::geometry_of<Policy>(axis(2, length, 1), 132);
  const std::int64_t t          = length / lines.piece_layers;
  const std::int64_t first      = t * lines.piece_layers;
  const auto from_head          = [&](std::int64_t layer) { // to the next layer with which a line begins
    return layer % length == 0 ? 0 : length - layer % length;
  };
  for (int group = 0; group < lines.groups; ++group)
  {
    const batched::tile_of_lines<Policy> tile(lines, t, 0, group, 0);
    const std::int64_t there = from_head(first + tile.begin);
    if (there < tile.count)
    {
      EXPECT_EQ(tile.head, there) << "group " << group;
    }
    else
    {
      EXPECT_GE(tile.head, tile.count) << "group " << group;
    }
    EXPECT_EQ(tile.goes_on(), from_head(first + tile.depth) > 0);
  }
}

constexpr unsigned seeds = 25;
} // namespace

TEST(batches, of_lines_longer_than_31_bits)
{
  using lightscan::batched::access;
  using lightscan::batched::policy;
  const std::int64_t bits_32 = std::int64_t{1} << 32;
  for (const std::int64_t length : {std::int64_t{8999},
                                    std::int64_t{100003},
                                    bits_32 / 2 - 5,
                                    bits_32 / 2 + 5000,
                                    std::int64_t{3000000000},
                                    bits_32 - 1,
                                    bits_32,
                                    bits_32 + 10,
                                    (std::int64_t{1} << 45) + 7})
  {
    ASSERT_NO_FATAL_FAILURE((check_where_a_line_ends<policy<4, access::staged>>(length)));
    ASSERT_NO_FATAL_FAILURE((check_where_a_line_ends<policy<1, access::staged>>(length)));
    ASSERT_NO_FATAL_FAILURE((check_where_a_line_ends<policy<24, access::direct>>(length)));
  }
}

// Tiles of 64 elements: so many below each other that windows are many.
TEST(batches, of_many_windows)
{
  each_seed(6, [](std::mt19937_64& random) {
    const axis along(1 + below(random, 2), 5000 + below(random, 10000), 1 + below(random, 3));
    check_form<true, maps<std::uint64_t, 31>>(along, no_init{}, random);
  });
}

// Tiles that the pipeline takes: stretches of them, in which a line begins or none does, from several rounds of the blocks.
template <class T>
void check_long_lines(std::mt19937_64& random)
{
  const int inner    = 1 + below(random, 32);
  const int elements = 100000 + below(random, 300000);
  const int outer    = below(random, 2) == 0 ? 1 : 1 + below(random, 8);
  const int length   = elements / inner / outer;
  axis along(outer, length, inner);
  along.reverse = below(random, 3) == 0;
  SCOPED_TRACE(std::to_string(outer) + " x " + std::to_string(length) + " x " + std::to_string(inner)
               + (along.reverse ? ", backward" : ""));
  check_form<true, T>(along, no_init{}, random);
}

// Bands of wide layers, with gaps between layers or without, some narrower than the others; a line begins in a tile or none does; blocks
// enough for all bands, several for each, or fewer.
int of_bands = 0; // calls that took these

template <class T>
void check_wide_layers(std::mt19937_64& random)
{
  constexpr int sector = 32 / static_cast<int>(sizeof(T));
  if (below(random, 3) == 0)
  {
    device().multiprocessors = 9 + below(random, 10); // so many that blocks have nothing to do, or eight a band
  }
  const int multiprocessors = device().multiprocessors;
  const int any             = 36 + below(random, 64 * multiprocessors);
  const int inner           = below(random, 8) == 0 ? any : any / 4 * 4;
  const int length          = 900 + below(random, multiprocessors > 4 ? 300 : 3000);
  axis along(1 + below(random, 2), length, inner);
  along.reverse      = below(random, 3) == 0;
  along.input.along  = (inner + sector - 1) / sector * sector + sector * below(random, 2);
  along.output.along = (inner + sector - 1) / sector * sector + sector * below(random, 2);
  if (below(random, 4) == 0)
  {
    along.input.along  = -along.input.along; // from the last place on
    along.output.along = -along.output.along;
  }
  along.input.outer  = length * along.input.along;
  along.output.outer = length * along.output.along;
  SCOPED_TRACE(std::to_string(along.outer) + " x " + std::to_string(length) + " x " + std::to_string(inner) + ", "
               + std::to_string(along.input.along) + " to " + std::to_string(along.output.along)
               + (along.reverse ? ", backward" : ""));
  namespace batched = lightscan::batched;
  const bool suits  = batched::access_by_copies<sizeof(T)>(along, multiprocessors) == batched::access::bands;
  check_form<true, T>(along, no_init{}, random, below(random, 8) > 0);
  if (suits && lightscan::runtime::last_report().threads > 128)
  {
    ++of_bands;
  }
}

// Also where tiles of the pipeline happen to end with lines: tiles that go through it always have slots.
TEST(batches, of_long_lines_have_slots)
{
  using lightscan::batched::access;
  using problem  = dispatch::batched_problem<number, true, const number*, number*, compose, no_init>;
  using launcher = dispatch::batched_launcher<problem>;
  int pipelined  = 0;
  for (const int multiprocessors : {114, 132, 148})
  {
    for (int inner = 2; inner <= 32; ++inner)
    {
      for (int layers = 35; layers <= 57; layers += 2) // of a thread
      {
        for (int outer = 2 * multiprocessors - 40; outer <= 2 * multiprocessors + 2; ++outer)
        {
          const axis along(outer, 128 / inner * layers, inner);
          if (lightscan::batched::access_by_copies<sizeof(number)>(along, multiprocessors) == access::pipeline)
          {
            ++pipelined;
            ASSERT_GT(launcher::bytes_for(along, multiprocessors), 0u)
              << outer << " x " << along.length << " x " << inner << " on " << multiprocessors;
          }
        }
      }
    }
  }
  EXPECT_GT(pipelined, 0);
}

TEST(batches, of_long_lines)
{
  each_seed(8, [](std::mt19937_64& random) {
    check_long_lines<number>(random);
    check_long_lines<pair_of_numbers>(random);
    check_long_lines<std::uint8_t>(random);
  });
}

TEST(batches, of_wide_layers)
{
  each_seed(10, [](std::mt19937_64& random) {
    check_wide_layers<number>(random);
    check_wide_layers<pair_of_numbers>(random);
  });
  if (LIGHTSCAN_EMULATED_ARCH == 900 && from_environment("LIGHTSCAN_EMULATED_SEED", 0) == 0)
  {
    EXPECT_GT(of_bands, 0);
  }
}

TEST(batches, of_numbers)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check<number>(random);
  });
}

TEST(batches, of_bytes)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check<std::uint8_t>(random);
  });
}

// What threads walk by words: elements, results and what is accumulated of different sizes.
template <class In, class T, class Out>
void check_walks(std::mt19937_64& random)
{
  using problem  = dispatch::batched_problem<T, true, const In*, Out*, std::plus<T>, no_init>;
  using launcher = dispatch::batched_launcher<problem>;
  axis along(1 + below(random, 3), 1 + below(random, 40), 8 * (200 + below(random, 150)));
  along.reverse     = below(random, 2) == 0;
  const int unit    = below(random, 4) == 0 ? 1 : 8; // layers begin with a sector, and are walked
  along.input.along = along.output.along = along.inner + unit * below(random, 3);
  along.input.outer = along.output.outer = along.length * along.input.along + unit * below(random, 2);
  SCOPED_TRACE(std::to_string(along.outer) + " x " + std::to_string(along.length) + " x "
               + std::to_string(along.inner));
  const std::vector<In> from = values<In>(reach_of(along, along.input), random);
  const range<In> in(from, {0, true});
  range<Out> out(values<Out>(from.size(), random), {0, true});
  std::vector<Out> expected(out.data(), out.data() + from.size());
  for (std::int64_t o = 0; o < along.outer; ++o)
  {
    for (std::int64_t k = 0; k < along.inner; ++k)
    {
      T running{};
      for (std::int64_t i = 0; i < along.length; ++i)
      {
        const std::size_t at = place_of(along, along.input, o, along.reverse ? along.length - 1 - i : i, k);
        running              = static_cast<T>(running + static_cast<T>(from[at]));
        expected[at]         = static_cast<Out>(running);
      }
    }
  }
  std::vector<std::uint64_t> slots(launcher::bytes_for(along, device().multiprocessors) / 8 + 1, random());
  ASSERT_TRUE(launcher(problem{in.data(), out.data(), along, {}, {}}, nullptr).run(slots.data(), 8 * slots.size()));
  if (unit == 8)
  {
    EXPECT_LE(lightscan::runtime::last_report().threads, 64) << "not walked";
  }
  EXPECT_EQ(out.differs_from(expected), "");
}

TEST(batches, of_numbers_of_other_sizes)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check_walks<std::int8_t, int, std::int8_t>(random);
    check_walks<std::uint8_t, std::int64_t, std::int64_t>(random);
    check_walks<std::int16_t, int, std::int64_t>(random);
    check_walks<std::int32_t, std::int64_t, std::int32_t>(random);
  });
}

TEST(batches, of_structs)
{
  each_seed(seeds, [](std::mt19937_64& random) {
    check<wide>(random);
  });
}
