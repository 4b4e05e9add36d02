// Rule: input and output may each lie any number of elements off 16 bytes.
#include "../support/launched_shape.h"
#include "../support/random_values.h"
#include "../support/scan_check.h"

using namespace testing_support;
using lightscan::carry::default_transport;
using lightscan::util::no_init;

namespace
{
template <class T, class Op>
void check_all_offsets(Op op)
{
  const std::int64_t tile = launched_shape<T>().tile_items;
  const std::size_t steps = 16 / (sizeof(T) & -sizeof(T)); // offsets after which alignment repeats
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{40}, 2 * tile + 1})
  {
    const std::vector<T> input = random_values<T>(static_cast<std::size_t>(n));
    for (std::size_t in = 0; in < steps; ++in)
    {
      for (std::size_t out = 0; out < steps; ++out)
      {
        ASSERT_NO_FATAL_FAILURE(
          (check_scan<default_transport, true>(input, no_init{}, op, {in, out, false}, kernels::bulk_only)));
        ASSERT_NO_FATAL_FAILURE(
          (check_scan<default_transport, true>(input, no_init{}, op, {in, out, false}, kernels::plain_only)));
      }
    }
    for (std::size_t offset = 0; offset < steps; ++offset)
    {
      ASSERT_NO_FATAL_FAILURE(
        (check_scan<default_transport, true>(input, no_init{}, op, {offset, 0, true}, kernels::bulk_only)));
    }
  }
}
} // namespace

TEST(alignment, one_byte)
{
  check_all_offsets<signed char>(plus{});
}

TEST(alignment, two_bytes)
{
  check_all_offsets<short>(plus{});
}

TEST(alignment, four_bytes)
{
  check_all_offsets<int>(plus{});
}

TEST(alignment, eight_bytes)
{
  check_all_offsets<double>(plus{});
}

TEST(alignment, three_bytes)
{
  check_all_offsets<bytes_of_size<3>>(plus{});
}

TEST(alignment, twelve_bytes)
{
  check_all_offsets<words_of_size<3>>(plus{});
}

// Two 4-byte members: at 4 modulo 8 no element ever meets the 16-byte grid. The plain kernel takes such a range element
// by element; the bulk pipeline declines it and says so.
TEST(alignment, a_struct_that_never_meets_the_grid)
{
  using problem = lightscan::dispatch::scan_problem<affine, const affine*, affine*, compose, no_init, true>;
  for (const std::int64_t n : {1, 2, 1000, 100000})
  {
    const std::vector<affine> input = random_values<affine>(static_cast<std::size_t>(n));
    guarded_memory<std::uint32_t> in(2 * static_cast<std::size_t>(n), 1);
    guarded_memory<std::uint32_t> out(2 * static_cast<std::size_t>(n), 3);
    std::vector<std::uint32_t> raw(2 * static_cast<std::size_t>(n));
    std::memcpy(raw.data(), input.data(), raw.size() * 4);
    ASSERT_NO_FATAL_FAILURE(in.upload(raw));
    const problem p{
      reinterpret_cast<const affine*>(in.data()), reinterpret_cast<affine*>(out.data()), n, compose{}, no_init{}};
    const std::vector<affine> expected = host_scan<true>(input, no_init{}, compose{});
    for (const kernels allowed : {kernels::bulk_only, kernels::plain_only})
    {
      out.poison_all();
      const auto done = lightscan::dispatch::launcher<problem>(p, nullptr, allowed).run();
      ASSERT_TRUE(done) << done.doing;
      LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
      const std::vector<std::uint32_t> bits = out.download();
      EXPECT_EQ(std::memcmp(bits.data(), expected.data(), bits.size() * 4), 0) << n;
    }
    in.expect_guards_untouched();
    out.expect_guards_untouched();
  }
}
