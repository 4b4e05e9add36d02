#include "scan_reporter.h"

#include "element_count.h"

#include <cstdio>
#include <utility>

namespace perf
{
namespace
{
double median_of(const benchmark::UserCounters& medians, impl i)
{
  return medians.at(name_of(i)).value;
}

// Another implementation's time divided by this one's; empty where the case has no such implementation.
std::string times(const benchmark::UserCounters& medians, impl other, double us)
{
  const auto found = medians.find(name_of(other));
  char text[32]    = "";
  if (found != medians.end())
  {
    std::snprintf(text, sizeof(text), "%.4f", found->second.value / us);
  }
  return text;
}

double weight_of_all(const std::vector<scan_case>& cases)
{
  double sum = 0;
  for (const scan_case& c : cases)
  {
    sum += weight_of(c);
  }
  return sum;
}
} // namespace

const char* const scan_header = "impl,op,type,n,median_us,gb_per_s,of_memcpy,vs_cub,vs_thrust,gpu,commit";

std::string name_of(const scan_case& c)
{
  return c.group + "/" + c.op + "/" + c.type + "/" + std::to_string(c.count);
}

case_rows rows_of(const scan_case& c)
{
  case_rows rows{c.key(), {}};
  for (const impl i : c.impls)
  {
    rows.impls.push_back(name_of(i));
  }
  return rows;
}

double weight_of(const scan_case& c)
{
  double weight = 0;
  for (const impl i : c.impls)
  {
    // The published scan takes some 15 times as long as a copy, the host about 200. Small cases take the time of their
    // launches, about that of moving 16 MB.
    const double slow = i == impl::published || i == impl::published_atomics ? 15 : i == impl::tbb ? 200 : 1;
    weight += slow * c.bytes_moved + (1 << 24);
  }
  return weight;
}

scan_reporter::scan_reporter(const std::vector<scan_case>& cases,
                             result_file& file,
                             std::string gpu,
                             std::string commit)
    : cases_(cases)
    , file_(file)
    , gpu_(std::move(gpu))
    , commit_(std::move(commit))
    , progress_(cases.size(), weight_of_all(cases))
{}

bool scan_reporter::ReportContext(const Context&)
{
  return true;
}

void scan_reporter::ReportRuns(const std::vector<Run>& runs)
{
  for (const Run& run : runs)
  {
    // A case that failed has no medians (main() has the reason); an aggregate of repetitions is none of ours.
    if (run.run_type != Run::RT_Iteration || run.counters.empty())
    {
      continue;
    }
    for (const scan_case& c : cases_)
    {
      if (name_of(c) == run.run_name.function_name)
      {
        write_rows(c, run.counters);
        show_progress(c, run.counters);
      }
    }
  }
}

void scan_reporter::write_rows(const scan_case& c, const benchmark::UserCounters& medians)
{
  std::string rows;
  for (const impl i : c.impls)
  {
    const double us = median_of(medians, i);
    char numbers[64];
    std::snprintf(numbers, sizeof(numbers), "%.3f,%.2f", us, c.bytes_moved / us / 1000.0);
    rows += name_of(i) + "," + c.key() + "," + numbers + "," + times(medians, impl::memcpy, us) + ","
          + times(medians, impl::cub, us) + "," + times(medians, impl::thrust, us) + "," + gpu_ + "," + commit_ + "\n";
  }
  file_.append(rows);
}

void scan_reporter::show_progress(const scan_case& c, const benchmark::UserCounters& medians)
{
  progress_.done(weight_of(c));
  std::fprintf(stderr,
               "[%3zu/%zu] %s %s %s",
               progress_.parts_done(),
               progress_.parts(),
               c.op.c_str(),
               c.type.c_str(),
               count_text(c.count).c_str());
  for (const impl i : c.impls)
  {
    std::fprintf(stderr, "  %s %.1f us", name_of(i).c_str(), median_of(medians, i));
  }
  std::fprintf(stderr, "  (about %.0f s left)\n", progress_.left());
}
} // namespace perf
