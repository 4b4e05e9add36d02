// Slots: the records in global memory through which tiles publish their aggregates.
//
// Each 32-bit word of an aggregate is stored together with a tag of 31 bits in ONE 64-bit word. A reader that finds the tag
// it waits for holds a valid payload, word by word, so relaxed accesses suffice for an aggregate of any size: there is
// no flag that a fence must order after the data. (The paper, section 3.3, sends a (value, ready) pair the same way.)
//
// The bit that is left is the payload's: it holds the flag of an aggregate that ends in one (util/words.h; perf/DECISIONS.md,
// flag-in-tag).
//
// The tag also says WHICH launch and which round of the ring a payload belongs to, so slots are neither cleared before a
// launch nor needed for every tile: `slot_ring` uses them again.
#pragma once

#include <lightscan/ptx/coherent.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/atomic>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>

#include <nv/target>

LIGHTSCAN_NAMESPACE_BEGIN
namespace carry
{
using slot_word = ::cuda::std::uint64_t;

LIGHTSCAN_HOST_DEVICE constexpr slot_word pack(::cuda::std::uint32_t payload, ::cuda::std::uint32_t tag)
{
  return (static_cast<slot_word>(tag) << 32) | payload;
}

LIGHTSCAN_HOST_DEVICE constexpr ::cuda::std::uint32_t payload_of(slot_word word)
{
  return static_cast<::cuda::std::uint32_t>(word);
}

LIGHTSCAN_HOST_DEVICE constexpr ::cuda::std::uint32_t tag_of(slot_word word)
{
  return static_cast<::cuda::std::uint32_t>(word >> 32);
}

// The last tag there is, for the bit above is the payload's; a workspace is cleared then, and tags begin again.
inline constexpr ::cuda::std::uint32_t last_tag = 0x7fffffffu;

// Bytes of a workspace's slots: enough for the ring of 2,048 blocks of the plain kernel with 16-byte accumulators
// (perf/DECISIONS.md, workspace-bytes).
inline constexpr ::cuda::std::size_t workspace_bytes = ::cuda::std::size_t{64} * 160 * 4 * sizeof(slot_word);

// Transports: how a slot word is reached, and what a reader does between two polls of it: `between_polls` what must be done, and
// `delay` a pause besides.
//
// This one's accesses are strong, relaxed and device-wide: on the GPU ld.relaxed.gpu / st.relaxed.gpu.
//
// CCCL 3.5 asks before each of atomic_ref's accesses whether it is to a thread's own memory. Where NDEBUG is defined and nvcc is older than
// 13.1 it asks in assembly: the compiler cannot know the answer, and makes what follows twice. There nvcc's own functions make the same
// accesses, also with CCCL 3.1 to 3.4, which were not tried (perf/DECISIONS.md, whose-memory).
#if defined(NDEBUG) && defined(__CUDACC_VER_MAJOR__) && CCCL_VERSION >= 3001000
#  if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1301
#    define LIGHTSCAN_DETAIL_ATOMIC_REF_ASKS
#  endif
#endif
struct atomic_transport
{
  static LIGHTSCAN_HOST_DEVICE slot_word load(slot_word* address)
  {
#if defined(LIGHTSCAN_DETAIL_ATOMIC_REF_ASKS)
    NV_IF_TARGET(NV_IS_DEVICE, (return __nv_atomic_load_n(address, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);))
#endif
    return ::cuda::atomic_ref<slot_word, ::cuda::thread_scope_device>(*address).load(::cuda::std::memory_order_relaxed);
  }
  static LIGHTSCAN_HOST_DEVICE void store(slot_word* address, slot_word word)
  {
#if defined(LIGHTSCAN_DETAIL_ATOMIC_REF_ASKS)
    NV_IF_TARGET(
      NV_IS_DEVICE, (__nv_atomic_store_n(address, word, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE); return;))
#endif
    ::cuda::atomic_ref<slot_word, ::cuda::thread_scope_device>(*address).store(word, ::cuda::std::memory_order_relaxed);
  }
  static LIGHTSCAN_HOST_DEVICE void between_polls() {}
  static LIGHTSCAN_HOST_DEVICE void delay()
  {
    NV_IF_TARGET(NV_IS_DEVICE, (__nanosleep(pause_ns);))
  }

  // Polling without a pause contends for the slots' few L2 slices and delays publishers: on an H200, a bulk pipeline of
  // 2^22 bytes takes 0.2 us more (perf/DECISIONS.md, pause).
  static constexpr unsigned pause_ns = 100;
};
#undef LIGHTSCAN_DETAIL_ATOMIC_REF_ASKS

#if defined(__CUDACC__)
// The paper's transport: ld.cg / st.cg, on the GPU only. These are weak accesses, so ptxas may take a loop of them that has no
// other effect to be one that ends, and drop it (seen with nvcc 13.0: the wait for the tag was gone). The fence between two
// polls makes each of them happen (perf/DECISIONS.md, fence-for-cg).
struct cg_transport
{
  static __device__ slot_word load(slot_word* address)
  {
    return ptx::load_cg(address);
  }
  static __device__ void store(slot_word* address, slot_word word)
  {
    ptx::store_cg(address, word);
  }
  static __device__ void between_polls()
  {
    __threadfence_block();
  }
  static __device__ void delay()
  {
    between_polls();
    __nanosleep(atomic_transport::pause_ns);
  }
};

// A transport that polls without a pause: where a block waits once, and not for long, a pause would end too late
// (perf/DECISIONS.md, no-delay).
template <class Transport>
struct no_delay : Transport
{
  static __device__ void delay()
  {
    Transport::between_polls();
  }
};
#endif

#if defined(LIGHTSCAN_CG_TRANSPORT) && defined(__CUDACC__)
using default_transport = cg_transport;
#else
using default_transport = atomic_transport;
#endif

// The position of a tile's slot. Tiles are taken in windows of 32 x slots_per_lane; in the order of combination
// (lookahead.h) lane l of a warp reads slots_per_lane consecutive tiles of a window, so that is how a window is cut:
// tile = (window, lane, index).
struct slot_position
{
  // Five slots a lane make a window of 160 tiles: one poll serves a step of up to 156 resident blocks (perf/DECISIONS.md,
  // slots-per-lane).
  static constexpr int slots_per_lane = 5;
  static constexpr int lanes          = 32;
  static constexpr int window_size    = lanes * slots_per_lane;
  static constexpr int lanes_of_line  = 16; // lanes whose words fill a line of the cache

  ::cuda::std::int64_t window;
  int lane;
  int index; // in the lane

  static LIGHTSCAN_HOST_DEVICE constexpr slot_position of(::cuda::std::int64_t tile)
  {
    // Unsigned, for it divides in half as many instructions.
    const ::cuda::std::uint64_t number = static_cast<::cuda::std::uint64_t>(tile);
    const unsigned offset              = static_cast<unsigned>(number % window_size);
    return {static_cast<::cuda::std::int64_t>(number / window_size),
            static_cast<int>(offset / slots_per_lane),
            static_cast<int>(offset % slots_per_lane)};
  }
};

// The slots of one launch: a ring of windows, each used again under the next tag in the ring's next round.
//
// There may be several copies of the ring, a power of two: a publisher writes all of them, and each reader polls
// one. Polls of all blocks at the same few lines of L2 take time that grows with their number (on an H200, with 128
// blocks, two thirds of the time from publishing to carry), and hold up the publishing stores (perf/DECISIONS.md, ring-copies).
//
// Guarantees it rests on: no word of the memory holds a tag in [first_tag, first_tag + rounds) when the launch starts
// (runtime/workspace.h sees to it), and the ring exceeds the distance by which one block can run ahead of another
// (`log2_ring_windows_for` in dispatch/plan.h, with the reason).
template <class T>
class slot_ring
{
public:
  static constexpr int words_per_slot = util::words<T>::count - (util::ends_in_flag<T> ? 1 : 0);

  slot_ring() = default;

  // `copies` is 0, and there is no memory, for a launch of one tile, which nobody polls.
  LIGHTSCAN_HOST_DEVICE slot_ring(slot_word* memory, int log2_windows, ::cuda::std::uint32_t first_tag, int copies = 1)
      : memory_(memory)
      , log2_windows_(log2_windows)
      , first_tag_(first_tag)
      , copies_(copies)
  {}

  // The copy of the ring that a block polls.
  LIGHTSCAN_HOST_DEVICE slot_ring copy_for(unsigned block) const
  {
    slot_ring copy = *this;
    copy.memory_ += (block & static_cast<unsigned>(copies_ - 1)) * words_per_copy();
    return copy;
  }

  // The first word of a slot. The words of sixteen neighbouring lanes fill a line of 128 bytes: a warp's poll of one index of
  // every lane is two whole lines. (With a lane's slots side by side instead, 132 blocks' polls made four times as many
  // requests of the same few L2 slices; perf/DECISIONS.md, slot-lines.) A slot's further words follow a plane later, and the
  // window's other lanes after all planes of these, so a launch's last window needs memory only up to the half that
  // its last tile lies in.
  LIGHTSCAN_HOST_DEVICE slot_word* first_word(slot_position at) const
  {
    return memory_ + words_before(at);
  }

  static constexpr int next_slot = slot_position::lanes_of_line; // words from a slot of a lane to its next
  static constexpr int next_word = next_slot * slot_position::slots_per_lane;

  LIGHTSCAN_HOST_DEVICE ::cuda::std::uint32_t tag(::cuda::std::int64_t window) const
  {
    return first_tag_ + static_cast<::cuda::std::uint32_t>(window >> log2_windows_);
  }

  // The address of a tile's slot in one of the copies, and the tag that goes there. Worth knowing before there is an aggregate:
  // finding it takes a hundred cycles, on the way from the aggregate to all other blocks.
  struct address
  {
    ::cuda::std::uint32_t words_before;
    ::cuda::std::uint32_t tag;
  };

  LIGHTSCAN_HOST_DEVICE address address_of(::cuda::std::int64_t tile, int copy = 0) const
  {
    const slot_position at = slot_position::of(tile);
    return {words_before(at) + static_cast<unsigned>(copy) * words_per_copy(), tag(at.window)};
  }

  // Stores an aggregate in all copies, which several lanes may share out: `to` is the address in the lane's first copy.
  template <class Transport>
  LIGHTSCAN_HOST_DEVICE void publish(address to, const T& aggregate, int lane = 0, int lanes = 1) const
  {
    const util::words<T> payload = util::to_words(aggregate);
    if constexpr (util::ends_in_flag<T>)
    {
      to.tag |= payload.word[words_per_slot] << 31;
    }
    LIGHTSCAN_KEEP_ROLLED
    for (int copy = lane; copy < copies_; copy += lanes)
    {
      slot_word* const first = memory_ + to.words_before;
      for (int w = 0; w < words_per_slot; ++w)
      {
        Transport::store(first + w * next_word, pack(payload.word[w], to.tag));
      }
      to.words_before += static_cast<unsigned>(lanes) * words_per_copy();
    }
  }

private:
  // Words of a copy before a slot's first, in 32 bits, which index any ring: an instruction for each of a lane's slots, not four.
  LIGHTSCAN_HOST_DEVICE ::cuda::std::uint32_t words_before(slot_position at) const
  {
    const ::cuda::std::uint32_t window = static_cast<::cuda::std::uint32_t>(at.window) & ((1u << log2_windows_) - 1);
    const ::cuda::std::uint32_t line   = static_cast<unsigned>(at.lane) / slot_position::lanes_of_line;
    const ::cuda::std::uint32_t column = static_cast<unsigned>(at.lane) % slot_position::lanes_of_line;
    return window * words_per_window + line * (words_per_slot * next_word)
         + static_cast<::cuda::std::uint32_t>(at.index * next_slot) + column;
  }

  LIGHTSCAN_HOST_DEVICE ::cuda::std::uint32_t words_per_copy() const
  {
    return words_per_window << log2_windows_;
  }

  static constexpr ::cuda::std::uint32_t words_per_window = words_per_slot * slot_position::window_size;

  slot_word* memory_;
  int log2_windows_;
  ::cuda::std::uint32_t first_tag_;
  int copies_;
};

// One slot's words as read, examined once several slots' loads are under way.
template <class T>
struct slot_reading
{
  slot_word word[slot_ring<T>::words_per_slot];

  // `next_word`: words from one of the slot's to its next; a ring's, where nothing else is said.
  template <class Transport>
  LIGHTSCAN_HOST_DEVICE void load(slot_word* first, ::cuda::std::int64_t next_word = slot_ring<T>::next_word)
  {
    LIGHTSCAN_UNROLL
    for (int w = 0; w < slot_ring<T>::words_per_slot; ++w)
    {
      word[w] = Transport::load(first + w * next_word);
    }
  }

  // Zero where every word carries the tag. Several readings' make one word, and one question.
  LIGHTSCAN_HOST_DEVICE ::cuda::std::uint32_t differs_from(::cuda::std::uint32_t tag) const
  {
    ::cuda::std::uint32_t bits = 0;
    LIGHTSCAN_UNROLL
    for (int w = 0; w < slot_ring<T>::words_per_slot; ++w)
    {
      bits |= tag_of(word[w]) ^ tag;
    }
    return bits & tag_bits;
  }

  LIGHTSCAN_HOST_DEVICE bool carries(::cuda::std::uint32_t tag) const
  {
    bool all = true;
    LIGHTSCAN_UNROLL
    for (int w = 0; w < slot_ring<T>::words_per_slot; ++w)
    {
      all = all && (tag_of(word[w]) & tag_bits) == tag;
    }
    return all;
  }

  LIGHTSCAN_HOST_DEVICE util::uninitialized<T> value() const
  {
    util::words<T> payload;
    LIGHTSCAN_UNROLL
    for (int w = 0; w < slot_ring<T>::words_per_slot; ++w)
    {
      payload.word[w] = payload_of(word[w]);
    }
    if constexpr (util::ends_in_flag<T>)
    {
      payload.word[slot_ring<T>::words_per_slot] = tag_of(word[0]) >> 31;
    }
    return util::from_words<T>(payload);
  }

private:
  static constexpr ::cuda::std::uint32_t tag_bits = util::ends_in_flag<T> ? last_tag : ~::cuda::std::uint32_t{0};
};
} // namespace carry
LIGHTSCAN_NAMESPACE_END
