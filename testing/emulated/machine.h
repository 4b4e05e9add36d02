// A GPU of a few multiprocessors in a program: it runs kernels that the host's compiler has made, one thread of a kernel at a time.
//
// Each of a kernel's threads is a fiber with a stack of its own, each resident block a thread of the system, because a block's shared
// memory is `thread_local`. A baton lets one of these run at a time, so the seed alone decides the whole course of a launch: which
// fiber goes next, when a block has to wait for the others, when a copy arrives. A fiber runs until it waits for something or polls.
//
// Where everybody waits, or polls in vain, and nothing is under way, the launch fails and says who waits where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

namespace emulated
{
// A launch that ends in no other way: a hang, or something that no kernel may do. Its fibers are gone, and their objects never destroyed.
struct failure : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

// What a launch meets. Tests set it.
struct gpu
{
  int multiprocessors = 2;
  int blocks_each     = 1; // resident on one of them
  // Blocks that can really be resident, where others hold a part of the GPU; 0 for all that there is room for.
  int room                 = 0;
  std::uint64_t seed       = 1;           // of the next launch
  std::uint64_t most_turns = 200'000'000; // of threads, in a launch
  std::uint64_t turns      = 0;           // in the last one
};
gpu& device();

// A launch of `blocks` blocks, of which `resident` are resident at a time; others begin, in order, as these end. Throws a `failure`.
struct grid
{
  unsigned blocks;
  unsigned threads;
  unsigned resident;
  std::function<void()> kernel;            // as each thread calls it
  std::function<void()> block_begins;      // on the thread of the system that has the block's shared memory
  std::function<std::string()> block_ends; // there, too; says what is wrong
};
void run(const grid& launched);

// Names and numbers of the thread that runs.
struct thread_names
{
  unsigned thread;
  unsigned block;
  unsigned threads;
  unsigned blocks;
};
extern const thread_names* here;

// A number below `end`, from the launch's seed.
unsigned any_below(unsigned end);

// Ends the launch as a failure; for what a kernel must not do.
[[noreturn]] void misused(const std::string& what);

// Others may run before the caller goes on.
void may_give_way();
// The caller has asked for something that is not there yet, and will ask again.
void poll(const char* where);
// The caller takes a while.
void pause();
// The caller reads a word that others write, or has written one; `of_block`: in shared memory. Who reads again and again polls.
void reads(const void* word, bool of_block);
void wrote(const void* word, bool of_block);

// Collective calls of the lanes in `mask` that have not ended.
enum class collective
{
  sync,
  shuffle,
  shuffle_up,
  shuffle_down,
  ballot,
  add,
  greatest
};
// `operand`: the lane to read from, or the distance to it; `width` as in CUDA's shuffles.
std::uint64_t meet(collective kind, unsigned mask, std::uint64_t value, unsigned operand = 0, int width = 32);
// Lanes that run together: some of those that have come to such a call, whichever; the same code may be part of several calls.
unsigned active_lanes();
// The barrier `id` of a block; of all its threads that have not ended, where there is no count.
void synchronize(unsigned id, unsigned threads = 0);

// mbarrier objects: arrivals and bytes to come, in 64 bits.
void initialize(std::uint64_t* barrier, unsigned arrivals);
void arrive(std::uint64_t* barrier, unsigned bytes_to_come = 0);
bool is_over(std::uint64_t* barrier, bool parity);
// Waits, but may return false.
bool wait_for(std::uint64_t* barrier, bool parity);

// Bulk copies. Each happens in parts, some time later.
void load_bulk(void* shared, const void* global, unsigned bytes, std::uint64_t* barrier);
void prefetch_bulk(const void* global, unsigned bytes);
void prefetch(const void* global);
void store_bulk(void* global, const void* shared, unsigned bytes);

// Of boxes of an array of 4-byte words, which may reach beyond it: what lies there comes as zeros, and goes nowhere. Those of stores must
// not begin before it: an H200 calls that an illegal instruction.
struct box_map
{
  unsigned char* first;
  std::uint64_t words, rows;
  std::uint64_t bytes_on; // from a row to the next
  unsigned box_words, box_rows;
};
void load_box(void* shared, const box_map& map, int column, int row, std::uint64_t* barrier);
void store_box(const box_map& map, int column, int row, const void* shared);
void commit_stores();
// Returns once all groups of stores but the last `but` have been read from shared memory, or have also been written.
void wait_for_stores(unsigned but, bool written);

// Copies of 16 bytes, some time later, and an arrival after all that the thread has begun.
void load_16(void* shared, const void* global);
void arrive_after_loads(std::uint64_t* barrier);

// A store of a word of global memory that others see some time later.
void store_late(std::uint64_t* address, std::uint64_t value);
} // namespace emulated
