// A warp's 32 lanes on the GPU: shuffles of any trivially copyable type, and ordered folds and scans built on them.
// (The paper, section 3.2, scans inside a block with warp shuffles; here operands keep their order.)
#pragma once

#include <lightscan/util/integer_sums.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
#include <cuda/std/functional>

LIGHTSCAN_NAMESPACE_BEGIN
namespace warp
{
#if defined(__CUDACC__)
inline constexpr int lanes = 32;

// Resident threads per multiprocessor: 1,024 on sm_75; elsewhere 1,536, as far as kernels need to know
// (perf/DECISIONS.md, multiprocessor-threads).
#  if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr int multiprocessor_threads = 1024;
#  else
inline constexpr int multiprocessor_threads = 1536;
#  endif

__device__ inline int lane_id()
{
  return static_cast<int>(threadIdx.x % lanes);
}

// The warp's number in its block. Read from one lane, so that the compiler knows it to be one number for the warp: code that
// branches on a number of each thread's own keeps a second version of every shuffle, for lanes that have parted.
__device__ inline int warp_id()
{
  return __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x / lanes), 0);
}

// A value of any type through a shuffle of words.
template <class T, class Shuffle>
__device__ util::uninitialized<T> shuffled(const T& value, Shuffle shuffle)
{
  util::words<T> moved = util::to_words(value);
#  pragma unroll
  for (int w = 0; w < util::words<T>::count; ++w)
  {
    moved.word[w] = shuffle(moved.word[w]);
  }
  return util::from_words<T>(moved);
}

// The value of the lane `distance` below; lanes that have none keep their own.
template <class T>
__device__ util::uninitialized<T> shuffle_up(const T& value, int distance)
{
  return shuffled(value, [distance](::cuda::std::uint32_t word) {
    return __shfl_up_sync(0xffffffffu, word, distance);
  });
}

// The value of the lane `distance` above; lanes that have none keep their own.
template <class T>
__device__ util::uninitialized<T> shuffle_down(const T& value, int distance)
{
  return shuffled(value, [distance](::cuda::std::uint32_t word) {
    return __shfl_down_sync(0xffffffffu, word, distance);
  });
}

// The value of one lane, in all.
template <class T>
__device__ util::uninitialized<T> from_lane(const T& value, int lane)
{
  return shuffled(value, [lane](::cuda::std::uint32_t word) {
    return __shfl_sync(0xffffffffu, word, lane);
  });
}

// The greatest over all lanes, in all: one instruction, from sm_80 on.
__device__ inline int greatest(int value)
{
#  if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#    pragma unroll
  for (int distance = lanes / 2; distance > 0; distance /= 2)
  {
    const int other = __shfl_xor_sync(0xffffffffu, value, distance);
    value           = other > value ? other : value;
  }
  return value;
#  else
  return __reduce_max_sync(0xffffffffu, value);
#  endif
}

// The sum over all lanes, likewise.
__device__ inline int sum(int value)
{
#  if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#    pragma unroll
  for (int distance = lanes / 2; distance > 0; distance /= 2)
  {
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  }
  return value;
#  else
  return __reduce_add_sync(0xffffffffu, value);
#  endif
}

// A step of inclusive_scan, for distances 1, 2, 4, ... `lanes_below`: how many lanes that count lie below this one; 0 where
// this one does not count.
template <class T, class Op>
__device__ void scan_step(util::uninitialized<T>& value, int lanes_below, int distance, Op& op)
{
  const util::uninitialized<T> left = shuffle_up(value.value, distance);
  if (distance <= lanes_below)
  {
    value = util::combine(op, left.value, value.value);
  }
}

// Every lane's fold of lanes `first`, which may differ from lane to lane, to its own. `counts`: whether this lane's value does, which
// must be so for the lowest lanes only; the others' values are not read. No lane from `reach` on counts.
template <class T, class Op>
__device__ void inclusive_scan_from(int first, util::uninitialized<T>& value, bool counts, Op& op, int reach = lanes)
{
  const int lanes_below = counts ? lane_id() - first : 0;
#  pragma unroll
  for (int distance = 1; distance < lanes; distance *= 2)
  {
    if (distance >= reach)
    {
      break;
    }
    scan_step(value, lanes_below, distance, op);
  }
}

template <class T, class Op>
__device__ void inclusive_scan(util::uninitialized<T>& value, bool counts, Op& op, int reach = lanes)
{
  inclusive_scan_from(0, value, counts, op, reach);
}

// A fold of the lowest `count` lanes' values, in every lane, that is shorter than the tree below and comes to the same bits: specialized
// for operators that allow one, as `of(value, count, op)` (perf/DECISIONS.md, sums-in-one-step).
template <class T, class Op>
struct short_fold
{
  static constexpr bool exists = false;
};

// Sums of integers of one word.
template <class T, class U>
struct short_fold<T, ::cuda::std::plus<U>>
{
  static constexpr bool exists = util::adds_modulo<T, ::cuda::std::plus<U>> && sizeof(T) <= sizeof(int);

  static __device__ T of(const T& value, int count, const ::cuda::std::plus<U>&)
  {
    return static_cast<T>(warp::sum(lane_id() < count ? static_cast<int>(value) : 0));
  }
};

// The warp that carry/ asks for; serial_warp.h has the same for one host thread.
struct device_warp
{
  template <class T, class Op>
  static constexpr bool folds_in_one_step = short_fold<T, Op>::exists;

  template <class V>
  using per_lane = V;

  template <class V>
  static __device__ V& at(per_lane<V>& value, int)
  {
    return value;
  }

  template <class F>
  static __device__ void each_lane(F f)
  {
    f(lane_id());
    __syncwarp();
  }

  // The values of the lowest `count` lanes, folded by a tree over adjacent lanes, or to its bits, in every lane (perf/DECISIONS.md,
  // window-fold). Lanes that the result does not need fold what begins at theirs, which costs nothing, where telling which are
  // needed would.
  template <class T, class Op>
  static __device__ util::uninitialized<T> fold(util::uninitialized<T> value, int count, Op& op)
  {
    if constexpr (short_fold<T, Op>::exists)
    {
      return short_fold<T, Op>::of(value.value, count, op);
    }
    else
    {
      const int left = count - lane_id();
#  pragma unroll
      for (int distance = 1; distance < lanes; distance *= 2)
      {
        if (distance >= count) // a handful of blocks needs a step or two
        {
          break;
        }
        const util::uninitialized<T> right = shuffle_down(value.value, distance);
        if (distance < left)
        {
          value = util::combine(op, value.value, right.value);
        }
      }
      return from_lane(value.value, 0);
    }
  }
};
#endif
} // namespace warp
LIGHTSCAN_NAMESPACE_END
