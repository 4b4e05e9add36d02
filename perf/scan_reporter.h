// Turns each benchmark's counters, one median for each implementation, into rows and a line of progress.
#pragma once

#include "progress.h"
#include "result_file.h"
#include "scan_case.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace perf
{
extern const char* const scan_header;

std::string name_of(const scan_case& c);
case_rows rows_of(const scan_case& c);

// Rough share of the whole run's time, for the estimate of what is left.
double weight_of(const scan_case& c);

class scan_reporter : public benchmark::BenchmarkReporter
{
public:
  scan_reporter(const std::vector<scan_case>& cases, result_file& file, std::string gpu, std::string commit);

  bool ReportContext(const Context&) override;
  void ReportRuns(const std::vector<Run>& runs) override;

private:
  void write_rows(const scan_case& c, const benchmark::UserCounters& medians);
  void show_progress(const scan_case& c, const benchmark::UserCounters& medians);

  const std::vector<scan_case>& cases_;
  result_file& file_;
  std::string gpu_;
  std::string commit_;
  progress progress_;
};
} // namespace perf
