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
    std::memset(bulk::stages, static_cast<int>(emulated::any_below(256)), shared);
    std::memset(bulk::stages + shared, beyond_shared, bulk::most_dynamic_bytes - shared);
  };
  launched.block_ends = [=] {
    const unsigned char* const end = bulk::stages + bulk::most_dynamic_bytes;
    const bool untouched           = std::all_of(
      static_cast<const unsigned char*>(bulk::stages) + shared, end, [](unsigned char byte) {
        return byte == beyond_shared;
      });
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

inline outcome attributes_of(cudaStream_t, stream_attributes*& attributes)
{
  static driver calls{};
  static stream_attributes only;
  calls.launch                = launch_in_order;
  calls.launch_cooperatively  = launch_together;
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
