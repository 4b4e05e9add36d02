#include "tables.h"

#include "../result_file.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace perf::paper
{
namespace
{
const std::pair<const char*, const char*> types[] = {
  {"int32", "Int32"}, {"int64", "Int64"}, {"float", "Float"}, {"double", "Double"}};

// In the tables' order, with the names they have there.
const std::pair<const char*, const char*> impls[] = {{"lightscan", "LightScan"},
                                                     {"thrust", "Thrust"},
                                                     {"cub", "CUB"},
                                                     {"published", "LightScan as published"},
                                                     {"tbb", "oneTBB on the host"},
                                                     {"memcpy", "a copy of the same bytes"}};

// First and second differ in how blocks reach each other, and in nothing else.
struct comparison
{
  const char* what;
  const char* first;
  const char* second;
};
const comparison comparisons[] = {
  {"as published: ld.cg / st.cg against atomic operations", "published", "published_atomics"},
  {"LightScan: ld.cg / st.cg against relaxed loads and stores", "lightscan_cg", "lightscan"},
};

std::string number(double value, int digits)
{
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

const rates& found(const measured& m, const std::string& impl, const std::string& type)
{
  static const rates nothing;
  const auto by_type = m.find(impl);
  if (by_type == m.end())
  {
    return nothing;
  }
  const auto r = by_type->second.find(type);
  return r == by_type->second.end() ? nothing : r->second;
}

std::string elements(std::int64_t count)
{
  constexpr std::int64_t million = std::int64_t{1} << 20;
  return count % million == 0 ? std::to_string(count / million) + "M" : std::to_string(count);
}

std::vector<std::string> header_of(const std::string& first)
{
  std::vector<std::string> header{first};
  for (const auto& [type, title] : types)
  {
    header.push_back(title);
  }
  return header;
}

// "average / maximum" of each type's rates; a row is empty where no type has any.
template <class RatesOf>
std::vector<std::string> average_and_maximum(const std::string& name, int digits, RatesOf rates_of)
{
  std::vector<std::string> row{name};
  bool any = false;
  for (const auto& [type, title] : types)
  {
    const rates r = rates_of(type);
    any           = any || !r.empty();
    row.push_back(r.empty() ? "" : number(average(r), digits) + " / " + number(maximum(r), digits));
  }
  return any ? row : std::vector<std::string>{};
}

void add(table& t, std::vector<std::string> row)
{
  if (!row.empty())
  {
    t.rows.push_back(std::move(row));
  }
}

table lightscan_alone(const measured& m)
{
  table t{"LightScan, billions of elements per second", header_of("N"), {}};
  std::map<std::int64_t, std::vector<std::string>> rows;
  for (const auto& [type, title] : types)
  {
    for (const auto& [count, rate] : found(m, "lightscan", type))
    {
      rows[count];
    }
  }
  for (auto& [count, row] : rows)
  {
    row.push_back(elements(count));
    for (const auto& [type, title] : types)
    {
      const rates& r = found(m, "lightscan", type);
      const auto one = r.find(count);
      row.push_back(one == r.end() ? "" : number(one->second, 1));
    }
    t.rows.push_back(row);
  }
  return t;
}

table all_implementations(const measured& m)
{
  table t{"All, billions of elements per second: average / maximum over N", header_of("implementation"), {}};
  for (const auto& [impl, title] : impls)
  {
    add(t, average_and_maximum(title, 1, [&, name = impl](const char* type) {
          return found(m, name, type);
        }));
  }
  return t;
}

table speed_ups(const measured& m)
{
  table t{"LightScan's speed-up: average / maximum over N", header_of("over"), {}};
  for (const auto& [impl, title] : impls)
  {
    if (std::string(impl) != "lightscan")
    {
      add(t, average_and_maximum(title, 2, [&, name = impl](const char* type) {
            return speed_up(found(m, "lightscan", type), found(m, name, type));
          }));
    }
  }
  return t;
}

table between_blocks(const measured& m)
{
  table t{
    "The way between blocks, first's speed-up over second: average / maximum over N", header_of("comparison"), {}};
  for (const comparison& c : comparisons)
  {
    add(t, average_and_maximum(c.what, 3, [&](const char* type) {
          return speed_up(found(m, c.first, type), found(m, c.second, type));
        }));
  }
  return t;
}
// At the largest N: what a chain of so many data blocks takes for each, and a copy of as many bytes.
table a_data_block(const measured& m)
{
  table t{"Nanoseconds a data block of 1,024 x K elements, at the largest N", header_of("implementation"), {}};
  for (const char* const impl : {"published", "published_atomics", "memcpy"})
  {
    std::vector<std::string> row{impl};
    bool any = false;
    for (const auto& [type, title] : types)
    {
      const rates& r        = found(m, impl, type);
      const bool wide       = std::string(type) == "int64" || std::string(type) == "double";
      const double billions = 1024.0 * (wide ? 20 : 44) / 1e9;
      any                   = any || !r.empty();
      row.push_back(r.empty() ? "" : number(1e9 * billions / r.rbegin()->second, 0));
    }
    add(t, any ? row : std::vector<std::string>{});
  }
  return t;
}
} // namespace

measured read_measured(const std::string& csv)
{
  std::istringstream lines(csv);
  std::string line;
  if (!std::getline(lines, line) || line.rfind("impl,op,type,n,median_us,", 0) != 0)
  {
    throw std::runtime_error("this is no result file of lightscan_perf: its first line is '" + line + "'");
  }
  measured m;
  while (std::getline(lines, line))
  {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() < 5)
    {
      throw std::runtime_error("not a row: '" + line + "'");
    }
    if (fields[1] == "inclusive_sum" || fields[1] == "inclusive_sum_on_host")
    {
      const std::int64_t count       = std::stoll(fields[3]);
      m[fields[0]][fields[2]][count] = static_cast<double>(count) / std::stod(fields[4]) / 1000.0;
    }
  }
  return m;
}

double average(const rates& r)
{
  double sum = 0;
  for (const auto& [count, rate] : r)
  {
    sum += rate;
  }
  return r.empty() ? 0 : sum / static_cast<double>(r.size());
}

double maximum(const rates& r)
{
  double most = 0;
  for (const auto& [count, rate] : r)
  {
    most = std::max(most, rate);
  }
  return most;
}

rates speed_up(const rates& ours, const rates& theirs)
{
  rates result;
  for (const auto& [count, rate] : ours)
  {
    const auto other = theirs.find(count);
    if (other != theirs.end())
    {
      result[count] = rate / other->second;
    }
  }
  return result;
}

std::vector<table> tables_of(const measured& m)
{
  return {lightscan_alone(m), all_implementations(m), speed_ups(m), between_blocks(m), a_data_block(m)};
}

std::string markdown(const std::vector<table>& tables)
{
  std::string text;
  for (const table& t : tables)
  {
    text += "**" + t.title + "**\n\n";
    const auto line = [&](const std::vector<std::string>& cells) {
      for (const std::string& cell : cells)
      {
        text += "| " + cell + " ";
      }
      text += "|\n";
    };
    line(t.header);
    line(std::vector<std::string>(t.header.size(), "---"));
    std::for_each(t.rows.begin(), t.rows.end(), line);
    text += "\n";
  }
  return text;
}

std::string csv(const std::vector<table>& tables)
{
  std::string text = "table,row,column,value\n";
  for (const table& t : tables)
  {
    for (const std::vector<std::string>& row : t.rows)
    {
      for (std::size_t i = 1; i < row.size(); ++i)
      {
        // Titles have commas.
        text += "\"" + t.title + "\",\"" + row[0] + "\"," + t.header[i] + "," + row[i] + "\n";
      }
    }
  }
  return text;
}

std::string with_tables(const std::string& document, const std::string& text)
{
  const std::string opening = std::string(begin_line) + "\n";
  const std::size_t begin   = document.find(opening);
  const std::size_t end     = document.find(end_line);
  if (begin == std::string::npos || end == std::string::npos || end < begin)
  {
    throw std::runtime_error("the document has no place for tables: a line '" + std::string(begin_line)
                             + "' and after it a line '" + end_line + "'");
  }
  return document.substr(0, begin + opening.size()) + text + document.substr(end);
}
} // namespace perf::paper
