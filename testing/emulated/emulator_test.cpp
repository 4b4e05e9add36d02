// Rule: the emulator finds what it is there for: threads that wait for ever, arrivals that are missing or too many, lanes that do not
// meet, stages that are used before a copy has come or gone, blocks that must be resident and are not.
#include "case.h"

using namespace emulated;

namespace
{
// Runs a kernel of one's own under some seeds; what the failures said, or "" where there was none.
std::string outcome_of(unsigned blocks, unsigned threads, unsigned resident, void (*kernel)(), int seeds = 20)
{
  for (int seed = 1; seed <= seeds; ++seed)
  {
    device().seed = static_cast<std::uint64_t>(seed);
    grid launched;
    launched.blocks       = blocks;
    launched.threads      = threads;
    launched.resident     = resident;
    launched.kernel       = kernel;
    launched.block_begins = [] {};
    launched.block_ends   = [] {
      return std::string();
    };
    try
    {
      run(launched);
    }
    catch (const failure& failed)
    {
      return failed.what();
    }
  }
  return "";
}

bool says(const std::string& whole, const char* part)
{
  return whole.find(part) != std::string::npos;
}

namespace ptx = cuda::ptx;

int found[64];      // global memory
std::uint64_t word; // of slots
alignas(16) unsigned char bytes[64];

struct shared_memory
{
  std::uint64_t barrier;
  int number[64];
  alignas(16) unsigned char stage[64];
};
} // namespace

TEST(emulator, runs_blocks_that_wait_for_each_other)
{
  word = 0;
  EXPECT_EQ(outcome_of(3,
                       32,
                       3,
                       [] {
                         const lightscan::carry::default_transport slots;
                         if (threadIdx.x == 0)
                         {
                           while (slots.load(&word) % 3 != blockIdx.x)
                           {}
                           slots.store(&word, slots.load(&word) + 1);
                         }
                       }),
            "");
  EXPECT_EQ(word, 60u);
}

TEST(emulator, finds_a_wait_for_a_block_that_has_no_room)
{
  word                     = 0;
  const std::string failed = outcome_of(2, 32, 1, [] {
    const lightscan::carry::default_transport slots;
    if (blockIdx.x == 1)
    {
      slots.store(&word, 1);
    }
    while (blockIdx.x == 0 && slots.load(&word) == 0)
    {}
  });
  EXPECT_TRUE(says(failed, "nobody can go on")) << failed;
  EXPECT_TRUE(says(failed, "polls words of global memory")) << failed;
}

TEST(emulator, finds_a_missing_arrival)
{
  const std::string failed = outcome_of(1, 64, 1, [] {
    __shared__ shared_memory shared;
    if (threadIdx.x == 0)
    {
      ptx::mbarrier_init(&shared.barrier, 65);
    }
    __syncthreads();
    ptx::mbarrier_arrive(&shared.barrier);
    while (!ptx::mbarrier_try_wait_parity(&shared.barrier, 0))
    {}
  });
  EXPECT_TRUE(says(failed, "lacks 1 of 65 arrivals")) << failed;
}

TEST(emulator, finds_bytes_that_never_come)
{
  const std::string failed = outcome_of(1, 32, 1, [] {
    __shared__ shared_memory shared;
    if (threadIdx.x == 0)
    {
      ptx::mbarrier_init(&shared.barrier, 1);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &shared.barrier, 32);
      load_bulk(shared.stage, bytes, 16, &shared.barrier);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&shared.barrier, 0))
    {}
  });
  EXPECT_TRUE(says(failed, "and 16 bytes")) << failed;
}

TEST(emulator, finds_a_use_of_what_is_no_barrier)
{
  const std::string failed = outcome_of(1, 32, 1, [] {
    __shared__ shared_memory shared;
    shared.barrier = 0;
    ptx::mbarrier_arrive(&shared.barrier);
  });
  EXPECT_TRUE(says(failed, "what is no mbarrier")) << failed;
}

TEST(emulator, finds_a_named_barrier_that_some_do_not_reach)
{
  const std::string failed = outcome_of(1, 96, 1, [] {
    if (threadIdx.x < 64)
    {
      __barrier_sync_count(1, 96);
    }
  });
  EXPECT_TRUE(says(failed, "of 96 threads, where there are 64")) << failed;
}

TEST(emulator, finds_a_lane_that_does_not_meet_the_others)
{
  const std::string failed = outcome_of(1, 32, 1, [] {
    if (threadIdx.x != 5)
    {
      __syncwarp();
    }
    else
    {
      __barrier_sync_count(3, 32);
    }
  });
  EXPECT_TRUE(says(failed, "waits in __syncwarp")) << failed;
}

namespace
{
template <bool Meet>
void reverse()
{
  __shared__ int number[32];
  number[threadIdx.x] = -1;
  __syncwarp();
  number[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (Meet)
  {
    __syncwarp();
  }
  found[threadIdx.x] += number[31 - threadIdx.x] != static_cast<int>(31 - threadIdx.x);
}
} // namespace

// Lanes run one by one and in any order: what is not ordered by a meeting is not there.
TEST(emulator, shows_what_a_missing_syncwarp_does)
{
  std::fill(std::begin(found), std::end(found), 0);
  EXPECT_EQ(outcome_of(1,
                       32,
                       1,
                       [] {
                         reverse<true>();
                       }),
            "");
  EXPECT_EQ(std::count(found, found + 32, 0), 32);
  EXPECT_EQ(outcome_of(1,
                       32,
                       1,
                       [] {
                         reverse<false>();
                       }),
            "");
  EXPECT_NE(std::count(found, found + 32, 0), 32);
}

TEST(emulator, shows_a_stage_that_is_written_before_it_has_been_read)
{
  std::memset(bytes, 7, sizeof bytes);
  EXPECT_EQ(outcome_of(1,
                       1,
                       1,
                       [] {
                         __shared__ shared_memory shared;
                         std::memset(shared.stage, 7, 64);
                         store_bulk(bytes, shared.stage, 64);
                         commit_stores();
                         wait_for_stores(0, false);
                         std::memset(shared.stage, 8, 64);
                       }),
            "");
  EXPECT_EQ(std::count(std::begin(bytes), std::end(bytes), 7), 64);
  EXPECT_EQ(outcome_of(1,
                       1,
                       1,
                       [] {
                         __shared__ shared_memory shared;
                         std::memset(shared.stage, 7, 64);
                         store_bulk(bytes, shared.stage, 64);
                         commit_stores();
                         std::memset(shared.stage, 8, 64);
                         wait_for_stores(0, true);
                         found[0] += static_cast<int>(std::count(std::begin(bytes), std::end(bytes), 8));
                       }),
            "");
  EXPECT_GT(found[0], 0);
}

TEST(emulator, finds_copies_under_way_where_a_block_ends)
{
  const std::string failed = outcome_of(1, 1, 1, [] {
    __shared__ shared_memory shared;
    load_16(shared.stage, bytes);
  });
  EXPECT_TRUE(says(failed, "copies under way")) << failed;
}

TEST(emulator, finds_reads_outside_of_memory)
{
  static memory<int>* there = nullptr;
  memory<int> some(16);
  there                    = &some;
  const std::string failed = outcome_of(1, 1, 1, [] {
    found[0] = there->data()[threadIdx.x + 100];
  });
  EXPECT_TRUE(says(failed, "where there is no memory")) << failed;
}

TEST(emulator, goes_the_same_way_from_the_same_seed)
{
  const auto turns = [](std::uint64_t seed) {
    std::mt19937_64 random(1);
    using T       = maps<std::uint32_t, 1>;
    using problem = dispatch::scan_problem<T, const T*, T*, compose, no_init, true>;
    const range<T> in(values<T>(30000, random), {0, true});
    const range<T> out(30000, {0, true});
    device().seed            = seed;
    device().multiprocessors = 3;
    device().room            = 0;
    launch(problem{in.data(), out.data(), 30000, {}, {}}, kernels::bulk_only);
    return device().turns;
  };
  EXPECT_EQ(turns(5), turns(5));
  EXPECT_NE(turns(5), turns(6));
}
