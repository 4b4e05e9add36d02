// A CUDA runtime without a GPU, for what the host side of a launch does with CUDA's answers: any call can be made to fail.
// The linker puts these instead of the real ones (--wrap; CMakeLists.txt has the list), in one program only, so this
// header defines them.
#pragma once

#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace fake_cuda
{
inline constexpr int multiprocessors = 132;

struct state
{
  int calls                  = 0;                         // so far
  int failing_call           = 0;                         // this one fails, counted from one
  cudaError_t error          = cudaErrorMemoryAllocation; // with this
  int blocks_each            = 1;                         // that a multiprocessor has room for
  int capacity               = multiprocessors;           // blocks that a cooperative launch may have
  int compiled_for           = 90;                        // the program
  int shared_bytes           = 227 * 1024;                // that a block can have
  bool capturing             = false;
  unsigned long long context = 1;
  bool has_context           = false; // the first cudaFree of a thread makes one
  cudaError_t last           = cudaSuccess;
  std::string failed;              // the call that was made to fail
  int questions = 0;               // about the GPU, about a kernel, and for the current context
  std::vector<int> launched_grids; // of launches that were let through
  std::vector<int> ordinary_grids; // of those that were not cooperative
  std::vector<int> refused_grids;
  int streams_multiprocessors = multiprocessors; // that the stream's context has
  bool cooperative            = true;
  std::string always_failing;         // a call that fails each time
  bool work_has_run           = true; // what events are asked for
  int events_recorded         = 0;
  int memory_made             = 0;     // pieces, so far
  std::size_t largest_cleared = 0;     // bytes
  bool being_cleared          = false; // memory, until somebody waits
  std::map<void*, std::size_t> memory; // allocated and not freed
  std::function<void()> meanwhile;     // what another thread does during the next cudaMalloc
};

inline state now;

inline std::map<void*, unsigned long long> context_of;           // of what was ever allocated
inline std::map<CUstream, unsigned long long> context_of_stream; // of those that belong to one

// The answer to a call. Real ones leave an error behind for cudaGetLastError, too.
inline cudaError_t answer(const char* call)
{
  if (++now.calls == now.failing_call || now.always_failing == call)
  {
    now.failed = call;
    now.last   = now.error;
    return now.error;
  }
  return cudaSuccess;
}

inline cudaError_t allocate(const char* call, void** result, std::size_t bytes)
{
  const cudaError_t error = answer(call);
  if (!error)
  {
    ++now.memory_made;
    *result             = std::malloc(bytes);
    now.memory[*result] = bytes;
    context_of[*result] = now.context;
  }
  return error;
}

// The driver's functions. They leave no error behind for cudaGetLastError.
inline CUresult driver_answer(const char* call)
{
  const cudaError_t before = now.last;
  const cudaError_t error  = answer(call);
  now.last                 = before;
  return static_cast<CUresult>(error);
}

inline CUresult context_id(CUcontext, unsigned long long* id)
{
  ++now.questions;
  *id = now.context;
  return now.has_context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

inline CUresult context_resource(CUcontext, CUdevResource* resource, CUdevResourceType)
{
  ++now.questions;
  resource->sm.smCount = static_cast<unsigned>(now.streams_multiprocessors);
  return driver_answer("cuCtxGetDevResource");
}

inline CUresult stream_context(CUstream, CUcontext* context)
{
  *context = nullptr;
  return driver_answer("cuStreamGetCtx");
}

inline CUresult event_record(CUevent, CUstream)
{
  ++now.events_recorded;
  return driver_answer("cuEventRecord");
}

inline CUresult event_query(CUevent)
{
  return now.work_has_run ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

inline CUresult stream_id(CUstream stream, unsigned long long* id)
{
  // A default stream's is another one in each context.
  *id = stream != nullptr ? reinterpret_cast<unsigned long long>(stream) : 1000 * now.context;
  return driver_answer("cuStreamGetId");
}

inline CUresult stream_is_capturing(CUstream, CUstreamCaptureStatus* status)
{
  if (!now.has_context)
  {
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  *status = now.capturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  return driver_answer("cuStreamIsCapturing");
}

inline CUresult launch(CUfunction kernel,
                       unsigned grid,
                       unsigned,
                       unsigned,
                       unsigned,
                       unsigned,
                       unsigned,
                       unsigned,
                       CUstream stream,
                       void**,
                       void**)
{
  if (const CUresult error = driver_answer("cuLaunchKernel"))
  {
    return error;
  }
  if (context_of_stream.count(stream) > 0 && reinterpret_cast<CUfunction>(context_of_stream[stream]) != kernel)
  {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  now.launched_grids.push_back(static_cast<int>(grid));
  now.ordinary_grids.push_back(static_cast<int>(grid));
  return CUDA_SUCCESS;
}

inline CUresult launch_cooperatively(
  CUfunction, unsigned grid, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void**)
{
  if (const CUresult error = driver_answer("cuLaunchCooperativeKernel"))
  {
    return error;
  }
  const int blocks = static_cast<int>(grid);
  if (blocks > now.capacity)
  {
    now.refused_grids.push_back(blocks);
    return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  }
  now.launched_grids.push_back(blocks);
  return CUDA_SUCCESS;
}

inline CUresult encode_tensor_map(CUtensorMap*,
                                  CUtensorMapDataType,
                                  cuuint32_t,
                                  void*,
                                  const cuuint64_t*,
                                  const cuuint64_t*,
                                  const cuuint32_t*,
                                  const cuuint32_t*,
                                  CUtensorMapInterleave,
                                  CUtensorMapSwizzle,
                                  CUtensorMapL2promotion,
                                  CUtensorMapFloatOOBfill)
{
  return driver_answer("cuTensorMapEncodeTiled");
}

inline void* driver_function(const std::string& name)
{
  return name == "cuCtxGetId"                ? reinterpret_cast<void*>(&context_id)
       : name == "cuCtxGetDevResource"       ? reinterpret_cast<void*>(&context_resource)
       : name == "cuStreamGetCtx"            ? reinterpret_cast<void*>(&stream_context)
       : name == "cuEventRecord"             ? reinterpret_cast<void*>(&event_record)
       : name == "cuEventQuery"              ? reinterpret_cast<void*>(&event_query)
       : name == "cuStreamGetId"             ? reinterpret_cast<void*>(&stream_id)
       : name == "cuStreamIsCapturing"       ? reinterpret_cast<void*>(&stream_is_capturing)
       : name == "cuLaunchKernel"            ? reinterpret_cast<void*>(&launch)
       : name == "cuLaunchCooperativeKernel" ? reinterpret_cast<void*>(&launch_cooperatively)
       : name == "cuTensorMapEncodeTiled"    ? reinterpret_cast<void*>(&encode_tensor_map)
                                             : nullptr;
}
} // namespace fake_cuda

extern "C" {
cudaError_t __wrap_cudaGetLastError()
{
  const cudaError_t error = fake_cuda::now.last;
  fake_cuda::now.last     = cudaSuccess;
  return error;
}

cudaError_t __wrap_cudaFree(void* memory)
{
  const cudaError_t error = fake_cuda::answer("cudaFree");
  if (!error)
  {
    fake_cuda::now.has_context = true;
    fake_cuda::now.memory.erase(memory);
    std::free(memory);
  }
  return error;
}

cudaError_t __wrap_cudaGetDriverEntryPointByVersion(
  const char* name, void** function, unsigned, unsigned long long, cudaDriverEntryPointQueryResult*)
{
  *function = fake_cuda::driver_function(name);
  return fake_cuda::answer("cudaGetDriverEntryPointByVersion");
}

cudaError_t __wrap_cudaGetDevice(int* device)
{
  *device = 0;
  return fake_cuda::answer("cudaGetDevice");
}

cudaError_t __wrap_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int)
{
  *value = attribute == cudaDevAttrMultiProcessorCount          ? fake_cuda::multiprocessors
         : attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin ? fake_cuda::now.shared_bytes
         : attribute == cudaDevAttrCooperativeLaunch            ? fake_cuda::now.cooperative
                                                                : 1;
  ++fake_cuda::now.questions;
  return fake_cuda::answer("cudaDeviceGetAttribute");
}

cudaError_t __wrap_cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*)
{
  *attributes                    = cudaFuncAttributes{};
  attributes->ptxVersion         = fake_cuda::now.compiled_for;
  attributes->maxThreadsPerBlock = 1024;
  ++fake_cuda::now.questions;
  return fake_cuda::answer("cudaFuncGetAttributes");
}

cudaError_t __wrap_cudaFuncSetAttribute(const void*, cudaFuncAttribute, int)
{
  return fake_cuda::answer("cudaFuncSetAttribute");
}

cudaError_t __wrap_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, std::size_t)
{
  ++fake_cuda::now.questions;
  *blocks = fake_cuda::now.blocks_each;
  return fake_cuda::answer("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
}

cudaError_t
__wrap_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int, std::size_t, unsigned)
{
  ++fake_cuda::now.questions;
  *blocks = fake_cuda::now.blocks_each;
  return fake_cuda::answer("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
}

// A kernel is another function in each context.
cudaError_t __wrap_cudaGetFuncBySymbol(cudaFunction_t* function, const void*)
{
  *function = reinterpret_cast<cudaFunction_t>(fake_cuda::now.context);
  ++fake_cuda::now.questions;
  return fake_cuda::answer("cudaGetFuncBySymbol");
}

// Not counted: its result is not looked at, because a failure leaves nothing worse than a stricter mode.
cudaError_t __wrap_cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*)
{
  return cudaSuccess;
}

cudaError_t __wrap_cudaMalloc(void** result, std::size_t bytes)
{
  if (const auto meanwhile = std::exchange(fake_cuda::now.meanwhile, nullptr))
  {
    meanwhile();
  }
  return fake_cuda::allocate("cudaMalloc", result, bytes);
}

cudaError_t __wrap_cudaMallocAsync(void** result, std::size_t bytes, cudaStream_t)
{
  return fake_cuda::allocate("cudaMallocAsync", result, bytes);
}

cudaError_t __wrap_cudaMallocFromPoolAsync(void** result, std::size_t bytes, cudaMemPool_t, cudaStream_t)
{
  return fake_cuda::allocate("cudaMallocFromPoolAsync", result, bytes);
}

cudaError_t __wrap_cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*)
{
  *pool = reinterpret_cast<cudaMemPool_t>(&fake_cuda::now);
  return fake_cuda::answer("cudaMemPoolCreate");
}

cudaError_t __wrap_cudaStreamCreateWithFlags(cudaStream_t*, unsigned)
{
  return fake_cuda::answer("cudaStreamCreateWithFlags");
}

cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t)
{
  fake_cuda::now.being_cleared = false;
  return fake_cuda::answer("cudaStreamSynchronize");
}

cudaError_t __wrap_cudaStreamDestroy(cudaStream_t)
{
  return cudaSuccess;
}

cudaError_t __wrap_cudaEventCreateWithFlags(cudaEvent_t* event, unsigned)
{
  *event = reinterpret_cast<cudaEvent_t>(&fake_cuda::now);
  return fake_cuda::answer("cudaEventCreateWithFlags");
}

cudaError_t __wrap_cudaEventDestroy(cudaEvent_t)
{
  return cudaSuccess;
}

cudaError_t __wrap_cudaFreeAsync(void* memory, cudaStream_t)
{
  // Frees even where it is told to fail: what is tested is what becomes of the error.
  fake_cuda::now.memory.erase(memory);
  std::free(memory);
  return fake_cuda::answer("cudaFreeAsync");
}

cudaError_t __wrap_cudaMemsetAsync(void* memory, int, std::size_t bytes, cudaStream_t)
{
  fake_cuda::now.being_cleared   = true;
  fake_cuda::now.largest_cleared = bytes > fake_cuda::now.largest_cleared ? bytes : fake_cuda::now.largest_cleared;
  if (fake_cuda::context_of[memory] != fake_cuda::now.context)
  {
    return cudaErrorInvalidResourceHandle;
  }
  const auto there = fake_cuda::now.memory.find(memory);
  if (there != fake_cuda::now.memory.end() && bytes > there->second)
  {
    return cudaErrorInvalidValue; // beyond what was allocated
  }
  return fake_cuda::answer("cudaMemsetAsync");
}
} // extern "C"
