#include "result_file.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

namespace perf
{
namespace
{
std::string key_of(const std::vector<std::string>& fields)
{
  return fields[1] + "," + fields[2] + "," + fields[3];
}

// Lines that end; one that was being written when the run was interrupted does not.
std::vector<std::string> lines_of(const std::string& text)
{
  std::vector<std::string> lines;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
  {
    lines.push_back(text.substr(begin, end - begin));
  }
  return lines;
}
} // namespace

std::vector<std::string> fields_of(const std::string& line)
{
  std::vector<std::string> fields(1);
  for (const char c : line)
  {
    if (c == ',')
    {
      fields.emplace_back();
    }
    else
    {
      fields.back() += c;
    }
  }
  return fields;
}

std::vector<std::string> complete_rows(const std::string& text,
                                       const std::string& header,
                                       const std::string& gpu,
                                       const std::string& commit,
                                       const std::vector<case_rows>& cases)
{
  const std::vector<std::string> lines = lines_of(text);
  if (lines.empty())
  {
    return {};
  }
  if (lines.front() != header)
  {
    throw refused("the interrupted run has other columns: '" + lines.front() + "'");
  }
  const std::size_t columns = fields_of(header).size();
  std::map<std::string, std::map<std::string, std::string>> found; // case, implementation -> row
  for (std::size_t i = 1; i < lines.size(); ++i)
  {
    const std::vector<std::string> fields = fields_of(lines[i]);
    if (fields.size() != columns)
    {
      throw refused("the interrupted run has a row of " + std::to_string(fields.size()) + " fields: '" + lines[i]
                    + "'");
    }
    if (fields[columns - 2] != gpu || fields[columns - 1] != commit)
    {
      throw refused("the interrupted run was on " + fields[columns - 2] + " at commit " + fields[columns - 1]
                    + ", this one is on " + gpu + " at " + commit + "; --force starts anew");
    }
    found[key_of(fields)][fields[0]] = lines[i];
  }

  std::vector<std::string> kept;
  for (const case_rows& c : cases)
  {
    const auto rows     = found.find(c.key);
    const bool complete = rows != found.end()
                       && std::all_of(c.impls.begin(), c.impls.end(), [&](const std::string& impl) {
                            return rows->second.count(impl) > 0;
                          });
    for (const std::string& impl : complete ? c.impls : std::vector<std::string>{})
    {
      kept.push_back(rows->second.at(impl));
    }
  }
  return kept;
}

std::string unfinished(const std::string& path)
{
  return path + ".unfinished";
}

void check_start(const std::string& path, start how)
{
  if (path.empty() || how == start::force)
  {
    return;
  }
  if (std::filesystem::exists(path))
  {
    throw refused(path + " is a recorded run; --force overwrites it");
  }
  if (how == start::fresh && std::filesystem::exists(unfinished(path)))
  {
    throw refused(unfinished(path)
                  + " is what an interrupted run measured; --resume goes on from there, --force starts anew");
  }
}

result_file::result_file(std::string path,
                         const std::string& header,
                         const std::string& gpu,
                         const std::string& commit,
                         start how,
                         const std::vector<case_rows>& cases)
    : path_(std::move(path))
{
  check_start(path_, how);
  std::vector<std::string> kept;
  if (!path_.empty())
  {
    if (how == start::resume)
    {
      std::ifstream earlier(unfinished(path_));
      const std::string text{std::istreambuf_iterator<char>(earlier), {}};
      kept = complete_rows(text, header, gpu, commit, cases);
    }
    file_.open(unfinished(path_), std::ios::trunc);
    if (!file_)
    {
      throw std::runtime_error("cannot write " + unfinished(path_));
    }
  }
  append(header + "\n");
  for (const std::string& row : kept)
  {
    append(row + "\n");
    earlier_.insert(key_of(fields_of(row)));
  }
}

bool result_file::has(const std::string& key) const
{
  return earlier_.count(key) > 0;
}

std::ostream& result_file::out()
{
  return path_.empty() ? std::cout : file_;
}

void result_file::append(const std::string& lines)
{
  out() << lines << std::flush;
  if (!out())
  {
    throw std::runtime_error("cannot write the results any further (is the disk full?)");
  }
}

void result_file::keep()
{
  if (!path_.empty())
  {
    file_.close();
    std::filesystem::rename(unfinished(path_), path_);
  }
}
} // namespace perf
