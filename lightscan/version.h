/// @file
/// The version, the CCCL requirement, and the namespace that keeps separately compiled copies apart.
/// Every other header may include this one; it includes none of them.
#pragma once

#include <cuda/std/version>

/// @namespace lightscan
/// Everything that LightScan offers.

/// Before 1.0.0 a step may change the interface; CHANGELOG.md says how. From then on steps are as semver.org describes.
#define LIGHTSCAN_VERSION_MAJOR 0
/// See LIGHTSCAN_VERSION_MAJOR.
#define LIGHTSCAN_VERSION_MINOR 1
/// See LIGHTSCAN_VERSION_MAJOR.
#define LIGHTSCAN_VERSION_PATCH 0

#if !defined(CCCL_MAJOR_VERSION) || CCCL_MAJOR_VERSION < 3
#  error "LightScan needs CCCL 3.0 or newer: link CCCL::CCCL, or use the one that comes with CUDA Toolkit 13.0"
#endif

/// @cond internal

// Kernels and everything that launches them stand in an inline namespace named after what they were compiled for.
// Without it, two libraries compiled for different architectures would share one mangled name for two different
// kernels, and the linker would keep either.
#define LIGHTSCAN_DETAIL_PASTE_2(a, b) a##_##b
#define LIGHTSCAN_DETAIL_PASTE(a, b) LIGHTSCAN_DETAIL_PASTE_2(a, b)
#define LIGHTSCAN_DETAIL_JOIN_1(a) a
#define LIGHTSCAN_DETAIL_JOIN_2(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_1(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_3(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_2(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_4(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_3(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_5(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_4(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_6(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_5(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_7(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_6(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_8(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_7(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_9(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_8(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_10(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_9(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_11(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_10(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_12(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_11(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_13(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_12(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_14(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_13(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_15(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_14(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_16(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_15(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_17(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_16(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_18(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_17(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_19(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_18(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_20(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_19(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_21(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_20(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_22(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_21(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_23(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_22(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_JOIN_24(a, ...) LIGHTSCAN_DETAIL_PASTE(a, LIGHTSCAN_DETAIL_JOIN_23(__VA_ARGS__))
#define LIGHTSCAN_DETAIL_COUNT_OF(_1,    \
                                  _2,    \
                                  _3,    \
                                  _4,    \
                                  _5,    \
                                  _6,    \
                                  _7,    \
                                  _8,    \
                                  _9,    \
                                  _10,   \
                                  _11,   \
                                  _12,   \
                                  _13,   \
                                  _14,   \
                                  _15,   \
                                  _16,   \
                                  _17,   \
                                  _18,   \
                                  _19,   \
                                  _20,   \
                                  _21,   \
                                  _22,   \
                                  _23,   \
                                  _24,   \
                                  count, \
                                  ...)   \
  count
#define LIGHTSCAN_DETAIL_COUNT(...) \
  LIGHTSCAN_DETAIL_COUNT_OF(        \
    __VA_ARGS__, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define LIGHTSCAN_DETAIL_JOIN_N_2(count, ...) LIGHTSCAN_DETAIL_JOIN_##count(__VA_ARGS__)
#define LIGHTSCAN_DETAIL_JOIN_N(count, ...) LIGHTSCAN_DETAIL_JOIN_N_2(count, __VA_ARGS__)
#define LIGHTSCAN_DETAIL_JOIN(...) LIGHTSCAN_DETAIL_JOIN_N(LIGHTSCAN_DETAIL_COUNT(__VA_ARGS__), __VA_ARGS__)

#if defined(__CUDA_ARCH_LIST__)
#  define LIGHTSCAN_DETAIL_ARCHITECTURES LIGHTSCAN_DETAIL_JOIN(sm, __CUDA_ARCH_LIST__)
#else
#  define LIGHTSCAN_DETAIL_ARCHITECTURES host
#endif

// LIGHTSCAN_CG_TRANSPORT makes the paper's ld.cg / st.cg the default way to reach a slot (see carry/slot.h).
#if defined(LIGHTSCAN_CG_TRANSPORT)
#  define LIGHTSCAN_DETAIL_TRANSPORT LIGHTSCAN_DETAIL_PASTE(cg, LIGHTSCAN_DETAIL_ARCHITECTURES)
#else
#  define LIGHTSCAN_DETAIL_TRANSPORT LIGHTSCAN_DETAIL_ARCHITECTURES
#endif

// Which default stream a null one is, in CUDA's calls and in the driver's.
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#  define LIGHTSCAN_DETAIL_STREAMS LIGHTSCAN_DETAIL_PASTE(per_thread, LIGHTSCAN_DETAIL_TRANSPORT)
#else
#  define LIGHTSCAN_DETAIL_STREAMS LIGHTSCAN_DETAIL_TRANSPORT
#endif

// LIGHTSCAN_DEBUG_SYNC makes every launch wait and report (see dispatch/report.h).
#if defined(LIGHTSCAN_DEBUG_SYNC)
#  define LIGHTSCAN_DETAIL_BUILD LIGHTSCAN_DETAIL_PASTE(debug_sync, LIGHTSCAN_DETAIL_STREAMS)
#else
#  define LIGHTSCAN_DETAIL_BUILD LIGHTSCAN_DETAIL_STREAMS
#endif

#define LIGHTSCAN_DETAIL_ABI_2(major, minor, patch, build) v##major##_##minor##_##patch##_##build
#define LIGHTSCAN_DETAIL_ABI(major, minor, patch, build) LIGHTSCAN_DETAIL_ABI_2(major, minor, patch, build)

#define LIGHTSCAN_NAMESPACE_BEGIN                                \
  namespace lightscan                                            \
  {                                                              \
  inline namespace LIGHTSCAN_DETAIL_ABI(LIGHTSCAN_VERSION_MAJOR, \
                                        LIGHTSCAN_VERSION_MINOR, \
                                        LIGHTSCAN_VERSION_PATCH, \
                                        LIGHTSCAN_DETAIL_BUILD)  \
  {
#define LIGHTSCAN_NAMESPACE_END \
  }                             \
  }

// The headers below also serve plain C++ (the protocol runs on host threads too).
#if defined(__CUDACC__)
#  define LIGHTSCAN_HOST_DEVICE __host__ __device__
// A user's operator or iterator may be host-only or device-only; calling it from both sides is not worth a warning.
#  define LIGHTSCAN_EXEC_CHECK_DISABLE _Pragma("nv_exec_check_disable")
#else
#  define LIGHTSCAN_HOST_DEVICE
#  define LIGHTSCAN_EXEC_CHECK_DISABLE
#endif

// Loops over registers, and loops that shall stay short code. The host's compiler neither needs nor knows the pragma.
#if defined(__CUDA_ARCH__)
#  define LIGHTSCAN_UNROLL _Pragma("unroll")
#  define LIGHTSCAN_KEEP_ROLLED _Pragma("unroll 1")
#else
#  define LIGHTSCAN_UNROLL
#  define LIGHTSCAN_KEEP_ROLLED
#endif

/// @endcond
