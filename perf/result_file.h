// A CSV of measurements that is written while they are made and survives an interruption.
//
// Policies go to "<path>.unfinished" case by case; the file gets its own name once the whole run has gone well, so whatever
// lies under `path` is a complete, checked run. An interrupted run can be taken up again: its complete cases are kept,
// the others measured. The first field of a row is the implementation, the next three say which case it belongs to,
// the last two are the GPU and the commit.
#pragma once

#include <fstream>
#include <iosfwd>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf
{
// Where an earlier run's results would be lost or mixed with other ones.
struct refused : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

enum class start
{
  fresh, // refuses to overwrite anything
  force, // overwrites
  resume // goes on where an interrupted run stopped
};

// One case's rows: fields two to four, and the first field of each row.
struct case_rows
{
  std::string key;
  std::vector<std::string> impls;
};

std::vector<std::string> fields_of(const std::string& line);

// What of an interrupted run's text a new run can build upon: the rows of those cases that are complete, as they stand.
// Throws `refused` where the text has another header, or rows of another GPU or commit.
std::vector<std::string> complete_rows(const std::string& text,
                                       const std::string& header,
                                       const std::string& gpu,
                                       const std::string& commit,
                                       const std::vector<case_rows>& cases);

std::string unfinished(const std::string& path);

// Throws `refused` where `path` or what was written towards it would be lost.
void check_start(const std::string& path, start how);

class result_file
{
public:
  // Standard output where `path` is empty. Throws `refused`, or std::runtime_error where it cannot be written.
  result_file(std::string path,
              const std::string& header,
              const std::string& gpu,
              const std::string& commit,
              start how,
              const std::vector<case_rows>& cases);

  // Measured by the run that is resumed.
  bool has(const std::string& key) const;

  // Whole lines, of one case. On disk when it returns.
  void append(const std::string& lines);

  // After the last case, if all of them went well.
  void keep();

private:
  std::ostream& out();

  std::string path_;
  std::ofstream file_;
  std::set<std::string> earlier_;
};
} // namespace perf
