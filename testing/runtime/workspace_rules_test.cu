// Rules, held without a GPU (fake_cuda.h): memory for slots is bounded by the streams that have work under way and what is kept;
// a workspace serves another stream once its last launch has run, and no sooner; a stream that stays settles; slots are cleared
// where tags run out or nobody knows them, in a graph by a kernel.
#include "../support/random_values.h"
#include "fake_scan.h"

#include <lightscan/device_value.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace
{
using namespace fake_scan;

class workspaces : public without_gpu
{};
} // namespace

TEST_F(workspaces, a_stream_that_stays_settles_and_needs_no_events)
{
  fake_cuda::now.context     = new_context();
  fake_cuda::now.has_context = true;
  for (unsigned i = 0; i < lightscan::runtime::settles_after + 10; ++i)
  {
    ASSERT_TRUE(scan(large));
  }
  EXPECT_EQ(fake_cuda::now.events_recorded, static_cast<int>(lightscan::runtime::settles_after));
  const int calls = fake_cuda::now.calls;
  EXPECT_TRUE(scan(large));
  EXPECT_EQ(fake_cuda::now.calls, calls + 3);
}

// Streams come and go, each with a scan or two; `work_has_run` says whether the GPU keeps up.
TEST_F(workspaces, memory_is_for_the_streams_that_have_work_under_way)
{
  static std::array<char, 6000> streams;
  std::size_t used = 0;
  const struct
  {
    std::int64_t items;
    int size;
  } cases[] = {{10000, 0}, {large, 1}};
  for (const auto& c : cases)
  {
    SCOPED_TRACE(std::to_string(c.items) + " items");
    fake_cuda::now                   = {};
    const unsigned long long context = new_context();
    fake_cuda::now.context           = context;
    fake_cuda::now.has_context       = true;
    const auto use                   = [&](std::size_t count) {
      for (std::size_t i = 0; i < count; ++i, ++used)
      {
        const auto stream = reinterpret_cast<cudaStream_t>(&streams[used]);
        EXPECT_TRUE(scan(c.items, stream) && scan(c.items, stream));
      }
    };
    const int kept = lightscan::runtime::workspace_sizes[c.size].max_kept;
    auto& registry = lightscan::runtime::workspace_registry::instance();
    use(1500);
    EXPECT_EQ(registry.count(context, c.size), kept) << "idle ones serve other streams";
    EXPECT_EQ(fake_cuda::now.memory_made, kept);

    fake_cuda::now.work_has_run = false;
    use(200);
    EXPECT_EQ(registry.count(context, c.size), kept + 200) << "busy ones do not";

    fake_cuda::now.work_has_run = true;
    use(400);
    EXPECT_EQ(registry.count(context, c.size), kept) << "and go when they are idle again";
    EXPECT_EQ(fake_cuda::now.memory.size(), static_cast<std::size_t>(kept));
  }
}

// However many streams there are: more than the registry has lists. Some have had others' workspaces before.
TEST_F(workspaces, streams_in_turn_find_their_own_again)
{
  constexpr std::size_t count = 10000;
  static std::array<char, count + 3000> streams;
  fake_cuda::now.context     = new_context();
  fake_cuda::now.has_context = true;
  const auto use             = [&](std::size_t i) {
    EXPECT_TRUE(scan(10000, reinterpret_cast<cudaStream_t>(&streams[i])));
  };
  for (std::size_t i = count; i < streams.size(); ++i)
  {
    use(i);
  }
  fake_cuda::now.work_has_run = false;
  for (std::size_t i = 0; i < count; ++i)
  {
    use(i);
  }
  const int made = fake_cuda::now.memory_made;
  EXPECT_GE(made, static_cast<int>(count));
  for (std::size_t i = 0; i < count; ++i)
  {
    use(i);
    use(count - 1 - i);
  }
  EXPECT_EQ(fake_cuda::now.memory_made, made);
}

// Memory beyond what is kept comes from a pool, to be freed without a wait; ordinary memory serves where that fails.
TEST_F(workspaces, memory_beyond_what_is_kept_may_come_from_a_pool_or_not)
{
  static std::array<char, 4000> streams;
  std::size_t used = 0;
  for (const char* const failing :
       {"", "cudaMemPoolCreate", "cudaStreamCreateWithFlags", "cudaMallocFromPoolAsync", "cudaStreamSynchronize"})
  {
    SCOPED_TRACE(failing);
    fake_cuda::now                   = {};
    const unsigned long long context = new_context();
    fake_cuda::now.context           = context;
    fake_cuda::now.has_context       = true;
    fake_cuda::now.always_failing    = failing;
    fake_cuda::now.work_has_run      = false;
    const int kept                   = lightscan::runtime::workspace_sizes[1].max_kept;
    for (int i = 0; i < kept + 50; ++i)
    {
      EXPECT_TRUE(scan(large, reinterpret_cast<cudaStream_t>(&streams[used++])));
    }
    auto& registry = lightscan::runtime::workspace_registry::instance();
    EXPECT_EQ(registry.count(context, 1), kept + 50);
    EXPECT_EQ(fake_cuda::now.memory.size(), static_cast<std::size_t>(kept + 50)) << "memory was lost";
    EXPECT_EQ(fake_cuda::now.last, cudaSuccess) << "an error was left behind";
    fake_cuda::now.work_has_run = true;
    for (int i = 0; i < 300; ++i)
    {
      EXPECT_TRUE(scan(large, reinterpret_cast<cudaStream_t>(&streams[used++])));
    }
    EXPECT_EQ(registry.count(context, 1), *failing == '\0' ? kept : kept + 50);
  }
}

// Memory that is kept serves first, wherever the search begins: one call among idle workspaces is enough to lose the one too many.
TEST_F(workspaces, one_beyond_those_that_are_kept_goes_with_the_next_call)
{
  const int kept   = lightscan::runtime::workspace_sizes[1].max_kept;
  const int rounds = 3 * kept;
  std::vector<char> streams(static_cast<std::size_t>(kept + 2 * rounds));
  std::size_t used                 = 0;
  auto& registry                   = lightscan::runtime::workspace_registry::instance();
  const unsigned long long context = new_context();
  fake_cuda::now.context           = context;
  fake_cuda::now.has_context       = true;
  const auto scan_on_another       = [&](bool work_has_run) {
    fake_cuda::now.work_has_run = work_has_run;
    return static_cast<bool>(scan(large, reinterpret_cast<cudaStream_t>(&streams[used++])));
  };
  for (int i = 0; i < kept; ++i)
  {
    ASSERT_TRUE(scan_on_another(false));
  }
  for (int round = 0; round < rounds; ++round)
  {
    SCOPED_TRACE(round);
    ASSERT_TRUE(scan_on_another(false));
    ASSERT_EQ(registry.count(context, 1), kept + 1);
    ASSERT_TRUE(scan_on_another(true));
    EXPECT_EQ(registry.count(context, 1), kept);
  }
}

// Threads that allocate at the same time do not both keep the last one.
TEST_F(workspaces, no_more_are_kept_where_two_threads_allocate_at_once)
{
  static std::array<char, 100> streams;
  std::size_t used                 = 0;
  auto& registry                   = lightscan::runtime::workspace_registry::instance();
  const int kept                   = lightscan::runtime::workspace_sizes[1].max_kept;
  const unsigned long long context = new_context();
  fake_cuda::now.context           = context;
  fake_cuda::now.has_context       = true;
  fake_cuda::now.work_has_run      = false;
  const auto scan_on_another       = [&] {
    EXPECT_TRUE(scan(large, reinterpret_cast<cudaStream_t>(&streams[used++])));
  };
  for (int i = 0; i < kept - 1; ++i)
  {
    scan_on_another();
  }
  fake_cuda::now.meanwhile = scan_on_another;
  scan_on_another();
  EXPECT_EQ(registry.count(context, 1), kept + 1);
  fake_cuda::now.work_has_run = true;
  for (int i = 0; i < 3; ++i)
  {
    scan_on_another();
  }
  EXPECT_EQ(registry.count(context, 1), kept);
}

// The larger one then serves both.
TEST_F(workspaces, a_stream_with_small_scans_and_large_ones_has_two_workspaces)
{
  fake_cuda::now.context     = new_context();
  fake_cuda::now.has_context = true;
  for (int round = 0; round < 3; ++round)
  {
    EXPECT_TRUE(scan(10000));
    EXPECT_TRUE(scan(large));
  }
  EXPECT_EQ(fake_cuda::now.memory_made, 2);
  EXPECT_LE(fake_cuda::now.largest_cleared, lightscan::carry::workspace_bytes);
}

TEST_F(workspaces, a_stream_that_finds_its_workspace_taken_over_gets_another)
{
  static std::array<char, 200> streams;
  fake_cuda::now.context     = new_context();
  fake_cuda::now.has_context = true;
  const auto stream          = [&](int i) {
    return reinterpret_cast<cudaStream_t>(&streams[static_cast<std::size_t>(i)]);
  };
  EXPECT_TRUE(scan(large, stream(0)));
  std::thread([&] {
    for (int i = 1; i < 200; ++i)
    {
      EXPECT_TRUE(scan(large, stream(i)));
    }
  }).join();
  fake_cuda::now.work_has_run = false;
  const int made              = fake_cuda::now.memory_made;
  EXPECT_TRUE(scan(large, stream(0))) << "this thread remembers a workspace that is another stream's now";
  EXPECT_EQ(fake_cuda::now.memory_made, made + 1);
}

template <class Number>
lightscan::runtime::outcome scan_counted_on_the_gpu()
{
  using count = lightscan::device_value<Number>;
  using counted =
    dispatch::scan_problem<int, const int*, int*, testing_support::plus, lightscan::util::no_init, true, count>;
  return dispatch::launcher<counted>(counted{nullptr, nullptr, {nullptr}, {}, {}}, nullptr).run();
}

template <class Number>
constexpr std::int64_t most_counted_by = dispatch::most_items<lightscan::device_value<Number>>;
static_assert(most_counted_by<int> == std::numeric_limits<int>::max());
static_assert(most_counted_by<unsigned> == std::numeric_limits<unsigned>::max());
static_assert(most_counted_by<std::uint8_t> >= 255 && most_counted_by<std::uint8_t> < dispatch::any_number);
static_assert(most_counted_by<std::int64_t> == dispatch::any_number);
static_assert(most_counted_by<std::uint64_t> == dispatch::any_number);

// A launch whose number of tiles only the GPU knows may leave any tag behind.
TEST_F(workspaces, a_workspace_is_cleared_after_a_count_that_only_the_gpu_knew)
{
  fake_cuda::now.context     = new_context();
  fake_cuda::now.has_context = true;
  EXPECT_TRUE(scan(large));
  const auto cleared = [&](auto call) {
    fake_cuda::now.largest_cleared = 0;
    EXPECT_TRUE(call());
    return fake_cuda::now.largest_cleared;
  };
  const auto known = [&] {
    return scan(large);
  };
  const auto unknown = [&] {
    return scan_counted_on_the_gpu<std::int64_t>();
  };
  EXPECT_EQ(cleared(known), 0u);
  EXPECT_EQ(cleared(unknown), lightscan::carry::workspace_bytes);
  EXPECT_EQ(cleared(unknown), lightscan::carry::workspace_bytes);
  EXPECT_EQ(cleared(known), lightscan::carry::workspace_bytes);
  EXPECT_EQ(cleared(known), 0u);
  EXPECT_EQ(fake_cuda::now.memory_made, 1);
}

// Unless its type bounds it: then it takes as many tags as the largest number would.
TEST_F(workspaces, a_workspace_is_not_cleared_for_a_count_of_a_narrow_type)
{
  fake_cuda::now.context     = new_context();
  fake_cuda::now.has_context = true;
  EXPECT_TRUE(scan(large));
  fake_cuda::now.largest_cleared = 0;
  for (int again = 0; again < 3; ++again)
  {
    EXPECT_TRUE(scan_counted_on_the_gpu<int>());
    EXPECT_TRUE(scan_counted_on_the_gpu<unsigned>());
    EXPECT_TRUE(scan(large));
  }
  EXPECT_EQ(fake_cuda::now.largest_cleared, 0u);
  EXPECT_EQ(fake_cuda::now.memory_made, 1);
}

TEST_F(workspaces, tags_that_run_out_begin_again_in_cleared_memory)
{
  fake_cuda::now.context     = new_context();
  fake_cuda::now.has_context = true;
  // So many items that a launch takes two thirds of the tags.
  const auto ring          = std::int64_t{16} * lightscan::carry::slot_position::window_size;
  const std::int64_t items = ring * 2 / 3 * lightscan::carry::last_tag * 6656;
  EXPECT_TRUE(scan(items, nullptr, dispatch::kernels::bulk_only));
  fake_cuda::now.largest_cleared = 0;
  EXPECT_TRUE(scan(items, nullptr, dispatch::kernels::bulk_only));
  EXPECT_EQ(fake_cuda::now.largest_cleared, lightscan::carry::workspace_bytes);

  const lightscan::runtime::outcome too_many = scan(items * 3, nullptr, dispatch::kernels::bulk_only);
  EXPECT_EQ(too_many.error, cudaErrorInvalidValue);
  EXPECT_EQ(fake_cuda::now.launched_grids.size(), 2u);
}

// Up to 4,096 bytes a graph clears without a kernel, which takes it longer; elsewhere so few are cleared sooner.
TEST_F(workspaces, a_graph_clears_so_much_that_a_kernel_does_it)
{
  using lightscan::runtime::least_cleared_in_graph;
  constexpr std::int64_t few = 40000; // whose slots have less than 4,096 bytes
  fake_cuda::now.context     = new_context();
  fake_cuda::now.has_context = true;
  void* memory               = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, lightscan::carry::workspace_bytes), cudaSuccess);
  const auto cleared_of = [&](bool captured, const lightscan::runtime::slot_source& from, std::int64_t n) {
    fake_cuda::now.capturing       = captured;
    fake_cuda::now.largest_cleared = 0;
    EXPECT_TRUE(dispatch::launcher<problem>(problem{nullptr, nullptr, n, {}, {}}, nullptr).run(from));
    return fake_cuda::now.largest_cleared;
  };
  const auto brought = [&](std::size_t bytes) {
    return lightscan::runtime::slots_brought(memory, bytes);
  };
  EXPECT_GE(cleared_of(true, {}, few), least_cleared_in_graph);
  EXPECT_GE(cleared_of(true, brought(lightscan::carry::workspace_bytes), few), least_cleared_in_graph);
  EXPECT_GE(cleared_of(true, brought(least_cleared_in_graph), few), least_cleared_in_graph);
  EXPECT_EQ(cleared_of(true, brought(1496), few), 1496u) << "there is no more";
  lightscan::runtime::kept_slots kept{memory};
  EXPECT_GE(cleared_of(true, lightscan::runtime::slots_kept(kept), few), least_cleared_in_graph);
  const std::size_t elsewhere = cleared_of(false, brought(lightscan::carry::workspace_bytes), few);
  EXPECT_TRUE(elsewhere > 0 && elsewhere <= 4096) << elsewhere;

  // Then slots have all their copies, which elsewhere are not worth a kernel.
  constexpr std::int64_t more = 1 << 20;
  EXPECT_GT(cleared_of(true, {}, more), least_cleared_in_graph);
  EXPECT_GT(cleared_of(true, brought(lightscan::carry::workspace_bytes), more), least_cleared_in_graph);
  const std::size_t of_more = cleared_of(false, brought(lightscan::carry::workspace_bytes), more);
  EXPECT_TRUE(of_more > 0 && of_more <= 4096) << of_more;
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

// Slots that somebody keeps, by a model of what lies in them: a launch, and a graph at whatever time it is replayed, finds no tag there
// that is among its own.
TEST_F(workspaces, kept_slots_never_show_a_launch_tags_of_its_own)
{
  struct launch
  {
    std::uint32_t first;
    std::uint32_t count;
    bool clears;
  };
  const auto seed = static_cast<unsigned>(testing_support::seed());
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&random](std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
  };
  int cleared = 0;
  for (int round = 0; round < 200; ++round)
  {
    lightscan::runtime::kept_slots kept;
    kept.next_tag = below(2) == 0 ? 1 : lightscan::carry::last_tag - below(2000);
    std::vector<launch> graphs;
    std::vector<launch> there; // whose tags may lie in the slots
    const auto run = [&](const launch& one) {
      if (one.clears)
      {
        there.clear();
        ++cleared;
      }
      for (const launch& other : there)
      {
        ASSERT_TRUE(one.first >= other.first + other.count || other.first >= one.first + one.count)
          << one.first << " and " << one.count << " more beside " << other.first << " and " << other.count;
      }
      there.push_back(one);
    };
    for (int step = 0; step < 40; ++step)
    {
      launch one{0, 1 + below(100), false};
      const std::uint32_t what = below(8);
      if (what == 0)
      {
        one.clears = kept.take_tags(true, one.count, one.first);
        ASSERT_TRUE(one.clears);
        graphs.push_back(one);
      }
      else if (what < 4 && !graphs.empty())
      {
        run(graphs[below(static_cast<std::uint32_t>(graphs.size()))]);
      }
      else
      {
        one.clears = kept.take_tags(false, one.count, one.first);
        ASSERT_LE(std::uint64_t{one.first} + one.count, std::uint64_t{lightscan::carry::last_tag} + 1);
        run(one);
      }
    }
  }
  EXPECT_GT(cleared, 0);
}
