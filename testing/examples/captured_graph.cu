// A running balance that is brought up to date whenever a batch of bookings has arrived. The scan is captured into a CUDA
// graph once and replayed for every batch; when the data have outgrown their memory, that is doubled and captured anew.
//
// The graph scans all of the memory, the part that no booking has reached yet being zero.
#include "example.h"

#include <lightscan/lightscan.h>

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

class running_balance
{
public:
  explicit running_balance(std::size_t capacity)
  {
    example::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    make_room(capacity);
  }
  running_balance(const running_balance&)            = delete;
  running_balance& operator=(const running_balance&) = delete;
  ~running_balance()
  {
    example::check(cudaGraphExecDestroy(graph_));
    example::check(cudaFree(bookings_));
    example::check(cudaFree(balances_));
    example::check(cudaStreamDestroy(stream_));
  }

  void book(const std::vector<std::int64_t>& batch)
  {
    if (size_ + batch.size() > capacity_)
    {
      make_room(2 * capacity_ > size_ + batch.size() ? 2 * capacity_ : size_ + batch.size());
    }
    example::check(cudaMemcpyAsync(
      bookings_ + size_, batch.data(), batch.size() * sizeof(std::int64_t), cudaMemcpyHostToDevice, stream_));
    size_ += batch.size();
    example::check(cudaGraphLaunch(graph_, stream_));
    ++replays_;
  }

  std::vector<std::int64_t> balances() const
  {
    std::vector<std::int64_t> result(size_);
    example::check(
      cudaMemcpyAsync(result.data(), balances_, size_ * sizeof(std::int64_t), cudaMemcpyDeviceToHost, stream_));
    example::check(cudaStreamSynchronize(stream_));
    return result;
  }

  int captures() const
  {
    return captures_;
  }

  int replays() const
  {
    return replays_;
  }

private:
  void make_room(std::size_t capacity)
  {
    std::int64_t* bookings = nullptr;
    example::check(cudaMalloc(&bookings, capacity * sizeof(std::int64_t)));
    example::check(cudaMemsetAsync(bookings, 0, capacity * sizeof(std::int64_t), stream_));
    if (size_ > 0)
    {
      example::check(
        cudaMemcpyAsync(bookings, bookings_, size_ * sizeof(std::int64_t), cudaMemcpyDeviceToDevice, stream_));
    }
    example::check(cudaStreamSynchronize(stream_)); // the graph may still be running on the memory that goes
    example::check(cudaFree(bookings_));
    example::check(cudaFree(balances_));
    bookings_ = bookings;
    capacity_ = capacity;
    example::check(cudaMalloc(&balances_, capacity * sizeof(std::int64_t)));
    capture();
  }

  void capture()
  {
    if (graph_ != nullptr)
    {
      example::check(cudaGraphExecDestroy(graph_));
    }
    cudaGraph_t captured = nullptr;
    example::check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    // par would wait for the result, which a stream that is being captured cannot do.
    thrust::inclusive_scan(lightscan::par_nosync.on(stream_), bookings_, bookings_ + capacity_, balances_);
    example::check(cudaStreamEndCapture(stream_, &captured));
    example::check(cudaGraphInstantiate(&graph_, captured, 0));
    example::check(cudaGraphDestroy(captured));
    ++captures_;
  }

  cudaStream_t stream_    = nullptr;
  cudaGraphExec_t graph_  = nullptr;
  std::int64_t* bookings_ = nullptr;
  std::int64_t* balances_ = nullptr;
  std::size_t capacity_   = 0;
  std::size_t size_       = 0;
  int captures_           = 0;
  int replays_            = 0;
};

int main()
{
  int exit_code = 0;
  if (example::gpu_is_missing(exit_code))
  {
    return exit_code;
  }

  std::mt19937 generator(13);
  std::uniform_int_distribution<int> batch_sizes(1, 100000);
  std::uniform_int_distribution<std::int64_t> cents(-500000, 500000);

  running_balance account(std::size_t{1} << 16);
  std::vector<std::int64_t> expected;
  std::int64_t balance = 0;
  for (int day = 1; day <= 50; ++day)
  {
    std::vector<std::int64_t> batch(static_cast<std::size_t>(batch_sizes(generator)));
    for (std::int64_t& booking : batch)
    {
      booking = cents(generator);
      balance += booking;
      expected.push_back(balance);
    }
    account.book(batch);
    if (day % 10 == 0)
    {
      exit_code |= example::compare("balances", account.balances(), expected);
    }
  }
  std::printf("captured %d times, replayed %d times\n", account.captures(), account.replays());
  return exit_code;
}
