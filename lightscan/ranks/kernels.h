// What the GPU does between the fold of a rank's part and its scan: the exchange, and what it makes of it, the carry.
//
//   exchange_in_mailboxes   the last block of the fold itself sends, waits and folds: no launch of its own
//   put_message             the last block of the fold leaves the message for an all-gather;
//   fold_messages           a kernel of one warp folds what that has put together
#pragma once

#include <lightscan/ptx/clock.h>
#include <lightscan/ranks/exchange.h>
#include <lightscan/ranks/message.h>
#include <lightscan/util/maybe.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/atomic>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ranks
{
// A group's memory on its GPU between two calls. Calls run one after another.
struct device_state
{
  ::cuda::std::uint32_t number; // of the last call
  ::cuda::std::uint32_t failed; // a verdict; no call waits for anybody once one has failed
  unsigned folds_done;          // plain/part_fold.h
};

// What every rank knows of a call.
template <class T, class Op, class Init>
struct rank_call
{
  device_state* state;
  ::cuda::std::uint32_t* verdict_on_host; // mapped
  int rank;
  int num_ranks;
  signature call;
  Op op;
  Init init;             // converts to the accumulator in device code; or util::no_init
  util::maybe<T>* carry; // is written
};

#if defined(__CUDACC__)
// Patience of a number of nanoseconds.
class until
{
public:
  __device__ explicit until(::cuda::std::uint64_t nanoseconds)
      : begin_(ptx::nanoseconds())
      , limit_(nanoseconds)
  {}

  __device__ bool is_over() const
  {
    return ptx::nanoseconds() - begin_ > limit_;
  }

private:
  ::cuda::std::uint64_t begin_;
  ::cuda::std::uint64_t limit_;
};

// Writes the carry: the initial value, if there is one, and the totals of lower ranks. One thread's work.
template <class T, class Op, class Init>
__device__ void put_carry(const rank_call<T, Op, Init>& of, const received<T>& all)
{
  util::maybe<T> before = all.before;
  if constexpr (!::cuda::std::is_same_v<Init, util::no_init>)
  {
    Op op                             = of.op;
    const util::uninitialized<T> init = util::uninitialized<T>(util::resolved_init<T>(of.init));
    before = util::maybe<T>::of(before.there ? util::combine(op, init.value, before.value.value) : init);
  }
  *of.carry = before;
  if (all.found != verdict::agreed)
  {
    of.state->failed = static_cast<::cuda::std::uint32_t>(all.found);
    ::cuda::atomic_ref<::cuda::std::uint32_t, ::cuda::thread_scope_system>(*of.verdict_on_host)
      .store(static_cast<::cuda::std::uint32_t>(all.found), ::cuda::std::memory_order_relaxed);
  }
}

template <class T, class Op, class Init>
struct exchange_in_mailboxes
{
  rank_call<T, Op, Init> of;
  slot_word* const* mailboxes; // of all ranks, in device memory
  ::cuda::std::uint64_t patience_ns;

  __device__ void operator()(const util::maybe<T>& total) const
  {
    using warp_type                    = warp::device_warp;
    const ::cuda::std::uint32_t number = number_after(of.state->number);
    received<T> all{util::maybe<T>::none(), static_cast<verdict>(of.state->failed)};
    if (all.found == verdict::agreed)
    {
      ranks::send<T, system_transport, warp_type>(
        message<T>::of(total, of.call), mailboxes, number, of.rank, of.num_ranks);
      until patience(patience_ns);
      const arriving<T, system_transport, until> messages{mailboxes[of.rank], number, of.num_ranks, patience};
      all = ranks::receive<T, warp_type>(messages, of.call, of.rank, of.num_ranks, of.op);
    }
    __syncwarp();
    if (warp::lane_id() == 0)
    {
      of.state->number = number;
      put_carry(of, all);
    }
  }
};

template <class T>
struct put_message
{
  ::cuda::std::uint32_t* to;
  signature call;

  __device__ void operator()(const util::maybe<T>& total) const
  {
    if (warp::lane_id() == 0)
    {
      const message<T> sent = message<T>::of(total, call);
      for (int w = 0; w < message<T>::count; ++w)
      {
        to[w] = sent.word[w];
      }
    }
  }
};

template <class T, class Op, class Init>
struct fold_arguments
{
  rank_call<T, Op, Init> of;
  const ::cuda::std::uint32_t* messages;
};

template <class T, class Op, class Init>
__global__ void __launch_bounds__(lanes) fold_messages(const __grid_constant__ fold_arguments<T, Op, Init> args)
{
  const rank_call<T, Op, Init>& of = args.of;
  received<T> all{util::maybe<T>::none(), static_cast<verdict>(of.state->failed)};
  if (all.found == verdict::agreed)
  {
    all = ranks::receive<T, warp::device_warp>(gathered<T>{args.messages}, of.call, of.rank, of.num_ranks, of.op);
  }
  if (warp::lane_id() == 0)
  {
    put_carry(of, all);
  }
}
#endif
} // namespace ranks
LIGHTSCAN_NAMESPACE_END
