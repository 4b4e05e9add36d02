// As lightscan/ptx/tensor_copy.h, by the emulator.
#pragma once

#include <lightscan/version.h>

#include <cuda.h> // CUtensorMap

LIGHTSCAN_NAMESPACE_BEGIN
namespace ptx
{
inline void copy_tensor_to_shared(void* shared,
                                  const CUtensorMap& map,
                                  ::cuda::std::int32_t column,
                                  ::cuda::std::int32_t row,
                                  ::cuda::std::uint64_t* barrier,
                                  ::cuda::std::uint64_t)
{
  emulated::load_box(shared, reinterpret_cast<const emulated::box_map&>(map), column, row, barrier);
}
} // namespace ptx
LIGHTSCAN_NAMESPACE_END
