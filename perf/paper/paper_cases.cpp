// The cases of the paper's tables: sums of 32M to 512M elements of four types, with the published scan and oneTBB beside
// the implementations that every sum has.
#include "../gpu.h"
#include "../scan_case.h"
#include "host_tbb.h"
#include "published.h"

#include <cstdlib>
#include <stdexcept>

namespace perf
{
namespace
{
constexpr std::int64_t million = std::int64_t{1} << 20;

bool in_the_tables(const scan_case& c)
{
  return c.group == "sums" && c.op == "inclusive_sum" && c.count >= 32 * million && c.count <= 512 * million;
}

template <class T>
scan_case on_gpu(scan_case c)
{
  c.group = "paper";
  c.impls = {impl::memcpy,
             impl::cub,
             impl::thrust,
             impl::lightscan,
             impl::lightscan_cg,
             impl::published,
             impl::published_atomics};
  c.call  = [call = c.call, count = c.count](impl i, const buffers& b) {
    if (i != impl::published && i != impl::published_atomics)
    {
      call(i, b);
      return;
    }
    const paper::transport by = i == impl::published ? paper::transport::cg : paper::transport::atomics;
    paper::scan_as_published(by, static_cast<const T*>(b.input), static_cast<T*>(b.output), count, b.stream);
  };
  return c;
}

// Host memory that only grows, for the input and output of the host's scans.
void* host_memory(int which, std::size_t bytes)
{
  static struct
  {
    void* memory      = nullptr;
    std::size_t bytes = 0;
  } kept[2];
  if (kept[which].bytes < bytes)
  {
    std::free(kept[which].memory);
    kept[which].memory = std::malloc(bytes);
    kept[which].bytes  = kept[which].memory != nullptr ? bytes : 0;
  }
  if (kept[which].memory == nullptr)
  {
    throw std::runtime_error("no " + std::to_string(bytes) + " bytes of host memory for oneTBB's scan");
  }
  return kept[which].memory;
}

// The result is checked on the GPU, as all are.
template <class T>
scan_case on_host(scan_case c)
{
  const std::int64_t count = c.count;
  const std::size_t bytes  = static_cast<std::size_t>(count) * sizeof(T);
  const auto input         = [bytes] {
    return static_cast<T*>(host_memory(0, bytes));
  };
  const auto output = [bytes] {
    return static_cast<T*>(host_memory(1, bytes));
  };
  c.group = "tbb";
  c.op    = "inclusive_sum_on_host";
  c.impls = {impl::tbb};
  c.fill  = [=](const buffers&) {
    paper::fill_on_host(input(), output(), count);
  };
  c.call = [=](impl, const buffers&) {
    paper::scan_by_tbb(input(), output(), count);
  };
  c.check = [=, check = c.check](impl i, const buffers& b) {
    require(cudaMemcpyAsync(b.output, output(), bytes, cudaMemcpyHostToDevice, b.stream), "bringing the host's result");
    return check(i, b);
  };
  return c;
}

template <class T>
void add(std::vector<scan_case>& cases)
{
  for (const scan_case& c : sums_of<T>())
  {
    if (in_the_tables(c))
    {
      cases.push_back(on_gpu<T>(c));
      if (paper::has_tbb())
      {
        cases.push_back(on_host<T>(c));
      }
    }
  }
}
} // namespace

std::vector<scan_case> paper_cases()
{
  std::vector<scan_case> cases;
  add<std::int32_t>(cases);
  add<std::int64_t>(cases);
  add<float>(cases);
  add<double>(cases);
  return cases;
}
} // namespace perf
