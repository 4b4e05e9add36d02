// Where temporary memory comes from in the tests: an allocator and a memory resource that keep books of what they gave
// away, and that fail when they are told to.
#pragma once

#include <thrust/mr/memory_resource.h>

#include <algorithm>
#include <cstddef>
#include <new>

#include <cuda_runtime_api.h>

namespace testing_support
{
struct ledger
{
  std::size_t fail_at = 0; // the request that fails, counted from 1; 0: none
  std::size_t calls   = 0;
  std::size_t in_use  = 0; // bytes
  std::size_t peak    = 0;

  void* allocate(std::size_t bytes)
  {
    void* memory = nullptr;
    if (++calls == fail_at || cudaMalloc(&memory, bytes) != cudaSuccess)
    {
      (void) cudaGetLastError();
      throw std::bad_alloc();
    }
    in_use += bytes;
    peak = std::max(peak, in_use);
    return memory;
  }

  // cudaFree waits for the device: what was queued is done with the memory.
  void deallocate(void* memory, std::size_t bytes)
  {
    in_use -= bytes;
    (void) cudaFree(memory);
  }
};

class counting_allocator
{
public:
  using value_type = char;

  explicit counting_allocator(ledger& books)
      : books_(&books)
  {}

  char* allocate(std::size_t count)
  {
    ++own_calls;
    return static_cast<char*>(books_->allocate(count));
  }
  void deallocate(char* memory, std::size_t count)
  {
    books_->deallocate(memory, count);
  }

  std::size_t own_calls = 0; // of this object, which a copy does not see

private:
  ledger* books_;
};

// Memory for one call at a time, held for good.
struct arena
{
  static constexpr std::size_t size = std::size_t{1} << 20;

  arena()
  {
    if (cudaMalloc(&memory, size) != cudaSuccess)
    {
      (void) cudaGetLastError();
      throw std::bad_alloc();
    }
  }
  arena(const arena&)            = delete;
  arena& operator=(const arena&) = delete;
  ~arena()
  {
    (void) cudaFree(memory);
  }

  void* memory       = nullptr;
  std::size_t in_use = 0;
};

class arena_allocator
{
public:
  using value_type = char;

  explicit arena_allocator(arena& from)
      : from_(&from)
  {}

  char* allocate(std::size_t count)
  {
    if (from_->in_use != 0 || count > arena::size)
    {
      throw std::bad_alloc();
    }
    from_->in_use = count;
    return static_cast<char*>(from_->memory);
  }
  void deallocate(char*, std::size_t count)
  {
    from_->in_use -= count;
  }

private:
  arena* from_;
};

class counting_resource : public thrust::mr::memory_resource<>
{
public:
  explicit counting_resource(ledger& books)
      : books_(&books)
  {}

  void* do_allocate(std::size_t bytes, std::size_t) override
  {
    return books_->allocate(bytes);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t) override
  {
    books_->deallocate(memory, bytes);
  }

private:
  ledger* books_;
};
} // namespace testing_support
