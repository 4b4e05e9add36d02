// lightscan_host_perf: lightscan::host beside oneTBB, the standard library's parallel scan and a parallel memcpy.
// README.md says how to run it and what its columns mean.
//
// Exit code: 0 all right; 1 a wrong element or a failure; 2 arguments that make no sense.
#include "element_count.h"
#include "host_check.h"
#include "random_data.h"

#include <lightscan/host.h>
#include <lightscan/host/elements.h>
#include <lightscan/host/engine.h>
#include <lightscan/host/pool.h>

#include <thrust/scan.h>

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <execution>
#include <functional>
#include <new>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <tbb/global_control.h>
#include <tbb/parallel_scan.h>

namespace
{
using index = std::int64_t;

constexpr const char* usage =
  "usage: lightscan_host_perf [--n=N] [--threads=T] [--rounds=R] [--types=int32,float,int64,double] [--tunings]\n"
  "  --n        elements, such as 2^28, which is the default\n"
  "  --threads  for every implementation; the number of cores where not given\n"
  "  --rounds   in which the implementations take turns; 11 where not given\n"
  "  --tunings  the engine without prefetching and without stores past the caches, too\n";

struct bad_arguments : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

struct options
{
  index count       = index{1} << 28;
  int threads       = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  int rounds        = 11;
  std::string types = "int32,float,int64,double";
  bool tunings      = false;
};

options parse(int argc, char** argv)
{
  options result;
  for (int i = 1; i < argc; ++i)
  {
    const std::string argument               = argv[i];
    const std::string name                   = argument.substr(0, argument.find('='));
    const std::string value                  = name.size() < argument.size() ? argument.substr(name.size() + 1) : "";
    const std::optional<std::int64_t> number = perf::parse_count(value);
    if (name == "--n" && number && *number > 0)
    {
      result.count = *number;
    }
    else if (name == "--threads" && number && 0 < *number && *number <= 1024)
    {
      result.threads = static_cast<int>(*number);
    }
    else if (name == "--rounds" && number && 0 < *number && *number <= 10000)
    {
      result.rounds = static_cast<int>(*number);
    }
    else if (name == "--types" && !value.empty())
    {
      result.types = value;
    }
    else if (argument == "--tunings")
    {
      result.tunings = true;
    }
    else
    {
      throw bad_arguments("'" + argument + "' is no option, or its value makes no sense");
    }
  }
  return result;
}

// work(part) for `threads` parts at once.
template <class Work>
void on_threads(int threads, Work work)
{
  lightscan::host_pool::crew crew(threads);
  const int members = crew.members();
  auto member       = [&](int m) noexcept {
    for (int part = m; part < threads; part += members)
    {
      work(part);
    }
  };
  crew.run(member);
}

index begin_of(int part, int parts, index count)
{
  return count / parts * part + std::min<index>(part, count % parts);
}

// Memory in large pages where the system has them, so that no implementation is measured by its misses of page tables.
template <class T>
class pages
{
public:
  explicit pages(index count)
      : bytes_(static_cast<std::size_t>(count) * sizeof(T))
      , memory_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
  {
    if (memory_ == MAP_FAILED)
    {
      throw std::bad_alloc();
    }
    madvise(memory_, bytes_, MADV_HUGEPAGE);
  }
  ~pages()
  {
    munmap(memory_, bytes_);
  }
  pages(const pages&)            = delete;
  pages& operator=(const pages&) = delete;

  T* data() const
  {
    return static_cast<T*>(memory_);
  }

private:
  std::size_t bytes_;
  void* memory_;
};

struct without_prefetch : lightscan::host_engine::default_tuning
{
  static constexpr bool prefetches = false;
};
struct without_streaming : lightscan::host_engine::default_tuning
{
  static constexpr index streams_from_bytes = index{1} << 60;
};

template <class Tuning, class T>
void scan_tuned(int threads, const T* in, T* out, index count)
{
  namespace engine = lightscan::host_engine;
  engine::scan<Tuning, true, T>(threads,
                                false,
                                engine::elements<T, const T*>{in},
                                out,
                                engine::all_of_it{},
                                count,
                                perf::host_sum{},
                                lightscan::util::no_init{});
}

template <class T>
void scan_by_tbb(const T* in, T* out, index count)
{
  tbb::parallel_scan(
    tbb::blocked_range<index>(0, count),
    T{},
    [in, out](const tbb::blocked_range<index>& range, T value, bool is_final) {
      if (is_final)
      {
        for (index i = range.begin(); i < range.end(); ++i)
        {
          value  = perf::host_sum{}(value, in[i]);
          out[i] = value;
        }
      }
      else
      {
        for (index i = range.begin(); i < range.end(); ++i)
        {
          value = perf::host_sum{}(value, in[i]);
        }
      }
      return value;
    },
    perf::host_sum{});
}

template <class T>
struct implementation
{
  const char* name;
  bool is_peer;
  bool is_scan;
  std::function<void()> call;
  std::vector<double> seconds;
};

double median(std::vector<double> values)
{
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class T>
unsigned long long wrong_elements(int threads, const T* out, index count)
{
  std::vector<unsigned long long> wrong(static_cast<std::size_t>(threads), 0);
  on_threads(threads, [&](int part) {
    wrong[static_cast<std::size_t>(part)] =
      perf::check_sums(out, begin_of(part, threads, count), begin_of(part + 1, threads, count)).wrong;
  });
  return std::accumulate(wrong.begin(), wrong.end(), 0ull);
}

template <class T>
bool measure(const char* type, const options& asked)
{
  const index count = asked.count;
  const int threads = asked.threads;
  const pages<T> input(count);
  const pages<T> output(count);
  T* const in          = input.data();
  T* const out         = output.data();
  const auto each_part = [&](auto work) {
    on_threads(threads, [&](int part) {
      work(begin_of(part, threads, count), begin_of(part + 1, threads, count));
    });
  };
  const auto poison = [&] {
    each_part([&](index begin, index end) {
      std::memset(static_cast<void*>(out + begin), 0xa5, static_cast<std::size_t>(end - begin) * sizeof(T));
    });
  };
  each_part([&](index begin, index end) {
    for (index i = begin; i < end; ++i)
    {
      in[i] = perf::random_value<T>(i);
    }
  });
  poison();

  std::vector<implementation<T>> all;
  const auto add = [&](const char* name, bool is_peer, bool is_scan, std::function<void()> call) {
    all.push_back({name, is_peer, is_scan, std::move(call), {}});
  };
  add("memcpy", false, false, [&] {
    each_part([&](index begin, index end) {
      std::memcpy(out + begin, in + begin, static_cast<std::size_t>(end - begin) * sizeof(T));
    });
  });
  add("lightscan", false, true, [&] {
    thrust::inclusive_scan(lightscan::host.threads(threads), in, in + count, out, perf::host_sum{});
  });
  add("tbb", true, true, [&] {
    scan_by_tbb(in, out, count);
  });
  add("std_par", true, true, [&] {
    std::inclusive_scan(std::execution::par, in, in + count, out, perf::host_sum{});
  });
  if (asked.tunings)
  {
    add("lightscan_no_prefetch", false, true, [&] {
      scan_tuned<without_prefetch>(threads, in, out, count);
    });
    add("lightscan_no_streaming", false, true, [&] {
      scan_tuned<without_streaming>(threads, in, out, count);
    });
  }

  for (implementation<T>& each : all)
  {
    if (each.is_scan)
    {
      poison();
      each.call();
      if (const unsigned long long wrong = wrong_elements(threads, out, count))
      {
        std::fprintf(stderr, "lightscan_host_perf: %s on %s: %llu wrong elements\n", each.name, type, wrong);
        return false;
      }
    }
  }
  for (int round = 0; round < asked.rounds; ++round)
  {
    for (implementation<T>& each : all)
    {
      const auto start = std::chrono::steady_clock::now();
      each.call();
      each.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  }

  double peer = 0;
  for (const implementation<T>& each : all)
  {
    const double seconds = median(each.seconds);
    peer                 = each.is_peer && (peer == 0 || seconds < peer) ? seconds : peer;
  }
  const double memcpy_seconds = median(all.front().seconds);
  for (const implementation<T>& each : all)
  {
    const double seconds = median(each.seconds);
    std::printf("%s,%lld,%d,%s,%.4f,%.4f,%.3f,%.1f,%.3f,%.3f\n",
                type,
                static_cast<long long>(count),
                threads,
                each.name,
                seconds * 1e3,
                *std::min_element(each.seconds.begin(), each.seconds.end()) * 1e3,
                static_cast<double>(count) / seconds * 1e-9,
                2.0 * static_cast<double>(count) * sizeof(T) / seconds * 1e-9,
                memcpy_seconds / seconds,
                peer / seconds);
    std::fflush(stdout);
  }
  return true;
}
} // namespace

int main(int argc, char** argv)
{
  try
  {
    const options asked = parse(argc, argv);
    const tbb::global_control tbb_threads(
      tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(asked.threads));
    const auto wanted = [&](const std::string& type) {
      return ("," + asked.types + ",").find("," + type + ",") != std::string::npos;
    };
    std::printf("type,elements,threads,impl,median_ms,best_ms,g_elements_per_s,gb_per_s,of_memcpy,vs_best_peer\n");
    const bool right = (!wanted("int32") || measure<std::int32_t>("int32", asked))
                    && (!wanted("float") || measure<float>("float", asked))
                    && (!wanted("int64") || measure<std::int64_t>("int64", asked))
                    && (!wanted("double") || measure<double>("double", asked));
    return right ? 0 : 1;
  }
  catch (const bad_arguments& error)
  {
    std::fprintf(stderr, "lightscan_host_perf: %s\n%s", error.what(), usage);
    return 2;
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "lightscan_host_perf: %s\n", error.what());
    return 1;
  }
}
