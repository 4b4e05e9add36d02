// lightscan_movers: how fast memory takes what a scan between types of different widths moves, with nothing computed; as
// CSV. README.md says what the columns mean, NOTES.md ("Conversions") what came of it.
//
// Each word read is written once, twice or four times, by the simplest kernel there is and by the bulk pipeline's ring
// without its groups: one thread of each resident block loads tiles, another one stores them.
//
// Exit code: 0 all right; 1 a wrong result, a failure, or no GPU that has bulk copies; 2 arguments that make no sense.
#include "gpu.h"
#include "movers.h"
#include "program.h"
#include "progress.h"
#include "provenance.h"
#include "result_file.h"

#include <cstdio>
#include <string>
#include <vector>

namespace
{
using perf::move_case;
using perf::movers;
using perf::ring_settings;

constexpr const char* program = "lightscan_movers";
constexpr const char* header  = "impl,writes,tile_bytes,bytes,median_us,of_memcpy,gpu,commit";
constexpr int rounds          = 9;

std::vector<move_case> all_cases()
{
  std::vector<move_case> cases;
  for (const int writes : {1, 2, 4})
  {
    for (const int kilobytes : {4, 6, 7, 8, 10, 13, 16, 20, 26})
    {
      cases.push_back({writes, kilobytes * 1024});
    }
  }
  return cases;
}

std::vector<ring_settings> all_settings()
{
  std::vector<ring_settings> all;
  for (const int loads_ahead : {2, 3, 4, 6, 0})
  {
    for (const int loads_at_once : {2, 3, 4, 6})
    {
      all.push_back({loads_ahead, loads_at_once});
    }
  }
  return all;
}

std::string measure(const move_case& c, const movers& m, const std::string& ending)
{
  const std::vector<ring_settings> settings = all_settings();
  m.check_simply(c);
  for (const ring_settings& how : settings)
  {
    m.check_by_ring(c, how);
  }
  std::vector<std::vector<double>> samples(2 + settings.size());
  for (int round = 0; round < rounds; ++round)
  {
    samples[0].push_back(m.memcpy(c));
    samples[1].push_back(m.simply(c));
    for (std::size_t i = 0; i < settings.size(); ++i)
    {
      samples[2 + i].push_back(m.by_ring(c, settings[i]));
    }
  }
  const double copying = perf::median(samples[0]);
  std::string rows;
  for (std::size_t i = 0; i < samples.size(); ++i)
  {
    const double us = perf::median(samples[i]);
    char numbers[64];
    std::snprintf(numbers, sizeof numbers, ",%.1f,%.4f", us, copying / us);
    rows += (i == 0 ? "memcpy" : i == 1 ? "simple" : settings[i - 2].name()) + "," + c.key() + numbers + ending;
  }
  return rows;
}

void run(const perf::run_options& options)
{
  const std::string gpu = perf::gpu_name();
  std::vector<std::string> impls{"memcpy", "simple"};
  for (const ring_settings& how : all_settings())
  {
    impls.push_back(how.name());
  }
  const std::vector<move_case> cases = all_cases();
  std::vector<perf::case_rows> rows;
  for (const move_case& c : cases)
  {
    rows.push_back({c.key(), impls});
  }
  perf::result_file file(options.out, header, gpu, options.commit, options.how, rows);
  perf::sidecar beside(options.out, options.how, perf::facts_of_run(options.commit));

  const movers m;
  perf::progress how_far(cases.size(), static_cast<double>(cases.size()));
  for (const move_case& c : cases)
  {
    if (!file.has(c.key()))
    {
      file.append(measure(c, m, "," + gpu + "," + options.commit + "\n"));
    }
    how_far.done(1);
    std::fprintf(stderr,
                 "[%2zu/%zu] written %d times, tiles of %d bytes (about %.0f s left)\n",
                 how_far.parts_done(),
                 how_far.parts(),
                 c.writes,
                 c.tile_bytes,
                 how_far.left());
  }
  file.keep();
  beside.keep();
}
} // namespace

int main(int argc, char** argv)
{
  return perf::run_program(program, argc, argv, run);
}
