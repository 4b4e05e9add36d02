// The protocol between blocks on host threads that run at once (launch.h), with delays at random. The same file is built a
// second time with ThreadSanitizer. (Threads that run one at a time, and faults planted in the protocol: schedule_test.cpp.)
//
// Rules covered:
//   - every tile's carry is the fold of exactly the tiles before it, in order, after the initial value
//   - lookahead: its bits depend on the tile index alone, not on the number of blocks, and are the documented order's
//   - slots are used again, round after round of the ring and launch after launch, and what they held before is never
//     taken for a value (that the ring is large enough for any number of blocks: ../dispatch/plan_test.cpp)
#include "launch.h"
#include "reference_folds.h"
#include "values.h"

#include <lightscan/carry/lookahead.h>
#include <lightscan/carry/slot.h>

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace
{
using namespace testing_support;

// For more threads than cores: a waiting thread lets the one that it waits for run, and before an access a thread may lose
// its core to any other.
struct delaying_transport : carry::atomic_transport
{
  static carry::slot_word load(carry::slot_word* address)
  {
    delay(400);
    return carry::atomic_transport::load(address);
  }
  static void store(carry::slot_word* address, carry::slot_word word)
  {
    delay(8);
    carry::atomic_transport::store(address, word);
  }
  static void delay()
  {
    std::this_thread::yield();
  }

private:
  // Once in `every` times, on average.
  static void delay(unsigned every)
  {
    thread_local std::minstd_rand random(
      static_cast<unsigned>(std::hash<std::thread::id>{}(std::this_thread::get_id()) % 1000003u));
    for (unsigned turns = random() % every == 0 ? 1 + random() % 8 : 0; turns > 0; --turns)
    {
      std::this_thread::yield();
    }
  }
};

// One launch: the carry of every tile.
template <class Transport, class T, class Op, class Init>
std::vector<found_carry<T>>
exchange(workspace<T>& memory, const std::vector<T>& aggregates, Op op, Init init, shape resident)
{
  launch<Transport, T, Op, Init> scan(memory, aggregates, op, init, resident);
  std::vector<std::thread> threads;
  for (int b = 1; b < scan.grid(); ++b)
  {
    threads.emplace_back([&scan, b] {
      scan.block(b);
    });
  }
  scan.block(0);
  for (std::thread& thread : threads)
  {
    thread.join();
  }
  return scan.carries();
}

const int tile_counts[] = {1, 2, 3, 5, 6, 31, 159, 160, 161, 319, 1000, 5000};

// Two threads on a few tiles wait as the kernels do, without a pause. More threads than free cores would make every
// wait last until the system takes the core away, so the others yield.
template <class T, class Op, class Init>
std::vector<found_carry<T>>
run(workspace<T>& memory, const std::vector<T>& aggregates, Op op, Init init, shape resident)
{
  return resident.blocks <= 2 && aggregates.size() <= 31
         ? exchange<carry::atomic_transport>(memory, aggregates, op, init, resident)
         : exchange<delaying_transport>(memory, aggregates, op, init, resident);
}

template <class T, class Reference>
void check_everywhere(Reference reference)
{
  const typename sample<T>::op op{};
  workspace<T> memory(64 * carry::slot_position::window_size);
  constexpr std::size_t bytes = carry::workspace_bytes;
  for (const shape resident : {shape{1, 1},
                               shape{2, 1},
                               shape{2, 4},
                               shape{3, 1},
                               shape{3, 1, 1, bytes, true},
                               shape{5, 4, 3},
                               shape{5, 4, 3, bytes, true},
                               shape{8, 2, 8}})
  {
    for (const int num_tiles : tile_counts)
    {
      SCOPED_TRACE(std::to_string(num_tiles) + " tiles, " + std::to_string(resident.blocks) + " blocks, "
                   + std::to_string(resident.groups) + " groups" + (resident.rereads ? ", runs read again" : ""));
      const std::vector<T> aggregates = aggregates_of<T>(num_tiles);
      ASSERT_EQ(difference(run(memory, aggregates, op, no_init{}, resident), reference(aggregates, op, no_init{})), "");
      const T init = initial<T>();
      ASSERT_EQ(difference(run(memory, aggregates, op, init, resident), reference(aggregates, op, init)), "");
    }
  }
}

const auto sequentially = [](const auto& aggregates, auto op, auto init) {
  return left_to_right(aggregates, op, init);
};
const auto as_documented = [](const auto& aggregates, auto op, auto init) {
  return carries_in_order(aggregates, op, init);
};

template <class T>
class exact : public ::testing::Test
{};
using exact_types = ::testing::Types<std::int32_t, std::uint8_t, affine, interval, triangle, keyed>;
TYPED_TEST_SUITE(exact, exact_types);

TYPED_TEST(exact, lookahead_is_the_sequential_fold)
{
  check_everywhere<TypeParam>(sequentially);
}

template <class T>
class rounded : public ::testing::Test
{};
using rounded_types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(rounded, rounded_types);

// One reference for every number of blocks: so the bits do not depend on that number.
TYPED_TEST(rounded, lookahead_has_the_bits_of_the_documented_order)
{
  check_everywhere<TypeParam>(as_documented);
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
