// Rules of memory that a policy's allocator or a memory resource brings, held without a GPU (fake_cuda.h): a captured scan asks
// neither, for their memory may be another's when the graph is replayed: it allocates and frees in the graph; where a launch
// fails that par would wait for, the memory goes back only once its clearing has run.
#include "fake_cuda.h"

#include <lightscan/device_scan.h>
#include <lightscan/scan.h>

#include <thrust/system_error.h>

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

  bool back_while_cleared = false;

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
    back_while_cleared = back_while_cleared || fake_cuda::now.being_cleared;
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

TEST(brought_memory, goes_back_once_its_clearing_has_run_where_the_launch_fails)
{
  fake_cuda::now                = {};
  fake_cuda::now.has_context    = true;
  fake_cuda::now.always_failing = "cuLaunchKernel";
  ledger books;
  allocator memory{&books};
  EXPECT_THROW(thrust::inclusive_scan(lightscan::par(memory), numbers, numbers + many, numbers), thrust::system_error);
  EXPECT_EQ(books.asked, 1);
  EXPECT_GT(fake_cuda::now.largest_cleared, 0u);
  EXPECT_FALSE(books.back_while_cleared);
  EXPECT_EQ(books.in_use, 0);
  EXPECT_EQ(fake_cuda::now.last, cudaSuccess) << "an error was left behind";
}
