#include "small_calls.h"

#include "checked_steps.h"
#include "random_data.h"

#include <lightscan/device_scan.h>
#include <lightscan/lightscan.h>

#include <cub/device/device_scan.cuh>

#include <thrust/scan.h>
#include <thrust/system/cuda/execution_policy.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace perf
{
namespace
{
__global__ void empty_kernel() {}

// CUB counts in 32 bits when asked in 32 bits, which suits it better.
cudaError_t cub_sum(void* scratch, std::size_t& bytes, const int* in, int* out, std::int64_t count, cudaStream_t stream)
{
  return cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, static_cast<int>(count), stream);
}

// What an allocator costs that has the memory at hand: nothing.
struct kept_memory
{
  using value_type = char;
  char* memory;

  char* allocate(std::size_t)
  {
    return memory;
  }
  void deallocate(char*, std::size_t) {}
};

std::size_t cub_bytes(std::int64_t most, cudaStream_t stream)
{
  std::size_t bytes = 0;
  require(cub_sum(nullptr, bytes, nullptr, nullptr, most, stream), "asking CUB how much temporary memory it wants");
  return bytes;
}
} // namespace

small_calls::small_calls(std::int64_t most, cudaStream_t stream)
    : input_(static_cast<std::size_t>(most))
    , output_(static_cast<std::size_t>(most))
    , scratch_(cub_bytes(most, stream))
    , stream_(stream)
{
  fill_with_random_values(input_.data(), most, stream);
  std::size_t storage = 0;
  require(lightscan::DeviceScan::InclusiveSum(nullptr, storage, input_.data(), output_.data(), most),
          "asking how much storage a scan wants");
  storage_ = std::make_unique<device_memory<char>>(storage);
  streams_.resize(streams_in_turn);
  for (cudaStream_t& other : streams_)
  {
    require(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), "creating a stream");
  }
}

small_calls::~small_calls()
{
  for (const cudaStream_t other : streams_)
  {
    (void) cudaStreamDestroy(other);
  }
}

void small_calls::wait(int impl) const
{
  require(cudaStreamSynchronize(on_one_stream(impl) ? stream_ : other_stream()), "waiting for a call");
}

void small_calls::call(int impl, std::int64_t count) const
{
  const int* const in   = input_.data();
  const int* const last = in + count;
  int* const out        = output_.data();
  std::size_t bytes     = scratch_.bytes();
  switch (impl)
  {
    case 0:
      empty_kernel<<<1, 32, 0, stream_>>>();
      break;
    case 1:
      require(cub_sum(scratch_.data(), bytes, in, out, count, stream_), "scanning with CUB");
      break;
    case 2:
      thrust::inclusive_scan(thrust::cuda::par.on(stream_), in, last, out);
      break;
    case 3:
      thrust::inclusive_scan(thrust::cuda::par_nosync.on(stream_), in, last, out);
      break;
    case 4:
      thrust::inclusive_scan(lightscan::par.on(stream_), in, last, out);
      break;
    case 5:
      thrust::inclusive_scan(lightscan::par_nosync.on(stream_), in, last, out);
      break;
    case 6: {
      kept_memory allocator{storage_->data()};
      thrust::inclusive_scan(lightscan::par_nosync(allocator).on(stream_), in, last, out);
      break;
    }
    case 7:
      bytes = storage_->bytes();
      require(lightscan::DeviceScan::InclusiveSum(storage_->data(), bytes, in, out, static_cast<int>(count), stream_),
              "scanning in storage");
      break;
    default:
      ++turn_;
      thrust::inclusive_scan(lightscan::par_nosync.on(other_stream()), in, last, out);
      break;
  }
}

void small_calls::check(int impl, std::int64_t count) const
{
  require(cudaMemsetAsync(output_.data(), 0xff, static_cast<std::size_t>(count) * sizeof(int), stream_),
          "clearing the output");
  require(cudaStreamSynchronize(stream_), "clearing the output");
  call(impl, count);
  require(cudaGetLastError(), std::string("launching ") + impls[impl]);
  if (impl == 0)
  {
    return; // nothing to prove
  }
  wait(impl);
  const verdict found = check_result<true>(output_.data(), 0, count, stream_);
  if (found.wrong != 0)
  {
    throw std::runtime_error(std::string(impls[impl]) + " gives a WRONG result for " + std::to_string(count)
                             + " elements: the first wrong one is " + std::to_string(found.first_wrong));
  }
}
} // namespace perf
