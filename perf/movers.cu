#include "movers.h"

#include "random_data.h"

#include <lightscan/bulk/ring.h>
#include <lightscan/ptx/bulk_copy.h>

#include <cuda/atomic>
#include <cuda/ptx>

#include <stdexcept>

namespace perf
{
namespace
{
namespace ptx  = cuda::ptx;
namespace bulk = lightscan::bulk;

using counter = unsigned long long;

// A thread reads 16 / Writes bytes, and writes them Writes times.
template <class Piece, int Writes>
__global__ void move_simply(const Piece* in, uint4* out, std::int64_t words)
{
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < words)
  {
    union
    {
      Piece piece[Writes];
      uint4 word;
    } both;
    const Piece piece = in[i];
    for (int w = 0; w < Writes; ++w)
    {
      both.piece[w] = piece;
    }
    out[i] = both.word;
  }
}

__global__ void __launch_bounds__(64) move_by_ring(
  const char* in, char* out, move_case what, std::int64_t tiles, int stages, ring_settings how, counter* stored)
{
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) char memory[];
  __shared__ bulk::barrier full[move_case::most_stages];
  __shared__ bulk::barrier empty[move_case::most_stages];
  if (threadIdx.x == 0)
  {
    for (int s = 0; s < stages; ++s)
    {
      ptx::mbarrier_init(&full[s], 1);
      ptx::mbarrier_init(&empty[s], 1);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  const cuda::atomic_ref<counter, cuda::thread_scope_device> all_stored(*stored);
  const auto size = static_cast<unsigned>(what.tile_bytes);
  bulk::pipeline_state state(stages, 0);
  if (threadIdx.x == 0)
  {
    const std::uint64_t policy = lightscan::ptx::evict_last_policy();
    bulk::pipeline_state arrived(stages, 0);
    std::int64_t mine = 0;
    for (std::int64_t t = blockIdx.x; t < tiles; t += gridDim.x, ++mine, state.advance(1))
    {
      if (mine >= how.loads_at_once)
      {
        bulk::wait(full[arrived.index()], arrived.phase());
        arrived.advance(1);
      }
      while (how.loads_ahead > 0 && mine >= how.loads_ahead
             && all_stored.load(cuda::memory_order_relaxed)
                  < static_cast<counter>((mine - how.loads_ahead) * gridDim.x))
      {
        __nanosleep(50);
      }
      bulk::wait(empty[state.index()], state.phase() ^ 1);
      bulk::arrive_expecting(full[state.index()], size);
      lightscan::ptx::copy_bulk_to_shared(
        memory + state.index() * what.tile_bytes, in + t * what.tile_bytes, size, &full[state.index()], policy);
    }
  }
  else if (threadIdx.x == 32)
  {
    for (std::int64_t t = blockIdx.x; t < tiles; t += gridDim.x, state.advance(1))
    {
      bulk::wait(full[state.index()], state.phase());
      for (int w = 0; w < what.writes; ++w)
      {
        ptx::cp_async_bulk(ptx::space_global,
                           ptx::space_shared,
                           out + (t * what.writes + w) * what.tile_bytes,
                           memory + state.index() * what.tile_bytes,
                           size);
      }
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
      bulk::arrive(empty[state.index()]);
      all_stored.fetch_add(1, cuda::memory_order_relaxed);
    }
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }
#endif
}

// Counts output words that are not the input's `run` of words written `writes` times.
__global__ void count_wrong(const unsigned* out, std::int64_t run, int writes, std::int64_t count, counter* wrong)
{
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count && out[i] != random_value<unsigned>(i / (run * writes) * run + i % run))
  {
    atomicAdd(wrong, counter{1});
  }
}

unsigned blocks_for(std::int64_t threads, int block)
{
  return static_cast<unsigned>((threads + block - 1) / block);
}
} // namespace

movers::movers()
    : in_(static_cast<std::size_t>(move_case::output_bytes))
    , out_(static_cast<std::size_t>(move_case::output_bytes))
    , counters_(2)
    , watch_(nullptr)
{
  int major = 0;
  require(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "asking for the GPU's generation");
  if (major < 9)
  {
    throw std::runtime_error("bulk copies need a GPU of compute capability 9.0 or newer");
  }
  require(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, 0), "asking for multiprocessors");
  require(cudaFuncSetAttribute(move_by_ring, cudaFuncAttributeMaxDynamicSharedMemorySize, move_case::shared_bytes),
          "asking for shared memory, of which bulk copies want much");
  fill_with_random_values(reinterpret_cast<unsigned*>(in_.data()), move_case::output_bytes / 4, nullptr);
}

double movers::memcpy(const move_case& c) const
{
  const auto half = static_cast<std::size_t>(c.bytes() / 2);
  return watch_.microseconds([&] {
    require(cudaMemcpyAsync(out_.data(), in_.data(), half, cudaMemcpyDeviceToDevice, nullptr), "copying");
  });
}

double movers::simply(const move_case& c) const
{
  constexpr int block      = 256;
  const std::int64_t words = c.bytes_read() * c.writes / 16;
  uint4* const out         = reinterpret_cast<uint4*>(out_.data());
  const double us          = watch_.microseconds([&] {
    const unsigned blocks = blocks_for(words, block);
    switch (c.writes)
    {
      case 1:
        move_simply<uint4, 1><<<blocks, block>>>(reinterpret_cast<const uint4*>(in_.data()), out, words);
        break;
      case 2:
        move_simply<uint2, 2><<<blocks, block>>>(reinterpret_cast<const uint2*>(in_.data()), out, words);
        break;
      default:
        move_simply<unsigned, 4><<<blocks, block>>>(reinterpret_cast<const unsigned*>(in_.data()), out, words);
    }
  });
  require(cudaGetLastError(), "launching the simple mover");
  return us;
}

double movers::by_ring(const move_case& c, const ring_settings& how) const
{
  counter* const stored = counters_.data();
  require(cudaMemsetAsync(stored, 0, sizeof(counter), nullptr), "clearing the counter");
  const auto blocks = static_cast<unsigned>(multiprocessors_);
  const double us   = watch_.microseconds([&] {
    move_by_ring<<<blocks, 64, static_cast<std::size_t>(c.stages() * c.tile_bytes)>>>(
      in_.data(), out_.data(), c, c.tiles(), c.stages(), how, stored);
  });
  require(cudaGetLastError(), "launching the ring");
  return us;
}

void movers::check_simply(const move_case& c) const
{
  poison();
  simply(c);
  expect_runs(c, 16 / c.writes, "the simple mover");
}

void movers::check_by_ring(const move_case& c, const ring_settings& how) const
{
  poison();
  by_ring(c, how);
  expect_runs(c, c.tile_bytes, how.name());
}

void movers::poison() const
{
  require(cudaMemsetAsync(out_.data(), 0xff, out_.bytes(), nullptr), "clearing the output");
}

// The output is the input in runs of so many bytes, each written c.writes times.
void movers::expect_runs(const move_case& c, std::int64_t run_bytes, const std::string& mover) const
{
  counter* const wrong     = counters_.data() + 1;
  const std::int64_t words = c.bytes_read() * c.writes / 4;
  require(cudaMemsetAsync(wrong, 0, sizeof(counter), nullptr), "clearing the counter");
  count_wrong<<<blocks_for(words, 256), 256>>>(
    reinterpret_cast<const unsigned*>(out_.data()), run_bytes / 4, c.writes, words, wrong);
  counter found = 0;
  require(cudaMemcpy(&found, wrong, sizeof found, cudaMemcpyDeviceToHost), "checking what was moved");
  if (found != 0)
  {
    throw std::runtime_error(mover + " moves " + std::to_string(found) + " words wrongly");
  }
}
} // namespace perf
