// Rule: a user's row that asks for more shared memory than the GPU has is an error, not a slower kernel. Held without a GPU
// (fake_cuda.h).
#define LIGHTSCAN_BULK_ROWS {80, memory, 1, in_place, 4, 0, 5, 128, 176, 3, 6, 2, 1, 163},

#include "../runtime/fake_cuda.h"
#include "../support/operators.h"

#include <lightscan/dispatch/launch.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace
{
namespace dispatch = lightscan::dispatch;
using lightscan::path;
using lightscan::util::no_init;

// A large scan of code for sm_80, on a GPU where a block can have so much shared memory.
template <class T>
lightscan::runtime::outcome scan_with(int shared_kilobytes)
{
  static unsigned contexts    = 0;
  fake_cuda::now              = {};
  fake_cuda::now.context      = 1 + contexts++; // nothing is known of that one
  fake_cuda::now.compiled_for = 80;
  fake_cuda::now.shared_bytes = shared_kilobytes * 1024;
  using problem               = dispatch::scan_problem<T, const T*, T*, testing_support::plus, no_init, true>;
  T* const nowhere            = reinterpret_cast<T*>(4096); // nothing is read or written
  const problem p{nowhere, nowhere, std::int64_t{1} << 28, {}, {}};
  return dispatch::launcher<problem>(p, nullptr).run();
}
} // namespace

TEST(own_rows, serve_where_there_is_as_much_shared_memory_as_they_ask_for)
{
  EXPECT_TRUE(scan_with<int>(163));
  EXPECT_EQ(lightscan::runtime::last_report().taken, path::bulk_pipeline);
  EXPECT_EQ(lightscan::runtime::last_report().tile_items, 128 * 176 / 4);
}

TEST(own_rows, are_an_error_where_there_is_less)
{
  const lightscan::runtime::outcome done = scan_with<int>(99); // sm_86
  EXPECT_EQ(done.error, cudaErrorInvalidConfiguration);
  EXPECT_STREQ(done.doing, "looking for the shared memory of a row of LIGHTSCAN_BULK_ROWS");
  EXPECT_TRUE(fake_cuda::now.launched_grids.empty());
  EXPECT_EQ(lightscan::runtime::last_report().taken, path::none);
}

TEST(own_rows, leave_other_kinds_their_pipeline_there)
{
  EXPECT_TRUE(scan_with<std::int64_t>(99));
  EXPECT_EQ(lightscan::runtime::last_report().taken, path::bulk_pipeline);
}
