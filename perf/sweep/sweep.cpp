// lightscan_sweep: every kind of call, from every kind of input to every kind of output, small and large, beside CUB and
// Thrust; as CSV. ../README.md says what the columns mean.
//
// In each row every contender's result is compared with the others' first; all are exact, so all bits must be the same.
// Then they take turns, each call between two events, in another order each round.
//
// Exit code: 0 all right; 1 wrong results, a failure, too little time, or no GPU; 2 arguments that make no sense.
#include "../gpu.h"
#include "../program.h"
#include "../provenance.h"
#include "../result_file.h"
#include "../sizes.h"
#include "digest.h"
#include "standing.h"
#include "sweep_case.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{
using perf::contender;
using perf::require;
using perf::standing;
using perf::sweep_case;
using perf::sweep_memory;

constexpr const char* program = "lightscan_sweep";

constexpr std::array<contender, 3> contenders{contender::lightscan, contender::cub, contender::thrust};
constexpr int least_rounds = 5;
constexpr int most_rounds  = 51;

double now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<sweep_case> all_cases()
{
  std::vector<sweep_case> all;
  for (const auto of : {perf::contiguous_sums,
                        perf::contiguous_exclusive_sums,
                        perf::contiguous_in_place,
                        perf::contiguous_calls,
                        perf::transform_calls,
                        perf::contiguous_to_discard,
                        perf::contiguous_to_order,
                        perf::counted,
                        perf::constants,
                        perf::computed,
                        perf::differenced,
                        perf::transformed,
                        perf::converted,
                        perf::zipped,
                        perf::zipped_otherwise,
                        perf::permuted,
                        perf::gathered,
                        perf::reversed,
                        perf::reversed_otherwise,
                        perf::struct_sums,
                        perf::struct_trees,
                        perf::wide_struct_sums,
                        perf::widest_struct_sums,
                        perf::calls_by_key,
                        perf::exclusive_calls_by_key,
                        perf::by_row,
                        perf::by_pair_or_search,
                        perf::computed_by_key,
                        perf::functions_by_key,
                        perf::by_key_to_outputs,
                        perf::by_key_backwards})
  {
    std::vector<sweep_case> some = of();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

struct row
{
  sweep_case what;
  std::int64_t n;

  std::string subject() const
  {
    return what.subject(n);
  }
  std::size_t array_bytes() const
  {
    constexpr std::size_t spare = 256; // for one element more than there are, as offsets have
    return static_cast<std::size_t>(n) * what.widest + spare;
  }
};

std::vector<row> wanted_rows(const perf::sweep_options& options)
{
  std::vector<row> rows;
  std::set<std::string> subjects;
  for (const sweep_case& c : all_cases())
  {
    for (const std::int64_t n : perf::sweep_counts(c.widest))
    {
      if (!subjects.insert(c.subject(n)).second)
      {
        throw std::logic_error("two rows are called " + c.subject(n));
      }
      if (perf::is_wanted(c.subject(n), options.only))
      {
        rows.push_back({c, n});
      }
    }
  }
  if (rows.empty())
  {
    throw perf::bad_arguments("no row is as asked for; --list shows what there is");
  }
  return rows;
}

// Memory for all rows, and the stream.
class arena
{
public:
  explicit arena(const std::vector<row>& rows)
  {
    std::size_t bytes   = 1;
    std::size_t scratch = 1;
    for (const row& r : rows)
    {
      bytes   = std::max(bytes, r.array_bytes());
      scratch = std::max(scratch, r.what.scratch_bytes(nowhere(r.n)));
    }
    for (auto& array : arrays_)
    {
      array = std::make_unique<perf::device_memory<char>>(bytes);
    }
    // Thrust asks for a little more than CUB.
    scratch_ = std::make_unique<perf::device_memory<char>>(scratch + scratch / 8 + (std::size_t{1} << 20));
    require(cudaStreamCreate(&stream_), "creating a stream");
  }
  arena(const arena&)            = delete;
  arena& operator=(const arena&) = delete;
  ~arena()
  {
    (void) cudaStreamDestroy(stream_);
  }

  sweep_memory for_elements(std::int64_t n) const
  {
    return {{arrays_[0]->data(), arrays_[1]->data(), arrays_[2]->data()},
            {arrays_[3]->data(), arrays_[4]->data()},
            scratch_->data(),
            scratch_->bytes(),
            n,
            stream_};
  }

  // A GPU that has been idle runs at a lower clock for a while.
  void warm_up() const
  {
    for (const double start = now(); now() - start < 0.5;)
    {
      require(
        cudaMemcpyAsync(arrays_[3]->data(), arrays_[0]->data(), arrays_[0]->bytes(), cudaMemcpyDeviceToDevice, stream_),
        "warming up");
      require(cudaStreamSynchronize(stream_), "warming up");
    }
  }

private:
  static sweep_memory nowhere(std::int64_t n)
  {
    sweep_memory m{};
    m.n = n;
    return m;
  }

  std::array<std::unique_ptr<perf::device_memory<char>>, sweep_memory::arrays> arrays_;
  std::unique_ptr<perf::device_memory<char>> scratch_;
  cudaStream_t stream_ = nullptr;
};

// What one contender leaves, of input and poisoned output that are made anew: a scan in place overwrites its input.
std::uint64_t digest_by(contender who, const row& r, const sweep_memory& m)
{
  r.what.fill(m);
  for (void* const out : m.out)
  {
    require(cudaMemsetAsync(out, 0xff, static_cast<std::size_t>(m.n) * r.what.widest, m.stream), "clearing the output");
  }
  r.what.run(who, m);
  require(cudaStreamSynchronize(m.stream), std::string("scanning by ") + perf::contender_names[static_cast<int>(who)]);
  return perf::digest_of(r.what.written(m), m.stream);
}

void compare_results(const row& r, const sweep_memory& m)
{
  const std::uint64_t by_thrust = digest_by(contender::thrust, r, m);
  const bool cub_agrees         = digest_by(contender::cub, r, m) == by_thrust;
  // The last one, whose path is asked for then.
  const bool lightscan_agrees = digest_by(contender::lightscan, r, m) == by_thrust;
  if (!cub_agrees || !lightscan_agrees)
  {
    throw std::runtime_error(std::string("results differ: Thrust's from ") + (cub_agrees ? "" : "CUB's ")
                             + (lightscan_agrees ? "" : "LightScan's"));
  }
}

// Medians of turns taken for so long.
standing measure(const row& r, const sweep_memory& m, double seconds)
{
  perf::stopwatch watch(m.stream);
  std::array<std::vector<double>, contenders.size()> samples;
  const double start = now();
  for (int round = -1; round < least_rounds || (round < most_rounds && now() - start < seconds); ++round)
  {
    for (std::size_t turn = 0; turn < contenders.size(); ++turn)
    {
      const std::size_t who = (turn + static_cast<std::size_t>(round + 1)) % contenders.size();
      const double us       = watch.microseconds([&] {
        r.what.run(contenders[who], m);
      });
      if (round >= 0) // what comes before is for warmth
      {
        samples[who].push_back(us);
      }
    }
  }
  return {perf::median(samples[0]), perf::median(samples[1]), perf::median(samples[2])};
}

struct result
{
  standing times;
  std::string path;
};

result stand(const row& r, const sweep_memory& m, double seconds)
{
  compare_results(r, m);
  const std::string path = r.what.path();
  const auto again       = [&] {
    return measure(r, m, seconds);
  };
  return {perf::reported(again(), again), path};
}

// How a sweep went, for people.
class summary
{
public:
  void add(const std::string& text, double ratio)
  {
    ++rows_;
    below_one_ += ratio < 1 ? 1 : 0;
    below_reach_ += ratio < 0.97 ? 1 : 0;
    if (ratio < 1)
    {
      std::fprintf(stderr, "slower: %s\n", text.c_str());
    }
    if (rows_ % 50 == 0)
    {
      show();
    }
  }
  void show() const
  {
    std::fprintf(stderr, "%d rows, %d below 1.00, %d below 0.97\n", rows_, below_one_, below_reach_);
  }

private:
  int rows_        = 0;
  int below_one_   = 0;
  int below_reach_ = 0;
};

void list(const std::vector<row>& rows)
{
  for (const row& r : rows)
  {
    std::printf("%s\n", r.subject().c_str());
  }
}

// Measures them all and says how many could not be. A row that goes wrong does not keep others from being measured, as long
// as the GPU can be used.
int measure_rows(const std::vector<row>& rows,
                 const arena& memory,
                 double deadline,
                 perf::result_file& file,
                 const std::string& ending)
{
  int failures = 0;
  summary so_far;
  for (std::size_t i = 0; i < rows.size(); ++i)
  {
    if (now() > deadline)
    {
      throw std::runtime_error("no time is left for " + std::to_string(rows.size() - i) + " of "
                               + std::to_string(rows.size()) + " rows; --max-seconds=S gives more");
    }
    try
    {
      const double seconds   = perf::seconds_for_row(deadline - now(), rows.size() - i);
      const result found     = stand(rows[i], memory.for_elements(rows[i].n), seconds);
      const std::string text = perf::row_of(rows[i].subject(), found.times, found.path);
      file.append(text + ending);
      so_far.add(text, found.times.ratio());
    }
    catch (const std::exception& error)
    {
      ++failures;
      std::fprintf(stderr, "%s: FAILED: %s: %s\n", program, rows[i].subject().c_str(), error.what());
      require(cudaDeviceSynchronize(), "going on after that");
    }
  }
  so_far.show();
  return failures;
}

void run(const perf::sweep_options& options)
{
  const double start          = now();
  const std::vector<row> rows = wanted_rows(options);
  if (options.list)
  {
    list(rows);
    return;
  }
  const std::string gpu = perf::gpu_name();
  perf::result_file file(options.out, perf::sweep_header, gpu, options.commit, options.how, {});
  const arena memory(rows);
  memory.warm_up();
  perf::sidecar beside(options.out, options.how, perf::facts_of_run(options.commit));

  const std::string ending = "," + gpu + "," + options.commit + "\n";
  const int failures       = measure_rows(rows, memory, start + options.max_seconds, file, ending);
  if (failures > 0)
  {
    throw std::runtime_error(std::to_string(failures) + " rows went wrong");
  }
  file.keep();
  beside.keep();
}
} // namespace

int main(int argc, char** argv)
{
  return perf::run_program(program, perf::sweep_usage, perf::parse_sweep_options, argc, argv, run);
}
