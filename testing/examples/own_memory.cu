// Temporary memory from an allocator of one's own: messages of any length are packed one behind the other, so a scan of their
// lengths says where each begins. The scan's workspace comes from CUDA's pool in stream order, which makes it safe where
// nobody waits (par_nosync). A captured scan does not ask the allocator: the graph has memory of its own.
#include "example.h"

#include <lightscan/lightscan.h>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

#include <cuda_runtime_api.h>

// What Thrust asks of an allocator for a policy. Memory that goes back is not handed out to another stream before this one
// has come that far: an allocator without that must only be used with policies that wait.
class stream_ordered_allocator
{
public:
  using value_type = char;

  explicit stream_ordered_allocator(cudaStream_t stream)
      : stream_(stream)
  {}

  char* allocate(std::ptrdiff_t bytes)
  {
    void* memory = nullptr;
    example::check(cudaMallocAsync(&memory, static_cast<std::size_t>(bytes), stream_));
    most_ = bytes > most_ ? bytes : most_;
    return static_cast<char*>(memory);
  }

  void deallocate(char* memory, std::size_t)
  {
    example::check(cudaFreeAsync(memory, stream_));
  }

  std::ptrdiff_t most() const
  {
    return most_;
  }

private:
  cudaStream_t stream_;
  std::ptrdiff_t most_ = 0;
};

int main()
{
  int exit_code = 0;
  if (example::gpu_is_missing(exit_code))
  {
    return exit_code;
  }

  const std::size_t n = 1000000;
  std::mt19937 generator(19);
  std::uniform_int_distribution<int> bytes(0, 1500);

  cudaStream_t stream = nullptr;
  example::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int* lengths = nullptr;
  int* begins  = nullptr;
  example::check(cudaMalloc(&lengths, n * sizeof(int)));
  example::check(cudaMalloc(&begins, n * sizeof(int)));
  stream_ordered_allocator memory(stream);

  // The allocator is named once, outlives the policy, and serves every algorithm called with it.
  const auto scan_lengths = [&] {
    thrust::exclusive_scan(lightscan::par_nosync(memory).on(stream), lengths, lengths + n, begins);
  };

  cudaGraph_t captured  = nullptr;
  cudaGraphExec_t graph = nullptr;
  example::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  scan_lengths();
  example::check(cudaStreamEndCapture(stream, &captured));
  example::check(cudaGraphInstantiate(&graph, captured, 0));
  example::check(cudaGraphDestroy(captured));

  for (int batch = 0; batch < 6; ++batch)
  {
    std::vector<int> sent(n);
    for (int& length : sent)
    {
      length = bytes(generator);
    }
    example::check(cudaMemcpyAsync(lengths, sent.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream));
    if (batch % 2 == 0)
    {
      scan_lengths();
    }
    else
    {
      example::check(cudaGraphLaunch(graph, stream));
    }
    std::vector<int> found(n);
    example::check(cudaMemcpyAsync(found.data(), begins, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    example::check(cudaStreamSynchronize(stream));
    std::vector<int> expected(n);
    std::exclusive_scan(sent.begin(), sent.end(), expected.begin(), 0);
    exit_code |= example::compare("where messages begin", found, expected);
  }
  std::printf("the scan of %zu lengths took %td bytes\n", n, memory.most());

  example::check(cudaGraphExecDestroy(graph));
  example::check(cudaFree(lengths));
  example::check(cudaFree(begins));
  example::check(cudaStreamDestroy(stream));
  return exit_code;
}
