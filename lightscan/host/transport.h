// How the blocks of one call on host threads reach each other's slots, and how they get away when one of them fails.
//
// A block waits in one place only: in lookahead, for aggregates of earlier tiles. A block that throws will never
// publish its own, so whoever waits there looks at the call's flag as well, and leaves by an exception of ours. Blocks
// that do not wait look at the flag before each tile. So every block ends as soon as the operator and the iterators let
// go of it.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/host/pause.h>
#include <lightscan/version.h>

#include <cuda/atomic>

#include <atomic>
#include <exception>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
// What takes a waiting block out of a call that another block has failed in. Never reaches the user.
struct abandoned
{};

// One call's first exception.
class failure
{
public:
  bool happened() const
  {
    return happened_.load(std::memory_order_relaxed);
  }

  // In a handler. The first to come is kept.
  void keep_current()
  {
    if (!kept_.exchange(true, std::memory_order_relaxed))
    {
      first_ = std::current_exception();
    }
    happened_.store(true, std::memory_order_relaxed);
  }

  // Once all blocks have left. An exception of another language cannot be kept, and must not be lost.
  void rethrow() const
  {
    if (first_)
    {
      std::rethrow_exception(first_);
    }
    if (happened())
    {
      std::terminate();
    }
  }

private:
  std::atomic<bool> kept_{false};
  std::atomic<bool> happened_{false};
  std::exception_ptr first_;
};

// The call that a thread takes part in. A nested call, which runs on its thread alone, stands in front of the outer
// one.
class taking_part
{
public:
  explicit taking_part(const failure& of_call)
      : outer_(current())
  {
    current() = &of_call;
  }
  ~taking_part()
  {
    current() = outer_;
  }
  taking_part(const taking_part&)            = delete;
  taking_part& operator=(const taking_part&) = delete;

  static const failure*& current()
  {
    static thread_local const failure* call = nullptr;
    return call;
  }

private:
  const failure* outer_;
};

// Who has polled an aggregate sees what its block wrote before: what an accumulator points to, and that the block has read its tile, which
// may be overwritten then (tile_loop.h).
struct transport : carry::atomic_transport
{
  static LIGHTSCAN_HOST_DEVICE carry::slot_word load(carry::slot_word* address)
  {
    return slot(*address).load(::cuda::std::memory_order_acquire);
  }
  static LIGHTSCAN_HOST_DEVICE void store(carry::slot_word* address, carry::slot_word word)
  {
    slot(*address).store(word, ::cuda::std::memory_order_release);
  }

  // Before a block waits for a tile's carry.
  static void begin_waiting()
  {
    waiting() = {};
  }

  static void delay()
  {
    if (taking_part::current()->happened())
    {
      throw abandoned{};
    }
    waiting().once();
  }

private:
  using slot = ::cuda::atomic_ref<carry::slot_word, ::cuda::thread_scope_device>;

  static host_pool::pauses& waiting()
  {
    static thread_local host_pool::pauses here;
    return here;
  }
};
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
