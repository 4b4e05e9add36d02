// The shape of lightscan/ itself. Each rule is a function from a folder to the list of what breaks it; each has a test
// that our headers keep it, and a test that a file planted to break it is found.
//
//   - includes point down the layout, never up, and never in a circle
//   - inline assembly only in ptx/
//   - no copying of bytes that looks at its addresses: values are in registers (util/words.h)
//   - no file is over 400 lines, a full room, but for those whose lines are the comments of one class's entry points
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace
{
namespace fs = std::filesystem;

using tree     = std::map<std::string, std::string>; // name below lightscan/ -> text
using findings = std::vector<std::string>;

tree read_tree(const fs::path& root)
{
  tree files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "lightscan"))
  {
    if (entry.is_regular_file())
    {
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      files[fs::relative(entry.path(), root / "lightscan").generic_string()] = text;
    }
  }
  return files;
}

std::string without_comments(const std::string& text)
{
  std::string code;
  for (std::size_t i = 0; i < text.size();)
  {
    if (text.compare(i, 2, "//") == 0)
    {
      i = std::min(text.find('\n', i), text.size());
    }
    else if (text.compare(i, 2, "/*") == 0)
    {
      const std::size_t end = text.find("*/", i + 2);
      i                     = end == std::string::npos ? text.size() : end + 2;
      code += ' ';
    }
    else
    {
      code += text[i++];
    }
  }
  return code;
}

std::vector<std::string> matches(const std::string& text, const std::string& pattern)
{
  std::vector<std::string> found;
  std::istringstream lines(text);
  const std::regex regex(pattern);
  for (std::string line; std::getline(lines, line);)
  {
    std::smatch match;
    if (std::regex_search(line, match, regex))
    {
      found.push_back(match[1]);
    }
  }
  return found;
}

std::vector<std::string> our_includes(const std::string& text)
{
  return matches(without_comments(text), R"(^\s*#\s*include\s*[<"]lightscan/([^>"]+)[>"])");
}

// A file's height in the layout; it may include what stands as high as itself or lower. -1: it has no place there.
int height(const std::string& name)
{
  if (name == "version.h")
  {
    return 0;
  }
  if (name.find('/') == std::string::npos)
  {
    // Entry points; the umbrella is above them, and what users name in their arguments, which is types only, below.
    return name == "lightscan.h"                                    ? 92
         : name == "axis.h"                                         ? 1
         : name == "execution_policy.h" || name == "device_value.h" ? 83
                                                                    : 91;
  }
  if (name.rfind("host/", 0) == 0)
  {
    return name == "host/entry.h" ? 86 : 85; // the kernels' protocol and plan, on host threads
  }
  if (name.rfind("dispatch/", 0) == 0)
  {
    const bool launches = name == "dispatch/launch.h" || name == "dispatch/launched.h"
                       || name == "dispatch/fold_launch.h" || name == "dispatch/batched_launch.h"
                       || name == "dispatch/rows_launch.h";
    return launches ? 82 : name == "dispatch/problem.h" ? 80 : 81;
  }
  const std::map<std::string, int> layers{{"util", 5},
                                          {"ptx", 10},
                                          {"carry", 20},
                                          {"warp", 30},
                                          {"tile", 40},
                                          {"bulk", 50},
                                          {"plain", 50},
                                          {"batched", 50},
                                          {"runtime", 60},
                                          {"ranks", 84},
                                          {"entry", 85}};
  const auto layer = layers.find(name.substr(0, name.find('/')));
  return layer == layers.end() ? -1 : layer->second;
}

findings upward_includes(const tree& files)
{
  findings found;
  for (const auto& [name, text] : files)
  {
    if (height(name) < 0)
    {
      found.push_back(name + " is in no layer of the layout");
      continue;
    }
    for (const std::string& included : our_includes(text))
    {
      if (files.count(included) == 0)
      {
        found.push_back(name + " includes " + included + ", which does not exist");
      }
      else if (height(included) > height(name) || name == "version.h")
      {
        found.push_back(name + " includes " + included + ", which is above it");
      }
    }
    for (const std::string& quoted : matches(without_comments(text), R"rx(^\s*#\s*include\s*"([^"]*)")rx"))
    {
      found.push_back(name + " includes \"" + quoted + "\": write <lightscan/...>");
    }
  }
  return found;
}

// What is left when files whose includes have all gone are taken away, again and again.
findings include_circles(const tree& files)
{
  std::map<std::string, std::set<std::string>> waiting;
  for (const auto& [name, text] : files)
  {
    const std::vector<std::string> includes = our_includes(text);
    waiting[name].insert(includes.begin(), includes.end());
  }
  for (bool moving = true; moving;)
  {
    moving = false;
    for (auto file = waiting.begin(); file != waiting.end();)
    {
      const std::set<std::string>& includes = file->second;
      const bool can_go = std::none_of(includes.begin(), includes.end(), [&](const std::string& name) {
        return waiting.count(name) > 0;
      });
      moving            = moving || can_go;
      file              = can_go ? waiting.erase(file) : std::next(file);
    }
  }
  findings found;
  for (const auto& [name, includes] : waiting)
  {
    found.push_back(name + " is part of a circle of includes, or includes one");
  }
  return found;
}

findings assembly_outside_ptx(const tree& files)
{
  findings found;
  for (const auto& [name, text] : files)
  {
    if (name.rfind("ptx/", 0) != 0 && !matches(without_comments(text), R"(\b((__)?asm(__)?)\b)").empty())
    {
      found.push_back(name + " contains assembly");
    }
  }
  return found;
}

findings checked_copies(const tree& files)
{
  findings found;
  for (const auto& [name, text] : files)
  {
    if (!matches(without_comments(text), R"(\b(cuda::std::mem(cpy|move|set)|cuda/std/cstring)\b)").empty())
    {
      found.push_back(name + " copies bytes by CUDA's function: take lightscan::util::copy_bytes");
    }
  }
  return found;
}

// CUB's entry points are one class, which a program names; each has its comment.
const std::set<std::string> of_one_class{"device_scan.h", "device_select.h"};

findings full_rooms(const tree& files)
{
  findings found;
  for (const auto& [name, text] : files)
  {
    const auto lines = std::count(text.begin(), text.end(), '\n') + (text.empty() || text.back() == '\n' ? 0 : 1);
    if (lines > 400 && of_one_class.count(name) == 0)
    {
      found.push_back(name + " has " + std::to_string(lines) + " lines");
    }
  }
  return found;
}

const findings none;

tree ours()
{
  return read_tree(LIGHTSCAN_TEST_ROOT);
}

// Our own headers in a folder of their own, with one more file in it or one replaced.
class planted
{
public:
  planted(const std::string& name, const std::string& text)
      : folder_(fs::temp_directory_path() / ("lightscan_structure_" + std::to_string(std::random_device{}())))
  {
    fs::create_directories(folder_);
    fs::copy(fs::path(LIGHTSCAN_TEST_ROOT) / "lightscan", folder_ / "lightscan", fs::copy_options::recursive);
    const fs::path file = folder_ / "lightscan" / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  ~planted()
  {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  planted(const planted&)            = delete;
  planted& operator=(const planted&) = delete;

  tree files() const
  {
    return read_tree(folder_);
  }

private:
  fs::path folder_;
};

std::string lines(int count)
{
  std::string text;
  for (int i = 0; i < count; ++i)
  {
    text += "//\n";
  }
  return text;
}

TEST(reading, finds_the_headers_and_their_includes)
{
  const tree files = ours();
  ASSERT_EQ(files.count("version.h"), 1u);
  ASSERT_EQ(files.count("dispatch/launch.h"), 1u);
  const std::vector<std::string> includes = our_includes(files.at("dispatch/launch.h"));
  EXPECT_NE(std::find(includes.begin(), includes.end(), "dispatch/plan.h"), includes.end());
}

TEST(reading, takes_comments_out)
{
  EXPECT_EQ(without_comments("a // b\nc /* d\n e */ f"), "a \nc   f");
  EXPECT_EQ(our_includes("// #include <lightscan/a.h>\n #  include <lightscan/b.h> // c\n"), findings{"b.h"});
}

TEST(includes, point_down_the_layout)
{
  EXPECT_EQ(upward_includes(ours()), none);
}

TEST(includes, pointing_up_are_found)
{
  const auto broken_by = [](const std::string& name, const std::string& include) {
    return upward_includes(planted(name, "#include " + include + "\n").files()).size();
  };
  EXPECT_EQ(broken_by("warp/bad.h", "<lightscan/tile/geometry.h>"), 1u);
  EXPECT_EQ(broken_by("carry/bad.h", "<lightscan/warp/device_warp.h>"), 1u);
  EXPECT_EQ(broken_by("util/bad.h", "<lightscan/carry/slot.h>"), 1u);
  EXPECT_EQ(broken_by("bulk/bad.h", "<lightscan/dispatch/plan.h>"), 1u);
  EXPECT_EQ(broken_by("dispatch/plan.h", "<lightscan/dispatch/launch.h>"), 1u);
  EXPECT_EQ(broken_by("dispatch/problem.h", "<lightscan/dispatch/plan.h>"), 1u);
  EXPECT_EQ(broken_by("dispatch/launch.h", "<lightscan/entry/run.h>"), 1u);
  EXPECT_EQ(broken_by("entry/bad.h", "<lightscan/scan.h>"), 1u);
  EXPECT_EQ(broken_by("ranks/bad.h", "<lightscan/entry/run.h>"), 1u);
  EXPECT_EQ(broken_by("dispatch/launch.h", "<lightscan/host/pool.h>"), 1u);
  EXPECT_EQ(broken_by("host/engine.h", "<lightscan/host/entry.h>"), 1u);
  EXPECT_EQ(broken_by("host/entry.h", "<lightscan/host.h>"), 1u);
  EXPECT_EQ(broken_by("version.h", "<lightscan/ptx/coherent.h>"), 1u);
  EXPECT_EQ(broken_by("stray/bad.h", "<vector>"), 1u);
  EXPECT_EQ(broken_by("tile/bad.h", "<lightscan/tile/gone.h>"), 1u);
  EXPECT_EQ(broken_by("tile/bad.h", "\"geometry.h\""), 1u);
}

TEST(includes, pointing_down_or_sideways_are_not)
{
  EXPECT_EQ(upward_includes(planted("tile/good.h",
                                    "#include <lightscan/tile/geometry.h>\n"
                                    "#include <lightscan/warp/device_warp.h>\n"
                                    "// #include <lightscan/dispatch/launch.h>\n")
                              .files()),
            none);
}

TEST(includes, run_in_no_circle)
{
  EXPECT_EQ(include_circles(ours()), none);
}

TEST(includes, running_in_a_circle_are_found)
{
  EXPECT_EQ(include_circles(planted("tile/self.h", "#include <lightscan/tile/self.h>\n").files()).size(), 1u);
  tree files = planted("tile/a.h", "#include <lightscan/tile/b.h>\n").files();
  EXPECT_EQ(include_circles(files), none);
  files["tile/b.h"] = "#include <lightscan/tile/c.h>\n";
  files["tile/c.h"] = "#include <lightscan/tile/a.h>\n";
  EXPECT_EQ(include_circles(files).size(), 3u);
}

TEST(assembly, is_only_in_ptx)
{
  EXPECT_EQ(assembly_outside_ptx(ours()), none);
}

TEST(assembly, elsewhere_is_found)
{
  EXPECT_EQ(assembly_outside_ptx(planted("tile/bad.h", "  asm volatile(\"nop;\");\n").files()).size(), 1u);
  EXPECT_EQ(assembly_outside_ptx(planted("bad.h", "__asm__(\"nop;\");\n").files()).size(), 1u);
  EXPECT_EQ(assembly_outside_ptx(planted("ptx/good.h", "asm volatile(\"nop;\");\n").files()), none);
  EXPECT_EQ(assembly_outside_ptx(planted("tile/good.h", "int plasma; // no asm(\"\") here\n").files()), none);
}

TEST(copies, do_not_look_at_addresses)
{
  EXPECT_EQ(checked_copies(ours()), none);
}

TEST(copies, that_look_at_addresses_are_found)
{
  EXPECT_EQ(checked_copies(planted("tile/bad.h", "  ::cuda::std::memcpy(to, from, 4);\n").files()).size(), 1u);
  EXPECT_EQ(checked_copies(planted("bad.h", "#include <cuda/std/cstring>\n").files()).size(), 1u);
  EXPECT_EQ(checked_copies(planted("host/good.h", "std::memcpy(to, from, 4); // cuda::std::memcpy\n").files()), none);
}

TEST(rooms, are_not_full)
{
  EXPECT_EQ(full_rooms(ours()), none);
}

TEST(rooms, that_are_full_are_found)
{
  EXPECT_EQ(full_rooms(planted("tile/good.h", lines(400)).files()), none);
  EXPECT_EQ(full_rooms(planted("tile/bad.h", lines(401)).files()).size(), 1u);
  EXPECT_EQ(full_rooms(planted("tile/bad.h", lines(400) + "//").files()).size(), 1u);
}
} // namespace
