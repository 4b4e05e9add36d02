// Movers: how contiguous memory gets into a stage and out of it. The policy names one (dispatch/tuning.h); the loaders fill with
// it, the storers empty with it, and all threads of theirs call it together. Both sides of a copy lie alike on the 16-byte grid;
// `range` are byte offsets, from `to` and from `from`. A mover is made with the calling thread's number among them, and their
// number, and has
//
//   arrivals                how often each thread arrives at the barrier of a stage that it has filled
//   fill(to, from, range, full)   begins to fill a stage; returns how many bytes will still arrive at the barrier `full`
//   arrive(full, bytes)     says that the stage is filled once these bytes have arrived
//   order_stores()          called by each thread that has stored into a stage, before it says so
//   empty(to, from, range)  empties a stage; returns when the stage may be filled again
//   finish()                returns when all that it emptied has been written
//   prefetch(from, bytes)   asks that memory comes to L2, which a later stage is filled with. Asynchronous copies do without: no shape
//                           asks them (dispatch/shape.h)
//
// There is one for each way that GPUs have:
//
//   bulk_mover    bulk copies: sm_90 and newer
//   async_mover   asynchronous copies of words into the stage: sm_80 and newer
//   word_mover    words through the loaders' registers: any
#pragma once

#include <lightscan/bulk/barrier.h>
#include <lightscan/bulk/edges.h>
#include <lightscan/ptx/async_copy.h>
#include <lightscan/ptx/bulk_copy.h>
#include <lightscan/ptx/prefetch.h>
#include <lightscan/tile/byte_span.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/ptx>
#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
enum class copies
{
  bulk,
  async,
  words
};

// Plain C++ files know movers by name: tables say which one an architecture has.
struct bulk_mover;
struct async_mover;
struct word_mover;

#if defined(__CUDACC__)
// Copies the bytes beside the whole words of the stage, and returns the span of those words.
__device__ inline tile::byte_span copied_edges(
  unsigned char* to, const unsigned char* from, tile::byte_span range, const unsigned char* stage, int thread)
{
  const tile::byte_span words = range.whole_words(stage);
  if (range.first != words.first || range.last != words.last)
  {
    copy_edges(to, from, range, words, thread);
  }
  return words;
}

// Bulk copies, which one lane begins; a range's ends byte by byte. The lines read are kept in L2 in preference to those written
// (perf/DECISIONS.md, evict-last). One warp is enough.
struct bulk_mover
{
  static constexpr unsigned arrivals = 1;

  __device__ bulk_mover(int, int) {}

  static __device__ int thread()
  {
    return warp::lane_id();
  }

  __device__ unsigned fill(unsigned char* to, const unsigned char* from, tile::byte_span range, barrier& full) const
  {
    const tile::byte_span words = copied_edges(to, from, range, to, warp::lane_id());
    if (words.first >= words.last)
    {
      return 0;
    }
    const unsigned bytes = static_cast<unsigned>(words.last - words.first);
    if (warp::lane_id() == 0)
    {
      ptx::copy_bulk_to_shared(to + words.first, from + words.first, bytes, &full, l2_policy_);
    }
    return bytes;
  }

  // Asks for whole words of memory, on the grid, that are loaded before long.
  __device__ void prefetch(const unsigned char* from, int bytes) const
  {
    if (warp::lane_id() == 0)
    {
      ptx::prefetch_bulk_to_l2(from, static_cast<unsigned>(bytes), l2_policy_);
    }
  }

  // Bytes that have arrived by now are expected too: the barrier's phase cannot end before the loader arrives.
  static __device__ void arrive(barrier& full, unsigned bytes)
  {
    if (warp::lane_id() == 0)
    {
      arrive_expecting(full, bytes);
    }
    else
    {
      bulk::arrive(full);
    }
  }

  // Orders the calling thread's ordinary stores before the bulk copies that read or overwrite their bytes next.
  static __device__ void order_stores()
  {
    ::cuda::ptx::fence_proxy_async(::cuda::ptx::space_shared);
  }

  static __device__ void empty(unsigned char* to, const unsigned char* from, tile::byte_span range)
  {
    if (begin_emptying(to, from, range))
    {
      ::cuda::ptx::cp_async_bulk_wait_group_read(::cuda::ptx::n32_t<0>{});
    }
  }

  // Whether the calling lane has begun a copy, which it has to wait for before the stage may be filled again.
  static __device__ bool begin_emptying(unsigned char* to, const unsigned char* from, tile::byte_span range)
  {
    const tile::byte_span words = copied_edges(to, from, range, from, warp::lane_id());
    const bool copies           = warp::lane_id() == 0 && words.first < words.last;
    if (copies)
    {
      ::cuda::ptx::cp_async_bulk(::cuda::ptx::space_global,
                                 ::cuda::ptx::space_shared,
                                 to + words.first,
                                 from + words.first,
                                 static_cast<unsigned>(words.last - words.first));
      ::cuda::ptx::cp_async_bulk_commit_group();
    }
    return copies;
  }

  static __device__ void finish()
  {
    ::cuda::ptx::cp_async_bulk_wait_group(::cuda::ptx::n32_t<0>{});
  }

private:
  ::cuda::std::uint64_t l2_policy_ = ptx::evict_last_policy();
};

// What the two movers without bulk copies share: stages are emptied by ordinary accesses, several words under way at once, and
// what is written leaves L2 before what is read.
class emptying_by_words
{
public:
  __device__ emptying_by_words(int thread, int threads)
      : thread_(thread)
      , threads_(threads)
  {}

  __device__ int thread() const
  {
    return thread_;
  }

  // The barriers order ordinary accesses.
  static __device__ void order_stores() {}

  __device__ void empty(unsigned char* to, const unsigned char* from, tile::byte_span range) const
  {
    const tile::byte_span words = copied_edges(to, from, range, from, thread_);
    move<8>(
      words,
      [&](int at) {
        return *reinterpret_cast<const uint4*>(from + at);
      },
      [&](int at, uint4 word) {
        __stcs(reinterpret_cast<uint4*>(to + at), word);
      });
  }

  static __device__ void finish() {}

protected:
  // Calls store(at, load(at)) for every word, up to `AtOnce` loads before the first store: also of a tile's last words, for short
  // tiles have no others (perf/DECISIONS.md, words-at-once).
  template <int AtOnce, class Load, class Store>
  __device__ void move(tile::byte_span words, Load load, Store store) const
  {
    const int step = threads_ * tile::grid_bytes;
    int at         = words.first + thread_ * tile::grid_bytes;
#  pragma unroll 1
    for (; at + (AtOnce - 1) * step < words.last; at += AtOnce * step)
    {
      move_some<AtOnce, true>(at, step, words.last, load, store);
    }
    move_some<AtOnce - 1, false>(at, step, words.last, load, store);
  }

  // `Whole`: all of them lie below `end`.
  template <int Count, bool Whole, class Load, class Store>
  static __device__ void move_some(int at, int step, int end, Load load, Store store)
  {
    uint4 word[Count];
#  pragma unroll
    for (int k = 0; k < Count; ++k)
    {
      if (Whole || at + k * step < end)
      {
        word[k] = load(at + k * step);
      }
    }
#  pragma unroll
    for (int k = 0; k < Count; ++k)
    {
      if (Whole || at + k * step < end)
      {
        store(at + k * step, word[k]);
      }
    }
  }

  int thread_;
  int threads_;
};

// Asynchronous copies of words, which pass the registers by. Each thread arrives twice: when its copies are there, and for the bytes
// at a range's ends, which it has stored itself.
struct async_mover : emptying_by_words
{
  static constexpr unsigned arrivals = 2;

  using emptying_by_words::emptying_by_words;

  __device__ unsigned fill(unsigned char* to, const unsigned char* from, tile::byte_span range, barrier&) const
  {
    const tile::byte_span words = copied_edges(to, from, range, to, thread_);
    unsigned char* const stage  = through_shuffle(to);
    const int step              = threads_ * tile::grid_bytes;
#  pragma unroll 4
    for (int at = words.first + thread_ * tile::grid_bytes; at < words.last; at += step)
    {
      ptx::copy_async_to_shared(stage + at, from + at, l2_policy_);
    }
    return 0;
  }

  static __device__ void arrive(barrier& full, unsigned)
  {
#  if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    ::cuda::ptx::cp_async_mbarrier_arrive_noinc(&full);
#  endif
    bulk::arrive(full);
  }

private:
  // The same address. Where one is the sum of a uniform register and a lane's offset, ptxas 13.0 makes of a copy with a policy what sm_90
  // and newer GPUs call an illegal instruction: in one kernel of 147 that were compiled for compute_80. The result of a shuffle it leaves
  // in a lane's register; that is seen, not promised, and a test looks (perf/NOTES.md, "An illegal instruction").
  static __device__ unsigned char* through_shuffle(unsigned char* address)
  {
    return warp::from_lane(address, 0).value;
  }

  ::cuda::std::uint64_t l2_policy_ = ptx::evict_last_policy();
};

struct word_mover : emptying_by_words
{
  static constexpr unsigned arrivals = 1;

  using emptying_by_words::emptying_by_words;

  __device__ unsigned fill(unsigned char* to, const unsigned char* from, tile::byte_span range, barrier&) const
  {
    const tile::byte_span words = copied_edges(to, from, range, to, thread_);
    move<8>(
      words,
      [&](int at) {
        return __ldcg(reinterpret_cast<const uint4*>(from + at));
      },
      [&](int at, uint4 word) {
        *reinterpret_cast<uint4*>(to + at) = word;
      });
    return 0;
  }

  // A thread has the words of one stage under way and waits for them: not as long for L2 as for memory (perf/DECISIONS.md,
  // prefetched-words).
  __device__ void prefetch(const unsigned char* from, int bytes) const
  {
    for (int at = thread_ * line_bytes; at < bytes; at += threads_ * line_bytes)
    {
      ptx::prefetch_to_l2(from + at);
    }
  }

  static __device__ void arrive(barrier& full, unsigned)
  {
    bulk::arrive(full);
  }

private:
  static constexpr int line_bytes = 128;
};
#endif

template <copies How>
struct mover_of
{
  using type = bulk_mover;
};
template <>
struct mover_of<copies::async>
{
  using type = async_mover;
};
template <>
struct mover_of<copies::words>
{
  using type = word_mover;
};
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
