// Rule: the storage that lightscan::DeviceScan asks for is little where the items are few: at most twice what cub::DeviceScan asks
// up to 2^16 items (more of wide structs and wide keys), at most 60 KiB up to 2^22, next to nothing for what one tile holds; never
// less for more items. A scan has room in it, wherever its ranges lie and however many items fewer there are.
#include "support/entry_check.h"
#include "support/launched_shape.h"

#include <lightscan/device_scan.h>
#include <lightscan/path.h>

#include <cub/device/device_scan.cuh>

#include <cuda/std/functional>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace testing_support;

namespace
{
template <std::size_t Words>
struct bulk
{
  float word[Words];

  __host__ __device__ bulk operator+(bulk other) const
  {
    for (std::size_t w = 0; w < Words; ++w)
    {
      other.word[w] += word[w];
    }
    return other;
  }
};

// `Most`: how many times CUB's storage ours may be up to 2^16 items, in percent. By key a slot also holds the two keys at the
// ends of a tile's runs, which CUB's has not: with 8 bytes of key or value it is wider than twice CUB's, and for some numbers
// of items so is the storage; and at least half a window of 160 slots is asked for, which for some hundred structs of 256 bytes is
// more, too. These are measured as sm_90; compiled for older GPUs CUB asks for less by some keys (as sm_80 5.01 times as much as
// CUB for int64 keys of int32, where 4.2 is allowed as sm_90).
template <class Value, int Most = 200>
struct sums
{
  static constexpr int most_percent = Most;
  static std::size_t ours(std::int64_t n)
  {
    std::size_t bytes = 0;
    EXPECT_EQ(lightscan::DeviceScan::InclusiveScan(
                nullptr, bytes, static_cast<Value*>(nullptr), static_cast<Value*>(nullptr), cuda::std::plus<>{}, n),
              cudaSuccess);
    return bytes;
  }
  static std::size_t cubs(std::int64_t n)
  {
    std::size_t bytes = 0;
    EXPECT_EQ(cub::DeviceScan::InclusiveScan(nullptr,
                                             bytes,
                                             static_cast<Value*>(nullptr),
                                             static_cast<Value*>(nullptr),
                                             cuda::std::plus<>{},
                                             static_cast<int>(n)),
              cudaSuccess);
    return bytes;
  }
};

template <class Key, class Value, int Most = 200>
struct sums_by_key
{
  static constexpr int most_percent = Most;
  static std::size_t ours(std::int64_t n)
  {
    std::size_t bytes = 0;
    EXPECT_EQ(
      lightscan::DeviceScan::InclusiveSumByKey(
        nullptr, bytes, static_cast<Key*>(nullptr), static_cast<Value*>(nullptr), static_cast<Value*>(nullptr), n),
      cudaSuccess);
    return bytes;
  }
  static std::size_t cubs(std::int64_t n)
  {
    std::size_t bytes = 0;
    EXPECT_EQ(cub::DeviceScan::InclusiveSumByKey(nullptr,
                                                 bytes,
                                                 static_cast<Key*>(nullptr),
                                                 static_cast<Value*>(nullptr),
                                                 static_cast<Value*>(nullptr),
                                                 static_cast<int>(n)),
              cudaSuccess);
    return bytes;
  }
};

template <class Calls>
class storage_of : public ::testing::Test
{};

using all_calls = ::testing::Types<sums<std::int8_t>,
                                   sums<std::int16_t>,
                                   sums<std::int32_t>,
                                   sums<float>,
                                   sums<std::int64_t>,
                                   sums<double>,
                                   sums<bulk<3>>,
                                   sums<bulk<4>>,
                                   sums<bulk<12>>,
                                   sums<bulk<64>, 240>,
                                   sums_by_key<std::int8_t, std::int8_t>,
                                   sums_by_key<std::int32_t, std::int32_t>,
                                   sums_by_key<std::int32_t, float>,
                                   sums_by_key<std::int32_t, double, 420>,
                                   sums_by_key<std::int64_t, std::int32_t, 420>,
                                   sums_by_key<std::int64_t, double, 1010>>;
TYPED_TEST_SUITE(storage_of, all_calls);

TYPED_TEST(storage_of, few_items_is_at_most_twice_cubs)
{
  const int most_percent = TypeParam::most_percent > 200 && compiled_for() < 90 ? TypeParam::most_percent * 5 / 4
                                                                                : TypeParam::most_percent;
  double most            = 0;
  for (std::int64_t n = 1; n <= 1 << 16; n += 1 + n / 50)
  {
    const std::size_t ours = TypeParam::ours(n);
    const std::size_t cubs = TypeParam::cubs(n);
    most                   = std::max(most, static_cast<double>(ours) / static_cast<double>(cubs));
    ASSERT_LE(ours * 100, cubs * most_percent) << n << " items: " << ours << " bytes, CUB " << cubs;
  }
  ::testing::Test::RecordProperty("most_of_cubs", std::to_string(most));
}

TYPED_TEST(storage_of, more_items_is_never_less)
{
  std::size_t before = 0;
  for (std::int64_t n = 1; n < std::int64_t{1} << 40; n += 1 + n / 17)
  {
    const std::size_t bytes = TypeParam::ours(n);
    ASSERT_GE(bytes, before) << n;
    ASSERT_LE(bytes, (std::size_t{320} << 10) + 128) << n;
    before = bytes;
  }
}

// Accumulators of up to eight bytes; for wider ones, at most what CUB asks.
TEST(storage, of_four_million_items_is_at_most_60_kib)
{
  for (const std::int64_t n : {std::int64_t{70000}, std::int64_t{1} << 20, std::int64_t{1} << 22})
  {
    EXPECT_LE(sums<std::int8_t>::ours(n), (60u << 10) + 7);
    EXPECT_LE(sums<std::int16_t>::ours(n), (60u << 10) + 7);
    EXPECT_LE(sums<std::int32_t>::ours(n), (60u << 10) + 7);
    EXPECT_LE(sums<float>::ours(n), (60u << 10) + 7);
    EXPECT_LE(sums<std::int64_t>::ours(n), (60u << 10) + 7);
    EXPECT_LE(sums<double>::ours(n), (60u << 10) + 7);
    EXPECT_LE((sums_by_key<std::int32_t, float>::ours(n)), (60u << 10) + 7);
    EXPECT_LE(sums<bulk<3>>::ours(n), std::max<std::size_t>(sums<bulk<3>>::cubs(n), (60u << 10) + 7));
    EXPECT_LE(sums<bulk<4>>::ours(n), std::max<std::size_t>(sums<bulk<4>>::cubs(n), (60u << 10) + 7));
    EXPECT_LE(sums<bulk<12>>::ours(n), std::max<std::size_t>(sums<bulk<12>>::cubs(n), (60u << 10) + 7));
  }
}

TEST(storage, of_one_tile_is_a_few_bytes)
{
  for (const std::int64_t n : {0, 1, 1000, 4000})
  {
    EXPECT_GE(sums<std::int32_t>::ours(n), 1u) << "cudaMalloc of nothing gives null, which asks for the size";
    EXPECT_LE(sums<std::int32_t>::ours(n), 16u);
  }
}

TEST(storage, holds_a_scan_of_as_many_items_or_fewer_wherever_they_lie)
{
  for (const std::int64_t most : {5000, 65536, 70000, 300000, 1100000, 5000000})
  {
    const std::vector<unsigned> input = random_values<unsigned>(static_cast<std::size_t>(most) + 4);
    guarded_memory<unsigned> in(input.size(), 0);
    guarded_memory<unsigned> out(input.size(), 1);
    ASSERT_NO_FATAL_FAILURE(in.upload(input));
    std::size_t bytes = 0;
    ASSERT_EQ(lightscan::DeviceScan::InclusiveSum(nullptr, bytes, in.data(), out.data(), most), cudaSuccess);
    guarded_memory<unsigned char> storage(bytes, 3);
    for (const std::int64_t n : {most, most - 1, most / 2, most / 7})
    {
      for (int from = 0; from < 4; ++from)
      {
        for (int to = 0; to < 4; to += 3)
        {
          SCOPED_TRACE(std::to_string(n) + " of " + std::to_string(most) + " items, " + std::to_string(from) + " and "
                       + std::to_string(to) + " past the 16-byte grid");
          out.poison_all();
          ASSERT_EQ(lightscan::DeviceScan::InclusiveSum(storage.data(), bytes, in.data() + from, out.data() + to, n),
                    cudaSuccess);
          std::vector<unsigned> expected(static_cast<std::size_t>(n));
          unsigned sum = 0;
          for (std::int64_t i = 0; i < n; ++i)
          {
            expected[static_cast<std::size_t>(i)] = sum += input[static_cast<std::size_t>(i + from)];
          }
          const std::vector<unsigned> all = out.download();
          ASSERT_EQ(std::vector<unsigned>(all.begin() + to, all.begin() + to + n), expected);
          storage.expect_guards_untouched();
        }
      }
    }
    std::size_t less = bytes - 1;
    out.poison_all();
    EXPECT_EQ(
      lightscan::DeviceScan::InclusiveSum(storage.data(), less, in.data(), out.data(), most), cudaErrorInvalidValue);
    EXPECT_EQ(lightscan::last_launch().taken, lightscan::path::none);
    for (const unsigned left : out.download())
    {
      ASSERT_EQ(left, 0x01010101u * guarded_memory<unsigned>::poison);
    }
  }
}
} // namespace
