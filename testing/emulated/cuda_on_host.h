// Makes the host's compiler take LightScan's kernels for ordinary functions: what CUDA adds to the language are macros and functions
// here, which call the emulator (machine.h). To be included before any other header that includes LightScan's; the folder shadow/
// comes first in the include path, for what is assembly or a call of CUDA's.
//
// Other people's headers come first: they are to be what they are in a program without CUDA.
#pragma once

#if defined(__CUDACC__)
#  error "This header is for the host's compiler"
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#define NVTX_DISABLE // nobody listens

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/memory.h>
#include <thrust/pair.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <cuda/atomic>
#include <cuda/functional>
#include <cuda/ptx>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/iterator>
#include <cuda/std/memory>
#include <cuda/std/numeric>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/version>
#include <nv/target>

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>
#include <vector_functions.h>
#include <vector_types.h>

#include "machine.h"

#if !defined(LIGHTSCAN_EMULATED_ARCH)
#  define LIGHTSCAN_EMULATED_ARCH 900
#endif

#define __CUDACC__ 1
#define __CUDA_ARCH__ LIGHTSCAN_EMULATED_ARCH
#define __CUDA_ARCH_LIST__ LIGHTSCAN_EMULATED_ARCH

#undef __device__
#undef __host__
#undef __global__
#undef __shared__
#undef __constant__
#undef __forceinline__
#undef __launch_bounds__
#undef __grid_constant__
#define __device__
#define __host__
#define __global__
#define __shared__ thread_local // a resident block is one thread of the system
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__

namespace emulated
{
struct in_one_dimension
{
  unsigned x;
};
} // namespace emulated
#define threadIdx (::emulated::in_one_dimension{::emulated::here->thread})
#define blockIdx (::emulated::in_one_dimension{::emulated::here->block})
#define blockDim (::emulated::in_one_dimension{::emulated::here->threads})
#define gridDim (::emulated::in_one_dimension{::emulated::here->blocks})

inline void __syncthreads()
{
  emulated::synchronize(0);
}
inline void __barrier_sync(unsigned id)
{
  emulated::synchronize(id);
}
inline void __barrier_sync_count(unsigned id, unsigned threads)
{
  emulated::synchronize(id, threads);
}

inline void __syncwarp(unsigned mask = 0xffffffffu)
{
  (void) emulated::meet(emulated::collective::sync, mask, 0);
}
inline unsigned __activemask()
{
  return emulated::active_lanes();
}

namespace emulated
{
template <class T>
T shuffle(collective kind, unsigned mask, T value, unsigned operand, int width)
{
  static_assert(sizeof(T) <= sizeof(std::uint64_t), "a shuffle moves a register or two");
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  word = meet(kind, mask, word, operand, width);
  std::memcpy(&value, &word, sizeof value);
  return value;
}
} // namespace emulated

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32)
{
  return emulated::shuffle(emulated::collective::shuffle, mask, value, static_cast<unsigned>(lane), width);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32)
{
  return emulated::shuffle(emulated::collective::shuffle_up, mask, value, distance, width);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32)
{
  return emulated::shuffle(emulated::collective::shuffle_down, mask, value, distance, width);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32)
{
  return emulated::shuffle(
    emulated::collective::shuffle, mask, value, (threadIdx.x ^ static_cast<unsigned>(lanes)) % 32, width);
}

inline unsigned __ballot_sync(unsigned mask, int predicate)
{
  return static_cast<unsigned>(emulated::meet(emulated::collective::ballot, mask, predicate != 0));
}
inline int __any_sync(unsigned mask, int predicate)
{
  return __ballot_sync(mask, predicate) != 0;
}
inline int __all_sync(unsigned mask, int predicate)
{
  return __ballot_sync(mask, predicate == 0) == 0;
}
inline unsigned __reduce_add_sync(unsigned mask, unsigned value)
{
  return static_cast<unsigned>(emulated::meet(emulated::collective::add, mask, value));
}
inline int __reduce_add_sync(unsigned mask, int value)
{
  return static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned>(value)));
}

inline int __reduce_max_sync(unsigned mask, int value)
{
  constexpr unsigned sign = 1u << 31; // without which integers are in the order of unsigned ones
  const auto greatest     = emulated::meet(emulated::collective::greatest, mask, static_cast<unsigned>(value) ^ sign);
  return static_cast<int>(static_cast<unsigned>(greatest) ^ sign);
}

// One thread runs at a time, and gives way in calls of the emulator only: an ordinary access is atomic.
template <class T>
T atomicAdd_block(T* address, T value)
{
  const T before = __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
  emulated::wrote(address, true);
  return before;
}
template <class T>
T atomicCAS_block(T* address, T expected, T value)
{
  T before = expected;
  (void) __atomic_compare_exchange_n(address, &before, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  emulated::wrote(address, true);
  return before;
}

inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __nanosleep(unsigned)
{
  emulated::pause();
}

// In the place of cuda::atomic_ref. Stores to global memory are seen some time later, as are slots'.
namespace cuda
{
template <class T, thread_scope Scope>
class atomic_ref_on_host
{
  static constexpr bool of_block = Scope == thread_scope_block;
  static_assert(of_block || sizeof(T) == sizeof(std::uint64_t), "store_late() is for words of slots");

  // Orders that nobody asks for here are taken for weaker ones.

public:
  explicit atomic_ref_on_host(T& word)
      : word_(&word)
  {}

  T load(std::memory_order order) const
  {
    emulated::reads(word_, of_block);
    return order == std::memory_order_acquire ? __atomic_load_n(word_, __ATOMIC_ACQUIRE)
                                              : __atomic_load_n(word_, __ATOMIC_RELAXED);
  }

  void store(T value, std::memory_order) const
  {
    if constexpr (of_block)
    {
      __atomic_store_n(word_, value, __ATOMIC_RELAXED);
      emulated::wrote(word_, true);
    }
    else
    {
      emulated::store_late(reinterpret_cast<std::uint64_t*>(word_), value);
    }
  }

  T fetch_add(T value, std::memory_order order) const
  {
    static_assert(of_block);
    const T before = order == std::memory_order_release ? __atomic_fetch_add(word_, value, __ATOMIC_RELEASE)
                                                        : __atomic_fetch_add(word_, value, __ATOMIC_RELAXED);
    emulated::wrote(word_, true);
    return before;
  }

private:
  T* word_;
};
} // namespace cuda
#define atomic_ref atomic_ref_on_host

inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned bits)
{
  return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) >> bits % 32);
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned bits)
{
  return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) << bits % 32 >> 32);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
  __extension__ using wide = unsigned __int128;
  return static_cast<unsigned long long>(static_cast<wide>(a) * b >> 64);
}

inline int __popc(unsigned word)
{
  return __builtin_popcount(word);
}
inline int __ffs(int word)
{
  return __builtin_ffs(word);
}
inline int __clz(int word)
{
  return word == 0 ? 32 : __builtin_clz(static_cast<unsigned>(word));
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum)
{
  for (int byte = 0; byte < 32; byte += 8)
  {
    sum += (a >> byte & 0xff) * (b >> byte & 0xff);
  }
  return sum;
}
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector)
{
  const std::uint64_t bytes = static_cast<std::uint64_t>(high) << 32 | low;
  unsigned result           = 0;
  for (int byte = 0; byte < 4; ++byte)
  {
    result |= static_cast<unsigned>(bytes >> 8 * (selector >> 4 * byte & 7) & 0xff) << 8 * byte;
  }
  return result;
}
inline unsigned __vadd4(unsigned a, unsigned b)
{
  return ((a & 0x7f7f7f7fu) + (b & 0x7f7f7f7fu)) ^ ((a ^ b) & 0x80808080u);
}

// Accesses that differ in what the caches are to do.
template <class T>
T __ldg(const T* address)
{
  return *address;
}
template <class T>
T __ldcg(const T* address)
{
  return *address;
}
template <class T>
T __ldcs(const T* address)
{
  return *address;
}
template <class T>
void __stcg(T* address, const T& value)
{
  *address = value;
}
template <class T>
void __stcs(T* address, const T& value)
{
  *address = value;
}

#include "ptx_on_host.h"

// The dynamic shared memory of the kernels that have some, which they declare.
#include <lightscan/version.h>
LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
inline constexpr std::size_t most_dynamic_bytes = 227 * 1024;

alignas(128) inline thread_local unsigned char stages[most_dynamic_bytes];
} // namespace bulk
namespace batched
{
alignas(128) inline thread_local unsigned char tile_memory[bulk::most_dynamic_bytes];
} // namespace batched
LIGHTSCAN_NAMESPACE_END
