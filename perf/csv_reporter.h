// Turns each benchmark's counters, one median for each implementation, into CSV rows and a line of progress.
#pragma once

#include "element_type.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

namespace perf
{
// One registered benchmark: every implementation of one operation on one type and size.
struct scan_case
{
  op operation;
  const element_type* type;
  std::int64_t count;

  std::string name() const;

  // Rough share of the whole run's time, for the estimate of what is left.
  double weight() const;
};

class csv_reporter : public benchmark::BenchmarkReporter
{
public:
  // Writes to `path` once all is well, to a file beside it until then; to standard output where `path` is empty.
  csv_reporter(std::vector<scan_case> cases, std::string path, std::string gpu, std::string commit);

  bool ReportContext(const Context&) override;
  void ReportRuns(const std::vector<Run>& runs) override;

  // After the last case, if all of them went well.
  void keep();

private:
  void write_rows(const scan_case& c, const benchmark::UserCounters& medians);
  void show_progress(const scan_case& c, const benchmark::UserCounters& medians);
  std::ostream& out();

  std::vector<scan_case> cases_;
  std::string path_;
  std::string gpu_;
  std::string commit_;
  std::ofstream file_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double weight_done_                          = 0;
  double weight_of_all_                        = 0;
  std::size_t done_                            = 0;
};
} // namespace perf
