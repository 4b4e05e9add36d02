#include "csv_reporter.h"

#include "element_count.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <utility>

namespace perf
{
namespace
{
// Written here, renamed at the end: a file under its own name is a complete, checked run.
std::string unfinished(const std::string& path)
{
  return path + ".unfinished";
}

double median_of(const benchmark::UserCounters& medians, impl i)
{
  return medians.at(impl_names[static_cast<int>(i)]).value;
}
} // namespace

std::string scan_case::name() const
{
  return std::string(op_names[static_cast<int>(operation)]) + "/" + type->name + "/" + std::to_string(count);
}

double scan_case::weight() const
{
  // Small cases take the time of their launches, about that of moving 16 MB.
  return static_cast<double>(count) * static_cast<double>(type->size) + (1 << 24);
}

csv_reporter::csv_reporter(std::vector<scan_case> cases, std::string path, std::string gpu, std::string commit)
    : cases_(std::move(cases))
    , path_(std::move(path))
    , gpu_(std::move(gpu))
    , commit_(std::move(commit))
{
  std::replace(gpu_.begin(), gpu_.end(), ',', ' ');
  for (const scan_case& c : cases_)
  {
    weight_of_all_ += c.weight();
  }
  if (!path_.empty())
  {
    file_.open(unfinished(path_), std::ios::trunc);
    if (!file_)
    {
      throw std::runtime_error("cannot write " + unfinished(path_));
    }
  }
}

std::ostream& csv_reporter::out()
{
  return path_.empty() ? std::cout : file_;
}

bool csv_reporter::ReportContext(const Context&)
{
  out() << "impl,op,type,n,median_us,gb_per_s,of_memcpy,vs_cub,vs_thrust,gpu,commit" << std::endl;
  return true;
}

void csv_reporter::ReportRuns(const std::vector<Run>& runs)
{
  for (const Run& run : runs)
  {
    // A case that failed has no medians (main() has the reason); an aggregate of repetitions is none of ours.
    if (run.run_type != Run::RT_Iteration || run.counters.count(impl_names[0]) == 0)
    {
      continue;
    }
    for (const scan_case& c : cases_)
    {
      if (c.name() == run.run_name.function_name)
      {
        write_rows(c, run.counters);
        show_progress(c, run.counters);
      }
    }
  }
}

void csv_reporter::write_rows(const scan_case& c, const benchmark::UserCounters& medians)
{
  const double bytes = 2.0 * static_cast<double>(c.count) * static_cast<double>(c.type->size); // read and written
  for (int i = 0; i < impl_count; ++i)
  {
    const double us = median_of(medians, static_cast<impl>(i));
    char numbers[256];
    std::snprintf(numbers,
                  sizeof(numbers),
                  "%lld,%.3f,%.2f,%.4f,%.4f,%.4f",
                  static_cast<long long>(c.count),
                  us,
                  bytes / us / 1000.0,
                  median_of(medians, impl::memcpy) / us,
                  median_of(medians, impl::cub) / us,
                  median_of(medians, impl::thrust) / us);
    out() << impl_names[i] << ',' << op_names[static_cast<int>(c.operation)] << ',' << c.type->name << ',' << numbers
          << ',' << gpu_ << ',' << commit_ << '\n';
  }
  out().flush();
  if (!out())
  {
    throw std::runtime_error("cannot write the CSV any further (is the disk full?)");
  }
}

void csv_reporter::show_progress(const scan_case& c, const benchmark::UserCounters& medians)
{
  weight_done_ += c.weight();
  ++done_;
  const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const double left   = passed * (weight_of_all_ - weight_done_) / weight_done_;
  std::fprintf(stderr,
               "[%3zu/%zu] %-13s %-6s %-5s",
               done_,
               cases_.size(),
               op_names[static_cast<int>(c.operation)],
               c.type->name,
               count_text(c.count).c_str());
  for (int i = 0; i < impl_count; ++i)
  {
    std::fprintf(stderr, "  %s %.1f us", impl_names[i], median_of(medians, static_cast<impl>(i)));
  }
  std::fprintf(stderr, "  (about %.0f s left)\n", left);
}

void csv_reporter::keep()
{
  if (!path_.empty())
  {
    file_.close();
    std::filesystem::rename(unfinished(path_), path_);
  }
}
} // namespace perf
