// The paper's tables from the rows of a result file: arithmetic and text, nothing measured here.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace perf::paper
{
// One implementation of one type: billions of elements per second by number of elements.
using rates = std::map<std::int64_t, double>;

// implementation -> type -> rates. Policies of inclusive sums, on the GPU or the host, are taken; others are left.
using measured = std::map<std::string, std::map<std::string, rates>>;

// Throws std::runtime_error where the text is no table of lightscan_perf.
measured read_measured(const std::string& csv);

double average(const rates& r);
double maximum(const rates& r);

// How many times as fast as the other, for each number of elements that both have.
rates speed_up(const rates& ours, const rates& theirs);

struct table
{
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

// LightScan alone by N and type; every implementation's average and maximum over N; LightScan's speed-ups; what the way
// between blocks is worth; and what a data block takes the chain. Types and implementations that were not measured are left out.
std::vector<table> tables_of(const measured& m);

std::string markdown(const std::vector<table>& tables);
std::string csv(const std::vector<table>& tables);

// `document` with everything between the lines `begin` and `end` replaced. Throws std::runtime_error where it lacks them.
std::string with_tables(const std::string& document, const std::string& text);
inline const char* const begin_line = "<!-- tables begin: written by lightscan_paper_tables -->";
inline const char* const end_line   = "<!-- tables end -->";
} // namespace perf::paper
