// Rule: on a stream of a green context, which has a part of the GPU's multiprocessors, a scan's grid has room there, captured or
// not, whoever knows the number of items; results have the same bits as on the whole GPU.
#include "../support/expect_cuda.h"
#include "../support/guarded_memory.h"
#include "../support/random_values.h"

#include <lightscan/device_scan.h>
#include <lightscan/path.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <cuda.h> // types of the driver's functions; the library itself is not linked
#include <cuda_runtime_api.h>

#if CUDA_VERSION >= 12050
namespace
{
using namespace testing_support;

template <class Function>
Function* driver_function(const char* name)
{
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
  EXPECT_EQ(cudaGetDriverEntryPointByVersion(name, &found, 12050, cudaEnableDefault, &status), cudaSuccess);
  return reinterpret_cast<Function*>(found);
}

constexpr unsigned part_of_it = 16; // multiprocessors

// A green context with a stream; none where the driver or the GPU has no such thing.
class green_context
{
public:
  green_context()
  {
    const auto resource_of =
      driver_function<CUresult(CUdevice, CUdevResource*, CUdevResourceType)>("cuDeviceGetDevResource");
    const auto split =
      driver_function<CUresult(CUdevResource*, unsigned*, const CUdevResource*, CUdevResource*, unsigned, unsigned)>(
        "cuDevSmResourceSplitByCount");
    const auto describe =
      driver_function<CUresult(CUdevResourceDesc*, CUdevResource*, unsigned)>("cuDevResourceGenerateDesc");
    const auto create =
      driver_function<CUresult(CUgreenCtx*, CUdevResourceDesc, CUdevice, unsigned)>("cuGreenCtxCreate");
    const auto stream     = driver_function<CUresult(CUstream*, CUgreenCtx, unsigned, int)>("cuGreenCtxStreamCreate");
    const auto as_context = driver_function<CUresult(CUcontext*, CUgreenCtx)>("cuCtxFromGreenCtx");
    set_current_          = driver_function<CUresult(CUcontext)>("cuCtxSetCurrent");
    const auto current    = driver_function<CUresult(CUcontext*)>("cuCtxGetCurrent");
    EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
    if (!resource_of || !split || !describe || !create || !stream || !as_context)
    {
      return;
    }
    CUdevResource all{};
    CUdevResource part{};
    CUdevResource rest{};
    CUdevResourceDesc description{};
    unsigned groups = 1;
    is_there_       = !current(&primary_) && !resource_of(0, &all, CU_DEV_RESOURCE_TYPE_SM)
             && !split(&part, &groups, &all, &rest, 0, part_of_it) && part.sm.smCount < all.sm.smCount
             && !describe(&description, &part, 1) && !create(&green_, description, 0, CU_GREEN_CTX_DEFAULT_STREAM)
             && !stream(&stream_, green_, CU_STREAM_NON_BLOCKING, 0) && !as_context(&context_, green_);
    multiprocessors_ = static_cast<int>(part.sm.smCount);
  }
  green_context(const green_context&)            = delete;
  green_context& operator=(const green_context&) = delete;

  bool is_there() const
  {
    return is_there_;
  }
  cudaStream_t stream() const
  {
    return stream_;
  }
  int multiprocessors() const
  {
    return multiprocessors_;
  }
  void make_current(bool green) const
  {
    EXPECT_EQ(set_current_(green ? context_ : primary_), CUDA_SUCCESS);
  }

private:
  bool is_there_                      = false;
  int multiprocessors_                = 0;
  CUgreenCtx green_                   = nullptr;
  CUcontext context_                  = nullptr;
  CUcontext primary_                  = nullptr;
  CUstream stream_                    = nullptr;
  CUresult (*set_current_)(CUcontext) = nullptr;
};

// What a scan of floats gives on the whole GPU, and on a stream.
class scans
{
public:
  explicit scans(int n)
      : n_(n)
      , in_(static_cast<std::size_t>(n), 0)
      , out_(static_cast<std::size_t>(n), 0)
      , count_(1, 0)
  {
    in_.upload(badly_conditioned<float>(static_cast<std::size_t>(n)));
    count_.upload({n});
    for (const bool counted : {false, true})
    {
      EXPECT_EQ(queue(counted, nullptr), cudaSuccess);
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      expected_[counted] = out_.download();
    }
  }

  cudaError_t queue(bool counted, cudaStream_t stream) const
  {
    return counted ? lightscan::DeviceScan::InclusiveSum(in_.data(), out_.data(), count_.data(), stream)
                   : lightscan::DeviceScan::InclusiveSum(in_.data(), out_.data(), n_, stream);
  }

  void check_on(cudaStream_t stream, bool counted, bool captured, int most_blocks)
  {
    SCOPED_TRACE(std::to_string(n_) + " items" + (counted ? ", counted" : "") + (captured ? ", captured" : ""));
    out_.poison_all();
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize()); // the green stream does not wait for the legacy one
    cudaGraph_t graph          = nullptr;
    cudaGraphExec_t executable = nullptr;
    if (captured)
    {
      LIGHTSCAN_EXPECT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    }
    const cudaError_t done = queue(counted, stream);
    const int blocks       = lightscan::last_launch().blocks;
    if (captured)
    {
      LIGHTSCAN_EXPECT_CUDA(cudaStreamEndCapture(stream, &graph));
      LIGHTSCAN_EXPECT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
      LIGHTSCAN_EXPECT_CUDA(cudaGraphLaunch(executable, stream));
    }
    ASSERT_EQ(done, cudaSuccess);
    LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
    EXPECT_LE(blocks, most_blocks);
    ASSERT_EQ(out_.download(), expected_[counted]);
    if (captured)
    {
      LIGHTSCAN_EXPECT_CUDA(cudaGraphExecDestroy(executable));
      LIGHTSCAN_EXPECT_CUDA(cudaGraphDestroy(graph));
    }
  }

private:
  int n_;
  guarded_memory<float> in_;
  guarded_memory<float> out_;
  guarded_memory<int> count_;
  std::vector<float> expected_[2];
};
} // namespace

TEST(green_context, bounds_the_grid_and_leaves_the_bits)
{
  const green_context part;
  if (!part.is_there())
  {
    GTEST_SKIP() << "no green contexts with this driver and GPU";
  }
  for (const int n : {1000, 300000, 1 << 20, (1 << 24) + 5})
  {
    scans all(n);
    // One tile each, in blocks that wait for those before them only, may be more than have room at once.
    const int most_blocks = n > 2000000 ? part.multiprocessors() : 1 << 20;
    for (const bool current : {false, true})
    {
      part.make_current(current);
      for (const bool counted : {false, true})
      {
        for (const bool captured : {false, true})
        {
          ASSERT_NO_FATAL_FAILURE(all.check_on(part.stream(), counted, captured, most_blocks));
        }
        ASSERT_NO_FATAL_FAILURE(all.check_on(cudaStreamLegacy, counted, false, current ? most_blocks : 1 << 20));
      }
    }
    part.make_current(false);
    ASSERT_NO_FATAL_FAILURE(all.check_on(part.stream(), false, false, most_blocks));
  }
}
#else
TEST(green_context, bounds_the_grid_and_leaves_the_bits)
{
  GTEST_SKIP() << "this toolkit has no streams of green contexts";
}
#endif
