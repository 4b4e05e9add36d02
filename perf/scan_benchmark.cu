// lightscan_perf: LightScan beside cudaMemcpyAsync, CUB and Thrust, in one process run, as CSV. NOTES.md says how to
// run it and what the columns mean.
//
// Google Benchmark can interleave repetitions, but shuffles all of them together; then a memcpy and the scan that is
// held against it would be minutes apart, with other data in the cache. So a benchmark here is one case, an operation
// on one type and size, and each of its iterations is one round in which every implementation has its turn.
//
// Exit code: 0 all right; 1 a wrong result, a failure, or no GPU; 2 arguments that make no sense.
#include "csv_reporter.h"
#include "element_type.h"
#include "gpu.h"
#include "options.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{
using perf::impl;
using perf::scan_case;

constexpr int warm_up_rounds = 3;

void check_once(const scan_case& c, impl i, const perf::buffers& b)
{
  // An earlier, right result must not stand in for an element that is not written.
  const std::size_t bytes = static_cast<std::size_t>(c.count) * c.type->size;
  perf::require(cudaMemsetAsync(b.output, 0xff, bytes, b.stream), "clearing the output");
  c.type->call(i, c.operation, b, c.count);
  if (i == impl::memcpy)
  {
    return;
  }
  const perf::verdict found = c.type->check(c.operation, b, c.count);
  if (found.wrong != 0)
  {
    throw std::runtime_error(std::string(perf::impl_names[static_cast<int>(i)]) + " gives a WRONG result in " + c.name()
                             + ": " + std::to_string(found.wrong) + " wrong steps, the first to element "
                             + std::to_string(found.first_wrong));
  }
}

void measure(benchmark::State& state, const scan_case& c, const perf::buffers& b)
{
  c.type->fill(b, c.count);
  for (int i = 0; i < perf::impl_count; ++i)
  {
    check_once(c, static_cast<impl>(i), b);
  }
  perf::stopwatch watch(b.stream);
  const auto timed = [&](int i) {
    return watch.microseconds([&] {
      c.type->call(static_cast<impl>(i), c.operation, b, c.count);
    });
  };
  for (int round = 0; round < warm_up_rounds; ++round)
  {
    for (int i = 0; i < perf::impl_count; ++i)
    {
      (void) timed(i);
    }
  }

  std::vector<double> samples[perf::impl_count];
  for (auto _ : state)
  {
    double round = 0;
    for (int i = 0; i < perf::impl_count; ++i)
    {
      samples[i].push_back(timed(i));
      round += samples[i].back();
    }
    state.SetIterationTime(round / 1e6);
  }
  for (int i = 0; i < perf::impl_count; ++i)
  {
    state.counters[perf::impl_names[i]] = perf::median(samples[i]);
  }
}

std::vector<scan_case> cases_of(const perf::options& options)
{
  std::vector<scan_case> cases;
  for (const perf::element_type* type : options.types)
  {
    for (const std::int64_t count : options.counts)
    {
      for (const perf::op operation : options.ops)
      {
        cases.push_back({operation, type, count});
      }
    }
  }
  return cases;
}

// A GPU that has been idle runs at a lower clock for a while.
void warm_up(const perf::buffers& b, std::size_t bytes)
{
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(500))
  {
    perf::require(cudaMemcpyAsync(b.output, b.input, bytes, cudaMemcpyDeviceToDevice, b.stream), "warming up");
    perf::require(cudaStreamSynchronize(b.stream), "warming up");
  }
}

void run(const perf::options& options)
{
  const std::vector<scan_case> cases = cases_of(options);
  std::size_t bytes                  = 0;
  std::size_t scratch_bytes          = 0;
  for (const scan_case& c : cases)
  {
    bytes         = std::max(bytes, static_cast<std::size_t>(c.count) * c.type->size);
    scratch_bytes = std::max(scratch_bytes, c.type->scratch_bytes(c.count));
  }
  const perf::device_memory<char> input(bytes);
  const perf::device_memory<char> output(bytes);
  const perf::device_memory<char> scratch(scratch_bytes);
  cudaStream_t stream = nullptr;
  perf::require(cudaStreamCreate(&stream), "creating a stream");
  const perf::buffers b{input.data(), output.data(), scratch.data(), scratch_bytes, stream};
  warm_up(b, bytes);

  // Google Benchmark has no way to stop a run, so what follows a failure does nothing.
  std::string failure;
  for (const scan_case& c : cases)
  {
    const auto body = [&failure, &b, c](benchmark::State& state) {
      if (failure.empty())
      {
        try
        {
          measure(state, c, b);
        }
        catch (const std::exception& error)
        {
          failure = error.what();
        }
      }
      if (!failure.empty())
      {
        state.SkipWithError(failure.c_str());
      }
    };
    benchmark::RegisterBenchmark(c.name().c_str(), body)->UseManualTime()->Iterations(options.repetitions);
  }

  perf::csv_reporter reporter(cases, options.out, perf::gpu_name(), options.commit);
  const std::size_t matching = benchmark::RunSpecifiedBenchmarks(&reporter);
  if (!failure.empty())
  {
    throw std::runtime_error(failure);
  }
  if (matching == 0)
  {
    throw std::runtime_error("no case matches --benchmark_filter");
  }
  reporter.keep();
  perf::require(cudaStreamDestroy(stream), "destroying the stream");
}
} // namespace

int main(int argc, char** argv)
{
  try
  {
    std::vector<std::string> own;
    std::vector<char*> google{argv[0]};
    for (int i = 1; i < argc; ++i)
    {
      if (std::string(argv[i]).rfind("--benchmark_", 0) == 0)
      {
        google.push_back(argv[i]);
      }
      else
      {
        own.push_back(argv[i]);
      }
    }
    const perf::options options = perf::parse_options(own);
    if (options.help)
    {
      std::printf("%s", perf::usage);
      return 0;
    }
    int google_count = static_cast<int>(google.size());
    google.push_back(nullptr);
    benchmark::Initialize(&google_count, google.data());
    if (benchmark::ReportUnrecognizedArguments(google_count, google.data()))
    {
      return 2;
    }

    const std::string why_no_gpu = perf::why_no_gpu();
    if (!why_no_gpu.empty())
    {
      std::fprintf(stderr, "lightscan_perf: no GPU to measure: %s\n", why_no_gpu.c_str());
      return 1;
    }
    if (options.commit == "unknown")
    {
      std::fprintf(stderr, "lightscan_perf: the rows will not say what was measured; --commit=SHA does\n");
    }
    run(options);
    return 0;
  }
  catch (const perf::bad_arguments& error)
  {
    std::fprintf(stderr, "lightscan_perf: %s\n%s", error.what(), perf::usage);
    return 2;
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "lightscan_perf: %s\n", error.what());
    return 1;
  }
}
