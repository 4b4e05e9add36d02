// lightscan_perf: LightScan beside cudaMemcpyAsync, CUB and Thrust, in one process run, as CSV. README.md says how to
// run it and what the columns mean.
//
// Google Benchmark can interleave repetitions, but shuffles all of them together; then a memcpy and the scan that is
// held against it would be minutes apart, with other data in the cache. So a benchmark here is one case, an operation
// on one type and size, and each of its iterations is one round in which every implementation has its turn.
//
// Exit code: 0 all right; 1 a wrong result, a failure, or no GPU; 2 arguments that make no sense.
#include "cases.h"
#include "gpu.h"
#include "options.h"
#include "provenance.h"
#include "result_file.h"
#include "scan_case.h"
#include "scan_reporter.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
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
  c.fill(b); // again for each: a scan in place overwrites its input
  c.call(i, b);
  if (i == impl::memcpy || i == impl::empty_kernel)
  {
    return; // nothing to prove
  }
  const perf::verdict found = c.check(i, b);
  if (found.wrong != 0)
  {
    throw std::runtime_error(perf::name_of(i) + " gives a WRONG result in " + perf::name_of(c) + ": "
                             + std::to_string(found.wrong) + " wrong steps, the first to element "
                             + std::to_string(found.first_wrong));
  }
}

void measure(benchmark::State& state, const scan_case& c, const perf::buffers& b)
{
  for (const impl i : c.impls)
  {
    check_once(c, i, b);
  }
  perf::stopwatch watch(b.stream);
  const auto timed = [&](impl i) {
    return watch.microseconds([&] {
      c.call(i, b);
    });
  };
  for (int round = 0; round < warm_up_rounds; ++round)
  {
    for (const impl i : c.impls)
    {
      (void) timed(i);
    }
  }

  std::map<impl, std::vector<double>> samples;
  for (auto _ : state)
  {
    double round = 0;
    for (const impl i : c.impls)
    {
      samples[i].push_back(timed(i));
      round += samples[i].back();
    }
    state.SetIterationTime(round / 1e6);
  }
  for (const impl i : c.impls)
  {
    state.counters[perf::name_of(i)] = perf::median(samples[i]);
  }
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

// Google Benchmark has no way to stop a run, so what follows a failure does nothing.
void run(const std::vector<scan_case>& cases, const perf::options& options)
{
  const std::string gpu = perf::gpu_name();
  std::vector<perf::case_rows> rows;
  for (const scan_case& c : cases)
  {
    rows.push_back(perf::rows_of(c));
  }
  perf::result_file file(options.out, perf::scan_header, gpu, options.commit, options.how, rows);
  std::vector<scan_case> left;
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(left), [&](const scan_case& c) {
    return !file.has(c.key());
  });
  if (left.size() < cases.size())
  {
    std::fprintf(stderr, "%zu of %zu cases were measured before\n", cases.size() - left.size(), cases.size());
  }

  std::size_t input_bytes   = 1;
  std::size_t output_bytes  = 1;
  std::size_t scratch_bytes = 1;
  for (const scan_case& c : left)
  {
    input_bytes   = std::max(input_bytes, c.input_bytes);
    output_bytes  = std::max(output_bytes, c.output_bytes);
    scratch_bytes = std::max(scratch_bytes, c.scratch_bytes());
  }
  const perf::device_memory<char> input(input_bytes);
  const perf::device_memory<char> output(output_bytes);
  const perf::device_memory<char> scratch(scratch_bytes);
  cudaStream_t stream = nullptr;
  perf::require(cudaStreamCreate(&stream), "creating a stream");
  const perf::buffers b{input.data(), output.data(), scratch.data(), scratch_bytes, stream};
  warm_up(b, std::min(input_bytes, output_bytes));

  const perf::facts settings{{"repetitions", std::to_string(options.repetitions), true}};
  perf::sidecar beside(options.out, options.how, perf::facts_of_run(options.commit, settings));

  std::string failure;
  for (const scan_case& c : left)
  {
    const auto body = [&failure, &b, &c](benchmark::State& state) {
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
    benchmark::RegisterBenchmark(perf::name_of(c).c_str(), body)->UseManualTime()->Iterations(options.repetitions);
  }

  perf::scan_reporter reporter(left, file, gpu, options.commit);
  const std::size_t matching = left.empty() ? 0 : benchmark::RunSpecifiedBenchmarks(&reporter);
  if (!failure.empty())
  {
    throw std::runtime_error(failure);
  }
  if (matching == 0 && !left.empty())
  {
    throw std::runtime_error("no case matches --benchmark_filter");
  }
  file.keep();
  beside.keep();
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
      std::printf("%s%s", perf::usage, perf::run_usage);
      return 0;
    }
    const std::vector<scan_case> cases = perf::chosen(perf::all_cases(), options);
    if (options.list)
    {
      for (const scan_case& c : cases)
      {
        std::printf("%s\n", perf::name_of(c).c_str());
      }
      return 0;
    }
    int google_count = static_cast<int>(google.size());
    google.push_back(nullptr);
    benchmark::Initialize(&google_count, google.data());
    if (benchmark::ReportUnrecognizedArguments(google_count, google.data()))
    {
      return 2;
    }

    perf::check_start(options.out, options.how);
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
    run(cases, options);
    return 0;
  }
  catch (const perf::bad_arguments& error)
  {
    std::fprintf(stderr, "lightscan_perf: %s\n%s%s", error.what(), perf::usage, perf::run_usage);
    return 2;
  }
  catch (const perf::refused& error)
  {
    std::fprintf(stderr, "lightscan_perf: %s\n", error.what());
    return 2;
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "lightscan_perf: %s\n", error.what());
    return 1;
  }
}
