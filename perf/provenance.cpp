#include "provenance.h"

#include "gpu.h"

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <cuda/version>

namespace perf
{
namespace
{
std::string dotted(int version, int major_unit, int minor_unit)
{
  return std::to_string(version / major_unit) + "." + std::to_string(version % major_unit / minor_unit);
}

std::string utc_now()
{
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

std::string host_processor()
{
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
  {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos)
    {
      return line.substr(colon + 2);
    }
  }
  return "unknown";
}

// What `nvidia-smi --query-gpu=<fields>` says of the current GPU, in fields; fewer where it does not run.
std::vector<std::string> ask_nvidia_smi(const std::string& fields)
{
  int device   = 0;
  char bus[32] = "";
  if (cudaGetDevice(&device) != cudaSuccess || cudaDeviceGetPCIBusId(bus, sizeof(bus), device) != cudaSuccess)
  {
    (void) cudaGetLastError();
    return {};
  }
  const std::string command = "nvidia-smi --id=" + std::string(bus) + " --query-gpu=" + fields
                            + " --format=csv,noheader,nounits 2>/dev/null";
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr)
  {
    return {};
  }
  char line[512]                  = "";
  const bool read                 = std::fgets(line, sizeof(line), pipe) != nullptr;
  const bool worked               = pclose(pipe) == 0 && read;
  std::vector<std::string> values = worked ? fields_of(line) : std::vector<std::string>{};
  for (std::string& value : values)
  {
    const std::size_t first = value.find_first_not_of(" \n");
    const std::size_t last  = value.find_last_not_of(" \n");
    value                   = first == std::string::npos ? "" : value.substr(first, last - first + 1);
  }
  return values;
}

std::string quoted(const std::string& text)
{
  std::string result = "\"";
  for (const char c : text)
  {
    result += c == '"' || c == '\\' ? "\\" : "";
    result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return result + '"';
}
} // namespace

std::string sidecar_of(const std::string& csv)
{
  return std::filesystem::path(csv).replace_extension(".json").string();
}

std::string to_json(const facts& known)
{
  std::string json = "{";
  for (const fact& f : known)
  {
    json += json.size() > 1 ? ", " : "";
    json += quoted(f.name) + ": " + (f.number ? f.value : quoted(f.value));
  }
  return json + "}";
}

facts facts_of_this_machine()
{
  int driver  = 0;
  int runtime = 0;
  require(cudaDriverGetVersion(&driver), "asking for the driver's CUDA version");
  require(cudaRuntimeGetVersion(&runtime), "asking for the runtime's version");
  const std::vector<std::string> asked = ask_nvidia_smi("driver_version");
  return {{"date", utc_now()},
          {"gpu", gpu_name()},
          {"driver", asked.empty() ? "unknown" : asked[0]},
          {"driver_cuda", dotted(driver, 1000, 10)},
          {"runtime_cuda", dotted(runtime, 1000, 10)},
          {"toolkit", dotted(CUDART_VERSION, 1000, 10)},
          {"cccl", dotted(CCCL_VERSION, 1000000, 1000) + "." + std::to_string(CCCL_VERSION % 1000)},
          {"host", host_processor()},
          {"host_threads", std::to_string(std::thread::hardware_concurrency()), true}};
}

facts clocks_now(const std::string& when)
{
  const std::vector<std::string> names{
    "clock_sm_mhz", "clock_memory_mhz", "clock_sm_max_mhz", "temperature_c", "power_w", "power_limit_w"};
  const std::vector<std::string> values =
    ask_nvidia_smi("clocks.sm,clocks.mem,clocks.max.sm,temperature.gpu,power.draw,power.limit");
  facts known;
  for (std::size_t i = 0; i < names.size() && i < values.size(); ++i)
  {
    const bool number = !values[i].empty() && values[i].find_first_not_of("0123456789.") == std::string::npos;
    known.push_back({names[i] + "_" + when, values[i], number});
  }
  return known;
}

facts facts_of_run(const std::string& commit, const facts& settings)
{
  facts known = facts_of_this_machine();
  known.push_back({"commit", commit});
  const facts clocks = clocks_now("before");
  known.insert(known.end(), settings.begin(), settings.end());
  known.insert(known.end(), clocks.begin(), clocks.end());
  return known;
}

sidecar::sidecar(const std::string& csv, start how, facts known)
    : path_(csv.empty() ? "" : sidecar_of(csv))
    , known_(std::move(known))
{
  std::ifstream file(how == start::resume ? unfinished(path_) : "");
  for (std::string line; std::getline(file, line);)
  {
    if (!line.empty() && line.front() == '{')
    {
      earlier_.push_back(line.back() == ',' ? line.substr(0, line.size() - 1) : line);
    }
  }
  write();
}

void sidecar::write()
{
  if (path_.empty())
  {
    return;
  }
  std::ofstream file(unfinished(path_), std::ios::trunc);
  file << "[\n";
  for (const std::string& session : earlier_)
  {
    file << session << ",\n";
  }
  file << to_json(known_) << "\n]\n" << std::flush;
  if (!file)
  {
    throw std::runtime_error("cannot write " + unfinished(path_));
  }
}

void sidecar::keep()
{
  if (path_.empty())
  {
    return;
  }
  const facts clocks = clocks_now("after");
  known_.insert(known_.end(), clocks.begin(), clocks.end());
  write();
  std::filesystem::rename(unfinished(path_), path_);
}
} // namespace perf
