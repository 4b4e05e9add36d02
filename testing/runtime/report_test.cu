// Rules of runtime/report.h, held without a GPU (fake_cuda.h): a launch stands in an NVTX range of the domain
// "lightscan", named after the call and the kernel, with the number of items as payload; the range ends where the launch
// does, failed or not; the record has what was launched in the end, and nothing of a call that failed.
//
// The tool that listens is this program: NVTX calls InitializeInjectionNvtx2_fnptr where no profiler is loaded.
#include "../support/operators.h"
#include "fake_cuda.h"

#include <lightscan/device_value.h>
#include <lightscan/dispatch/launch.h>
#include <lightscan/runtime/report.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <nvtx3/nvToolsExt.h>

namespace
{
namespace dispatch = lightscan::dispatch;
using lightscan::path;

template <bool Inclusive, class Count = dispatch::index>
using problem =
  dispatch::scan_problem<int, const int*, int*, testing_support::plus, lightscan::util::no_init, Inclusive, Count>;

struct range
{
  std::string domain, message;
  std::int64_t items;
};

// What the tool saw.
struct listener
{
  std::vector<std::string> domains; // a handle is an index into them, plus one
  std::vector<range> pushed;
  std::size_t popped      = 0;
  std::size_t open        = 0;
  std::size_t unmatched   = 0;
  std::size_t at_launches = 0; // launches that were let through so far, at the last pop
} heard;

std::string name_of_domain(nvtxDomainHandle_t domain)
{
  const auto index = reinterpret_cast<std::uintptr_t>(domain);
  return index == 0 || index > heard.domains.size() ? "" : heard.domains[index - 1];
}

nvtxDomainHandle_t NVTX_API create_domain(const char* name)
{
  heard.domains.push_back(name);
  return reinterpret_cast<nvtxDomainHandle_t>(heard.domains.size());
}

int NVTX_API push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event)
{
  EXPECT_EQ(event->version, NVTX_VERSION);
  EXPECT_EQ(event->size, NVTX_EVENT_ATTRIB_STRUCT_SIZE);
  EXPECT_EQ(event->messageType, NVTX_MESSAGE_TYPE_ASCII);
  EXPECT_EQ(event->payloadType, NVTX_PAYLOAD_TYPE_INT64);
  heard.pushed.push_back({name_of_domain(domain), event->message.ascii, event->payload.llValue});
  return static_cast<int>(heard.open++);
}

int NVTX_API pop(nvtxDomainHandle_t domain)
{
  EXPECT_EQ(name_of_domain(domain), "lightscan");
  heard.unmatched += heard.open == 0;
  heard.open -= heard.open != 0;
  ++heard.popped;
  heard.at_launches = fake_cuda::now.launched_grids.size();
  return static_cast<int>(heard.open);
}

int NVTX_API attach(NvtxGetExportTableFunc_t get_table)
{
  const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table     = nullptr;
  unsigned size               = 0;
  if (callbacks == nullptr || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size)
      || size <= NVTX_CBID_CORE2_DomainCreateA)
  {
    return 0;
  }
  *table[NVTX_CBID_CORE2_DomainCreateA]     = reinterpret_cast<NvtxFunctionPointer>(create_domain);
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(push);
  *table[NVTX_CBID_CORE2_DomainRangePop]    = reinterpret_cast<NvtxFunctionPointer>(pop);
  return 1;
}

template <bool Inclusive>
lightscan::runtime::outcome scan(std::int64_t n)
{
  return dispatch::launcher<problem<Inclusive>>(problem<Inclusive>{nullptr, nullptr, n, {}, {}}, nullptr).run();
}

class report : public ::testing::Test
{
protected:
  static void SetUpTestSuite()
  {
    // A profiler around this program would be asked first.
    unsetenv("NVTX_INJECTION64_PATH");
    InitializeInjectionNvtx2_fnptr = attach;
  }
  // Domains stay: one is made once for the whole program.
  void SetUp() override
  {
    fake_cuda::now  = {};
    heard.pushed    = {};
    heard.popped    = 0;
    heard.unmatched = 0;
  }
  void TearDown() override
  {
    EXPECT_EQ(heard.open, 0u);
    EXPECT_EQ(heard.unmatched, 0u);
    EXPECT_EQ(heard.popped, heard.pushed.size());
    EXPECT_LE(heard.domains.size(), 1u) << "one for the whole program";
  }
};

void expect_range(const char* message, std::int64_t items)
{
  ASSERT_EQ(heard.pushed.size(), 1u);
  EXPECT_EQ(heard.pushed.front().domain, "lightscan");
  EXPECT_EQ(heard.pushed.front().message, message);
  EXPECT_EQ(heard.pushed.front().items, items);
  EXPECT_EQ(heard.at_launches, 1u) << "the range ended before the launch";
}
} // namespace

TEST_F(report, a_range_names_the_call_and_the_kernel)
{
  ASSERT_TRUE(scan<true>(1000));
  expect_range("inclusive_scan (plain kernel)", 1000);
}

TEST_F(report, a_range_of_a_large_scan)
{
  ASSERT_TRUE(scan<false>(5000000));
  expect_range("exclusive_scan (bulk pipeline)", 5000000);
}

TEST_F(report, the_payload_has_64_bits)
{
  ASSERT_TRUE(scan<true>(std::int64_t{3} << 32));
  expect_range("inclusive_scan (bulk pipeline)", std::int64_t{3} << 32);
}

TEST_F(report, the_payload_is_minus_one_where_only_the_gpu_knows)
{
  using counted  = lightscan::device_value<int>;
  using unknown  = problem<true, counted>;
  const auto run = dispatch::launcher<unknown>(unknown{nullptr, nullptr, counted{nullptr}, {}, {}}, nullptr).run();
  ASSERT_TRUE(run) << run.doing;
  expect_range("inclusive_scan (bulk pipeline)", -1);
  EXPECT_EQ(lightscan::runtime::last_report().num_items, -1);
}

TEST_F(report, another_librarys_scan_is_told_as_one_of_ours)
{
  for (const path taken : {path::thrust, path::cub})
  {
    heard.pushed.clear();
    heard.popped = 0;
    EXPECT_TRUE(lightscan::runtime::run_reported(taken, "exclusive_scan", 7, nullptr, [&] {
      EXPECT_EQ(heard.open, 1u) << "the range is not around the scan";
      EXPECT_EQ(lightscan::runtime::last_report().taken, path::none);
      return lightscan::runtime::outcome{};
    }));
    ASSERT_EQ(heard.pushed.size(), 1u);
    EXPECT_EQ(heard.pushed.front().message, taken == path::cub ? "exclusive_scan (CUB)" : "exclusive_scan (Thrust)");
    EXPECT_EQ(heard.pushed.front().items, 7);
    EXPECT_EQ(lightscan::runtime::last_report().taken, taken);
    EXPECT_EQ(lightscan::runtime::last_report().num_items, 7);
    EXPECT_FALSE(lightscan::runtime::run_reported(taken, "exclusive_scan", 7, nullptr, [] {
      return lightscan::runtime::outcome{cudaErrorInvalidValue, "failing"};
    }));
    EXPECT_EQ(lightscan::runtime::last_report().taken, path::none) << "a scan that failed is on record";
  }
}

TEST_F(report, an_empty_range_has_none)
{
  ASSERT_TRUE(scan<true>(1000));
  heard.pushed.clear();
  heard.popped = 0;
  ASSERT_TRUE(scan<true>(0));
  EXPECT_TRUE(heard.pushed.empty());
  EXPECT_EQ(lightscan::runtime::last_report().taken, path::none);
}

// TearDown counts pushes and pops.
TEST_F(report, ranges_end_whatever_fails)
{
  for (const bool capturing : {false, true})
  {
    std::size_t failed_in_a_range = 0;
    for (int call = 1; call < 100; ++call)
    {
      fake_cuda::now                        = {};
      fake_cuda::now.context                = 1000 + static_cast<unsigned long long>(call) + (capturing ? 100 : 0);
      fake_cuda::now.capturing              = capturing;
      fake_cuda::now.failing_call           = call;
      const std::size_t before              = heard.pushed.size();
      const lightscan::runtime::outcome ran = scan<true>(100000);
      if (ran)
      {
        break;
      }
      SCOPED_TRACE(fake_cuda::now.failed);
      failed_in_a_range += heard.pushed.size() - before;
      EXPECT_EQ(heard.open, 0u);
      EXPECT_EQ(lightscan::runtime::last_report().taken, path::none) << "a call that failed is on record";
    }
    EXPECT_GE(failed_in_a_range, 3u) << "memory, its clearing, the launch";
  }
}

TEST_F(report, the_record_has_what_was_launched)
{
  ASSERT_TRUE(scan<true>(100000));
  lightscan::launch_report last = lightscan::runtime::last_report();
  EXPECT_EQ(last.taken, path::plain_kernel);
  EXPECT_STREQ(last.call, "inclusive_scan");
  EXPECT_EQ(last.num_items, 100000);
  EXPECT_EQ(last.blocks, fake_cuda::now.launched_grids.front());
  EXPECT_GT(last.threads, 0);
  EXPECT_GT(last.tile_items, 0);

  fake_cuda::now          = {};
  fake_cuda::now.capacity = 10;
  ASSERT_TRUE(scan<false>(5000000));
  last = lightscan::runtime::last_report();
  EXPECT_EQ(last.taken, path::bulk_pipeline);
  EXPECT_STREQ(last.call, "exclusive_scan");
  EXPECT_FALSE(fake_cuda::now.refused_grids.empty());
  EXPECT_EQ(last.blocks, fake_cuda::now.launched_grids.front()) << "a grid that was refused is on record";
}

TEST_F(report, each_thread_has_a_record_of_its_own)
{
  ASSERT_TRUE(scan<true>(1000));
  path seen = path::thrust;
  std::thread([&seen] {
    seen = lightscan::runtime::last_report().taken;
  }).join();
  EXPECT_EQ(seen, path::none);
  EXPECT_EQ(lightscan::runtime::last_report().num_items, 1000);
}
