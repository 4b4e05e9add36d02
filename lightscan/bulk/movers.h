// Movers: how a stage is filled from global memory, and emptied to it.
//
// Every lane of the loader, and of the storer, has a mover of its own, and all call it together. Both sides of a copy lie alike
// on the 16-byte grid; `range` are byte offsets, from `to` and from `from`. A mover has
//
//   fill(to, from, range, full)   begins to fill a stage; returns how many bytes will still arrive, which the barrier `full` is
//                                 then told to expect (ring.h)
//   order_stores()                called by each thread that has stored into a stage, before it says so
//   empty(to, from, range)        empties a stage; returns when the stage may be filled again
//   finish()                      returns when all that it emptied has been written
#pragma once

#include <lightscan/bulk/edges.h>
#include <lightscan/bulk/ring.h>
#include <lightscan/ptx/bulk_copy.h>
#include <lightscan/tile/byte_span.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/ptx>
#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
// Bulk copies (sm_90 and newer), which one lane begins; a range's ends byte by byte. The lines read are kept in L2 in preference
// to those written (perf/DECISIONS.md, evict-last).
struct bulk_mover
{
#if defined(__CUDACC__)
  ::cuda::std::uint64_t l2_policy = ptx::evict_last_policy();

  __device__ unsigned fill(unsigned char* to, const unsigned char* from, tile::byte_span range, barrier& full) const
  {
    const tile::byte_span words = copied_edges(to, from, range, to);
    if (words.first >= words.last)
    {
      return 0;
    }
    const unsigned bytes = static_cast<unsigned>(words.last - words.first);
    if (warp::lane_id() == 0)
    {
      ptx::copy_bulk_to_shared(to + words.first, from + words.first, bytes, &full, l2_policy);
    }
    return bytes;
  }

  // Orders the calling thread's ordinary stores before the bulk copies that read or overwrite their bytes next.
  static __device__ void order_stores()
  {
    ::cuda::ptx::fence_proxy_async(::cuda::ptx::space_shared);
  }

  static __device__ void empty(unsigned char* to, const unsigned char* from, tile::byte_span range)
  {
    const tile::byte_span words = copied_edges(to, from, range, from);
    if (warp::lane_id() == 0 && words.first < words.last)
    {
      ::cuda::ptx::cp_async_bulk(::cuda::ptx::space_global,
                                 ::cuda::ptx::space_shared,
                                 to + words.first,
                                 from + words.first,
                                 static_cast<unsigned>(words.last - words.first));
      ::cuda::ptx::cp_async_bulk_commit_group();
      ::cuda::ptx::cp_async_bulk_wait_group_read(::cuda::ptx::n32_t<0>{});
    }
  }

  static __device__ void finish()
  {
    ::cuda::ptx::cp_async_bulk_wait_group(::cuda::ptx::n32_t<0>{});
  }

private:
  // Copies the bytes beside the whole words of the stage, and returns the span of those words.
  static __device__ tile::byte_span
  copied_edges(unsigned char* to, const unsigned char* from, tile::byte_span range, const unsigned char* stage)
  {
    const tile::byte_span words = range.whole_words(stage);
    if (range.first != words.first || range.last != words.last)
    {
      copy_edges(to, from, range, words, warp::lane_id());
    }
    return words;
  }
#endif
};
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
