#include "options.h"

#include "element_count.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

namespace perf
{
const char* const usage =
  "usage: lightscan_perf [option]...\n"
  "  --out=FILE          write the CSV there, not to standard output; an existing file is refused\n"
  "  --force             overwrite FILE\n"
  "  --commit=SHA        what was built; else LIGHTSCAN_COMMIT in the environment, else 'unknown'\n"
  "  --types=A,B         of int8,int16,int32,float,int64,double; all where none is given\n"
  "  --ops=A,B           of inclusive_sum,exclusive_sum; both where none is given\n"
  "  --min-n=N --max-n=N only numbers of elements between them, written 1024 or 2^10\n"
  "  --repetitions=R     timed calls of each implementation in each case, 20 or more; 25 where none is given\n"
  "  --benchmark_*       Google Benchmark's own, such as --benchmark_filter=inclusive_sum/int32\n";

namespace
{
// 2^10 to 2^28 by fours, and the paper's 32, 64, 128, 256 and 512 million (of 2^20).
constexpr int exponents[] = {10, 12, 14, 16, 18, 20, 22, 24, 25, 26, 27, 28, 29};

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

std::vector<const element_type*> parse_types(const std::string& text)
{
  std::vector<const element_type*> chosen;
  for (const std::string& name : split(text))
  {
    const element_type* found = nullptr;
    for (const element_type* type : element_types)
    {
      found = name == type->name ? type : found;
    }
    if (found == nullptr)
    {
      throw bad_arguments("there is no type '" + name + "'");
    }
    chosen.push_back(found);
  }
  return chosen;
}

std::vector<op> parse_ops(const std::string& text)
{
  std::vector<op> chosen;
  for (const std::string& name : split(text))
  {
    int found = -1;
    for (int i = 0; i < op_count; ++i)
    {
      found = name == op_names[i] ? i : found;
    }
    if (found < 0)
    {
      throw bad_arguments("there is no operation '" + name + "'");
    }
    chosen.push_back(static_cast<op>(found));
  }
  return chosen;
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
} // namespace

options parse_options(const std::vector<std::string>& arguments)
{
  options result;
  std::string types = "int8,int16,int32,float,int64,double";
  std::string ops   = "inclusive_sum,exclusive_sum";
  std::int64_t min  = 0;
  std::int64_t max  = std::int64_t{1} << exponents[std::size(exponents) - 1];
  if (const char* const commit = std::getenv("LIGHTSCAN_COMMIT"))
  {
    result.commit = commit;
  }

  for (const std::string& argument : arguments)
  {
    const std::size_t equals = argument.find('=');
    const std::string name   = argument.substr(0, equals);
    const bool has_value     = equals != std::string::npos && equals + 1 < argument.size();
    const std::string value  = has_value ? argument.substr(equals + 1) : "";
    if (argument == "--force")
    {
      result.force = true;
    }
    else if (argument == "--help" || argument == "-h")
    {
      result.help = true;
    }
    else if (name == "--out" && has_value)
    {
      result.out = value;
    }
    else if (name == "--commit" && has_value)
    {
      result.commit = value;
    }
    else if (name == "--types" && has_value)
    {
      types = value;
    }
    else if (name == "--ops" && has_value)
    {
      ops = value;
    }
    else if (name == "--min-n" && has_value)
    {
      min = parse_number(name, value);
    }
    else if (name == "--max-n" && has_value)
    {
      max = parse_number(name, value);
    }
    else if (name == "--repetitions" && has_value)
    {
      const std::int64_t repetitions = parse_number(name, value);
      if (repetitions < 20 || repetitions > 100000)
      {
        throw bad_arguments("--repetitions: from 20 to 100000, so that a median means something");
      }
      result.repetitions = static_cast<int>(repetitions);
    }
    else
    {
      throw bad_arguments("'" + argument + "' is no option, or its value is missing");
    }
  }

  result.types  = parse_types(types);
  result.ops    = parse_ops(ops);
  result.commit = result.commit.empty() ? "unknown" : checked_commit(result.commit);
  for (const int exponent : exponents)
  {
    const std::int64_t count = std::int64_t{1} << exponent;
    if (min <= count && count <= max)
    {
      result.counts.push_back(count);
    }
  }
  if (result.counts.empty() && !result.help)
  {
    throw bad_arguments("no case lies between --min-n and --max-n");
  }
  if (!result.out.empty() && !result.force && std::filesystem::exists(result.out))
  {
    throw bad_arguments(result.out + " exists; --force overwrites it");
  }
  return result;
}
} // namespace perf
