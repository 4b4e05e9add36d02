// Numbers that a launch writes and the host reads: pinned memory that the GPU reaches too, so that they are there as soon as the
// stream has been waited for, and nothing need be copied.
//
// A call has a block of a cache line while it is under way. Blocks are cut from pages, 64 of each, that are allocated for a
// context as more calls are under way at once, and never freed; a context that ends takes its own along.
#pragma once

#include <lightscan/runtime/device.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cstddef>
#include <cstdint>
#include <mutex>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace runtime
{
struct count_block
{
  static constexpr int numbers = 64 / sizeof(tile::index);

  std::uint64_t context = 0;
  tile::index* of       = nullptr;
  count_block* next     = nullptr; // in the registry's list
};

// Thread safety: any thread. CUDA is called without a lock.
class count_registry
{
public:
  // The program's, or the shared library's. It is never destroyed: calls may come as late as from static objects' destructors.
  static count_registry& instance()
  {
    static count_registry& all = *new count_registry;
    return all;
  }

  outcome take(const device_attributes& device, count_block*& taken)
  {
    taken = take_idle(device.context);
    return taken != nullptr ? outcome{} : allocate(device, taken);
  }

  void give_back(count_block& block)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    block.next = idle_;
    idle_      = &block;
  }

private:
  static constexpr int blocks_a_page = 64;

  count_registry() = default;

  count_block* take_idle(std::uint64_t context)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (count_block** link = &idle_; *link != nullptr; link = &(*link)->next)
    {
      count_block* const found = *link;
      if (found->context == context)
      {
        *link = found->next;
        return found;
      }
    }
    return nullptr;
  }

  outcome allocate(const device_attributes& device, count_block*& taken)
  {
    if (const outcome current = expect_current(device); !current)
    {
      return current;
    }
    count_block* const blocks = new count_block[blocks_a_page];
    void* page                = nullptr;
    const outside_of_captures allowed;
    constexpr std::size_t bytes = sizeof(tile::index) * count_block::numbers * blocks_a_page;
    if (const cudaError_t error = cudaHostAlloc(&page, bytes, cudaHostAllocPortable | cudaHostAllocMapped))
    {
      delete[] blocks;
      return failed(error, "allocating pinned memory for a number that the call returns");
    }
    for (int b = 0; b < blocks_a_page; ++b)
    {
      blocks[b].context = device.context;
      blocks[b].of      = static_cast<tile::index*>(page) + b * count_block::numbers;
      if (b > 0)
      {
        give_back(blocks[b]);
      }
    }
    taken = blocks;
    return {};
  }

  std::mutex mutex_;
  count_block* idle_ = nullptr;
};

// A call's numbers. After a call that fails its block is used again once the stream has been waited for: what has been queued may still
// write there; and where that fails, too, never.
class host_counts
{
public:
  host_counts()                              = default;
  host_counts(const host_counts&)            = delete;
  host_counts& operator=(const host_counts&) = delete;
  ~host_counts()
  {
    if (block_ == nullptr)
    {
      return;
    }
    if (landed_ || cudaStreamSynchronize(stream_) == cudaSuccess)
    {
      count_registry::instance().give_back(*block_);
    }
    else
    {
      (void) cudaGetLastError();
    }
  }

  // Not for a stream that is being captured, which nobody can wait for.
  outcome take_for(cudaStream_t stream)
  {
    stream_attributes* attributes = nullptr;
    if (const outcome asked = attributes_of(stream, attributes); !asked)
    {
      return asked;
    }
    if (attributes->captured)
    {
      return {cudaErrorStreamCaptureUnsupported, "capturing a call that returns what depends on the data"};
    }
    stream_             = stream;
    const outcome taken = count_registry::instance().take(attributes->device, block_);
    if (!taken)
    {
      block_ = nullptr;
      forget(*attributes);
    }
    return taken;
  }

  // Where the launch writes; any GPU reaches it there.
  tile::index* get() const
  {
    return block_->of;
  }

  // Once the launch has been waited for.
  tile::index landed(int number = 0)
  {
    landed_ = true;
    return block_->of[number];
  }

private:
  cudaStream_t stream_ = nullptr;
  count_block* block_  = nullptr;
  bool landed_         = false;
};
} // namespace runtime
LIGHTSCAN_NAMESPACE_END
