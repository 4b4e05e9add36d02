// Rule: a captured scan asks neither the policy's allocator nor a memory resource, whose memory may be another's when the graph
// is replayed: it allocates and frees in the graph. Held without a GPU (fake_cuda.h).
#include "fake_cuda.h"

#include <lightscan/device_scan.h>
#include <lightscan/scan.h>

#include <cuda/stream_ref>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>

namespace
{
struct ledger
{
  int asked  = 0;
  int in_use = 0;

  void* take(std::size_t bytes)
  {
    ++asked;
    ++in_use;
    void* const memory            = std::malloc(bytes);
    fake_cuda::context_of[memory] = fake_cuda::now.context;
    // The workspace begins where it is aligned.
    for (std::size_t byte = 1; byte < 256; ++byte)
    {
      fake_cuda::context_of[static_cast<char*>(memory) + byte] = fake_cuda::now.context;
    }
    return memory;
  }
  void give_back(void* memory)
  {
    --in_use;
    std::free(memory);
  }
};

struct allocator
{
  using value_type = char;
  ledger* books;

  char* allocate(std::size_t bytes)
  {
    return static_cast<char*>(books->take(bytes));
  }
  void deallocate(char* memory, std::size_t)
  {
    books->give_back(memory);
  }
};

struct resource
{
  ledger* books;

  void* allocate(::cuda::stream_ref, std::size_t bytes, std::size_t)
  {
    return books->take(bytes);
  }
  void deallocate(::cuda::stream_ref, void* memory, std::size_t, std::size_t)
  {
    books->give_back(memory);
  }
};

constexpr int many = 10000; // more than a tile, which takes no memory

// Nothing is read or written: an address only.
int* const numbers = reinterpret_cast<int*>(4096);

// Calls scan(books) on a stream that is being captured, and on one that is not.
template <class Scan>
void expect_memory_of_its_own_in_a_graph(Scan scan)
{
  for (const bool capturing : {true, false})
  {
    fake_cuda::now             = {};
    fake_cuda::now.has_context = true;
    fake_cuda::now.capturing   = capturing;
    ledger books;
    scan(books);
    EXPECT_EQ(books.asked, capturing ? 0 : 1);
    EXPECT_EQ(books.in_use, 0);
    EXPECT_EQ(fake_cuda::now.launched_grids.size(), 1u);
    EXPECT_TRUE(fake_cuda::now.memory.empty()) << "not everything was freed";
  }
}
} // namespace

TEST(capture, asks_no_allocator)
{
  expect_memory_of_its_own_in_a_graph([](ledger& books) {
    allocator memory{&books};
    thrust::inclusive_scan(lightscan::par_nosync(memory), numbers, numbers + many, numbers);
  });
}

TEST(capture, asks_no_memory_resource)
{
  expect_memory_of_its_own_in_a_graph([](ledger& books) {
    resource memory{&books};
    EXPECT_EQ(lightscan::DeviceScan::InclusiveSum(numbers, numbers, many, nullptr, memory), cudaSuccess);
  });
}
