// Rule: calls of lightscan::DeviceSegmentedScan with separate begin and end offsets are CUB's, which may leave gaps between segments and
// put results elsewhere; in two phases and in a single call, on a stream and in a resource's memory. With a CCCL that has no such scan
// they are not offered (unsupported/).
#include "support/counting_allocator.h"
#include "support/entry_check.h"
#include "support/segment_check.h"

#include <lightscan/device_segmented_scan.h>
#include <lightscan/path.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

using namespace testing_support;
using lightscan::DeviceSegmentedScan;
using lightscan::util::no_init;

#if __has_include(<cub/device/device_segmented_scan.cuh>)
namespace
{
constexpr unsigned init   = 1u << 20;
constexpr unsigned poison = 0xeeeeeeeeu;

// Segments with gaps of one element between them, whose results stand in the same places or, `moved`, one element on.
struct apart
{
  std::vector<unsigned> values = random_values<unsigned>(1000, 1);
  std::vector<int> begins, ends, moved;

  apart()
  {
    for (int begin = 1, length = 0; begin + length + 1 < 1000; begin += length + 1, ++length)
    {
      begins.push_back(begin);
      ends.push_back(begin + length);
      moved.push_back(begin + 1);
    }
  }

  template <bool Inclusive, class Init, class Op>
  std::vector<unsigned> results(const std::vector<int>& places, Init start, Op op) const
  {
    std::vector<unsigned> all(1000, poison);
    for (std::size_t j = 0; j < begins.size(); ++j)
    {
      const std::vector<unsigned> segment(values.begin() + begins[j], values.begin() + ends[j]);
      const std::vector<int> whole{0, static_cast<int>(segment.size())};
      const auto scanned = host_scan_of_segments<Inclusive>(segment, whole, start, op);
      std::copy(scanned.begin(), scanned.end(), all.begin() + places[j]);
    }
    return all;
  }
};
} // namespace

TEST(device_segmented_scan_by_cub, every_call)
{
  const apart segments;
  const auto number = static_cast<int>(segments.begins.size());
  const on_device<unsigned> in(segments.values);
  const on_device<int> begins(segments.begins), ends(segments.ends), moved(segments.moved);
  guarded_memory<unsigned> out(1000, 0);
  cudaStream_t stream = nullptr;
  LIGHTSCAN_EXPECT_CUDA(cudaStreamCreate(&stream));
  ledger books;
  counting_resource resource(books);
  const auto expect = [&](cudaError_t error, const std::vector<unsigned>& expected, const char* what) {
    EXPECT_EQ(error, cudaSuccess) << what;
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    EXPECT_EQ(lightscan::last_launch().taken, lightscan::path::cub) << what;
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, what));
    out.expect_guards_untouched();
    out.poison_all();
  };
  const auto check = [&](const char* name,
                         const std::vector<unsigned>& there,
                         const std::vector<unsigned>& on,
                         auto call) {
    SCOPED_TRACE(name);
    const unsigned* const i = in.data();
    unsigned* const o       = out.data();
    const int* const b      = begins.data();
    const int* const e      = ends.data();
    std::size_t bytes       = 0;
    ASSERT_EQ(call(nullptr, bytes)(i, o, b, e)(number) (), cudaSuccess);
    guarded_memory<unsigned char> storage(bytes, 0);
    void* const s = storage.data();
    expect(call(s, bytes)(i, o, b, e)(number) (), there, "in two phases");
    expect(call(s, bytes)(i, o, b, e)(number) (stream), there, "in two phases on a stream");
    expect(call(s, bytes)(i, o, b, e, static_cast<const int*>(moved.data()))(number) (stream), on, "results elsewhere");
    expect(call()(i, o, b, e)(number) (), there, "in a single call");
    expect(call()(i, o, b, e)(number) (stream), there, "in a single call on a stream");
    expect(call()(i, o, b, e)(number) (stream, resource), there, "in a resource's memory");
    EXPECT_GT(books.peak, 0u) << "the resource was not asked";
    books.peak = 0;
    expect(call()(i, o, b, e, static_cast<const int*>(moved.data()))(number) (stream), on, "results elsewhere at once");
  };
  // Of the four groups of a call's arguments the third has the operator and the initial value, too.
  const auto calling = [](auto function, auto... operands) {
    return [=](auto&&... storage) {
      return [=, &storage...](auto... ranges) {
        return [=, &storage...](int count) {
          return [=, &storage...](auto&&... where) {
            return function(storage..., ranges..., count, operands..., where...);
          };
        };
      };
    };
  };
  const auto& s = segments;
  check("InclusiveSegmentedSum",
        s.results<true>(s.begins, no_init{}, plus{}),
        s.results<true>(s.moved, no_init{}, plus{}),
        calling([](auto&&... args) {
          return DeviceSegmentedScan::InclusiveSegmentedSum(args...);
        }));
  check("ExclusiveSegmentedSum",
        s.results<false>(s.begins, 0u, plus{}),
        s.results<false>(s.moved, 0u, plus{}),
        calling([](auto&&... args) {
          return DeviceSegmentedScan::ExclusiveSegmentedSum(args...);
        }));
  check("InclusiveSegmentedScan",
        s.results<true>(s.begins, no_init{}, maximum{}),
        s.results<true>(s.moved, no_init{}, maximum{}),
        calling(
          [](auto&&... args) {
            return DeviceSegmentedScan::InclusiveSegmentedScan(args...);
          },
          maximum{}));
  check("InclusiveSegmentedScanInit",
        s.results<true>(s.begins, init, maximum{}),
        s.results<true>(s.moved, init, maximum{}),
        calling(
          [](auto&&... args) {
            return DeviceSegmentedScan::InclusiveSegmentedScanInit(args...);
          },
          maximum{},
          init));
  check("ExclusiveSegmentedScan",
        s.results<false>(s.begins, init, maximum{}),
        s.results<false>(s.moved, init, maximum{}),
        calling(
          [](auto&&... args) {
            return DeviceSegmentedScan::ExclusiveSegmentedScan(args...);
          },
          maximum{},
          init));
  EXPECT_EQ(books.in_use, 0u);
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
}
#else
TEST(device_segmented_scan_by_cub, needs_a_newer_cccl)
{
  GTEST_SKIP() << "this CCCL has no cub::DeviceSegmentedScan";
}
#endif
