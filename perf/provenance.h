// What a run was made with: written beside the results as "<results>.json", so that the CSV stays a plain table.
#pragma once

#include "result_file.h"

#include <string>
#include <vector>

namespace perf
{
struct fact
{
  std::string name;
  std::string value;
  bool number = false; // written without quotes
};
using facts = std::vector<fact>;

// "results/h200.csv" -> "results/h200.json".
std::string sidecar_of(const std::string& csv);

// One line of JSON.
std::string to_json(const facts& known);

// GPU, driver, CUDA runtime, toolkit and CCCL that this was compiled with, host processor, date. Needs a GPU.
facts facts_of_this_machine();

// Clocks, temperature and power limit as nvidia-smi tells them now; empty where it does not.
facts clocks_now(const std::string& when);

// What a run begins with: these two, the commit, and what it was told besides.
facts facts_of_run(const std::string& commit, const facts& settings = {});

// The sidecar: one JSON array with an object for each session of a run, more than one where it was resumed. Is called
// ".unfinished" until the results are kept, as they are.
class sidecar
{
public:
  // Nothing is written where `csv` is empty.
  sidecar(const std::string& csv, start how, facts known);

  // With the clocks at the end.
  void keep();

private:
  void write();

  std::string path_;
  std::vector<std::string> earlier_;
  facts known_;
};
} // namespace perf
