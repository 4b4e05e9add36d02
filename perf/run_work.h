// What operations on runs of equal keys have in common: keys of uint32 that change once in `Length` elements, and a check of
// each run's results from where it begins and ends, which random_keys.h says. Included by cases_unique.cu,
// cases_run_lengths.cu and reduction_work.h.
#pragma once

#include "random_keys.h"
#include "select_work.h"

namespace perf
{
using run_key = std::uint32_t;

// Work::right(arrays, run, begin, end) says whether what is left of a run is right, but for its key.
template <class Work, int Length>
struct right_in_run
{
  arrays a;

  __device__ bool operator()(std::int64_t run) const
  {
    using runs = runs_of<Length>;
    return a.out<run_key>()[run] == runs::template key<run_key>(run)
        && Work::right(a, run, runs::begin(run), runs::end(run, a.n));
  }
};

// The keys are the first array of the input, and of the output.
template <class Work, int Length>
struct over_runs
{
  static constexpr bool by_policy = false;

  static double bytes_moved(std::int64_t n)
  {
    const std::int64_t bytes = n * Work::input_bytes + runs_of<Length>::number(n) * Work::output_bytes;
    return static_cast<double>(bytes);
  }

  static __device__ void write_key(const arrays& a, std::int64_t i)
  {
    a.in<run_key>()[i] = key_at<run_key, Length>(i);
  }

  // Work::check_all_behind(arrays, runs) checks that nothing is written behind so many results.
  static verdict check(const arrays& a, impl, std::int64_t total)
  {
    const std::int64_t runs = runs_of<Length>::number(a.n);
    if (total != runs)
    {
      return {1, static_cast<unsigned long long>(runs)};
    }
    const verdict found = check_by(right_in_run<Work, Length>{a}, 0, runs, a.stream);
    return found.wrong != 0 ? found : Work::check_all_behind(a, runs);
  }
};
} // namespace perf
