// Rule: every arithmetic type (bool: ../scan_test.cu), and trivially copyable structs of up to 16 bytes.
#include "../support/launched_shape.h"
#include "../support/random_values.h"
#include "../support/scan_check.h"

using namespace testing_support;
using lightscan::carry::default_transport;
using lightscan::util::no_init;

template <class T>
class element_type : public ::testing::Test
{};

using element_types = ::testing::Types<char,
                                       signed char,
                                       unsigned char,
                                       short,
                                       unsigned short,
                                       int,
                                       unsigned,
                                       long,
                                       unsigned long,
                                       long long,
                                       unsigned long long,
                                       float,
                                       double,
                                       words_of_size<3>,
                                       words_of_size<4>,
                                       bytes_of_size<5>,
                                       bytes_of_size<7>,
                                       bytes_of_size<13>,
                                       bytes_of_size<15>>;
TYPED_TEST_SUITE(element_type, element_types);

TYPED_TEST(element_type, sums)
{
  using T                 = TypeParam;
  const std::int64_t tile = launched_shape<T>().tile_items;
  for (const std::int64_t n : {std::int64_t{1}, tile - 1, 1000 * tile / 7, 300 * tile + 17})
  {
    const std::vector<T> input = random_values<T>(static_cast<std::size_t>(n));
    ASSERT_NO_FATAL_FAILURE((check_scan<default_transport, true>(input, no_init{}, plus{}, {}, kernels::bulk_only)));
    ASSERT_NO_FATAL_FAILURE((check_scan<default_transport, true>(input, no_init{}, plus{}, {}, kernels::plain_only)));
  }
}
