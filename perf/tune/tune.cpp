// lightscan_tune: redoes the choice of the rows in lightscan/dispatch/tuning.h on this GPU and prints them, ready to be
// put there. Every candidate's result is checked before it is timed; candidates take turns, and medians are compared.
//
// Exit code: 0 all right; 1 a wrong result, a failure, or no GPU; 2 arguments that make no sense.
#include "tune.h"

#include "../gpu.h"
#include "../progress.h"
#include "choice.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

namespace
{
using perf::require;
using perf::tune::candidate;
using perf::tune::element_to_tune;

constexpr int rounds                     = 21;
constexpr int warm_up_rounds             = 3;
constexpr std::int64_t large             = std::int64_t{2} << 30; // bytes of input at which bulk shapes are compared
constexpr std::int64_t smallest          = 4 << 10;
constexpr std::int64_t largest_for_plain = 64 << 20;
const std::vector<int> segments{16, 48, 80};

std::vector<std::int64_t> sizes_between(std::int64_t first, std::int64_t last)
{
  std::vector<std::int64_t> sizes;
  for (std::int64_t bytes = first; bytes <= last; bytes *= 2)
  {
    sizes.push_back(bytes);
    if (bytes >= 128 << 10 && bytes < last)
    {
      sizes.push_back(bytes / 2 * 3);
    }
  }
  return sizes;
}

// On a terminal one line that grows; elsewhere nothing.
class progress_bar
{
public:
  explicit progress_bar(std::size_t parts)
      : progress_(parts, static_cast<double>(parts))
  {}
  ~progress_bar()
  {
    show("\n");
  }
  void step()
  {
    progress_.done(1);
    show("");
  }

private:
  void show(const char* ending) const
  {
    if (isatty(STDERR_FILENO) != 0)
    {
      const double done = static_cast<double>(progress_.parts_done()) / static_cast<double>(progress_.parts());
      std::fprintf(stderr, "\r%s  %s", perf::tune::bar(done, progress_.left()).c_str(), ending);
    }
  }
  perf::progress progress_;
};

struct bench
{
  const void* input;
  void* output;
  cudaStream_t stream;
};

void check(const element_to_tune& e, const candidate& c, std::int64_t count, bool bulk, const bench& b)
{
  require(cudaMemsetAsync(b.output, 0xff, static_cast<std::size_t>(count) * e.size, b.stream), "clearing the output");
  (void) c.scan(b.input, b.output, count, b.stream, bulk);
  const perf::verdict found = e.check(b.output, count, b.stream);
  if (found.wrong != 0)
  {
    throw std::runtime_error(std::string(e.name) + ", " + std::to_string(c.groups) + " groups of "
                             + std::to_string(c.group_threads) + ": the result is WRONG from element "
                             + std::to_string(found.first_wrong));
  }
}

// Medians of calls that take turns.
template <class Call>
std::vector<double> medians(std::size_t subjects, const bench& b, Call call)
{
  perf::stopwatch watch(b.stream);
  std::vector<std::vector<double>> samples(subjects);
  for (int round = -warm_up_rounds; round < rounds; ++round)
  {
    for (std::size_t i = 0; i < subjects; ++i)
    {
      const double us = watch.microseconds([&] {
        call(i);
      });
      if (round >= 0)
      {
        samples[i].push_back(us);
      }
    }
  }
  std::vector<double> result;
  for (const std::vector<double>& s : samples)
  {
    result.push_back(perf::median(s));
  }
  return result;
}

void tune_bulk(const element_to_tune& e, const bench& b, progress_bar& bar)
{
  std::vector<candidate> able;
  const auto count = static_cast<std::int64_t>(static_cast<std::size_t>(large) / e.size);
  e.use_plain_segment(segments.back());
  for (const candidate& c : e.candidates)
  {
    if (c.scan(b.input, b.output, count, b.stream, true))
    {
      check(e, c, count, true, b);
      able.push_back(c);
    }
  }
  bar.step();
  if (able.empty())
  {
    std::printf("  // %s: this GPU cannot run the bulk pipeline in any of these shapes\n", e.name);
    bar.step();
    return;
  }
  // The last one is a copy of the same bytes.
  const std::vector<double> us = medians(able.size() + 1, b, [&](std::size_t i) {
    if (i == able.size())
    {
      const auto bytes = static_cast<std::size_t>(count) * e.size;
      require(cudaMemcpyAsync(b.output, b.input, bytes, cudaMemcpyDeviceToDevice, b.stream), "copying");
    }
    else
    {
      (void) able[i].scan(b.input, b.output, count, b.stream, true);
    }
  });
  const double memcpy_us       = us.back();
  const std::size_t best       = perf::tune::fastest({us.begin(), us.end() - 1});
  const candidate& chosen      = able[best];

  const std::vector<std::int64_t> sizes = sizes_between(1 << 20, largest_for_plain);
  std::vector<double> bulk;
  std::vector<double> plain;
  for (const std::int64_t bytes : sizes)
  {
    const auto n                   = static_cast<std::int64_t>(static_cast<std::size_t>(bytes) / e.size);
    const std::vector<double> both = medians(2, b, [&](std::size_t i) {
      (void) chosen.scan(b.input, b.output, n, b.stream, i == 0);
    });
    bulk.push_back(both[0]);
    plain.push_back(both[1]);
  }
  const std::int64_t from = perf::tune::bulk_from(sizes, bulk, plain);
  std::printf("  {1, true, %zu, %d, %d, %d, %d, %d, %s}, // %s: %.3f of memcpy; the others:",
              e.size,
              chosen.groups,
              chosen.group_threads,
              chosen.segment_bytes,
              chosen.unroll,
              chosen.loads_ahead,
              (from == perf::tune::none_faster ? "more than " + perf::tune::bytes_text(largest_for_plain)
                                               : perf::tune::bytes_text(from))
                .c_str(),
              e.name,
              memcpy_us / us[best]);
  for (std::size_t i = 0; i < able.size(); ++i)
  {
    if (i != best)
    {
      const candidate& c = able[i];
      std::printf(
        " %dx%d/%d/%d/%d %.3f", c.groups, c.group_threads, c.segment_bytes, c.unroll, c.loads_ahead, memcpy_us / us[i]);
    }
  }
  std::printf("\n");
  std::fflush(stdout);
  bar.step();
}

void tune_plain(const element_to_tune& e, const bench& b, progress_bar& bar)
{
  const std::vector<std::int64_t> sizes = sizes_between(smallest, 16 << 20);
  std::vector<std::vector<double>> times(segments.size());
  const candidate& any = e.candidates.front(); // they share the plain kernel
  for (const std::int64_t bytes : sizes)
  {
    const auto n = static_cast<std::int64_t>(static_cast<std::size_t>(bytes) / e.size);
    for (const int segment : segments)
    {
      e.use_plain_segment(segment);
      check(e, any, n, false, b);
    }
    const std::vector<double> us = medians(segments.size(), b, [&](std::size_t s) {
      e.use_plain_segment(segments[s]);
      (void) any.scan(b.input, b.output, n, b.stream, false);
    });
    for (std::size_t s = 0; s < segments.size(); ++s)
    {
      times[s].push_back(us[s]);
    }
  }
  for (const perf::tune::plain_step& step : perf::tune::plain_steps(sizes, segments, times))
  {
    const bool last = step.max_bytes == INT64_MAX;
    std::printf("  {%s, %d},\n",
                last ? "::cuda::std::int64_t{1} << 62" : perf::tune::bytes_text(step.max_bytes).c_str(),
                step.segment_bytes);
  }
  std::fflush(stdout);
  bar.step();
}

void run()
{
  using namespace perf::tune;
  const std::vector<element_to_tune> elements{
    int8_to_tune(), int16_to_tune(), int32_to_tune(), double_to_tune(), struct16_to_tune()};
  const perf::device_memory<char> input(large);
  const perf::device_memory<char> output(large);
  cudaStream_t stream = nullptr;
  require(cudaStreamCreate(&stream), "creating a stream");
  const bench b{input.data(), output.data(), stream};
  // A GPU that has been idle runs at a lower clock for a while.
  for (int i = 0; i < 200; ++i)
  {
    require(cudaMemcpyAsync(b.output, b.input, large, cudaMemcpyDeviceToDevice, stream), "warming up");
  }
  require(cudaStreamSynchronize(stream), "warming up");

  progress_bar bar(2 * elements.size() + 1);
  std::printf("// Chosen by lightscan_tune on %s. In lightscan/dispatch/tuning.h:\n", perf::gpu_name().c_str());
  std::printf("inline constexpr bulk_row bulk_rows[] = {\n  // inputs  in place  accumulator  groups  threads  segment "
              " unroll  ahead  from\n");
  for (const element_to_tune& e : elements)
  {
    const auto count = static_cast<std::int64_t>(static_cast<std::size_t>(large) / e.size);
    e.fill(input.data(), count, stream);
    tune_bulk(e, b, bar);
  }
  std::printf("};\n\ninline constexpr plain_row plain_rows[] = {\n  // up to  segment\n");
  const element_to_tune& words = elements[2];
  words.fill(input.data(), static_cast<std::int64_t>(static_cast<std::size_t>(large) / words.size), stream);
  tune_plain(words, b, bar);
  std::printf("};\n");
  require(cudaStreamDestroy(stream), "destroying the stream");
}
} // namespace

int main(int argc, char**)
{
  if (argc > 1)
  {
    std::fprintf(stderr, "usage: lightscan_tune, without arguments; prints the rows to put into dispatch/tuning.h\n");
    return 2;
  }
  try
  {
    if (const std::string why = perf::why_no_gpu(); !why.empty())
    {
      std::fprintf(stderr, "lightscan_tune: no GPU to tune for: %s\n", why.c_str());
      return 1;
    }
    run();
    return 0;
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "\nlightscan_tune: %s\n", error.what());
    return 1;
  }
}
