// As lightscan/runtime/device.h: what the emulated GPU can do, and its kernels, which are functions.
#pragma once

#include <lightscan/runtime/driver.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace runtime
{
struct device_attributes
{
  const driver* calls   = nullptr;
  std::uint64_t context = 0;
  int device            = 0;
  int multiprocessors   = 0;
  int shared_bytes      = 0;
  bool cooperative      = false;
};

inline constexpr int max_warps = 32;

struct kernel_attributes
{
  std::uint64_t context = 0;
  CUfunction function   = nullptr;
  int compiled_for      = 0;
  std::uint8_t blocks_each[max_warps + 1]{};
};

// A kernel for a launch that knows no types.
using kernel_entry = void (*)(const void* arguments);

template <class Arguments>
using entry_of = void (*)(Arguments);

template <auto Kernel>
struct callable;
template <class Arguments, entry_of<Arguments> Kernel>
struct callable<Kernel>
{
  static void call(const void* arguments)
  {
    Kernel(*static_cast<const Arguments*>(arguments));
  }
};

template <auto Kernel, class SharedBytes>
outcome kernel_on(const device_attributes& device,
                  SharedBytes dynamic_shared_bytes_for,
                  const kernel_attributes*& attributes)
{
  static kernel_attributes known;
  known.function     = reinterpret_cast<CUfunction>(&callable<Kernel>::call);
  known.compiled_for = __CUDA_ARCH__ / 10;
  const int bytes    = dynamic_shared_bytes_for(known.compiled_for);
  for (std::uint8_t& blocks : known.blocks_each)
  {
    blocks = static_cast<std::uint8_t>(bytes > device.shared_bytes ? 0
                                       : bytes > 0                 ? 1
                                                                   : emulated::device().blocks_each);
  }
  attributes = &known;
  return {};
}
template <auto Kernel>
outcome kernel_on(const device_attributes& device, const kernel_attributes*& attributes)
{
  return kernel_on<Kernel>(
    device,
    [](int) {
      return 0;
    },
    attributes);
}
} // namespace runtime
LIGHTSCAN_NAMESPACE_END
