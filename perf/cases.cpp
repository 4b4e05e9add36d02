#include "cases.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace perf
{
namespace
{
using getter = std::string scan_case::*;

// Nothing named means everything.
void keep_named(std::vector<scan_case>& cases,
                const std::vector<scan_case>& all,
                getter what,
                const char* word,
                const std::vector<std::string>& names)
{
  for (const std::string& name : names)
  {
    const bool known = std::any_of(all.begin(), all.end(), [&](const scan_case& c) {
      return c.*what == name;
    });
    if (!known)
    {
      throw bad_arguments("there is no " + std::string(word) + " '" + name + "'; --list shows what there is");
    }
  }
  const auto unwanted = [&](const scan_case& c) {
    return !names.empty() && std::find(names.begin(), names.end(), c.*what) == names.end();
  };
  cases.erase(std::remove_if(cases.begin(), cases.end(), unwanted), cases.end());
}

std::vector<std::string> named_by_default()
{
  std::vector<std::string> names;
  std::istringstream stream(default_groups);
  for (std::string name; std::getline(stream, name, ',');)
  {
    names.push_back(name);
  }
  return names;
}
} // namespace

std::vector<scan_case> chosen(const std::vector<scan_case>& all, const options& wanted)
{
  std::vector<scan_case> cases = all;
  if (wanted.groups.empty())
  {
    const std::vector<std::string> names = named_by_default();
    const auto unwanted                  = [&](const scan_case& c) {
      return std::find(names.begin(), names.end(), c.group) == names.end();
    };
    cases.erase(std::remove_if(cases.begin(), cases.end(), unwanted), cases.end());
  }
  keep_named(cases, all, &scan_case::group, "group", wanted.groups);
  keep_named(cases, all, &scan_case::type, "type", wanted.types);
  keep_named(cases, all, &scan_case::op, "operation", wanted.ops);
  const auto other_size = [&](const scan_case& c) {
    return c.count < wanted.min_count || c.count > wanted.max_count;
  };
  cases.erase(std::remove_if(cases.begin(), cases.end(), other_size), cases.end());
  if (cases.empty())
  {
    throw bad_arguments("no case is of the kind and size asked for; --list shows what there is");
  }
  std::set<std::string> keys;
  for (const scan_case& c : cases)
  {
    if (!keys.insert(c.key()).second)
    {
      throw bad_arguments("two groups would both write the rows of " + c.key()
                          + " (the paper's want a file of their own)");
    }
  }
  return cases;
}
} // namespace perf
