// lightscan_multi_perf: one scan across several GPUs, a thread each, beside its bound, the scan of one GPU's part, and what a program
// can put together from CUB and NCCL; as CSV. README.md ("Several GPUs") says what the columns mean.
//
// A timed call is queued behind a kernel that holds the stream and an all-gather that lets the GPUs go at once, so that neither the host's
// launches nor the threads' being out of step are measured. A call takes as long as on the GPU where it takes longest.
//
// Exit code: 0 all right; 1 a wrong result, a failure, or fewer than two GPUs; 2 arguments that make no sense.
#include "gpu.h"
#include "program.h"
#include "provenance.h"
#include "result_file.h"

#include <lightscan/multi_gpu.h>
#include <lightscan/ptx/clock.h>
#include <lightscan/scan.h>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <nccl.h>

namespace
{
constexpr const char* program = "lightscan_multi_perf";
constexpr const char* header  = "impl,gpus,type,n_per_gpu,median_us,of_bound,vs_single,vs_peer,gpu,commit";
constexpr int rounds          = 25;
constexpr int warm_ups        = 3;

const std::vector<std::string> impls{"bound", "single", "peer", "lightscan", "lightscan_nccl"};

void require(ncclResult_t result, const std::string& doing)
{
  if (result != ncclSuccess)
  {
    throw std::runtime_error(doing + ": " + ncclGetErrorString(result));
  }
}

__global__ void hold(std::uint64_t nanoseconds)
{
  const std::uint64_t begin = lightscan::ptx::nanoseconds();
  while (lightscan::ptx::nanoseconds() - begin < nanoseconds)
  {}
}

// One in every 4,096 elements of all is 1, the others 0: sums are exact in every type.
constexpr std::int64_t spacing = 4096;

template <class T>
__global__ void fill(T* in, T* out, std::int64_t n, std::int64_t first)
{
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += gridDim.x * std::int64_t{blockDim.x})
  {
    in[i]  = static_cast<T>((first + i) % spacing == 0 ? 1 : 0);
    out[i] = static_cast<T>(-1);
  }
}

template <class T>
__global__ void check(const T* out, std::int64_t n, std::int64_t first, unsigned long long* wrong)
{
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += gridDim.x * std::int64_t{blockDim.x})
  {
    if (!(out[i] == static_cast<T>((first + i + spacing - 1) / spacing)))
    {
      atomicAdd(wrong, 1ull);
    }
  }
}

// The peer's carry: the totals of lower ranks.
template <class T>
__global__ void add_lower(const T* totals, int rank, T* carry)
{
  T sum{};
  for (int r = 0; r < rank; ++r)
  {
    sum = sum + totals[r];
  }
  *carry = sum;
}

// All ranks come, or none goes on: what frees memory may wait for every GPU, and must not while one waits for another.
class meeting
{
public:
  explicit meeting(int count)
      : count_(count)
  {}

  void wait()
  {
    std::unique_lock<std::mutex> lock(mutex_);
    const int turn = turn_;
    if (++here_ == count_)
    {
      here_ = 0;
      ++turn_;
      all_here_.notify_all();
      return;
    }
    all_here_.wait(lock, [&] {
      return turn_ != turn;
    });
  }

private:
  std::mutex mutex_;
  std::condition_variable all_here_;
  int count_;
  int here_ = 0;
  int turn_ = 0;
};

struct rank_here
{
  int rank;
  int size;
  ncclComm_t comm;
  cudaStream_t stream;
  meeting& all;
};

// What one GPU does of a case.
template <class T>
class part
{
public:
  part(const rank_here& here, lightscan::group& by_peer, lightscan::group& by_nccl, std::int64_t n)
      : here_(here)
      , by_peer_(by_peer)
      , by_nccl_(by_nccl)
      , n_(n)
      , in_(room(n))
      , out_(room(n))
      , total_(1)
      , totals_(static_cast<std::size_t>(here.size))
      , carry_(1)
      , beacon_(static_cast<std::size_t>(here.size) + 1)
      , wrong_(1)
      , storage_(bytes_for_cub())
  {
    perf::require(cudaEventCreate(&before_), "creating an event");
    perf::require(cudaEventCreate(&after_), "creating an event");
  }
  part(const part&)            = delete;
  part& operator=(const part&) = delete;
  ~part()
  {
    (void) cudaEventDestroy(before_);
    (void) cudaEventDestroy(after_);
  }

  void run(const std::string& impl)
  {
    T* const in  = in_.data();
    T* const out = out_.data();
    if (impl == "bound")
    {
      const std::size_t bytes = static_cast<std::size_t>(n_) * sizeof(T) / 2 * 3;
      perf::require(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice, here_.stream), "copying");
    }
    else if (impl == "single")
    {
      thrust::exclusive_scan(lightscan::par_nosync.on(here_.stream), in, in + n_, out);
    }
    else if (impl == "peer")
    {
      run_peer();
    }
    else
    {
      thrust::exclusive_scan(
        lightscan::par_nosync.on(here_.stream).across(impl == "lightscan" ? by_peer_ : by_nccl_), in, in + n_, out);
    }
  }

  // Proves what the scans across GPUs put out.
  void prove(const std::string& impl)
  {
    const std::int64_t first = here_.rank * n_;
    fill<<<1024, 256, 0, here_.stream>>>(in_.data(), out_.data(), n_, first);
    run(impl);
    perf::require(cudaMemsetAsync(wrong_.data(), 0, sizeof(unsigned long long), here_.stream), "clearing a counter");
    check<<<1024, 256, 0, here_.stream>>>(out_.data(), n_, first, wrong_.data());
    unsigned long long wrong = 0;
    perf::require(
      cudaMemcpyAsync(&wrong, wrong_.data(), sizeof(wrong), cudaMemcpyDeviceToHost, here_.stream), "checking");
    perf::require(cudaStreamSynchronize(here_.stream), "checking a result");
    if (wrong > 0)
    {
      throw std::runtime_error(impl + ": " + std::to_string(wrong) + " wrong elements on rank "
                               + std::to_string(here_.rank));
    }
  }

  double microseconds(const std::string& impl)
  {
    hold<<<1, 1, 0, here_.stream>>>(300000);
    require(
      ncclAllGather(beacon_.data(), beacon_.data() + 1, 1, ncclInt32, here_.comm, here_.stream), "letting go at once");
    perf::require(cudaEventRecord(before_, here_.stream), "recording an event");
    run(impl);
    perf::require(cudaEventRecord(after_, here_.stream), "recording an event");
    perf::require(cudaEventSynchronize(after_), "waiting for a timed call");
    float milliseconds = 0;
    perf::require(cudaEventElapsedTime(&milliseconds, before_, after_), "reading the time between two events");
    return 1000.0 * milliseconds;
  }

private:
  // The bound copies half as much again.
  static std::size_t room(std::int64_t n)
  {
    return static_cast<std::size_t>(n) / 2 * 3 + 16;
  }

  std::size_t bytes_for_cub()
  {
    std::size_t of_reduction = 0;
    std::size_t of_scan      = 0;
    perf::require(cub::DeviceReduce::Sum(nullptr, of_reduction, in_.data(), total_.data(), n_), "asking CUB");
    perf::require(
      cub::DeviceScan::ExclusiveScan(
        nullptr, of_scan, in_.data(), out_.data(), cuda::std::plus<>{}, cub::FutureValue<T>(carry_.data()), n_),
      "asking CUB");
    return std::max(of_reduction, of_scan);
  }

  void run_peer()
  {
    std::size_t bytes = storage_.bytes();
    perf::require(
      cub::DeviceReduce::Sum(storage_.data(), bytes, in_.data(), total_.data(), n_, here_.stream), "CUB's reduction");
    require(
      ncclAllGather(total_.data(), totals_.data(), sizeof(T), ncclUint8, here_.comm, here_.stream), "gathering totals");
    add_lower<<<1, 1, 0, here_.stream>>>(totals_.data(), here_.rank, carry_.data());
    bytes = storage_.bytes();
    perf::require(cub::DeviceScan::ExclusiveScan(storage_.data(),
                                                 bytes,
                                                 in_.data(),
                                                 out_.data(),
                                                 cuda::std::plus<>{},
                                                 cub::FutureValue<T>(carry_.data()),
                                                 n_,
                                                 here_.stream),
                  "CUB's scan");
  }

  rank_here here_;
  lightscan::group& by_peer_;
  lightscan::group& by_nccl_;
  std::int64_t n_;
  perf::device_memory<T> in_;
  perf::device_memory<T> out_;
  perf::device_memory<T> total_;
  perf::device_memory<T> totals_;
  perf::device_memory<T> carry_;
  perf::device_memory<int> beacon_;
  perf::device_memory<unsigned long long> wrong_;
  perf::device_memory<unsigned char> storage_;
  cudaEvent_t before_ = nullptr;
  cudaEvent_t after_  = nullptr;
};

struct multi_case
{
  int gpus;
  std::string type;
  std::int64_t n;

  std::string key() const
  {
    return std::to_string(gpus) + "," + type + "," + std::to_string(n);
  }
};

std::vector<multi_case> all_cases(int gpus_here)
{
  std::vector<multi_case> cases;
  for (const int gpus : {2, 4, 8})
  {
    for (const char* type : {"int32", "float", "int64", "double"})
    {
      for (const int exponent : {10, 14, 17, 20, 22, 24, 26, 28})
      {
        if (gpus <= gpus_here)
        {
          cases.push_back({gpus, type, std::int64_t{1} << exponent});
        }
      }
    }
  }
  return cases;
}

// The times of a case, of each implementation in each round.
using times = std::map<std::string, std::vector<double>>;

template <class T>
times measure_part(const rank_here& here, lightscan::group& by_peer, lightscan::group& by_nccl, std::int64_t n)
{
  here.all.wait(); // nobody frees any more
  part<T> mine(here, by_peer, by_nccl, n);
  here.all.wait();
  for (const std::string& impl : {"peer", "lightscan", "lightscan_nccl"})
  {
    mine.prove(impl);
  }
  times found;
  for (int round = -warm_ups; round < rounds; ++round)
  {
    for (const std::string& impl : impls)
    {
      const double us = mine.microseconds(impl);
      if (round >= 0)
      {
        found[impl].push_back(us);
      }
    }
  }
  here.all.wait();
  return found;
}

times measure_rank(const rank_here& here, lightscan::group& by_peer, lightscan::group& by_nccl, const multi_case& c)
{
  return c.type == "int32" ? measure_part<std::int32_t>(here, by_peer, by_nccl, c.n)
       : c.type == "float" ? measure_part<float>(here, by_peer, by_nccl, c.n)
       : c.type == "int64" ? measure_part<std::int64_t>(here, by_peer, by_nccl, c.n)
                           : measure_part<double>(here, by_peer, by_nccl, c.n);
}

// f(rank) on a thread for each GPU.
void on_ranks(int gpus, const std::function<void(const rank_here&)>& f)
{
  std::vector<int> devices;
  for (int r = 0; r < gpus; ++r)
  {
    devices.push_back(r);
  }
  std::vector<ncclComm_t> comms(devices.size());
  require(ncclCommInitAll(comms.data(), gpus, devices.data()), "making communicators");
  meeting all(gpus);
  std::vector<std::thread> threads;
  for (int r = 0; r < gpus; ++r)
  {
    threads.emplace_back([&, r] {
      try
      {
        cudaStream_t stream = nullptr;
        perf::require(cudaSetDevice(r), "choosing a GPU");
        perf::require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
        f(rank_here{r, gpus, comms[static_cast<std::size_t>(r)], stream, all});
        perf::require(cudaStreamDestroy(stream), "destroying a stream");
      }
      catch (const std::exception& error)
      {
        // The others would wait for this rank for ever.
        std::fprintf(stderr, "%s: rank %d: %s\n", program, r, error.what());
        std::_Exit(1);
      }
    });
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
  for (const ncclComm_t comm : comms)
  {
    require(ncclCommDestroy(comm), "destroying communicators");
  }
}

std::string rows_of(const multi_case& c, const std::vector<times>& of_ranks, const std::string& ending)
{
  std::map<std::string, double> medians;
  for (const std::string& impl : impls)
  {
    std::vector<double> slowest(rounds, 0.0);
    for (const times& of_rank : of_ranks)
    {
      for (std::size_t round = 0; round < slowest.size(); ++round)
      {
        slowest[round] = std::max(slowest[round], of_rank.at(impl)[round]);
      }
    }
    medians[impl] = perf::median(slowest);
  }
  std::string rows;
  for (const std::string& impl : impls)
  {
    const double us = medians[impl];
    char numbers[96];
    std::snprintf(numbers,
                  sizeof numbers,
                  ",%.2f,%.4f,%.4f,%.4f",
                  us,
                  medians["bound"] / us,
                  medians["single"] / us,
                  medians["peer"] / us);
    rows += impl + "," + c.key() + numbers + ending;
  }
  return rows;
}

void run(const perf::run_options& options)
{
  int gpus_here = 0;
  perf::require(cudaGetDeviceCount(&gpus_here), "counting GPUs");
  if (gpus_here < 2)
  {
    throw std::runtime_error("needs two GPUs");
  }
  const std::string gpu               = perf::gpu_name();
  const std::vector<multi_case> cases = all_cases(gpus_here);
  std::vector<perf::case_rows> rows;
  for (const multi_case& c : cases)
  {
    rows.push_back({c.key(), impls});
  }
  perf::result_file file(options.out, header, gpu, options.commit, options.how, rows);
  perf::sidecar beside(options.out, options.how, perf::facts_of_run(options.commit));
  for (const int gpus : {2, 4, 8})
  {
    std::vector<multi_case> left;
    for (const multi_case& c : cases)
    {
      if (c.gpus == gpus && !file.has(c.key()))
      {
        left.push_back(c);
      }
    }
    if (left.empty())
    {
      continue;
    }
    std::vector<std::vector<times>> of_cases(left.size(), std::vector<times>(static_cast<std::size_t>(gpus)));
    on_ranks(gpus, [&](const rank_here& here) {
      lightscan::group by_peer(here.comm, here.stream, lightscan::exchange::peer, std::chrono::seconds(30));
      lightscan::group by_nccl(here.comm, here.stream, lightscan::exchange::nccl, std::chrono::seconds(30));
      for (std::size_t i = 0; i < left.size(); ++i)
      {
        of_cases[i][static_cast<std::size_t>(here.rank)] = measure_rank(here, by_peer, by_nccl, left[i]);
        here.all.wait();
        if (here.rank == 0)
        {
          file.append(rows_of(left[i], of_cases[i], "," + gpu + "," + options.commit + "\n"));
          std::fprintf(stderr, "[%zu/%zu] %s\n", i + 1, left.size(), left[i].key().c_str());
        }
      }
    });
  }
  file.keep();
  beside.keep();
}
} // namespace

int main(int argc, char** argv)
{
  return perf::run_program(program, argc, argv, run);
}
