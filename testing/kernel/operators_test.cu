// Rule: plus, max, multiplies, and a non-commutative operator on an 8-byte struct; inclusive and exclusive.
#include "../support/random_values.h"
#include "../support/scan_check.h"

using namespace testing_support;
using lightscan::carry::default_transport;
using lightscan::util::no_init;

namespace
{
template <class T, class Op>
void check_operator(Op op, T init)
{
  for (const std::int64_t n : {1, 1000, 262144, 3000017})
  {
    const std::vector<T> input = random_values<T>(static_cast<std::size_t>(n));
    for (const kernels allowed : {kernels::bulk_only, kernels::plain_only})
    {
      ASSERT_NO_FATAL_FAILURE((check_scan<default_transport, true>(input, no_init{}, op, {}, allowed)));
      ASSERT_NO_FATAL_FAILURE((check_scan<default_transport, true>(input, init, op, {}, allowed)));
      ASSERT_NO_FATAL_FAILURE((check_scan<default_transport, false>(input, init, op, {}, allowed)));
    }
  }
}
} // namespace

TEST(operators, plus)
{
  check_operator<int>(plus{}, 42);
  check_operator<float>(plus{}, 3.0f);
}

TEST(operators, maximum)
{
  check_operator<int>(maximum{}, -5);
  check_operator<double>(maximum{}, -1.0);
}

TEST(operators, multiplies)
{
  check_operator<unsigned>(multiplies{}, 3u);
}

TEST(operators, a_non_commutative_one)
{
  check_operator<affine>(compose{}, affine{5, 7});
}
