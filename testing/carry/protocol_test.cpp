// The protocol between blocks, run for real: each resident block is a host thread, a warp is a loop (serial_warp), and
// the slots, the tags, the waiting and the order of combination are the very code that the kernels run. The same file
// is built a second time with ThreadSanitizer.
//
// Rules covered:
//   - every tile's carry is the fold of exactly the tiles before it, in order, after the initial value
//   - look-across: its bits depend on the tile index alone, not on the number of blocks, and are the documented order's
//   - slots are used again, turn after turn of the ring and launch after launch, and what they held before is never
//     taken for a value (that the ring is large enough for any number of blocks: ../dispatch/plan_test.cpp)
#include <lightscan/carry/chain.h>
#include <lightscan/carry/look_across.h>
#include <lightscan/carry/slot.h>
#include <lightscan/carry/words.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/warp/serial_warp.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace
{
namespace carry    = lightscan::carry;
namespace dispatch = lightscan::dispatch;
using carry::no_init;
using index = std::int64_t;

// For more threads than cores: a waiting thread lets the one that it waits for run.
struct yielding_transport : carry::atomic_transport
{
  static void look_again()
  {
    std::this_thread::yield();
  }
};

template <class T>
struct found_carry
{
  bool exists;
  carry::uninitialized<T> value;
};

// The slots of one stream, used by launch after launch as dispatch/workspace.h does it: never cleared, tags move on.
template <class T>
class workspace
{
public:
  explicit workspace(std::size_t slots)
      : memory_(slots * carry::words<T>::count, carry::pack(0x5a5a5a5au, 0))
  {}

  carry::slot_ring<T> lease(const dispatch::plan& plan)
  {
    const std::uint32_t first_tag = next_tag_;
    next_tag_ += dispatch::tags_for(plan);
    EXPECT_LE(dispatch::slot_bytes_for(plan, carry::words<T>::count), memory_.size() * sizeof(carry::slot_word));
    return carry::slot_ring<T>(memory_.data(), plan.log2_ring_windows, first_tag);
  }

private:
  std::vector<carry::slot_word> memory_;
  std::uint32_t next_tag_ = 1;
};

struct shape
{
  int blocks; // threads
  int groups; // a block publishes a tile once it is done with the one `groups` before
};

// One launch: the carry of every tile.
template <template <class, class, class, class> class Protocol, class Transport, class T, class Op, class Init>
std::vector<found_carry<T>>
exchange(workspace<T>& memory, const std::vector<T>& aggregates, Op op, Init init, shape resident)
{
  using communicator    = Protocol<T, Op, Transport, lightscan::warp::serial_warp>;
  const index num_tiles = static_cast<index>(aggregates.size());
  const lightscan::tile::geometry tiles{num_tiles, 0, 1};
  const dispatch::plan plan       = dispatch::plan_for(tiles, resident.blocks, resident.groups);
  const carry::slot_ring<T> slots = memory.lease(plan);
  std::vector<found_carry<T>> carries(aggregates.size(), {false, {}});

  const auto block = [&](index b) {
    communicator carry_of(slots, op, init);
    const index owned = lightscan::tile::owned_tiles(num_tiles, b, plan.grid);
    for (index k = 0; k < owned + resident.groups; ++k)
    {
      if (k >= resident.groups)
      {
        const index tile                = b + (k - resident.groups) * plan.grid;
        const std::size_t at            = static_cast<std::size_t>(tile);
        const carry::uninitialized<T> c = carry_of.carry_before(tile);
        if (carry_of.has_carry())
        {
          carries[at] = {true, c};
        }
        communicator::publish_prefix(slots, tile, carry_of.has_carry(), c.value, aggregates[at], op);
      }
      if (k < owned)
      {
        const index tile = b + k * plan.grid;
        communicator::publish_aggregate(slots, tile, aggregates[static_cast<std::size_t>(tile)]);
      }
    }
  };

  std::vector<std::thread> threads;
  for (index b = 1; b < plan.grid; ++b)
  {
    threads.emplace_back(block, b);
  }
  block(0);
  for (std::thread& thread : threads)
  {
    thread.join();
  }
  return carries;
}

template <class T>
bool same_bits(const T& a, const T& b)
{
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// Empty if both are the same to the bit, else where they differ.
template <class T>
std::string difference(const std::vector<found_carry<T>>& actual, const std::vector<found_carry<T>>& expected)
{
  for (std::size_t t = 0; t < expected.size(); ++t)
  {
    if (actual[t].exists != expected[t].exists)
    {
      return "tile " + std::to_string(t) + (actual[t].exists ? " has a carry" : " has no carry");
    }
    if (expected[t].exists && !same_bits(actual[t].value.value, expected[t].value.value))
    {
      return "tile " + std::to_string(t) + " has another carry";
    }
  }
  return "";
}

// A fold under way that may not have begun.
template <class T, class Op>
struct running_fold
{
  Op op;
  found_carry<T> value;

  running_fold(Op o, no_init)
      : op(o)
      , value{false, {}}
  {}
  running_fold(Op o, const T& init)
      : op(o)
      , value{true, init}
  {}

  void append(const T& right)
  {
    value = {true, value.exists ? op(value.value.value, right) : right};
  }
};

template <class T, class Op, class Init>
std::vector<found_carry<T>> left_to_right(const std::vector<T>& aggregates, Op op, Init init)
{
  running_fold<T, Op> fold(op, init);
  std::vector<found_carry<T>> carries;
  for (const T& aggregate : aggregates)
  {
    carries.push_back(fold.value);
    fold.append(aggregate);
  }
  return carries;
}

// The order that carry/look_across.h documents, written down a second time: windows of 160 tiles, lanes of 5 folded
// from left to right, lanes folded by a tree over neighbours, windows folded from left to right.
template <class T, class Op>
T fold_of_window(const T* first, const T* last, Op op)
{
  std::vector<T> lanes;
  for (const T* run = first; run < last; run += 5)
  {
    running_fold<T, Op> lane(op, no_init{});
    std::for_each(run, std::min(run + 5, last), [&](const T& aggregate) {
      lane.append(aggregate);
    });
    lanes.push_back(lane.value.value.value);
  }
  while (lanes.size() > 1)
  {
    std::vector<T> pairs;
    for (std::size_t i = 0; i < lanes.size(); i += 2)
    {
      pairs.push_back(i + 1 < lanes.size() ? op(lanes[i], lanes[i + 1]) : lanes[i]);
    }
    lanes = pairs;
  }
  return lanes.front();
}

template <class T, class Op, class Init>
std::vector<found_carry<T>> documented_order(const std::vector<T>& aggregates, Op op, Init init)
{
  running_fold<T, Op> windows(op, init);
  std::vector<found_carry<T>> carries;
  for (std::size_t t = 0; t < aggregates.size(); ++t)
  {
    const T* const window = aggregates.data() + t / 160 * 160;
    if (t > 0 && t % 160 == 0)
    {
      windows.append(fold_of_window(window - 160, window, op));
    }
    running_fold<T, Op> carry = windows;
    if (t % 160 > 0)
    {
      carry.append(fold_of_window(window, window + t % 160, op));
    }
    carries.push_back(carry.value);
  }
  return carries;
}

// Values and operators ------------------------------------------------------------------------------------------------

struct sum
{
  template <class T>
  T operator()(const T& a, const T& b) const
  {
    return static_cast<T>(a + b);
  }
};

// x -> factor * x + offset, modulo 2^32; not commutative.
struct affine
{
  std::uint32_t factor, offset;
};
struct compose
{
  affine operator()(const affine& first, const affine& second) const
  {
    return {second.factor * first.factor, second.factor * first.offset + second.offset};
  }
};

// A run of numbered things. Anything but joining neighbours, in order, leaves a broken one.
struct interval
{
  std::int32_t first, last;
};
struct join
{
  interval operator()(const interval& left, const interval& right) const
  {
    return left.last + 1 == right.first ? interval{left.first, right.last} : interval{-1000000, -1000000};
  }
};

// Upper triangular matrices; three words, not commutative.
struct triangle
{
  std::uint32_t a, b, c;
};
struct multiply
{
  triangle operator()(const triangle& x, const triangle& y) const
  {
    return {x.a + y.a, x.b + y.b, x.c + y.c + x.a * y.b};
  }
};

template <class T>
struct sample;

template <>
struct sample<std::int32_t>
{
  using op = sum;
  static std::int32_t at(int i, std::mt19937&)
  {
    return i < 0 ? 1000 : i % 101 - 50;
  }
};
template <>
struct sample<std::uint8_t>
{
  using op = sum;
  static std::uint8_t at(int i, std::mt19937& random)
  {
    return static_cast<std::uint8_t>(i < 0 ? 77 : random());
  }
};
template <>
struct sample<double>
{
  using op = sum;
  static double at(int, std::mt19937& random)
  {
    return std::uniform_real_distribution<double>(-1, 1)(random);
  }
};
template <>
struct sample<float>
{
  using op = sum;
  static float at(int, std::mt19937& random)
  {
    return std::uniform_real_distribution<float>(-1, 1)(random);
  }
};
template <>
struct sample<affine>
{
  using op = compose;
  static affine at(int, std::mt19937& random)
  {
    return {static_cast<std::uint32_t>(random()) | 1, static_cast<std::uint32_t>(random())};
  }
};
template <>
struct sample<interval>
{
  using op = join;
  static interval at(int i, std::mt19937&)
  {
    return i < 0 ? interval{-5, -1} : interval{3 * i, 3 * i + 2};
  }
};
template <>
struct sample<triangle>
{
  using op = multiply;
  static triangle at(int, std::mt19937& random)
  {
    return {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random()), 1};
  }
};

template <class T>
std::vector<T> aggregates_of(int num_tiles)
{
  std::mt19937 random(static_cast<unsigned>(num_tiles));
  std::vector<T> values;
  for (int i = 0; i < num_tiles; ++i)
  {
    values.push_back(sample<T>::at(i, random));
  }
  return values;
}

template <class T>
T initial()
{
  std::mt19937 random(99);
  return sample<T>::at(-1, random);
}

// Tests ---------------------------------------------------------------------------------------------------------------

const int tile_counts[] = {1, 2, 3, 5, 6, 31, 159, 160, 161, 319, 1000, 5000};

// Two threads on a few tiles wait as the kernels do, without a pause. More threads than free cores would make every
// wait last until the system takes the core away, so the others yield.
template <template <class, class, class, class> class Protocol, class T, class Op, class Init>
std::vector<found_carry<T>>
run(workspace<T>& memory, const std::vector<T>& aggregates, Op op, Init init, shape resident)
{
  return resident.blocks <= 2 && aggregates.size() <= 31
         ? exchange<Protocol, carry::atomic_transport>(memory, aggregates, op, init, resident)
         : exchange<Protocol, yielding_transport>(memory, aggregates, op, init, resident);
}

template <template <class, class, class, class> class Protocol, class T, class Reference>
void check_everywhere(Reference reference)
{
  const typename sample<T>::op op{};
  workspace<T> memory(16 * carry::slot_position::window_size);
  for (const shape resident : {shape{1, 1}, shape{2, 1}, shape{2, 4}, shape{3, 1}, shape{5, 4}, shape{8, 2}})
  {
    for (const int num_tiles : tile_counts)
    {
      SCOPED_TRACE(std::to_string(num_tiles) + " tiles, " + std::to_string(resident.blocks) + " blocks, "
                   + std::to_string(resident.groups) + " groups");
      const std::vector<T> aggregates = aggregates_of<T>(num_tiles);
      ASSERT_EQ(
        difference(run<Protocol>(memory, aggregates, op, no_init{}, resident), reference(aggregates, op, no_init{})),
        "");
      const T init = initial<T>();
      ASSERT_EQ(difference(run<Protocol>(memory, aggregates, op, init, resident), reference(aggregates, op, init)), "");
    }
  }
}

const auto sequentially = [](const auto& aggregates, auto op, auto init) {
  return left_to_right(aggregates, op, init);
};
const auto as_documented = [](const auto& aggregates, auto op, auto init) {
  return documented_order(aggregates, op, init);
};

template <class T>
class exact : public ::testing::Test
{};
using exact_types = ::testing::Types<std::int32_t, std::uint8_t, affine, interval, triangle>;
TYPED_TEST_SUITE(exact, exact_types);

TYPED_TEST(exact, look_across_is_the_sequential_fold)
{
  check_everywhere<carry::look_across, TypeParam>(sequentially);
}

TYPED_TEST(exact, chain_is_the_sequential_fold)
{
  check_everywhere<carry::chain, TypeParam>(sequentially);
}

template <class T>
class rounded : public ::testing::Test
{};
using rounded_types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(rounded, rounded_types);

// One reference for every number of blocks: so the bits do not depend on that number.
TYPED_TEST(rounded, look_across_has_the_bits_of_the_documented_order)
{
  check_everywhere<carry::look_across, TypeParam>(as_documented);
}

TYPED_TEST(rounded, chain_has_the_bits_of_the_sequential_fold)
{
  check_everywhere<carry::chain, TypeParam>(sequentially);
}

// The references themselves: were they the same for rounded values, the tests above could not tell the orders apart.
TEST(references, differ_where_rounding_does)
{
  const std::vector<float> aggregates = aggregates_of<float>(1000);
  EXPECT_NE(difference(as_documented(aggregates, sum{}, no_init{}), sequentially(aggregates, sum{}, no_init{})), "");
  const std::vector<affine> maps = aggregates_of<affine>(1000);
  EXPECT_EQ(difference(as_documented(maps, compose{}, no_init{}), sequentially(maps, compose{}, no_init{})), "");
}

TEST(references, see_a_wrong_order)
{
  std::vector<interval> aggregates = aggregates_of<interval>(400);
  const auto expected              = sequentially(aggregates, join{}, no_init{});
  std::swap(aggregates[200], aggregates[201]);
  EXPECT_EQ(difference(sequentially(aggregates, join{}, no_init{}), expected), "tile 201 has another carry");
}
} // namespace
