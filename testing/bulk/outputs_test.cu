// Rule: what is loaded and where results go are types of their own (dispatch/leaves.h, bulk/outputs.h): an iterator may say which
// leaf it is, though the pipeline does not know it, and an output how it takes a tile from its stage.
#include "../support/expect_cuda.h"
#include "../support/guarded_memory.h"
#include "../support/launched_shape.h"
#include "../support/operators.h"

#include <lightscan/dispatch/launch.h>

#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace
{
namespace bulk     = lightscan::bulk;
namespace dispatch = lightscan::dispatch;
namespace tile     = lightscan::tile;

// Memory behind an iterator of the test's own.
struct wrapped
{
  using value_type = int;

  const int* first;

  __host__ __device__ wrapped operator+(std::int64_t n) const
  {
    return {first + n};
  }
  __host__ __device__ int operator*() const
  {
    return *first;
  }
};

// Of every tile the last result, and nothing else.
struct last_of_tile
{
  using columns = bulk::leaf_list<bulk::result_column<int>>;

  int* totals;

  template <class Chunks>
  static __device__ void set(Chunks& chunks, int i, int value)
  {
    cuda::std::get<0>(chunks).set(i, value);
  }

  __device__ bool by_storer() const
  {
    return true;
  }
  __device__ bool by_group() const
  {
    return false;
  }

  template <class View, class Mover>
  __device__ void store(const Mover&, unsigned char* stage, tile::index t, tile::span inside) const
  {
    if (lightscan::warp::lane_id() == 0)
    {
      totals[t] = reinterpret_cast<const int*>(View::template output_area<0>(stage))[inside.last - 1];
    }
  }

  template <class View>
  __device__ void store_by_group(unsigned char*, tile::index, tile::index, tile::span, int) const
  {}
};

struct totals_of_tiles
{
  using value_type = int;

  int* totals;

  __host__ __device__ totals_of_tiles operator+(std::int64_t) const
  {
    return *this;
  }
  __host__ __device__ int& operator*() const
  {
    return *totals;
  }
};

struct totals_output
{
  int* totals;

  last_of_tile starting(int) const
  {
    return {totals};
  }
  int bytes_on_grid(int) const
  {
    return 0;
  }
};
} // namespace

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
template <>
struct leaf_of<wrapped>
{
  static auto get(wrapped it)
  {
    return leaf(it.first);
  }
};
template <>
struct output_of<totals_of_tiles, int>
{
  static auto get(totals_of_tiles it)
  {
    return totals_output{it.totals};
  }
};
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END

namespace
{
using sum = testing_support::plus;
template <class InputIt, class OutputIt>
using problem_of = dispatch::scan_problem<int, InputIt, OutputIt, sum, lightscan::util::no_init, true>;

template <class InputIt, class OutputIt>
constexpr bool served =
  dispatch::bulk_view<dispatch::tuned_policies, tile::scan_kind<int, true>, OutputIt, InputIt>::type::serves;
static_assert(served<wrapped, int*>);
static_assert(served<wrapped, totals_of_tiles>);

std::vector<int> small_numbers(std::size_t count)
{
  std::vector<int> numbers(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    numbers[i] = static_cast<int>(i % 7) - 2;
  }
  return numbers;
}

TEST(outputs, take_what_they_want_of_a_tile)
{
  const std::int64_t tile_items = testing_support::launched_shape<int>().tile_items;
  const std::int64_t n          = 500 * tile_items + 1234;
  const std::vector<int> values = small_numbers(static_cast<std::size_t>(n));
  testing_support::guarded_memory<int> in(values.size(), 0);
  testing_support::guarded_memory<int> totals(501, 0);
  in.upload(values);

  using problem   = problem_of<wrapped, totals_of_tiles>;
  const auto done = dispatch::launcher<problem>(
                      problem{wrapped{in.data()}, {totals.data()}, n, {}, {}}, nullptr, dispatch::kernels::bulk_only)
                      .run();
  ASSERT_TRUE(done) << done.doing;
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  ASSERT_NO_FATAL_FAILURE(totals.expect_guards_untouched());
  const std::vector<int> found = totals.download();
  int expected                 = 0;
  for (std::int64_t i = 0; i < n; ++i)
  {
    expected += values[static_cast<std::size_t>(i)];
    if ((i + 1) % tile_items == 0 || i + 1 == n)
    {
      ASSERT_EQ(found[static_cast<std::size_t>(i / tile_items)], expected) << "tile " << i / tile_items;
    }
  }
}

TEST(leaves, are_what_an_iterator_says_it_is)
{
  const std::int64_t n          = 3000017;
  const std::vector<int> values = small_numbers(static_cast<std::size_t>(n));
  testing_support::guarded_memory<int> in(values.size(), 0);
  testing_support::guarded_memory<int> out(values.size(), 0);
  in.upload(values);

  using problem   = problem_of<wrapped, int*>;
  const auto done = dispatch::launcher<problem>(
                      problem{wrapped{in.data()}, out.data(), n, {}, {}}, nullptr, dispatch::kernels::bulk_only)
                      .run();
  ASSERT_TRUE(done) << done.doing;
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  ASSERT_NO_FATAL_FAILURE(out.expect_guards_untouched());
  const std::vector<int> found = out.download();
  int expected                 = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    expected += values[i];
    ASSERT_EQ(found[i], expected) << i;
  }
}
} // namespace
