/// @file
/// The version, the CCCL requirement, and the namespace that keeps separately compiled copies apart.
/// Every other header may include this one; it includes none of them.
///
/// What may be defined before the first include, the same in all files of a library:
///
/// - **LIGHTSCAN_BULK_ROWS**: rows of the tuning table for a GPU of yours, as lightscan_tune prints them (below, with an example)
/// - **LIGHTSCAN_CG_TRANSPORT**: the paper's ld.cg / st.cg between blocks, for the same bits
/// - **LIGHTSCAN_DEBUG_SYNC**: every launch waits, and reports (<lightscan/path.h>)
/// - **LIGHTSCAN_SM80_IS_A100**: code for sm_80 meets no other GPU than an A100 or A30, and may have all of their shared memory
///   (implied where there is code for sm_86, too)
/// - **LIGHTSCAN_NO_NCCL**: <lightscan/multi_gpu.h> without NCCL
/// - **NVTX_DISABLE**: no NVTX ranges
/// - **CCCL_ENABLE_ASSERTIONS**: CCCL's own assertions, and that offsets of segments ascend
#pragma once

#include <cuda/__cccl_config> // CCCL's splice macro, which names CUB's and Thrust's inline namespaces, too
#include <cuda/std/version>

/// @namespace lightscan
/// Everything that LightScan offers.

/// Before 1.0.0 a step may change the interface; CHANGELOG.md says how. From then on steps are as semver.org describes.
#define LIGHTSCAN_VERSION_MAJOR 0
/// See LIGHTSCAN_VERSION_MAJOR.
#define LIGHTSCAN_VERSION_MINOR 2
/// See LIGHTSCAN_VERSION_MAJOR.
#define LIGHTSCAN_VERSION_PATCH 0

#if !defined(CCCL_MAJOR_VERSION) || CCCL_MAJOR_VERSION < 3
#  error "LightScan needs CCCL 3.0 or newer: link CCCL::CCCL, or use the one that comes with CUDA Toolkit 13.0"
#endif

/// @cond internal

// Two libraries of one program may each have LightScan in them, compiled for other architectures, with another CCCL, or with
// Thrust in a namespace of its own (THRUST_CUB_WRAPPED_NAMESPACE, a single identifier here). What differs between them must
// not share a name, or the linker keeps either; and where their names agree, what a library remembers (kernels' handles,
// workspaces, threads) must not be shared across a dlclose. Hence two inline namespaces:
//
//   types    policies, and what else a file that no nvcc compiles hands to one that it does: Thrust's namespace and version
//   build    inside it, all the rest: architectures, transport, streams, debugging; hidden, so that each shared library
//            keeps its own functions and statics, whatever its kernels' visibility
#if defined(__GNUC__) && !defined(_WIN32)
#  define LIGHTSCAN_HIDDEN __attribute__((visibility("hidden")))
#else
#  define LIGHTSCAN_HIDDEN
#endif

#if defined(THRUST_CUB_WRAPPED_NAMESPACE)
#  define LIGHTSCAN_DETAIL_THRUST wrapped_in, THRUST_CUB_WRAPPED_NAMESPACE, cccl, CCCL_VERSION
#elif defined(THRUST_WRAPPED_NAMESPACE)
#  define LIGHTSCAN_DETAIL_THRUST wrapped_in, THRUST_WRAPPED_NAMESPACE, cccl, CCCL_VERSION
#else
#  define LIGHTSCAN_DETAIL_THRUST cccl, CCCL_VERSION
#endif

#if defined(__CUDA_ARCH_LIST__)
#  define LIGHTSCAN_DETAIL_ARCHITECTURES sm, __CUDA_ARCH_LIST__
#else
#  define LIGHTSCAN_DETAIL_ARCHITECTURES host
#endif

// LIGHTSCAN_SM80_IS_A100 gives code for sm_80 the 163 KB that a block has there (dispatch/architectures.h). On other GPUs, where it has
// 99, large scans of such code take the plain kernel. The same in all files of a library.
#if defined(LIGHTSCAN_SM80_IS_A100)
#  define LIGHTSCAN_DETAIL_GPUS a100, LIGHTSCAN_DETAIL_ARCHITECTURES
#else
#  define LIGHTSCAN_DETAIL_GPUS LIGHTSCAN_DETAIL_ARCHITECTURES
#endif

// LIGHTSCAN_CG_TRANSPORT, defined before the first include, makes the paper's ld.cg / st.cg the default way to reach a slot, in place of
// relaxed cuda::atomic_ref accesses (see carry/slot.h). The bits of results are the same; perf/ measures both.
#if defined(LIGHTSCAN_CG_TRANSPORT)
#  define LIGHTSCAN_DETAIL_TRANSPORT cg, LIGHTSCAN_DETAIL_GPUS
#else
#  define LIGHTSCAN_DETAIL_TRANSPORT LIGHTSCAN_DETAIL_GPUS
#endif

// Which default stream a null one is, in CUDA's calls and in the driver's.
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#  define LIGHTSCAN_DETAIL_STREAMS per_thread, LIGHTSCAN_DETAIL_TRANSPORT
#else
#  define LIGHTSCAN_DETAIL_STREAMS LIGHTSCAN_DETAIL_TRANSPORT
#endif

// LIGHTSCAN_BULK_ROWS: rows of the bulk pipeline's table for a GPU of one's own, each with a comma behind it, as lightscan_tune
// prints them and as dispatch/tuning.h explains them, in a header of yours that comes before ours:
//
//     #define LIGHTSCAN_BULK_ROWS {80, memory, 1, in_place, 4, 0, 5, 128, 112, 3, 6, 2, 1},
//
// (In -D nvcc takes a comma for the end of the argument, unless there is a backslash before it.)
// A row serves code for one of dispatch/architectures.h's: 86 is all from sm_86 to sm_89. Where there is no nearer row it serves other
// architectures, too, fitted to the shared memory that they have, but for rows `with_lookups`: those serve predicates and equalities that
// can hold an address, on one architecture. Rows `searched` serve keys that are functions of an item's index and may read memory; where there
// is none, those `gathered` do. Where it asks for more than that table does, and than the GPU has, scans
// fail. The same in all files of a library.
#if defined(LIGHTSCAN_BULK_ROWS)
#  define LIGHTSCAN_DETAIL_ROWS own_rows, LIGHTSCAN_DETAIL_STREAMS
#else
#  define LIGHTSCAN_DETAIL_ROWS LIGHTSCAN_DETAIL_STREAMS
#endif

// LIGHTSCAN_DEBUG_SYNC makes every launch wait and report (see runtime/report.h).
#if defined(LIGHTSCAN_DEBUG_SYNC)
#  define LIGHTSCAN_DETAIL_BUILD debug_sync, LIGHTSCAN_DETAIL_ROWS
#else
#  define LIGHTSCAN_DETAIL_BUILD LIGHTSCAN_DETAIL_ROWS
#endif

#define LIGHTSCAN_TYPES_NAMESPACE_BEGIN                                                                       \
  namespace lightscan                                                                                         \
  {                                                                                                           \
  inline namespace _CCCL_PP_SPLICE_WITH(                                                                      \
    _, v, LIGHTSCAN_VERSION_MAJOR, LIGHTSCAN_VERSION_MINOR, LIGHTSCAN_VERSION_PATCH, LIGHTSCAN_DETAIL_THRUST) \
  {
#define LIGHTSCAN_TYPES_NAMESPACE_END \
  }                                   \
  }

#define LIGHTSCAN_NAMESPACE_BEGIN                                                          \
  LIGHTSCAN_TYPES_NAMESPACE_BEGIN                                                          \
  inline namespace _CCCL_PP_SPLICE_WITH(_, build, LIGHTSCAN_DETAIL_BUILD) LIGHTSCAN_HIDDEN \
  {
#define LIGHTSCAN_NAMESPACE_END \
  }                             \
  LIGHTSCAN_TYPES_NAMESPACE_END

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
