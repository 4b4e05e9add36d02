// Rule: a scan is right however its warps are delayed. 10,000 scans, in which warps stall at random: before each load and
// each store of a slot and after each poll that found nothing (a transport that stalls), and in folds and scans of
// a thread's items, of lanes, and of windows (an operator that stalls).
#include "../support/checked_scan.h"
#include "../support/expect_cuda.h"
#include "../support/launched_shape.h"
#include "../support/operators.h"
#include "../support/random_values.h"
#include "../support/scan_check.h"

#include <lightscan/carry/slot.h>
#include <lightscan/dispatch/launch.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

using namespace testing_support;
namespace carry    = lightscan::carry;
namespace dispatch = lightscan::dispatch;

namespace
{
// Once in `every` times, on average, for up to about eight microseconds.
__device__ void stall_at_random(unsigned every)
{
  unsigned r = static_cast<unsigned>(clock64()) * 2654435761u ^ (blockIdx.x * 747796405u + threadIdx.x * 2891336453u);
  r          = (r ^ r >> 15) * 2246822519u;
  r ^= r >> 13;
  if (r % every == 0)
  {
    __nanosleep(r >> 19);
  }
}

template <class Transport>
struct stalling
{
  static __device__ carry::slot_word load(carry::slot_word* address)
  {
    stall_at_random(64);
    return Transport::load(address);
  }
  static __device__ void store(carry::slot_word* address, carry::slot_word word)
  {
    stall_at_random(4);
    Transport::store(address, word);
  }
  static __device__ void between_polls()
  {
    stall_at_random(8);
    Transport::between_polls();
  }
  static __device__ void delay()
  {
    stall_at_random(8);
    Transport::delay();
  }
};

struct stalling_plus
{
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const
  {
    NV_IF_TARGET(NV_IS_DEVICE, (stall_at_random(1u << 14);))
    return plus{}(a, b);
  }
};

// `scans` of each size, by both kernels, on all blocks and on fewer.
template <class T, class Transport, class Op>
void check_chaos(int scans)
{
  using problem           = dispatch::scan_problem<T, const T*, T*, Op, lightscan::util::no_init, true>;
  const std::int64_t tile = launched_shape<T>().tile_items;
  for (const std::int64_t n : {std::int64_t{1000}, 40 * tile + 1, 300 * tile - 7, 700 * tile + 13})
  {
    const std::vector<T> input = random_values<T>(static_cast<std::size_t>(n));
    checked_scan<T> scan(n, 0);
    ASSERT_NO_FATAL_FAILURE(scan.upload(input, host_scan<true>(input, lightscan::util::no_init{}, plus{})));
    for (int i = 0; i < scans; ++i)
    {
      const kernels kernel = i % 2 == 0 ? kernels::bulk_only : kernels::plain_only;
      const int blocks     = i % 10 == 4 ? 3 : i % 10 == 7 ? 50 : 0;
      scan.poison(nullptr);
      const lightscan::runtime::outcome done =
        dispatch::launcher<problem, Transport>(problem{scan.input(), scan.output(), n, {}, {}}, nullptr, kernel, blocks)
          .run();
      ASSERT_TRUE(done) << done.doing << ": " << cudaGetErrorString(done.error);
      scan.compare(nullptr);
      if (i % 50 == 0)
      {
        LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
        ASSERT_NO_FATAL_FAILURE(scan.expect_no_difference());
      }
    }
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    ASSERT_NO_FATAL_FAILURE(scan.expect_no_difference());
  }
}

} // namespace

// 4 sizes x (900 + 600 + 600 + 400) = 10,000 scans.
TEST(chaos, one_word)
{
  check_chaos<int, stalling<carry::atomic_transport>, stalling_plus>(900);
}

TEST(chaos, one_word_by_cg)
{
  check_chaos<int, stalling<carry::cg_transport>, stalling_plus>(600);
}

TEST(chaos, two_words)
{
  check_chaos<double, stalling<carry::atomic_transport>, stalling_plus>(600);
}

TEST(chaos, four_words)
{
  check_chaos<words_of_size<4>, stalling<carry::atomic_transport>, plus>(400);
}
