// Slots: the records in global memory through which tiles publish their aggregates.
//
// Each 32-bit word of an aggregate is stored together with a tag of 31 bits in ONE 64-bit word. A reader that finds the tag
// it waits for holds a valid payload, word by word, so relaxed accesses suffice for an aggregate of any size: there is
// no flag that a fence must order after the data. (The paper, section 3.3, sends a (value, ready) pair the same way.)
//
// The bit that is left is the payload's: of an aggregate that ends in a flag (carry/words.h), it holds the flag.
//
// The tag also says WHICH launch and which turn of the ring a payload belongs to, so slots are neither cleared before a
// launch nor needed for every tile: `slot_ring` uses them again.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/ptx/coherent.h>
#include <lightscan/version.h>

#include <cuda/atomic>
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

// Tags end here, for the bit above is the payload's; a workspace is cleared then, and they begin again.
inline constexpr ::cuda::std::uint32_t last_tag = 0x7fffffffu;

// How a slot word is reached, and what a reader does between two looks at it: `look_at_once` what must be done, and
// `look_again` a pause besides.
//
// Strong, relaxed, device-wide: on the GPU ld.relaxed.gpu / st.relaxed.gpu.
struct atomic_transport
{
  static LIGHTSCAN_HOST_DEVICE slot_word load(slot_word* address)
  {
    return ::cuda::atomic_ref<slot_word, ::cuda::thread_scope_device>(*address).load(::cuda::std::memory_order_relaxed);
  }
  static LIGHTSCAN_HOST_DEVICE void store(slot_word* address, slot_word word)
  {
    ::cuda::atomic_ref<slot_word, ::cuda::thread_scope_device>(*address).store(word, ::cuda::std::memory_order_relaxed);
  }
  static LIGHTSCAN_HOST_DEVICE void look_at_once() {}
  static LIGHTSCAN_HOST_DEVICE void look_again()
  {
    NV_IF_TARGET(NV_IS_DEVICE, (__nanosleep(pause_ns);))
  }

  // Looks at once crowd the few L2 slices in which the slots lie, and hold up the publishing stores: on an H200, a bulk
  // pipeline of 2^22 bytes takes 0.2 us more without the pause.
  static constexpr unsigned pause_ns = 100;
};

#if defined(__CUDACC__)
// The paper's: ld.cg / st.cg. Device only. These are weak accesses, so ptxas may take a loop of them that has no other
// effect to be one that ends, and drop it (seen with nvcc 13.0: the wait for the tag was gone). The fence between two
// looks makes each of them happen.
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
  static __device__ void look_at_once()
  {
    __threadfence_block();
  }
  static __device__ void look_again()
  {
    look_at_once();
    __nanosleep(atomic_transport::pause_ns);
  }
};

// For those who wait once, and not for long: a pause would end too late.
template <class Transport>
struct impatient : Transport
{
  static __device__ void look_again()
  {
    Transport::look_at_once();
  }
};
#endif

#if defined(LIGHTSCAN_CG_TRANSPORT) && defined(__CUDACC__)
using default_transport = cg_transport;
#else
using default_transport = atomic_transport;
#endif

// Where a tile's slot lies. Tiles are taken in windows of 32 x slots_per_lane; in the order of combination
// (look_across.h) lane l of a warp reads slots_per_lane consecutive tiles of a window, so that is how a window is cut:
// tile = (window, lane, place).
struct slot_position
{
  // Five slots a lane make a window of 160 tiles: one look serves a step of up to 156 resident blocks.
  static constexpr int slots_per_lane = 5;
  static constexpr int lanes          = 32;
  static constexpr int window_size    = lanes * slots_per_lane;
  static constexpr int lanes_of_line  = 16; // whose words fill a line of the cache

  ::cuda::std::int64_t window;
  int lane;
  int place;

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

// The slots of one launch: a ring of windows, each used again under the next tag once its turn is over.
//
// There may be several copies of the ring, a power of two: who publishes writes all of them, and each reader looks at
// one. A look of all blocks at the same few lines of L2 takes time that grows with their number (on an H200, with 128
// blocks, two thirds of the time from publishing to carry), and holds up the publishing stores.
//
// Guarantees it rests on: no word of the memory holds a tag in [first_tag, first_tag + turns) when the launch starts
// (dispatch/workspace.h sees to it), and the ring exceeds the distance by which one block can run ahead of another
// (`log2_ring_windows_for` in dispatch/plan.h, with the reason).
template <class T>
class slot_ring
{
public:
  static constexpr int words_per_slot = words<T>::count - (ends_in_flag<T> ? 1 : 0);

  slot_ring() = default;

  // No copies, and no memory: for a launch of one tile, at which nobody looks.
  LIGHTSCAN_HOST_DEVICE slot_ring(slot_word* memory, int log2_windows, ::cuda::std::uint32_t first_tag, int copies = 1)
      : memory_(memory)
      , log2_windows_(log2_windows)
      , first_tag_(first_tag)
      , copies_(copies)
  {}

  // The ring as this block is to read it.
  LIGHTSCAN_HOST_DEVICE slot_ring copy_for(unsigned block) const
  {
    slot_ring copy = *this;
    copy.memory_ += (block & static_cast<unsigned>(copies_ - 1)) * words_per_copy();
    return copy;
  }

  // The words of sixteen neighbouring lanes fill a line of 128 bytes: a warp's look at one place of every lane is two whole
  // lines. (With a lane's slots side by side instead, 132 blocks' looks made four times as many requests of the same few L2
  // slices.) A slot's further words follow a plane later, and the window's other lanes after all planes of these, so a launch of
  // few tiles touches the first half of a window only.
  LIGHTSCAN_HOST_DEVICE slot_word* first_word(slot_position at) const
  {
    return memory_ + words_before(at);
  }

  static constexpr int next_slot = slot_position::lanes_of_line; // of a lane
  static constexpr int next_word = next_slot * slot_position::slots_per_lane;

  LIGHTSCAN_HOST_DEVICE ::cuda::std::uint32_t tag(::cuda::std::int64_t window) const
  {
    return first_tag_ + static_cast<::cuda::std::uint32_t>(window >> log2_windows_);
  }

  // Where a tile's aggregate goes in one of the copies. Worth knowing before there is an aggregate: finding it takes a
  // hundred cycles, on the way from the aggregate to all other blocks.
  struct place
  {
    ::cuda::std::uint32_t words_before;
    ::cuda::std::uint32_t tag;
  };

  LIGHTSCAN_HOST_DEVICE place place_of(::cuda::std::int64_t tile, int copy = 0) const
  {
    const slot_position at = slot_position::of(tile);
    return {words_before(at) + static_cast<unsigned>(copy) * words_per_copy(), tag(at.window)};
  }

  // In all copies, which several lanes may share out: `to` is in the lane's first.
  template <class Transport>
  LIGHTSCAN_HOST_DEVICE void publish(place to, const T& aggregate, int lane = 0, int lanes = 1) const
  {
    const words<T> payload = to_words(aggregate);
    if constexpr (ends_in_flag<T>)
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
  // In 32 bits, which hold a place in any ring: an instruction for each of a lane's slots instead of four.
  LIGHTSCAN_HOST_DEVICE ::cuda::std::uint32_t words_before(slot_position at) const
  {
    const ::cuda::std::uint32_t window = static_cast<::cuda::std::uint32_t>(at.window) & ((1u << log2_windows_) - 1);
    const ::cuda::std::uint32_t line   = static_cast<unsigned>(at.lane) / slot_position::lanes_of_line;
    const ::cuda::std::uint32_t column = static_cast<unsigned>(at.lane) % slot_position::lanes_of_line;
    return window * words_per_window + line * (words_per_slot * next_word)
         + static_cast<::cuda::std::uint32_t>(at.place * next_slot) + column;
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

// One slot's words as read, to be looked at once several slots' loads are under way.
template <class T>
struct slot_reading
{
  slot_word word[slot_ring<T>::words_per_slot];

  template <class Transport>
  LIGHTSCAN_HOST_DEVICE void load(slot_word* first)
  {
    LIGHTSCAN_UNROLL
    for (int w = 0; w < slot_ring<T>::words_per_slot; ++w)
    {
      word[w] = Transport::load(first + w * slot_ring<T>::next_word);
    }
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

  LIGHTSCAN_HOST_DEVICE uninitialized<T> value() const
  {
    words<T> payload;
    LIGHTSCAN_UNROLL
    for (int w = 0; w < slot_ring<T>::words_per_slot; ++w)
    {
      payload.word[w] = payload_of(word[w]);
    }
    if constexpr (ends_in_flag<T>)
    {
      payload.word[slot_ring<T>::words_per_slot] = tag_of(word[0]) >> 31;
    }
    return from_words<T>(payload);
  }

private:
  static constexpr ::cuda::std::uint32_t tag_bits = ends_in_flag<T> ? last_tag : ~::cuda::std::uint32_t{0};
};
} // namespace carry
LIGHTSCAN_NAMESPACE_END
