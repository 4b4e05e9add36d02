// lightscan_tune: redoes the choice of rows in lightscan/dispatch/tuning.h on this GPU and prints them: those of the plain
// kernel, and of the bulk pipeline for nine kinds of scan, each for accumulators of up to the bytes of the kind's own. Other
// rows are not tuned. Every candidate's result is checked before it is timed; candidates take turns, and medians are compared.
//
// Exit code: 0 all right; 1 a wrong result, a failure, or no GPU; 2 arguments that make no sense.
#include "tune.h"

#include "../gpu.h"
#include "../progress.h"
#include "choice.h"

#include <lightscan/dispatch/architectures.h>

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
using perf::tune::kind_to_tune;
using perf::tune::row_numbers;

constexpr int rounds            = 21;
constexpr int warm_up_rounds    = 3;
constexpr std::int64_t large    = std::int64_t{2} << 30; // bytes at which bulk policies are compared
constexpr std::int64_t smallest = 32 << 10;              // less is one tile, whatever the row
const std::vector<int> tile_stripes{16, 32, 64};

// Elements of which the larger of input and output takes that.
std::int64_t large_count(const kind_to_tune& k)
{
  return static_cast<std::int64_t>(static_cast<std::size_t>(large) / std::max(k.input_bytes, k.output_bytes));
}

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
  void* input;
  void* output;
  cudaStream_t stream;
  int multiprocessors;
};

// A candidate that this GPU can run, and its row as the code has it that runs.
struct able_candidate
{
  int (*scan)(const void* input, void* output, std::int64_t count, cudaStream_t stream, bool bulk);
  int compiled_for;
  row_numbers row;
};

std::string numbers_of(const row_numbers& row, const char* between)
{
  return std::to_string(row.groups) + between + std::to_string(row.group_threads) + between
       + std::to_string(row.bytes_per_thread) + between + std::to_string(row.unroll) + between
       + std::to_string(row.loads_ahead) + between + std::to_string(row.loads_at_once);
}

void check(const kind_to_tune& k, const able_candidate& c, std::int64_t count, bool bulk, const bench& b)
{
  k.fill(b.input, count, b.stream);
  require(
    cudaMemsetAsync(b.output, 0xff, static_cast<std::size_t>(count) * k.output_bytes, b.stream), "clearing the output");
  (void) c.scan(b.input, b.output, count, b.stream, bulk);
  const perf::verdict found = k.check(b.output, count, b.stream);
  if (found.wrong != 0)
  {
    throw std::runtime_error(std::string(k.name) + ", " + (bulk ? numbers_of(c.row, "/") : "the plain kernel")
                             + ": the result is WRONG from element " + std::to_string(found.first_wrong));
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

// As the table spells it.
const char* name_of(lightscan::bulk::placement placed)
{
  using lightscan::bulk::placement;
  return placed == placement::in_place ? "in_place" : placed == placement::moved ? "moved" : "moved_wider";
}

std::string share(double value)
{
  char text[16];
  std::snprintf(text, sizeof(text), "%.3f", value);
  return text;
}

// What the policies that were not chosen reached; the last time is the copy's.
std::string others(const std::vector<able_candidate>& able, const std::vector<double>& us, std::size_t chosen)
{
  std::string text;
  for (std::size_t i = 0; i < able.size(); ++i)
  {
    if (i != chosen)
    {
      const std::string prefetched = able[i].row.prefetched > 0 ? " prefetched" : "";
      text += (text.empty() ? "; others: " : ", ") + numbers_of(able[i].row, "/") + prefetched + " "
            + share(us.back() / us[i]);
    }
  }
  return text;
}

std::string tune_bulk(const kind_to_tune& k, const bench& b, progress_bar& bar)
{
  std::vector<able_candidate> able;
  const std::int64_t count = large_count(k);
  k.use_plain_tile(tile_stripes.back());
  for (const candidate& c : k.candidates)
  {
    if (const int compiled_for = c.scan(b.input, b.output, count, b.stream, true); compiled_for > 0)
    {
      able.push_back({c.scan, compiled_for, c.on(compiled_for)});
      check(k, able.back(), count, true, b);
    }
  }
  bar.step();
  if (able.empty())
  {
    bar.step();
    return "  // " + std::string(k.name) + ": this GPU cannot run the bulk pipeline by any of these policies\n";
  }
  // The last one is a copy of the same bytes.
  const std::vector<double> us = medians(able.size() + 1, b, [&](std::size_t i) {
    if (i == able.size())
    {
      const auto bytes = static_cast<std::size_t>(count) * (k.input_bytes + k.output_bytes) / 2;
      require(cudaMemcpyAsync(b.output, b.input, bytes, cudaMemcpyDeviceToDevice, b.stream), "copying");
    }
    else
    {
      (void) able[i].scan(b.input, b.output, count, b.stream, true);
    }
  });
  const double memcpy_us       = us.back();
  const std::size_t best       = perf::tune::fastest({us.begin(), us.end() - 1});
  const able_candidate& chosen = able[best];

  const std::int64_t one_tile_each = k.one_tile_each(b.multiprocessors);
  std::vector<std::int64_t> sizes;
  std::vector<double> bulk;
  std::vector<double> plain;
  for (const double tiles : {1.25, 1.5, 1.75, 2.25, 2.5, 2.75, 3.25, 4.25, 5.25, 8.25})
  {
    const auto n                   = static_cast<std::int64_t>(tiles * static_cast<double>(one_tile_each));
    const std::vector<double> both = medians(2, b, [&](std::size_t i) {
      (void) chosen.scan(b.input, b.output, n, b.stream, i == 0);
    });
    sizes.push_back(n);
    bulk.push_back(both[0]);
    plain.push_back(both[1]);
  }
  const std::int64_t from = perf::tune::bulk_from(sizes, bulk, plain);
  bar.step();
  const int architecture = lightscan::dispatch::architecture_row_for(chosen.compiled_for).compute_capability;
  return "  {" + std::to_string(architecture) + ", memory, " + std::to_string(k.inputs) + ", " + name_of(k.placed)
       + ", " + std::to_string(k.accumulator_bytes) + ", 0, " + numbers_of(chosen.row, ", ") + ", "
       + (from == perf::tune::none_faster ? std::string("1 << 30") : std::to_string(from / one_tile_each))
       + (chosen.row.prefetched > 0 ? ", 0, " + std::to_string(chosen.row.prefetched) : std::string()) + "}, // "
       + k.name + ": " + share(memcpy_us / us[best]) + " of memcpy" + others(able, us, best) + "\n";
}

std::string tune_plain(const kind_to_tune& k, const bench& b, progress_bar& bar)
{
  const std::vector<std::int64_t> sizes = sizes_between(smallest, 16 << 20);
  std::vector<std::vector<double>> times(tile_stripes.size());
  const able_candidate any{k.candidates.front().scan, 0, {}}; // they share the plain kernel
  for (const std::int64_t bytes : sizes)
  {
    const auto n = static_cast<std::int64_t>(static_cast<std::size_t>(bytes) / k.input_bytes);
    for (const int stripes : tile_stripes)
    {
      k.use_plain_tile(stripes);
      check(k, any, n, false, b);
    }
    const std::vector<double> us = medians(tile_stripes.size(), b, [&](std::size_t s) {
      k.use_plain_tile(tile_stripes[s]);
      (void) any.scan(b.input, b.output, n, b.stream, false);
    });
    for (std::size_t s = 0; s < tile_stripes.size(); ++s)
    {
      times[s].push_back(us[s]);
    }
  }
  std::string text;
  for (const perf::tune::plain_step& step : perf::tune::plain_steps(sizes, tile_stripes, times))
  {
    const bool last = step.max_bytes == INT64_MAX;
    text += "  {" + (last ? "::cuda::std::int64_t{1} << 62" : perf::tune::bytes_text(step.max_bytes / 16)) + ", "
          + std::to_string(step.tile_stripes) + "},\n";
  }
  bar.step();
  return text;
}

void run()
{
  using namespace perf::tune;
  const std::vector<kind_to_tune> kinds{int8_to_tune(),
                                        int16_to_tune(),
                                        int32_to_tune(),
                                        double_to_tune(),
                                        struct16_to_tune(),
                                        uint8_to_int32_to_tune(),
                                        int32_to_int64_to_tune(),
                                        int64_to_int32_to_tune(),
                                        keys_to_tune()};
  const perf::device_memory<char> input(large);
  const perf::device_memory<char> output(large);
  cudaStream_t stream = nullptr;
  require(cudaStreamCreate(&stream), "creating a stream");
  int multiprocessors = 0;
  require(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "asking for multiprocessors");
  const bench b{input.data(), output.data(), stream, multiprocessors};
  // A GPU that has been idle runs at a lower clock for a while.
  for (int i = 0; i < 200; ++i)
  {
    require(cudaMemcpyAsync(b.output, b.input, large, cudaMemcpyDeviceToDevice, stream), "warming up");
  }
  require(cudaStreamSynchronize(stream), "warming up");

  std::string bulk;
  std::string plain;
  {
    progress_bar bar(2 * kinds.size() + 1);
    for (const kind_to_tune& k : kinds)
    {
      bulk += tune_bulk(k, b, bar);
    }
    plain = tune_plain(kinds[2], b, bar); // of words
  }
  std::printf("// Chosen by lightscan_tune on %s. For LIGHTSCAN_BULK_ROWS (lightscan/version.h), or for bulk_rows in "
              "lightscan/dispatch/tuning.h (the others stay):\n"
              "  // sm  source  columns  placed  accumulator  evaluators  groups  threads  bytes  unroll  ahead  at "
              "once  plain tiles  shared  prefetched\n%s\n"
              "inline constexpr plain_row plain_rows[] = {\n"
              "  // up to  stripes\n%s};\n",
              perf::gpu_name().c_str(),
              bulk.c_str(),
              plain.c_str());
  require(cudaStreamDestroy(stream), "destroying the stream");
}
} // namespace

int main(int argc, char**)
{
  if (argc > 1)
  {
    std::fprintf(
      stderr,
      "usage: lightscan_tune, without arguments; prints rows for dispatch/tuning.h, or for LIGHTSCAN_BULK_ROWS\n");
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
