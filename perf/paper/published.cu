#include "published.h"

#include "../gpu.h"
#include "published_scan.h"

#include <memory>

namespace perf::paper
{
namespace
{
// One slot for each data block, never used twice in a launch; a launch's tag tells its pairs from those of earlier ones.
template <class T>
class slots_of_launches
{
public:
  using ring = lightscan::carry::slot_ring<T>;

  ring next(std::int64_t blocks, cudaStream_t stream)
  {
    constexpr std::int64_t window = lightscan::carry::slot_position::window_size;
    int log2_windows              = 0;
    while ((window << log2_windows) < blocks)
    {
      ++log2_windows;
    }
    const auto words = static_cast<std::size_t>(window << log2_windows) * ring::words_per_slot;
    if (memory_ == nullptr || memory_->bytes() < words * sizeof(slot_word))
    {
      require(cudaStreamSynchronize(stream), "waiting for the slots to be free");
      memory_ = std::make_unique<device_memory<slot_word>>(words);
      require(cudaMemsetAsync(memory_->data(), 0, memory_->bytes(), stream), "clearing the slots");
    }
    return ring(memory_->data(), log2_windows, ++tag_);
  }

private:
  std::unique_ptr<device_memory<slot_word>> memory_;
  std::uint32_t tag_ = 0;
};

int multiprocessors()
{
  int device = 0;
  int count  = 0;
  require(cudaGetDevice(&device), "asking for the current GPU");
  require(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "asking for its multiprocessors");
  return count;
}
} // namespace

template <class T>
void scan_as_published(transport by, const T* input, T* output, std::int64_t count, cudaStream_t stream)
{
  // Never destroyed: the driver frees the memory at exit, which may come first.
  static auto& slots        = *new slots_of_launches<T>;
  static const int one_each = multiprocessors();

  const std::int64_t blocks = (count - 1) / block_items<T> + 1;
  auto ring                 = slots.next(blocks, stream);
  const auto grid           = static_cast<unsigned>(blocks < one_each ? blocks : one_each);
  void* arguments[]         = {&input, &output, &count, &ring};
  const void* const kernel  = by == transport::cg ? reinterpret_cast<const void*>(&published_scan<T, cg_transport>)
                                                  : reinterpret_cast<const void*>(&published_scan<T, atomics_transport>);
  require(cudaLaunchCooperativeKernel(kernel, dim3(grid), dim3(threads), arguments, 0, stream),
          "launching the published scan");
}

template void scan_as_published(transport, const std::int32_t*, std::int32_t*, std::int64_t, cudaStream_t);
template void scan_as_published(transport, const std::int64_t*, std::int64_t*, std::int64_t, cudaStream_t);
template void scan_as_published(transport, const float*, float*, std::int64_t, cudaStream_t);
template void scan_as_published(transport, const double*, double*, std::int64_t, cudaStream_t);
} // namespace perf::paper
