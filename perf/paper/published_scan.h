// The scan as Liu and Aluru published it (arXiv:1604.04815, section 3), written anew from their description, to be
// measured on today's GPUs beside what it has become:
//
//   - blocks of 1,024 threads with K elements each in registers, one resident block on each multiprocessor;
//   - data blocks of 1,024 x K elements dealt cyclically; a warp loads K stripes of 32 neighbouring elements;
//   - each stripe scanned by warp shuffles, stripes joined from left to right, warps joined through shared memory;
//   - a chain between blocks: each waits for its left neighbour's (value, ready) pair, which goes through the L2 cache
//     by ld.cg / st.cg, and sends its own.
//
// K is what 64 registers a thread leave room for: 44 elements of 4 bytes, 20 of 8.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/ptx/coherent.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/warp/device_warp.h>

#include <cstdint>

namespace perf::paper
{
inline constexpr int threads = 1024;
inline constexpr int warps   = threads / 32;

template <class T>
inline constexpr int elements_a_thread = sizeof(T) == 4 ? 44 : 20;

template <class T>
inline constexpr int block_items = threads* elements_a_thread<T>;

using lightscan::carry::slot_word;

// The paper's way between blocks. The fence makes each poll happen, as in lightscan::carry::cg_transport; no pause between two.
struct cg_transport
{
  static __device__ slot_word load(slot_word* address)
  {
    return lightscan::ptx::load_cg(address);
  }
  static __device__ void store(slot_word* address, slot_word word)
  {
    lightscan::ptx::store_cg(address, word);
  }
  static __device__ void between_polls()
  {
    __threadfence_block();
  }
};

// What the paper compares it with: atomic read-modify-write operations.
struct atomics_transport
{
  static __device__ slot_word load(slot_word* address)
  {
    return atomicAdd(reinterpret_cast<unsigned long long*>(address), 0ull);
  }
  static __device__ void store(slot_word* address, slot_word word)
  {
    (void) atomicExch(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(word));
  }
  static __device__ void between_polls() {}
};

// Sums of all lanes up to and including this one.
template <class T>
__device__ T warp_sums(T value)
{
  const int lane = lightscan::warp::lane_id();
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2)
  {
    const T left = __shfl_up_sync(0xffffffffu, value, distance);
    value        = lane >= distance ? static_cast<T>(left + value) : value;
  }
  return value;
}

// The protocol between blocks (section 3.3): what comes before data block b > 0, in every lane, once its left neighbour has
// sent it. Every hop is a trip through L2, and the hops are serial.
template <class T, class Transport>
__device__ T prefix_before(const lightscan::carry::slot_ring<T>& slots, std::int64_t b)
{
  const auto left = lightscan::carry::slot_position::of(b - 1);
  lightscan::carry::slot_reading<T> pair;
  pair.template load<Transport>(slots.first_word(left));
  while (!pair.carries(slots.tag(left.window)))
  {
    Transport::between_polls();
    pair.template load<Transport>(slots.first_word(left));
  }
  return pair.value().value;
}

template <class T, class Transport>
__global__ void __launch_bounds__(threads, 1)
  published_scan(const T* input, T* output, std::int64_t count, lightscan::carry::slot_ring<T> slots)
{
  constexpr int stripes = elements_a_thread<T>;

  __shared__ T sums_of_warps[warps];
  __shared__ T carry_of_block;

  const int lane            = lightscan::warp::lane_id();
  const int warp            = static_cast<int>(threadIdx.x) / 32;
  const std::int64_t blocks = (count - 1) / block_items<T> + 1;

  for (std::int64_t b = blockIdx.x; b < blocks; b += gridDim.x)
  {
    const std::int64_t first = b * block_items<T> + warp * (32 * stripes) + lane;
    T value[stripes];
#pragma unroll
    for (int stripe = 0; stripe < stripes; ++stripe)
    {
      value[stripe] = first + stripe * 32 < count ? input[first + stripe * 32] : T{};
    }

    T sum{};
#pragma unroll
    for (int stripe = 0; stripe < stripes; ++stripe)
    {
      value[stripe] = sum + warp_sums(value[stripe]);
      sum           = __shfl_sync(0xffffffffu, value[stripe], 31);
    }
    if (lane == 0)
    {
      sums_of_warps[warp] = sum;
    }
    __syncthreads();

    if (warp == 0)
    {
      sums_of_warps[lane] = warp_sums(sums_of_warps[lane]);
      __syncwarp();
      const T carry = b > 0 ? prefix_before<T, Transport>(slots, b) : T{};
      if (lane == 0)
      {
        slots.template publish<Transport>(slots.address_of(b), static_cast<T>(carry + sums_of_warps[warps - 1]));
        carry_of_block = carry;
      }
    }
    __syncthreads();

    const T before = carry_of_block + (warp > 0 ? sums_of_warps[warp - 1] : T{});
#pragma unroll
    for (int stripe = 0; stripe < stripes; ++stripe)
    {
      if (first + stripe * 32 < count)
      {
        output[first + stripe * 32] = before + value[stripe];
      }
    }
    __syncthreads(); // the sums have been read
  }
}
} // namespace perf::paper
