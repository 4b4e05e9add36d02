// What the parts of the emulator share: the threads of a launch, its blocks, and what is under way (machine.h).
#pragma once

#include "fiber.h"
#include "machine.h"

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace emulated
{
inline constexpr unsigned lanes = 32;

struct block;

enum class state
{
  ready,
  polls,
  waits,
  ended
};

// Bulk stores that a thread has put into one group: parts that are still to be read from shared memory, and to be written.
struct store_group
{
  unsigned unread    = 0;
  unsigned unwritten = 0;
};

// 16-byte copies that a thread has begun since its last arrival for such, and the barrier of the arrival that ends the batch.
struct load_batch
{
  unsigned under_way     = 0;
  std::uint64_t* barrier = nullptr;
};

struct lane_thread
{
  thread_names names{};
  block* of                                      = nullptr;
  fiber* runner                                  = nullptr;
  state now                                      = state::ready;
  std::string (*waits_where)(const lane_thread&) = nullptr; // says what it waits for

  // A collective call.
  bool meets           = false;
  collective kind      = collective::sync;
  unsigned mask        = 0;
  std::uint64_t value  = 0;
  unsigned operand     = 0;
  int width            = 32;
  std::uint64_t result = 0;

  bool asks_active       = false;
  unsigned active        = 0;
  unsigned named_barrier = 0;
  unsigned named_count   = 0;
  std::uint64_t* barrier = nullptr;
  bool parity            = false;
  const char* polled     = "";
  const void* watched    = nullptr;                // the word of shared memory, or mbarrier, that it has asked last
  std::unordered_map<const void*, unsigned> reads; // of words of global memory since it last did anything else

  std::vector<store_group> groups; // the last one is open
  bool waits_for_copies = false;
  bool written          = false;
  std::vector<std::shared_ptr<load_batch>> batches; // the last one is open
};

// One block: its threads, and which of them may run.
struct block
{
  unsigned number = 0;
  unsigned alive  = 0;
  std::vector<lane_thread> threads;
  std::vector<lane_thread*> ready;
  std::vector<lane_thread*> to_ask; // they poll, and something has happened since they asked
  std::vector<lane_thread*> asked;
  std::uint64_t seen = 0; // words of global memory that were written
  std::unordered_map<const void*, std::vector<lane_thread*>>
    waiting;                            // for an mbarrier or a word of shared memory, by address
  std::vector<std::uint64_t*> barriers; // in the order of initialisation
  std::map<unsigned, std::vector<lane_thread*>> at_named;
  unsigned copies   = 0; // under way, to or from its shared memory
  unsigned priority = 0;

  lane_thread* warp(unsigned thread)
  {
    return &threads[thread / lanes * lanes];
  }
};

// What happens later: a copy's part, or an arrival.
struct pending
{
  std::function<void()> happen;
  block* shared = nullptr;       // whose memory it reads or writes
  std::shared_ptr<char> begun{}; // what comes before it has released this (order.h)
};

// How a launch's course is drawn; each launch draws one.
struct temper
{
  unsigned one_in_moves    = 256; // steps until another block runs
  unsigned one_in_yields   = 0;   // calls at which others go on; 0 for never
  unsigned one_in_strays   = 1;   // choices that are made at random; otherwise the last to become ready goes on
  unsigned tries           = 0;   // draws of which the warp of the highest priority goes on
  unsigned one_in_changes  = 0;   // choices at which a block's priorities are drawn anew; 0 for never
  std::uint64_t most_delay = 0;   // steps until a copy happens, at most
  bool late_stores         = false;
};

// The launch under way; there is one at a time.
struct course
{
  std::mt19937_64 random;
  temper mood;
  std::uint64_t step            = 0;
  std::uint64_t turns           = 0;
  std::uint64_t written         = 0; // words of global memory
  std::uint64_t deeds           = 0; // of threads, of copies: all that is more than a question
  std::uint64_t deeds_when_idle = 0;
  std::multimap<std::uint64_t, pending> later;     // by step
  std::map<const void*, std::uint64_t> last_store; // the step at which a word's last late store happens
  std::vector<std::unique_ptr<block>> resident;
  std::vector<std::unique_ptr<block>> past; // what is still to be written tells their threads
  lane_thread* running = nullptr;
  std::string wrong; // why the launch has failed
};
extern course now;

bool one_in(unsigned many);
temper any_temper();
// The running thread has done more than ask.
void acted();
// Lets guard pages (memory.h) fail the launch.
void catch_faults();
// Wakes whoever waits for an mbarrier or a word of shared memory.
void wake(block& in, const void* word);
// The running thread gives way; it is in one of the block's lists, or waits.
void give_way(state until, std::string (*where)(const lane_thread&));
void make_ready(lane_thread& thread);
// Something that happens some time later, and not before step `from`.
std::uint64_t schedule(std::function<void()> happen, block* shared, std::uint64_t from = 0);
// A thread ends: who waits for it must not.
void ended(lane_thread& thread);
void look_for_meeting(lane_thread& any_of_warp);
// Fails the launch where this is no mbarrier.
void expect_barrier(const std::uint64_t* barrier);
// Bytes and arrivals of a copy, when no thread runs.
void complete(std::uint64_t* barrier, block& in, unsigned bytes, unsigned arrivals);
std::string state_of_barrier(const block& in, std::uint64_t* barrier);
} // namespace emulated
