// What happens around a program that measures on a GPU: arguments, refusals, failures, exit codes.
#pragma once

#include "gpu.h"
#include "options.h"
#include "result_file.h"

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace perf
{
// Whether anything is measured.
inline bool needs_gpu(const run_options&)
{
  return true;
}
inline bool needs_gpu(const sweep_options& options)
{
  return !options.list;
}

// What main returns: 0 all right; 1 a wrong result, a failure, or no GPU; 2 arguments that make no sense, or results that
// would be lost. `own_usage` are the lines of those arguments that the program has beside run_options.
template <class Parse, class Run>
int run_program(const char* program, const std::string& own_usage, Parse parse, int argc, char** argv, Run run)
{
  const std::string usage = std::string("usage: ") + program + " [option]...\n" + own_usage + run_usage;
  try
  {
    const auto options = parse(std::vector<std::string>{argv + 1, argv + argc});
    if (options.help)
    {
      std::printf("%s", usage.c_str());
      return 0;
    }
    if (needs_gpu(options))
    {
      check_start(options.out, options.how);
      if (const std::string why = why_no_gpu(); !why.empty())
      {
        std::fprintf(stderr, "%s: no GPU to measure: %s\n", program, why.c_str());
        return 1;
      }
    }
    run(options);
    return 0;
  }
  catch (const bad_arguments& error)
  {
    std::fprintf(stderr, "%s: %s\n%s", program, error.what(), usage.c_str());
    return 2;
  }
  catch (const refused& error)
  {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return 2;
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return 1;
  }
}

// Of a program that has no other arguments.
template <class Run>
int run_program(const char* program, int argc, char** argv, Run run)
{
  return run_program(program, "", parse_run_options, argc, argv, run);
}
} // namespace perf
