// A folder that goes with the test.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace testing_perf
{
class temporary_folder
{
public:
  temporary_folder()
      : path_(std::filesystem::temp_directory_path() / ("lightscan_perf_" + std::to_string(std::random_device{}())))
  {
    std::filesystem::create_directories(path_);
  }
  ~temporary_folder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  temporary_folder(const temporary_folder&)            = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  std::string file(const std::string& name) const
  {
    return (path_ / name).string();
  }

private:
  std::filesystem::path path_;
};

inline std::string read(const std::string& path)
{
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write(const std::string& path, const std::string& text)
{
  std::ofstream(path) << text;
}

inline bool exists(const std::string& path)
{
  return std::filesystem::exists(path);
}
} // namespace testing_perf
