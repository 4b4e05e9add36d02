// Rule: both transports give the same, right result; the carry's slots are used again round after round; sizes beyond 2^28.
#include "../support/random_values.h"
#include "../support/scan_check.h"

using namespace testing_support;
using namespace lightscan::carry;
using lightscan::util::no_init;

namespace
{
template <class Transport, class T, class Op>
void check_transport(Op op)
{
  for (const std::int64_t n : {1, 100000, 20000003})
  {
    const std::vector<T> input = random_values<T>(static_cast<std::size_t>(n));
    for (const kernels allowed : {kernels::bulk_only, kernels::plain_only})
    {
      ASSERT_NO_FATAL_FAILURE((check_scan<Transport, true>(input, no_init{}, op, {}, allowed)));
      ASSERT_NO_FATAL_FAILURE((check_scan<Transport, false>(input, T{}, op, {}, allowed, 17)));
    }
  }
}

template <class Transport>
void check_types()
{
  check_transport<Transport, int>(plus{});
  check_transport<Transport, double>(plus{});
  check_transport<Transport, words_of_size<4>>(plus{});
}
} // namespace

TEST(transports, lookahead_by_atomics)
{
  check_types<atomic_transport>();
}

TEST(transports, lookahead_by_cg)
{
  check_types<cg_transport>();
}

TEST(transports, lookahead_gives_the_same_bits_on_any_number_of_blocks)
{
  using problem        = lightscan::dispatch::scan_problem<float, const float*, float*, plus, no_init, true>;
  const std::int64_t n = 30000001;
  std::vector<float> values(static_cast<std::size_t>(n));
  std::mt19937_64 engine(seed());
  for (float& value : values)
  {
    value = std::ldexp(static_cast<float>(engine() % 2000) - 1000.0f, static_cast<int>(engine() % 40) - 20);
  }
  guarded_memory<float> in(values.size(), 0);
  guarded_memory<float> out(values.size(), 0);
  ASSERT_NO_FATAL_FAILURE(in.upload(values));
  for (const kernels allowed : {kernels::bulk_only, kernels::plain_only})
  {
    std::vector<float> first;
    for (const int blocks : {0, 1, 2, 7, 31, 66, 0})
    {
      out.poison_all();
      ASSERT_TRUE(
        (lightscan::dispatch::launcher<problem>(problem{in.data(), out.data(), n, {}, {}}, nullptr, allowed, blocks)
           .run()));
      const std::vector<float> now = out.download();
      if (first.empty())
      {
        first = now;
      }
      ASSERT_EQ(std::memcmp(first.data(), now.data(), now.size() * sizeof(float)), 0) << blocks << " blocks";
    }
  }
}

TEST(transports, two_to_the_28_and_3)
{
  std::vector<int> input((std::size_t{1} << 28) + 3);
  std::uint32_t state = static_cast<std::uint32_t>(seed());
  for (int& value : input)
  {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>(state);
  }
  check_scan<default_transport, true>(input, no_init{}, plus{}, {}, kernels::best);
}
