// lightscan_paper_tables: the paper's tables from a result file of `lightscan_perf --only=paper,tbb`.
//
//   lightscan_paper_tables FILE.csv                  as Markdown
//   lightscan_paper_tables --csv FILE.csv            as CSV, one value a line
//   lightscan_paper_tables --into=PAPER.md FILE.csv  as Markdown, in their place in a document
//
// Exit code: 0 all right; 1 a file that cannot be read or is no result file; 2 arguments that make no sense.
#include "tables.h"

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace
{
std::string read(const std::string& path)
{
  std::ifstream file(path);
  if (!file)
  {
    throw std::runtime_error("cannot read " + path);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}
} // namespace

int main(int argc, char** argv)
{
  namespace paper         = perf::paper;
  const std::string first = argc > 1 ? argv[1] : "";
  const bool as_csv       = first == "--csv";
  const bool into         = first.rfind("--into=", 0) == 0 && first.size() > 7;
  if (argc != (as_csv || into ? 3 : 2) || (!as_csv && !into && first[0] == '-'))
  {
    std::fprintf(stderr, "usage: lightscan_paper_tables [--csv | --into=DOCUMENT] FILE.csv\n");
    return 2;
  }
  try
  {
    const auto tables = paper::tables_of(paper::read_measured(read(argv[argc - 1])));
    if (!into)
    {
      std::printf("%s", (as_csv ? paper::csv(tables) : paper::markdown(tables)).c_str());
      return 0;
    }
    const std::string path     = first.substr(7);
    const std::string document = paper::with_tables(read(path), "\n" + paper::markdown(tables));
    std::ofstream file(path, std::ios::trunc);
    file << document << std::flush;
    if (!file)
    {
      throw std::runtime_error("cannot write " + path);
    }
    return 0;
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "lightscan_paper_tables: %s\n", error.what());
    return 1;
  }
}
