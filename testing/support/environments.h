// Environments as calls of CUB's kind take them, where this CCCL has them (TESTING_ENVIRONMENTS): their headers, and a resource to be
// named in one.
#pragma once

#include "counting_allocator.h"

#include <cuda/stream_ref>

#include <cstddef>

#include <cuda_runtime_api.h>

#if __has_include(<cuda/__execution/determinism.h>)
#  include <cuda/__execution/determinism.h>
#  include <cuda/__execution/require.h>
#  include <cuda/__memory_resource/get_memory_resource.h>
#  include <cuda/__stream/get_stream.h>
#  include <cuda/memory_resource>
#  include <cuda/std/__execution/env.h>
#  define TESTING_ENVIRONMENTS
#endif

#if defined(TESTING_ENVIRONMENTS)
namespace testing_support
{
// A resource of CCCL's kind that keeps books: copies keep the same ones.
struct accounted
{
  ledger* books;
  cudaStream_t* asked_on;

  void* allocate(cuda::stream_ref on, std::size_t bytes, std::size_t)
  {
    *asked_on = on.get();
    return books->allocate(bytes);
  }
  void deallocate(cuda::stream_ref, void* memory, std::size_t bytes, std::size_t) noexcept
  {
    books->deallocate(memory, bytes);
  }
  void* allocate_sync(std::size_t bytes, std::size_t)
  {
    return books->allocate(bytes);
  }
  void deallocate_sync(void* memory, std::size_t bytes, std::size_t) noexcept
  {
    books->deallocate(memory, bytes);
  }

  friend bool operator==(const accounted& l, const accounted& r)
  {
    return l.books == r.books;
  }
  friend bool operator!=(const accounted& l, const accounted& r)
  {
    return !(l == r);
  }
  friend void get_property(const accounted&, cuda::mr::device_accessible) {}
};
} // namespace testing_support
#endif
