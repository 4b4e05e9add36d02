// Rule: the bits of a result depend on the input, its length and alignment, the types and the tuning row alone. A sum of
// badly conditioned floating-point numbers is the same to the bit in every run, on any number of resident blocks, with
// either transport, beside other work, captured in a graph or not; and it is what ../support/reference_order.h makes on the
// host. Bits are compared on the GPU, so that a thousand runs of each size take seconds.
#include "../support/checked_scan.h"
#include "../support/expect_cuda.h"
#include "../support/gpu_noise.h"
#include "../support/launched_tiles.h"
#include "../support/operators.h"
#include "../support/random_values.h"
#include "../support/reference_order.h"

#include <lightscan/carry/slot.h>
#include <lightscan/dispatch/launch.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace testing_support;
using lightscan::dispatch::kernels;
namespace carry    = lightscan::carry;
namespace dispatch = lightscan::dispatch;

namespace
{
constexpr int runs = 1000;

// One input and its expected result, scanned on a stream of its own.
template <class T>
class subject
{
  using problem = dispatch::scan_problem<T, const T*, T*, plus, lightscan::util::no_init, true>;
  using atomics = carry::atomic_transport;
  using by_cg   = carry::cg_transport;

public:
  subject(std::int64_t n, int offset, kernels kernel)
      : kernel_(kernel)
      , scan_(n, offset)
  {
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
    const std::vector<T> values = badly_conditioned<T>(static_cast<std::size_t>(n));
    std::vector<T> expected(values.size());
    const launched_tiles launched = tiles_of_launch<T>(scan_.input(), n, kernel);
    scan_in_order<true>(
      values.data(), expected.data(), launched.tiles, launched.inside, plus{}, lightscan::util::no_init{});
    scan_.upload(values, expected);
  }
  subject(const subject&)            = delete;
  subject& operator=(const subject&) = delete;
  ~subject()
  {
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
  }

  void queue(int max_blocks, bool cg)
  {
    const problem p{scan_.input(), scan_.output(), scan_.size(), {}, {}};
    const lightscan::runtime::outcome done =
      cg ? dispatch::launcher<problem, by_cg>(p, stream_, kernel_, max_blocks).run()
         : dispatch::launcher<problem, atomics>(p, stream_, kernel_, max_blocks).run();
    ASSERT_TRUE(done) << done.doing << ": " << cudaGetErrorString(done.error);
  }

  void capture(int max_blocks, bool cg, cudaGraphExec_t& executable)
  {
    cudaGraph_t graph = nullptr;
    LIGHTSCAN_EXPECT_CUDA(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    queue(max_blocks, cg);
    LIGHTSCAN_EXPECT_CUDA(cudaStreamEndCapture(stream_, &graph));
    LIGHTSCAN_EXPECT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
    LIGHTSCAN_EXPECT_CUDA(cudaGraphDestroy(graph));
  }

  void replay(cudaGraphExec_t executable)
  {
    LIGHTSCAN_EXPECT_CUDA(cudaGraphLaunch(executable, stream_));
  }

  void poison()
  {
    scan_.poison(stream_);
  }

  void compare()
  {
    scan_.compare(stream_);
  }

  // Of all comparisons so far. Waits.
  void expect_no_difference()
  {
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream_));
    scan_.expect_no_difference();
  }

private:
  kernels kernel_;
  checked_scan<T> scan_;
  cudaStream_t stream_ = nullptr;
};

// Half and all of the SMs (of the plain kernel's blocks, several of which are resident on each: so many blocks, and all)
// in turn, and now and then a grid so small that a long run takes as much time as a hundred others.
int grid_of_run(int run, int multiprocessors)
{
  return run % 200 == 7  ? 1
       : run % 200 == 57 ? 2
       : run % 50 == 22  ? 7
       : run % 20 == 3   ? 31
       : run % 2 == 0    ? multiprocessors / 2
       : run % 4 == 1    ? multiprocessors
                         : 0;
}

template <class T>
void check_runs(std::int64_t n, int offset, kernels kernel)
{
  SCOPED_TRACE(std::to_string(n) + " elements, input + " + std::to_string(offset)
               + (kernel == kernels::bulk_only ? ", bulk pipeline" : ", plain kernel"));
  int multiprocessors = 0;
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  subject<T> scan(n, offset, kernel);
  gpu_noise noise;
  cudaGraphExec_t captured[2][2];
  const int captured_grids[2] = {multiprocessors / 2, 0};
  for (int g = 0; g < 2; ++g)
  {
    for (int cg = 0; cg < 2; ++cg)
    {
      ASSERT_NO_FATAL_FAILURE(scan.capture(captured_grids[g], cg != 0, captured[g][cg]));
    }
  }
  for (int run = 0; run < runs; ++run)
  {
    if (run % 3 == 0)
    {
      noise.more(static_cast<unsigned>(run));
    }
    scan.poison();
    const bool cg = (run / 4 + run / 200) % 2 != 0;
    if (run % 10 == 9)
    {
      ASSERT_NO_FATAL_FAILURE(scan.replay(captured[run / 10 % 2][cg ? 1 : 0]));
    }
    else
    {
      ASSERT_NO_FATAL_FAILURE(scan.queue(grid_of_run(run, multiprocessors), cg));
    }
    scan.compare();
    if (run % 100 == 0)
    {
      ASSERT_NO_FATAL_FAILURE(scan.expect_no_difference()) << "by run " << run;
    }
  }
  ASSERT_NO_FATAL_FAILURE(scan.expect_no_difference());
  for (auto& grid : captured)
  {
    for (cudaGraphExec_t& executable : grid)
    {
      LIGHTSCAN_EXPECT_CUDA(cudaGraphExecDestroy(executable));
    }
  }
}

template <class T>
void check_sizes(kernels kernel, std::int64_t longest)
{
  const std::int64_t tile   = tiles_of_launch<T>(nullptr, longest, kernel).tiles.tile_items;
  const std::int64_t window = carry::slot_position::window_size * tile;
  for (const std::int64_t n : {std::int64_t{33}, tile - 1, tile, tile + 1, 7 * tile + 3, window, window + 1, longest})
  {
    ASSERT_NO_FATAL_FAILURE(check_runs<T>(n, 0, kernel));
  }
  ASSERT_NO_FATAL_FAILURE(check_runs<T>(5 * window / 2, 1, kernel));
}
} // namespace

TEST(determinism, bulk_pipeline_float)
{
  check_sizes<float>(kernels::bulk_only, std::int64_t{1} << 28);
}

TEST(determinism, bulk_pipeline_double)
{
  check_sizes<double>(kernels::bulk_only, std::int64_t{1} << 28);
}

TEST(determinism, plain_kernel_float)
{
  check_sizes<float>(kernels::plain_only, (std::int64_t{1} << 25) + 3);
}

TEST(determinism, plain_kernel_double)
{
  check_sizes<double>(kernels::plain_only, (std::int64_t{1} << 25) + 3);
}
