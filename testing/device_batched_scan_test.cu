// Rule: lightscan::DeviceBatchedScan scans each line along an axis for itself: arrays of any shape, with gaps or without, forward and
// backward, in all forms, in place or not; the operator joins neighbours of one line only; the same bits on any number of blocks.
#include "support/entry_check.h"
#include "support/strict_join.h"

#include <lightscan/device_batched_scan.h>
#include <lightscan/path.h>

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cuda/std/functional>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

using namespace testing_support;
using lightscan::axis;
using lightscan::axis_strides;
using lightscan::DeviceBatchedScan;
using lightscan::in_device_memory;
using lightscan::util::no_init;

namespace
{
std::size_t place_of(const axis_strides& strides, std::int64_t o, std::int64_t i, std::int64_t k)
{
  return static_cast<std::size_t>(o * strides.outer + i * strides.along + k);
}

std::size_t reach_of(const axis& along, const axis_strides& strides)
{
  return place_of(strides, along.outer - 1, along.length - 1, along.inner - 1) + 1;
}

// Writes the scans of all lines of `in` to `out`, which may be the same.
template <bool Inclusive, class T, class Init, class Op>
void host_scan_of_lines(const axis& along, const std::vector<T>& in, std::vector<T>& out, Init init, Op op)
{
  for (std::int64_t o = 0; o < along.outer; ++o)
  {
    for (std::int64_t k = 0; k < along.inner; ++k)
    {
      T running{};
      for (std::int64_t i = 0; i < along.length; ++i)
      {
        const std::int64_t at = along.reverse ? along.length - 1 - i : i;
        const T value         = in[place_of(along.input, o, at, k)];
        const T before        = running;
        running               = i == 0 ? value : op(running, value);
        T& result             = out[place_of(along.output, o, at, k)];
        if constexpr (std::is_same_v<Init, no_init>)
        {
          result = running;
        }
        else
        {
          result = Inclusive ? op(init, running) : i == 0 ? init : op(init, before);
        }
      }
    }
  }
}

// Element i of a line is the interval [i + 1, i + 2): a result names the elements that it is the fold of.
void check_intervals(const axis& along, std::size_t misalignment, bool in_place, std::size_t of_output = 1)
{
  SCOPED_TRACE(std::to_string(along.outer) + " x " + std::to_string(along.length) + " x " + std::to_string(along.inner)
               + ", strides " + std::to_string(along.input.along) + ", " + std::to_string(along.input.outer)
               + (along.reverse ? ", backward" : "") + (in_place ? ", in place" : ""));
  const interval in_gap{7, 7};
  std::vector<interval> input(reach_of(along, along.input), in_gap);
  std::vector<interval> expected(reach_of(along, along.output), in_gap);
  for (std::int64_t o = 0; o < along.outer; ++o)
  {
    for (std::int64_t i = 0; i < along.length; ++i)
    {
      for (std::int64_t k = 0; k < along.inner; ++k)
      {
        const std::int64_t position               = along.reverse ? along.length - 1 - i : i;
        input[place_of(along.input, o, i, k)]     = interval_of(position);
        expected[place_of(along.output, o, i, k)] = {1, static_cast<std::uint32_t>(position) + 2};
      }
    }
  }
  guarded_memory<interval> in(input.size(), misalignment);
  guarded_memory<interval> out(expected.size(), of_output);
  in.upload(input);
  out.upload(std::vector<interval>(expected.size(), in_gap));
  guarded_memory<unsigned long long> bad_calls(1, 0);
  bad_calls.upload({0});
  interval* const to = in_place ? in.data() : out.data();
  ASSERT_EQ(DeviceBatchedScan::InclusiveScan(in.data(), to, along, strict_join{bad_calls.data()}), cudaSuccess);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  const std::vector<interval> results = in_place ? in.download() : out.download();
  for (std::size_t i = 0; i < results.size(); ++i)
  {
    ASSERT_EQ(results[i].begin, expected[i].begin) << "at " << i << " of " << results.size();
    ASSERT_EQ(results[i].end, expected[i].end) << "at " << i << " of " << results.size();
  }
  EXPECT_EQ(bad_calls.download()[0], 0u) << "calls with elements that are no neighbours of one line";
  in.expect_guards_untouched();
  out.expect_guards_untouched();
}

axis with_gaps(axis along, std::int64_t between_layers, std::int64_t between_outers)
{
  along.input.along += between_layers;
  along.input.outer = along.length * along.input.along + between_outers;
  along.output      = along.input;
  return along;
}
} // namespace

TEST(device_batched_scan, arrays_of_any_shape)
{
  for (const std::int64_t n : {1, 1000, 70000, 2000003})
  {
    for (const std::int64_t inner : {1, 2, 3, 7, 8, 16, 31, 32, 33, 64, 100, 129, 1000, 4096})
    {
      for (const std::int64_t length : {1, 2, 5, 64, 129, 1000, 3000, 100000})
      {
        const std::int64_t outer = n / (length * inner);
        if (outer > 0 || length * inner <= 2 * n)
        {
          axis along(outer > 0 ? outer : 1, length, inner);
          along.reverse = (length + inner) % 3 == 0;
          ASSERT_NO_FATAL_FAILURE(check_intervals(along, static_cast<std::size_t>(length % 3), outer % 2 == 0));
        }
      }
    }
  }
}

TEST(device_batched_scan, arrays_with_gaps)
{
  for (const std::int64_t inner : {1, 2, 5, 32, 50, 300})
  {
    for (const std::int64_t length : {1, 3, 100, 20000})
    {
      axis along = with_gaps(axis(1 + 100000 / (inner * length), length, inner), length % 5, 3);
      ASSERT_NO_FATAL_FAILURE(check_intervals(along, 0, false));
      along.reverse = true;
      ASSERT_NO_FATAL_FAILURE(check_intervals(along, 1, true));
      along.output = {along.outer * along.inner, along.inner}; // the axis before all others
      ASSERT_NO_FATAL_FAILURE(check_intervals(along, 0, false));
    }
  }
}

// So many lines of several tiles that blocks take them as a whole.
TEST(device_batched_scan, lines_of_several_tiles_with_gaps)
{
  axis along = with_gaps(axis(400, 5000, 3), 2, 3);
  ASSERT_NO_FATAL_FAILURE(check_intervals(along, 0, false));
  along.reverse = true;
  ASSERT_NO_FATAL_FAILURE(check_intervals(along, 1, true));
}

// The pipeline's: tiles of stretches, with lines that begin within them.
TEST(device_batched_scan, long_lines_in_narrow_layers)
{
  for (const std::int64_t inner : {2, 3, 7, 16})
  {
    for (const std::int64_t outer : {1, 3})
    {
      axis along(outer, 1500000 / inner / outer, inner);
      along.reverse = inner == 7;
      ASSERT_NO_FATAL_FAILURE(check_intervals(along, 1, inner == 3));
      const lightscan::launch_report& report = lightscan::last_launch();
      if (lightscan::batched::has_bulk_copies(report.compiled_for))
      {
        EXPECT_GT(report.threads, 512) << "not through the pipeline";
      }
    }
  }
}

// The pipeline's, in bands: for each some blocks, or one; with gaps between layers, lines that begin within tiles, a narrower last band.
TEST(device_batched_scan, long_lines_in_wide_layers)
{
  namespace batched       = lightscan::batched;
  axis pitched            = with_gaps(axis(1, 8000, 500), 12, 0);
  axis other_way          = axis(2, 2000, 1000);
  other_way.reverse       = true;
  axis to_a_pitch         = axis(1, 4000, 1000);
  to_a_pitch.output.along = 1004;
  int in_bands            = 0;
  for (const axis& along :
       {axis(1, 4000, 1000), axis(2, 2000, 1000), other_way, pitched, to_a_pitch, axis(1, 1100, 4224)})
  {
    const bool in_place = along.length == 2000 && !along.reverse;
    ASSERT_NO_FATAL_FAILURE(check_intervals(along, 0, in_place, 0));
    if (batched::access_by_copies<sizeof(interval)>(along, multiprocessors()) == batched::access::bands
        && batched::has_bulk_copies(lightscan::last_launch().compiled_for))
    {
      ++in_bands;
      EXPECT_GT(lightscan::last_launch().threads, 512) << "not in bands";
    }
  }
  EXPECT_EQ(in_bands > 0, batched::has_bulk_copies(lightscan::last_launch().compiled_for));
}

TEST(device_batched_scan, long_lines_in_wide_layers_of_4_bytes)
{
  axis along(1, 8000, 1000);
  for (const bool reverse : {false, true})
  {
    along.reverse                          = reverse;
    const std::vector<std::uint32_t> input = random_values<std::uint32_t>(reach_of(along, along.input), 7);
    std::vector<std::uint32_t> expected(input.size());
    host_scan_of_lines<true>(along, input, expected, no_init{}, plus{});
    guarded_memory<std::uint32_t> in(input.size(), 0);
    guarded_memory<std::uint32_t> out(input.size(), 0);
    in.upload(input);
    ASSERT_EQ(DeviceBatchedScan::InclusiveSum(in.data(), out.data(), along), cudaSuccess);
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, "sums"));
    out.expect_guards_untouched();
  }
}

// Lines that go on through thousands of tiles, in all windows and parts of them, or in stretches of the pipeline.
TEST(device_batched_scan, long_lines)
{
  for (const std::int64_t inner : {1, 3, 16, 32, 100})
  {
    axis along(1, 12000000 / inner, inner);
    ASSERT_NO_FATAL_FAILURE(check_intervals(along, 0, true));
    along.reverse = true;
    ASSERT_NO_FATAL_FAILURE(check_intervals(along, 1, false));
  }
}

namespace
{
template <class T, class Op>
void check_forms(const axis& along, Op op)
{
  const std::vector<T> values = random_values<T>(reach_of(along, along.input), 3);
  const T init                = random_values<T>(1, 4)[0];
  std::vector<T> expected     = values;
  guarded_memory<T> in(values.size(), 1);
  guarded_memory<T> out(values.size(), 2);
  guarded_memory<T> init_there(1, 0);
  in.upload(values);
  init_there.upload({init});
  const auto check = [&](const char* name, cudaError_t done) {
    ASSERT_EQ(done, cudaSuccess) << name;
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, name));
    out.expect_guards_untouched();
  };
  host_scan_of_lines<true>(along, values, expected, no_init{}, op);
  check("inclusive", DeviceBatchedScan::InclusiveScan(in.data(), out.data(), along, op));
  host_scan_of_lines<true>(along, values, expected, init, op);
  check("inclusive with init", DeviceBatchedScan::InclusiveScanInit(in.data(), out.data(), along, op, init));
  host_scan_of_lines<false>(along, values, expected, init, op);
  check("exclusive", DeviceBatchedScan::ExclusiveScan(in.data(), out.data(), along, op, init, nullptr));
  out.poison_all();
  check("exclusive, init in device memory",
        DeviceBatchedScan::ExclusiveScan(
          in.data(), out.data(), along, op, in_device_memory(static_cast<const T*>(init_there.data()))));
}
} // namespace

TEST(device_batched_scan, every_form_and_type)
{
  for (const std::int64_t inner : {1, 3, 40})
  {
    axis along(3, 4001, inner);
    along.reverse = inner == 1; // or another kernel would serve
    SCOPED_TRACE("inner = " + std::to_string(inner));
    ASSERT_NO_FATAL_FAILURE((check_forms<std::uint8_t>(along, cuda::std::bit_xor<std::uint8_t>{})));
    ASSERT_NO_FATAL_FAILURE((check_forms<std::uint16_t>(along, maximum{})));
    ASSERT_NO_FATAL_FAILURE((check_forms<std::uint32_t>(along, plus{})));
    ASSERT_NO_FATAL_FAILURE((check_forms<std::uint64_t>(along, plus{})));
    ASSERT_NO_FATAL_FAILURE((check_forms<affine>(along, compose{})));
  }
}

namespace
{
// What is summed is of T's.
template <class T, class In, class Out>
void check_sums(const axis& along, std::size_t misalignment)
{
  SCOPED_TRACE(std::to_string(along.outer) + " x " + std::to_string(along.length) + " x " + std::to_string(along.inner)
               + " of " + std::to_string(sizeof(In)) + " to " + std::to_string(sizeof(Out)) + " bytes");
  const std::vector<In> values = random_values<In>(reach_of(along, along.input), 5);
  const std::vector<T> widened(values.begin(), values.end());
  std::vector<T> sums(values.size());
  host_scan_of_lines<true>(along, widened, sums, no_init{}, plus{});
  std::vector<Out> expected;
  for (const T sum : sums)
  {
    expected.push_back(static_cast<Out>(sum));
  }
  guarded_memory<In> in(values.size(), misalignment);
  guarded_memory<Out> out(values.size(), misalignment);
  in.upload(values);
  ASSERT_EQ(DeviceBatchedScan::InclusiveScanInit(in.data(), out.data(), along, cuda::std::plus<T>{}, T{}), cudaSuccess);
  if (misalignment == 0)
  {
    EXPECT_LE(lightscan::last_launch().threads, 64) << "not walked";
  }
  ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, "sums"));
  out.expect_guards_untouched();
}
} // namespace

// So many lines that each thread has some as a whole: by one access each layer where elements lie so.
TEST(device_batched_scan, of_numbers_of_other_sizes)
{
  for (const std::int64_t length : {3, 8, 9, 16, 33, 100})
  {
    for (const std::size_t misalignment : {0, 1})
    {
      const axis along(80, length, 1024);
      ASSERT_NO_FATAL_FAILURE((check_sums<int, std::int8_t, std::int8_t>(along, misalignment)));
      ASSERT_NO_FATAL_FAILURE((check_sums<unsigned, std::uint8_t, std::uint32_t>(along, misalignment)));
      ASSERT_NO_FATAL_FAILURE((check_sums<std::int64_t, std::uint8_t, std::int64_t>(along, misalignment)));
      ASSERT_NO_FATAL_FAILURE((check_sums<int, std::int16_t, std::int16_t>(along, misalignment)));
      ASSERT_NO_FATAL_FAILURE((check_sums<std::int64_t, std::int32_t, std::int32_t>(along, misalignment)));
    }
  }
}

TEST(device_batched_scan, sums_in_two_phases_and_in_a_single_call)
{
  for (const axis& along : {axis(2, 30000, 5), axis(1, 30000, 64), axis(500, 20, 30), axis(300, 1000)})
  {
    const std::vector<unsigned> values = random_values<unsigned>(reach_of(along, along.input), 1);
    std::vector<unsigned> expected(values.size());
    guarded_memory<unsigned> in(values.size(), 0);
    guarded_memory<unsigned> out(values.size(), 1);
    in.upload(values);
    const auto check = [&](auto two_phases, auto at_once) {
      std::size_t bytes = 0;
      ASSERT_EQ(two_phases(static_cast<void*>(nullptr), bytes), cudaSuccess);
      EXPECT_GT(bytes, 0u);
      guarded_memory<unsigned char> storage(bytes, 1);
      std::size_t too_few = bytes - 1;
      const auto poisoned = out.download();
      EXPECT_EQ(two_phases(static_cast<void*>(storage.data()), too_few), cudaErrorInvalidValue);
      LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
      ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), poisoned, "with too little storage"));
      ASSERT_EQ(two_phases(static_cast<void*>(storage.data()), bytes), cudaSuccess);
      LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
      ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, "in two phases"));
      storage.expect_guards_untouched();
      out.poison_all();
      ASSERT_EQ(at_once(), cudaSuccess);
      LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
      ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, "in a single call"));
      out.poison_all();
    };
    host_scan_of_lines<true>(along, values, expected, no_init{}, plus{});
    check(
      [&](void* s, std::size_t& b) {
        return DeviceBatchedScan::InclusiveSum(s, b, in.data(), out.data(), along);
      },
      [&] {
        return DeviceBatchedScan::InclusiveSum(in.data(), out.data(), along);
      });
    host_scan_of_lines<false>(along, values, expected, 0u, plus{});
    check(
      [&](void* s, std::size_t& b) {
        return DeviceBatchedScan::ExclusiveSum(s, b, in.data(), out.data(), along);
      },
      [&] {
        return DeviceBatchedScan::ExclusiveSum(in.data(), out.data(), along, cudaStream_t{});
      });
  }
}

TEST(device_batched_scan, nothing_to_do_and_no_sense)
{
  guarded_memory<unsigned> in(5, 0);
  guarded_memory<unsigned> out(5, 0);
  const auto untouched = out.download();
  for (const axis& along : {axis(0, 5, 1), axis(1, 0, 5), axis(1, 5, 0)})
  {
    EXPECT_EQ(DeviceBatchedScan::InclusiveSum(in.data(), out.data(), along), cudaSuccess);
  }
  for (const axis& along : {axis(-1, 5, 1), axis(1, -1, 5), axis(1, 5, -1)})
  {
    EXPECT_EQ(DeviceBatchedScan::InclusiveSum(in.data(), out.data(), along), cudaErrorInvalidValue);
  }
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), untouched, "output"));
}

TEST(device_batched_scan, captured_and_replayed)
{
  const axis along(2, 100000, 3);
  const std::vector<unsigned> values = random_values<unsigned>(reach_of(along, along.input), 1);
  std::vector<unsigned> expected(values.size());
  host_scan_of_lines<true>(along, values, expected, no_init{}, plus{});
  guarded_memory<unsigned> in(values.size(), 0);
  guarded_memory<unsigned> out(values.size(), 0);
  in.upload(values);
  cudaStream_t stream{};
  cudaGraph_t graph{};
  cudaGraphExec_t replay{};
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  ASSERT_EQ(DeviceBatchedScan::InclusiveSum(in.data(), out.data(), along, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&replay, graph, 0), cudaSuccess);
  for (int time = 0; time < 3; ++time)
  {
    out.poison_all();
    ASSERT_EQ(cudaGraphLaunch(replay, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, "replayed"));
  }
  LIGHTSCAN_EXPECT_CUDA(cudaGraphExecDestroy(replay));
  LIGHTSCAN_EXPECT_CUDA(cudaGraphDestroy(graph));
  LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
}

// Floats, whose sums depend on the order: the same on one block as on all.
TEST(device_batched_scan, has_the_same_bits_on_any_number_of_blocks)
{
  using problem = lightscan::dispatch::batched_problem<float, true, const float*, float*, plus, no_init>;
  for (const axis& along : {axis(1, 200000, 3),
                            axis(1, 30000, 32),
                            axis(3, 700, 1000),
                            axis(1, 8000, 1000), // in bands: more of them than blocks, or fewer
                            axis(1000, 3000, 2),
                            axis(70, 40, 1024),
                            axis(1, 500, 300)})
  {
    const std::vector<float> values = badly_conditioned<float>(reach_of(along, along.input));
    guarded_memory<float> in(values.size(), 0);
    in.upload(values);
    std::vector<float> first;
    for (const int blocks : {0, 1, 7, 100, 0})
    {
      guarded_memory<float> out(values.size(), 0);
      using launcher          = lightscan::dispatch::batched_launcher<problem>;
      const std::size_t bytes = launcher::bytes_for(along, multiprocessors());
      guarded_memory<std::uint64_t> slots(bytes / 8 + 1, 0);
      const problem scan{in.data(), out.data(), along, {}, {}};
      ASSERT_TRUE(launcher(scan, nullptr, blocks).run(slots.data(), bytes));
      EXPECT_EQ(lightscan::last_launch().taken, lightscan::path::batched_kernel);
      const std::vector<float> results = out.download();
      first                            = first.empty() ? results : first;
      ASSERT_NO_FATAL_FAILURE(expect_equal(results, first, "floats"));
    }
  }
}

// Or CUDA's default pool would give it back to the system and take it anew, call by call.
TEST(device_batched_scan, keeps_some_memory_between_calls)
{
  const axis along(1, 300000, 3);
  guarded_memory<unsigned> in(reach_of(along, along.input), 0);
  const auto reserved = [] {
    cudaMemPool_t pool{};
    std::uint64_t bytes = 0;
    EXPECT_TRUE(lightscan::runtime::current_pool(pool));
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &bytes), cudaSuccess);
    return bytes;
  };
  for (int call = 0; call < 2; ++call)
  {
    ASSERT_EQ(DeviceBatchedScan::InclusiveSum(in.data(), in.data(), along), cudaSuccess);
    LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
    EXPECT_GT(reserved(), 0u);
    EXPECT_LE(reserved(), lightscan::runtime::kept_pool_bytes);
  }
}

namespace
{
struct layer_of
{
  std::int64_t inner;

  __host__ __device__ std::int64_t operator()(std::int64_t i) const
  {
    return i / inner;
  }
};

// Takes results; counts them, and those that are wrong sums of ones.
struct checked_count
{
  std::int64_t inner;
  std::int64_t length;
  unsigned long long* seen;
  unsigned long long* wrong;

  __device__ void operator()(std::int64_t i, int count) const
  {
    const unsigned together = __activemask();
    if (static_cast<int>(threadIdx.x % 32) == __ffs(static_cast<int>(together)) - 1)
    {
      atomicAdd(seen, static_cast<unsigned long long>(__popc(together)));
    }
    if (count != static_cast<int>(i / inner % length + 1))
    {
      atomicAdd(wrong, 1ull);
    }
  }
};
} // namespace

TEST(device_batched_scan, of_values_that_iterators_yield)
{
  const axis along(2, 300, 40);
  std::vector<std::int64_t> values(reach_of(along, along.input));
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    values[i] = static_cast<std::int64_t>(i) / along.inner;
  }
  std::vector<std::int64_t> expected(values.size());
  host_scan_of_lines<true>(along, values, expected, no_init{}, plus{});
  guarded_memory<std::int64_t> out(values.size(), 0);
  const auto layers = thrust::make_transform_iterator(
    thrust::counting_iterator<std::int64_t>(0), layer_of{along.inner});
  ASSERT_EQ(DeviceBatchedScan::InclusiveSum(layers, out.data(), along), cudaSuccess);
  ASSERT_NO_FATAL_FAILURE(expect_equal(out.download(), expected, "layers"));
}

// Nothing of so many elements is stored.
TEST(device_batched_scan, beyond_32_bits)
{
  guarded_memory<unsigned long long> counts(2, 0);
  for (const axis& along : {axis(1, 1500000, 3001),
                            axis(40000, 60000, 2),
                            axis(1, std::int64_t{1} << 31, 3),
                            axis(2, 3000000000, 2),
                            axis(2, 2200, 1000000)})
  {
    ASSERT_GT(along.outer * along.length * along.inner, std::int64_t{1} << 32);
    const thrust::constant_iterator<int> ones(1);
    counts.upload({0, 0});
    const auto checks =
      thrust::make_tabulate_output_iterator(checked_count{along.inner, along.length, counts.data(), counts.data() + 1});
    ASSERT_EQ(DeviceBatchedScan::InclusiveSum(ones, checks, along), cudaSuccess);
    const std::vector<unsigned long long> found = counts.download();
    EXPECT_EQ(found[0], static_cast<unsigned long long>(along.outer * along.length * along.inner));
    EXPECT_EQ(found[1], 0u);
  }
}
