#include "options.h"

#include "element_count.h"

#include <cstdlib>
#include <optional>
#include <sstream>

namespace perf
{
const char* const run_usage =
  "  --out=FILE          write the CSV there, not to standard output, and what it was made with beside it, as .json;\n"
  "                      an existing file is refused\n"
  "  --resume            go on where an interrupted run towards FILE stopped\n"
  "  --force             overwrite FILE\n"
  "  --commit=SHA        what was built; else LIGHTSCAN_COMMIT in the environment, else 'unknown'\n";

const char* const usage =
  "usage: lightscan_perf [option]...\n"
  "  --only=A,B          of the groups sums,by_key,transform,reverse,operators,forms,iterators,select,segments,\n"
  "                      paper,tbb; the last four only where they are named\n"
  "  --types=A,B         only these, such as int32,float; --list shows all\n"
  "  --ops=A,B           only these, such as inclusive_sum\n"
  "  --min-n=N --max-n=N only numbers of elements between them, written 1024 or 2^10\n"
  "  --repetitions=R     timed calls of each implementation in each case, 20 or more; 25 where none is given\n"
  "  --list              name the cases and do no more\n"
  "  --benchmark_*       Google Benchmark's own, such as --benchmark_filter=sums/inclusive_sum/int32\n";

const char* const sweep_usage =
  "  --only=TEXT         only rows with TEXT in call,input,output,type,n, such as by_key or int32,256; may come\n"
  "                      again, for those with one of several texts\n"
  "  --max-seconds=S     fewer repetitions, so that all takes no longer; 240 where none is given\n"
  "  --csv=FILE          as --out=FILE\n"
  "  --list              name the rows and do no more\n";

namespace
{
struct argument
{
  std::string name;
  std::string value;
  bool has_value;
};

argument taken_apart(const std::string& text)
{
  const std::size_t equals = text.find('=');
  const bool has_value     = equals != std::string::npos && equals + 1 < text.size();
  return {text.substr(0, equals), has_value ? text.substr(equals + 1) : "", has_value};
}

std::vector<std::string> split(const std::string& text)
{
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');)
  {
    parts.push_back(part);
  }
  return parts;
}

std::int64_t parse_number(const std::string& name, const std::string& text)
{
  const std::optional<std::int64_t> number = parse_count(text);
  if (!number)
  {
    throw bad_arguments(name + ": '" + text + "' is not a number");
  }
  return *number;
}

std::string checked_commit(const std::string& text)
{
  for (const char c : text)
  {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.'
                    || c == '_' || c == '-' || c == '+';
    if (!plain)
    {
      throw bad_arguments("the commit '" + text + "' has characters that a CSV field should not have");
    }
  }
  return text;
}

[[noreturn]] void throw_unknown(const std::string& text)
{
  throw bad_arguments("'" + text + "' is no option, or its value is missing");
}
} // namespace

bool take_run_option(const std::string& text, run_options& result)
{
  const argument a = taken_apart(text);
  if (text == "--force" || text == "--resume")
  {
    if (result.how != start::fresh)
    {
      throw bad_arguments("--force and --resume: one of them, once");
    }
    result.how = text == "--force" ? start::force : start::resume;
  }
  else if (text == "--help" || text == "-h")
  {
    result.help = true;
  }
  else if (a.name == "--out" && a.has_value)
  {
    result.out = a.value;
  }
  else if (a.name == "--commit" && a.has_value)
  {
    result.commit = a.value;
  }
  else
  {
    return false;
  }
  return true;
}

void finish_run_options(run_options& result)
{
  const char* const commit = std::getenv("LIGHTSCAN_COMMIT");
  if (result.commit.empty() && commit != nullptr)
  {
    result.commit = commit;
  }
  result.commit = result.commit.empty() ? "unknown" : checked_commit(result.commit);
  if (result.how == start::resume && result.out.empty())
  {
    throw bad_arguments("--resume: of which --out=FILE?");
  }
}

options parse_options(const std::vector<std::string>& arguments)
{
  options result;
  for (const std::string& text : arguments)
  {
    const argument a = taken_apart(text);
    if (take_run_option(text, result))
    {
      continue;
    }
    if (text == "--list")
    {
      result.list = true;
    }
    else if (a.name == "--only" && a.has_value)
    {
      result.groups = split(a.value);
    }
    else if (a.name == "--types" && a.has_value)
    {
      result.types = split(a.value);
    }
    else if (a.name == "--ops" && a.has_value)
    {
      result.ops = split(a.value);
    }
    else if (a.name == "--min-n" && a.has_value)
    {
      result.min_count = parse_number(a.name, a.value);
    }
    else if (a.name == "--max-n" && a.has_value)
    {
      result.max_count = parse_number(a.name, a.value);
    }
    else if (a.name == "--repetitions" && a.has_value)
    {
      const std::int64_t repetitions = parse_number(a.name, a.value);
      if (repetitions < 20 || repetitions > 100000)
      {
        throw bad_arguments("--repetitions: from 20 to 100000, so that a median means something");
      }
      result.repetitions = static_cast<int>(repetitions);
    }
    else
    {
      throw_unknown(text);
    }
  }
  finish_run_options(result);
  return result;
}

sweep_options parse_sweep_options(const std::vector<std::string>& arguments)
{
  sweep_options result;
  for (const std::string& text : arguments)
  {
    const argument a = taken_apart(text);
    if (take_run_option(text, result))
    {
      continue;
    }
    if (text == "--list")
    {
      result.list = true;
    }
    else if (a.name == "--only" && a.has_value)
    {
      result.only.push_back(a.value);
    }
    else if (a.name == "--max-seconds" && a.has_value)
    {
      result.max_seconds = static_cast<double>(parse_number(a.name, a.value));
    }
    else if (a.name == "--csv" && a.has_value)
    {
      result.out = a.value;
    }
    else
    {
      throw_unknown(text);
    }
  }
  finish_run_options(result);
  if (result.how == start::resume)
  {
    throw bad_arguments("--resume: a sweep takes minutes; --force starts it anew");
  }
  return result;
}

run_options parse_run_options(const std::vector<std::string>& arguments)
{
  run_options result;
  for (const std::string& text : arguments)
  {
    if (!take_run_option(text, result))
    {
      throw_unknown(text);
    }
  }
  finish_run_options(result);
  return result;
}
} // namespace perf
