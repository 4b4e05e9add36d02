// Rule: each shared library scans with threads of its own. One can be unloaded, and is gone then; others go on.
#include "library.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <system_error>

namespace
{
namespace fs = std::filesystem;
using libraries::library;
using count_with_threads = int(int count, int threads);

constexpr int count = 300007;

// The plugin under another name: one and the same file is loaded only once.
class copy_of_the_plugin
{
public:
  copy_of_the_plugin()
      : file_(fs::temp_directory_path() / ("lightscan_plugin_" + std::to_string(std::random_device{}()) + ".so"))
  {
    fs::copy_file(LIGHTSCAN_TEST_HOST_PLUGIN, file_);
  }
  ~copy_of_the_plugin()
  {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }
  copy_of_the_plugin(const copy_of_the_plugin&)            = delete;
  copy_of_the_plugin& operator=(const copy_of_the_plugin&) = delete;

  std::string file() const
  {
    return file_.string();
  }

private:
  fs::path file_;
};

TEST(host_plugins, outlive_each_other)
{
  const copy_of_the_plugin copies[2];
  const library first(copies[0].file());
  const auto scan = first.function<count_with_threads>("count_with_threads");
  ASSERT_NE(scan, nullptr);
  EXPECT_EQ(scan(count, 2), count);
  {
    library second(copies[1].file());
    const auto scan_by_second = second.function<count_with_threads>("count_with_threads");
    ASSERT_NE(scan_by_second, nullptr);
    EXPECT_EQ(scan_by_second(count, 5), count); // the pool must grow here
    second.close();
    EXPECT_FALSE(second.is_still_there());
  }
  EXPECT_EQ(scan(count, 5), count);
  EXPECT_EQ(scan(count, 7), count);
}

TEST(host_plugins, can_be_loaded_again)
{
  const copy_of_the_plugin copy;
  for (int time = 0; time < 3; ++time)
  {
    library plugin(copy.file());
    const auto scan = plugin.function<count_with_threads>("count_with_threads");
    ASSERT_NE(scan, nullptr);
    EXPECT_EQ(scan(count, 3), count);
    plugin.close();
    EXPECT_FALSE(plugin.is_still_there());
  }
}
} // namespace
