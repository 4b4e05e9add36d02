// The exchange of totals between the ranks of a scan across GPUs, in two ways: through mailboxes in each other's memory, by
// the protocol of carry/ at system scope, or from what an all-gather has put together. One source for host and device.
//
// A rank's mailbox has two sets of places, used by turns, and in each a place for every rank's message. Each 32-bit word of a message
// lies beside the number of the call, as in carry/slot.h: whoever finds the number it waits for has a valid word, so nothing is
// fenced. Every rank puts its message into all mailboxes, and then waits for all messages in its own, those of higher ranks too. So a rank
// that has ended call k knows that all have begun it, hence have ended call k - 1 and read its messages: the places of that call are
// free for call k + 1.
//
// Order of combination, a function of the number of ranks alone: lane l of a warp folds the totals of as many consecutive ranks, from
// left to right, and the lanes' are folded by a binary tree over neighbours. A rank folds those of lower ranks only, each to the same bits
// by either way.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/ranks/message.h>
#include <lightscan/util/maybe.h>
#include <lightscan/version.h>

#include <cuda/atomic>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ranks
{
using carry::slot_word;

inline constexpr int lanes = 32; // of a warp

// How a word of a mailbox is reached: strong, relaxed and system-wide accesses.
struct system_transport
{
  static LIGHTSCAN_HOST_DEVICE slot_word load(slot_word* address)
  {
    return ::cuda::atomic_ref<slot_word, ::cuda::thread_scope_system>(*address).load(::cuda::std::memory_order_relaxed);
  }
  static LIGHTSCAN_HOST_DEVICE void store(slot_word* address, slot_word word)
  {
    ::cuda::atomic_ref<slot_word, ::cuda::thread_scope_system>(*address).store(word, ::cuda::std::memory_order_relaxed);
  }
  // Nobody else polls there, so there is no pause.
  static LIGHTSCAN_HOST_DEVICE void delay() {}
};

// What came of an exchange.
enum class verdict : ::cuda::std::uint32_t
{
  agreed    = 0,
  gave_up   = 1, // a rank did not call in time
  disagreed = 2  // a rank made another call
};

// The number of a call lies beside each word; a mailbox that was never written has 0. Odd and even ones take turns, past the last,
// too, and with them the sets of places.
LIGHTSCAN_HOST_DEVICE constexpr ::cuda::std::uint32_t number_after(::cuda::std::uint32_t number)
{
  return number == 0xffffffffu ? 2u : number + 1u;
}

constexpr ::cuda::std::size_t mailbox_words(int num_ranks)
{
  return ::cuda::std::size_t{2} * static_cast<::cuda::std::size_t>(num_ranks) * max_words;
}

LIGHTSCAN_HOST_DEVICE constexpr ::cuda::std::size_t place_in_mailbox(::cuda::std::uint32_t number,
                                                                     int from,
                                                                     int num_ranks)
{
  return ((number & 1u) * static_cast<::cuda::std::size_t>(num_ranks) + static_cast<unsigned>(from)) * max_words;
}

// Messages as they arrive in this rank's mailbox. `Patience` says whether to give up waiting.
template <class T, class Transport, class Patience>
struct arriving
{
  slot_word* mailbox;
  ::cuda::std::uint32_t number; // of the call
  int num_ranks;
  Patience& patience;

  // Waits for a rank's message. One of another call is told by its first word; the others may never come.
  LIGHTSCAN_HOST_DEVICE verdict read(int from, signature call, message<T>& result)
  {
    slot_word* const place = mailbox + place_in_mailbox(number, from, num_ranks);
    LIGHTSCAN_UNROLL
    for (int first = 0; first < message<T>::count; first += words_at_once)
    {
      slot_word word[words_at_once];
      bool waiting;
      do
      {
        // All loads come first, so that their trips overlap. Past the end the last word is read again.
        LIGHTSCAN_UNROLL
        for (int w = 0; w < words_at_once; ++w)
        {
          word[w] = Transport::load(place + (first + w < message<T>::count ? first + w : message<T>::count - 1));
        }
        waiting = false;
        LIGHTSCAN_UNROLL
        for (int w = 0; w < words_at_once; ++w)
        {
          waiting = waiting || carry::tag_of(word[w]) != number;
        }
        if (first == 0 && carry::tag_of(word[0]) == number && carry::payload_of(word[0]) >> 1 != call)
        {
          return verdict::disagreed;
        }
        if (waiting)
        {
          if (patience.is_over())
          {
            return verdict::gave_up;
          }
          Transport::delay();
        }
      } while (waiting);
      LIGHTSCAN_UNROLL
      for (int w = 0; w < words_at_once; ++w)
      {
        if (first + w < message<T>::count)
        {
          result.word[first + w] = carry::payload_of(word[w]);
        }
      }
    }
    return verdict::agreed;
  }

private:
  static constexpr int words_at_once = message<T>::count < 4 ? message<T>::count : 4;
};

// Messages that lie side by side, each at a distance of gathered_words<T>.
template <class T>
struct gathered
{
  const ::cuda::std::uint32_t* messages;

  LIGHTSCAN_HOST_DEVICE verdict read(int from, signature call, message<T>& result) const
  {
    for (int w = 0; w < message<T>::count; ++w)
    {
      result.word[w] = messages[from * gathered_words<T> + w];
    }
    return result.call() == call ? verdict::agreed : verdict::disagreed;
  }
};

// Puts a rank's message into all mailboxes, which the lanes share out.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class T, class Transport, class Warp>
LIGHTSCAN_HOST_DEVICE void
send(const message<T>& sent, slot_word* const* mailboxes, ::cuda::std::uint32_t number, int rank, int num_ranks)
{
  const ::cuda::std::size_t place = place_in_mailbox(number, rank, num_ranks);
  Warp::each_lane([&](int lane) {
    for (int to = lane; to < num_ranks; to += lanes)
    {
      LIGHTSCAN_UNROLL
      for (int w = 0; w < message<T>::count; ++w)
      {
        Transport::store(mailboxes[to] + place + w, carry::pack(sent.word[w], number));
      }
    }
  });
}

// What lies before a rank's part, in every lane.
template <class T>
struct received
{
  util::maybe<T> before;
  verdict found;
};

// Reads all ranks' messages and folds those of lower ranks. `Warp` is warp::device_warp or warp::serial_warp.
LIGHTSCAN_EXEC_CHECK_DISABLE
template <class T, class Warp, class Messages, class Op>
LIGHTSCAN_HOST_DEVICE received<T> receive(Messages messages, signature call, int rank, int num_ranks, Op op)
{
  // What a lane has found, folded like its totals: the worst is kept.
  struct worst
  {
    LIGHTSCAN_HOST_DEVICE ::cuda::std::uint32_t operator()(::cuda::std::uint32_t left,
                                                           ::cuda::std::uint32_t right) const
    {
      return left > right ? left : right;
    }
  };
  using total = util::uninitialized<util::maybe<T>>;
  util::maybe_op<T, Op> join{op};
  const int each = (num_ranks - 1) / lanes + 1;
  typename Warp::template per_lane<total> folded;
  typename Warp::template per_lane<util::uninitialized<::cuda::std::uint32_t>> found;
  Warp::each_lane([&](int lane) {
    util::maybe<T> running = util::maybe<T>::none();
    verdict here           = verdict::agreed;
    for (int from = lane * each; from < (lane + 1) * each && from < num_ranks && here == verdict::agreed; ++from)
    {
      message<T> arrived;
      const verdict of_one = messages.read(from, call, arrived);
      if (of_one != verdict::agreed)
      {
        here = of_one;
      }
      else if (from < rank)
      {
        running = join(running, arrived.total());
      }
    }
    Warp::at(folded, lane) = total(running);
    Warp::at(found, lane)  = util::uninitialized<::cuda::std::uint32_t>(static_cast<::cuda::std::uint32_t>(here));
  });
  worst worse;
  const int busy = (num_ranks - 1) / each + 1;
  received<T> result;
  result.before = Warp::fold(folded, busy, join).value;
  result.found  = static_cast<verdict>(Warp::fold(found, busy, worse).value);
  if (result.found != verdict::agreed)
  {
    result.before.there = false; // of a call that fails
  }
  return result;
}
} // namespace ranks
LIGHTSCAN_NAMESPACE_END
