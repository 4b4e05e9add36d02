// lightscan_calls: what one small call costs, beside an empty kernel, CUB and Thrust; as CSV. README.md says what the
// columns mean.
//
// Three kinds of call: `event`, between two CUDA events; `back_to_back`, host time of each of 1,000 in a row on one
// stream without synchronisation; `sync`, host time of one call and, where it does not wait itself, a synchronisation
// of its stream. The empty kernel, one block of 32 threads, is what they are held against, in the same rounds.
//
// Exit code: 0 all right; 1 a wrong result, a failure, or no GPU; 2 arguments that make no sense.
#include "element_count.h"
#include "gpu.h"
#include "peers.h"
#include "program.h"
#include "progress.h"
#include "provenance.h"
#include "result_file.h"
#include "small_calls.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{
using perf::require;

constexpr const char* program = "lightscan_calls";
constexpr const char* header  = "impl,call,type,n,median_us,of_empty_kernel,gpu,commit";

using perf::small_calls;

constexpr int impl_count = static_cast<int>(std::size(small_calls::impls));

double now_us()
{
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

enum class kind
{
  event,
  back_to_back,
  sync
};
constexpr const char* kinds[] = {"event", "back_to_back", "sync"};

struct call_case
{
  kind how;
  std::int64_t count;
  int rounds;

  // The time between two events is that of a call between them.
  std::vector<int> impls() const
  {
    std::vector<int> suited;
    for (int impl = 0; impl < impl_count; ++impl)
    {
      if (how != kind::event || small_calls::on_one_stream(impl))
      {
        suited.push_back(impl);
      }
    }
    return suited;
  }

  std::string key() const
  {
    return std::string(kinds[static_cast<int>(how)]) + ",int32," + std::to_string(count);
  }
};

std::vector<call_case> all_cases()
{
  std::vector<call_case> cases;
  for (const int exponent : {10, 12, 14, 16, 18, 20, 22})
  {
    cases.push_back({kind::event, std::int64_t{1} << exponent, 501});
  }
  for (const int exponent : {10, 16})
  {
    cases.push_back({kind::back_to_back, std::int64_t{1} << exponent, 25});
    cases.push_back({kind::sync, std::int64_t{1} << exponent, 1001});
  }
  return cases;
}

double time_once(const call_case& c, int impl, const small_calls& s, perf::stopwatch& watch)
{
  constexpr int in_a_row = 1000;
  if (c.how == kind::event)
  {
    return watch.microseconds([&] {
      s.call(impl, c.count);
    });
  }
  const double start = now_us();
  if (c.how == kind::sync)
  {
    s.call(impl, c.count);
    if (!s.waits(impl))
    {
      s.wait(impl);
    }
    return now_us() - start;
  }
  for (int i = 0; i < in_a_row; ++i)
  {
    s.call(impl, c.count);
  }
  const double each = (now_us() - start) / in_a_row;
  require(cudaDeviceSynchronize(), "waiting for many calls");
  return each;
}

// One line for each implementation.
std::string measure(const call_case& c, const small_calls& s, const std::string& ending)
{
  perf::stopwatch watch(s.stream());
  std::vector<double> samples[impl_count];
  std::vector<int> order = c.impls();
  for (const int impl : order)
  {
    s.check(impl, c.count);
  }
  std::mt19937 random(1);
  const int warm_up = c.how == kind::back_to_back ? 2 : 20;
  for (int round = -warm_up; round < c.rounds; ++round)
  {
    // In another order each round: what one leaves behind, a memory pool to be trimmed, say, must not always meet the same.
    std::shuffle(order.begin(), order.end(), random);
    for (const int impl : order)
    {
      const double us = time_once(c, impl, s, watch);
      if (round >= 0)
      {
        samples[impl].push_back(us);
      }
    }
  }
  std::string rows;
  const double empty = perf::median(samples[0]);
  for (const int impl : c.impls())
  {
    const double us = perf::median(samples[impl]);
    char numbers[64];
    std::snprintf(numbers, sizeof(numbers), "%.3f,%.4f", us, us / empty);
    rows += perf::name_in_results(small_calls::impls[impl]) + "," + c.key() + "," + numbers + ending;
  }
  return rows;
}

void show(const call_case& c, const std::string& rows, const perf::progress& how_far)
{
  std::fprintf(stderr,
               "[%2zu/%zu] %-12s %-5s",
               how_far.parts_done(),
               how_far.parts(),
               kinds[static_cast<int>(c.how)],
               perf::count_text(c.count).c_str());
  for (std::size_t begin = 0; begin < rows.size(); begin = rows.find('\n', begin) + 1)
  {
    const std::vector<std::string> fields = perf::fields_of(rows.substr(begin, rows.find('\n', begin) - begin));
    std::fprintf(stderr, "  %s %.2f us", fields[0].c_str(), std::stod(fields[4]));
  }
  std::fprintf(stderr, "  (about %.0f s left)\n", how_far.left());
}

// Rough share of the whole run's time: rounds of calls, of some 50 us for all implementations or a thousand times that.
double weight_of(const call_case& c)
{
  return c.rounds * (c.how == kind::back_to_back ? 1000.0 : 1.0) + 500;
}

void run(const perf::run_options& options)
{
  const std::string gpu              = perf::gpu_name();
  const std::vector<call_case> cases = all_cases();
  std::vector<perf::case_rows> rows;
  for (const call_case& c : cases)
  {
    std::vector<std::string> impls;
    for (const int impl : c.impls())
    {
      impls.push_back(perf::name_in_results(small_calls::impls[impl]));
    }
    rows.push_back({c.key(), impls});
  }
  perf::result_file file(options.out, header, gpu, options.commit, options.how, rows);

  double weight = 0;
  std::vector<call_case> left;
  std::int64_t most = 1;
  for (const call_case& c : cases)
  {
    most = std::max(most, c.count);
    if (!file.has(c.key()))
    {
      left.push_back(c);
      weight += weight_of(c);
    }
  }
  cudaStream_t stream = nullptr;
  require(cudaStreamCreate(&stream), "creating a stream");
  {
    const small_calls s(most, stream);
    // A GPU that has been idle runs at a lower clock for a while.
    for (const double start = now_us(); now_us() - start < 500e3;)
    {
      s.call(1, most);
      require(cudaStreamSynchronize(stream), "warming up");
    }
    perf::sidecar beside(options.out, options.how, perf::facts_of_run(options.commit));

    perf::progress how_far(left.size(), weight);
    for (const call_case& c : left)
    {
      const std::string measured = measure(c, s, "," + gpu + "," + options.commit + "\n");
      file.append(measured);
      how_far.done(weight_of(c));
      show(c, measured, how_far);
    }
    file.keep();
    beside.keep();
  }
  require(cudaStreamDestroy(stream), "destroying the stream");
}
} // namespace

int main(int argc, char** argv)
{
  return perf::run_program(program, argc, argv, run);
}
