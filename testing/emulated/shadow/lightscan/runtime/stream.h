// As lightscan/runtime/stream.h: there is one stream, on the emulated GPU, and the driver's launches are the emulator's.
#pragma once

#include <lightscan/dispatch/architectures.h>
#include <lightscan/runtime/device.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace runtime
{
struct stream_attributes
{
  device_attributes device;
  int multiprocessors = 0;
  bool captured       = false;
};

// What a launch has written behind the dynamic shared memory that it asked for.
inline constexpr unsigned char beyond_shared = 0xa5;

inline void
run_grid(CUfunction kernel, unsigned blocks, unsigned threads, unsigned shared, unsigned resident, void** arguments)
{
  emulated::grid launched;
  launched.blocks   = blocks;
  launched.threads  = threads;
  launched.resident = resident < blocks ? resident : blocks;
  launched.kernel   = [=] {
    reinterpret_cast<kernel_entry>(kernel)(arguments[0]);
  };
  // Nobody may rely on what is there before.
  launched.block_begins = [=] {
    for (unsigned char* const memory : {bulk::stages, batched::tile_memory})
    {
      std::memset(memory, static_cast<int>(emulated::any_below(256)), shared);
      std::memset(memory + shared, beyond_shared, bulk::most_dynamic_bytes - shared);
    }
  };
  launched.block_ends = [=] {
    bool untouched = true;
    for (const unsigned char* const memory : {bulk::stages, batched::tile_memory})
    {
      untouched = untouched && std::all_of(memory + shared, memory + bulk::most_dynamic_bytes, [](unsigned char byte) {
                    return byte == beyond_shared;
                  });
    }
    return std::string(untouched ? "" : "it has written behind its shared memory");
  };
  emulated::run(launched);
}

inline unsigned resident_blocks(unsigned blocks)
{
  const int room = emulated::device().room;
  return room > 0 && static_cast<unsigned>(room) < blocks ? static_cast<unsigned>(room) : blocks;
}

inline CUresult launch_in_order(CUfunction kernel,
                                unsigned blocks,
                                unsigned,
                                unsigned,
                                unsigned threads,
                                unsigned,
                                unsigned,
                                unsigned shared,
                                CUstream,
                                void** arguments,
                                void**)
{
  run_grid(kernel, blocks, threads, shared, resident_blocks(blocks), arguments);
  return CUDA_SUCCESS;
}

inline CUresult launch_together(CUfunction kernel,
                                unsigned blocks,
                                unsigned,
                                unsigned,
                                unsigned threads,
                                unsigned,
                                unsigned,
                                unsigned shared,
                                CUstream,
                                void** arguments)
{
  if (resident_blocks(blocks) < blocks)
  {
    return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  }
  run_grid(kernel, blocks, threads, shared, blocks, arguments);
  return CUDA_SUCCESS;
}

// What the emulator's tensor copies know of an array stands where the driver would put what the hardware's do.
inline CUresult describe_box(CUtensorMap* map,
                             CUtensorMapDataType type,
                             cuuint32_t dimensions,
                             void* first,
                             const cuuint64_t* size,
                             const cuuint64_t* apart,
                             const cuuint32_t* box,
                             const cuuint32_t*,
                             CUtensorMapInterleave,
                             CUtensorMapSwizzle,
                             CUtensorMapL2promotion,
                             CUtensorMapFloatOOBfill)
{
  if (type != CU_TENSOR_MAP_DATA_TYPE_UINT32 || dimensions != 2)
  {
    return CUDA_ERROR_INVALID_VALUE;
  }
  static_assert(sizeof(emulated::box_map) <= sizeof *map, "it stands there");
  *reinterpret_cast<emulated::box_map*>(map) = {
    static_cast<unsigned char*>(first), size[0], size[1], apart[0], box[0], box[1]};
  return CUDA_SUCCESS;
}

inline outcome attributes_of(cudaStream_t, stream_attributes*& attributes)
{
  static driver calls{};
  static stream_attributes only;
  calls.launch                = launch_in_order;
  calls.launch_cooperatively  = launch_together;
  calls.encode_tensor_map     = describe_box;
  only.device.calls           = &calls;
  only.device.context         = 1;
  only.device.multiprocessors = emulated::device().multiprocessors;
  only.device.shared_bytes    = 1024 * dispatch::most_shared(__CUDA_ARCH__ / 10);
  only.device.cooperative     = true;
  only.multiprocessors        = only.device.multiprocessors;
  attributes                  = &only;
  return {};
}

inline void forget(stream_attributes&) {}
} // namespace runtime
LIGHTSCAN_NAMESPACE_END
