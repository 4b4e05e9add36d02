// Slots: values as words, words with tags, and where the ring puts them.
#include <lightscan/carry/slot.h>
#include <lightscan/tile/scan_kind.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace
{
namespace carry = lightscan::carry;
using carry::slot_position;

static_assert(carry::pack(0x89abcdefu, 0x01234567u) == 0x0123456789abcdefull, "payload low, tag high");

TEST(slot_word, gives_back_payload_and_tag)
{
  const std::uint32_t values[] = {0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu, 0x12345678u};
  for (const std::uint32_t payload : values)
  {
    for (const std::uint32_t tag : values)
    {
      const carry::slot_word word = carry::pack(payload, tag);
      EXPECT_EQ(carry::payload_of(word), payload);
      EXPECT_EQ(carry::tag_of(word), tag);
    }
  }
}

template <int Size>
struct bytes
{
  unsigned char byte[Size];

  explicit bytes(unsigned seed) // and so no default constructor
  {
    for (int i = 0; i < Size; ++i)
    {
      byte[i] = static_cast<unsigned char>(seed * 37 + static_cast<unsigned>(i) * 101 + 13);
    }
  }
};

template <class T>
bool same_bytes(const T& a, const T& b)
{
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
class slots_of : public ::testing::Test
{};

using element_types = ::testing::Types<bytes<1>,
                                       bytes<2>,
                                       bytes<3>,
                                       bytes<4>,
                                       bytes<5>,
                                       bytes<6>,
                                       bytes<7>,
                                       bytes<8>,
                                       bytes<9>,
                                       bytes<10>,
                                       bytes<11>,
                                       bytes<12>,
                                       bytes<13>,
                                       bytes<14>,
                                       bytes<15>,
                                       bytes<16>>;
TYPED_TEST_SUITE(slots_of, element_types);

TYPED_TEST(slots_of, values_become_words_and_values_again)
{
  using T = TypeParam;
  ASSERT_EQ(lightscan::util::words<T>::count, static_cast<int>(sizeof(T) + 3) / 4);
  for (unsigned seed = 0; seed < 50; ++seed)
  {
    const T value                         = T(seed);
    const lightscan::util::words<T> words = lightscan::util::to_words(value);
    ASSERT_TRUE(same_bytes(lightscan::util::from_words<T>(words).value, value));
    // The rest of the last word is zero: equal values make equal words.
    const unsigned char* const begin = reinterpret_cast<const unsigned char*>(words.word);
    for (std::size_t i = sizeof(T); i < sizeof(words.word); ++i)
    {
      ASSERT_EQ(begin[i], 0);
    }
  }
}

TYPED_TEST(slots_of, published_values_are_read_back)
{
  using T                        = TypeParam;
  constexpr int log2_windows     = 2;
  constexpr std::int64_t slots   = std::int64_t{slot_position::window_size} << log2_windows;
  constexpr std::uint32_t before = 40;
  std::vector<carry::slot_word> memory(
    static_cast<std::size_t>(slots * carry::slot_ring<T>::words_per_slot), carry::pack(0xdeadbeefu, before));
  const carry::slot_ring<T> ring(memory.data(), log2_windows, before + 1);

  // Three rounds of the ring. Each slot is empty until its tile is published, and then holds that tile's value.
  for (std::int64_t tile = 0; tile < 3 * slots; ++tile)
  {
    const slot_position at = slot_position::of(tile);
    carry::slot_reading<T> reading;
    reading.template load<carry::atomic_transport>(ring.first_word(at));
    ASSERT_FALSE(reading.carries(ring.tag(at.window))) << tile;

    const T value = T(static_cast<unsigned>(tile));
    ring.template publish<carry::atomic_transport>(ring.address_of(tile), value);
    reading.template load<carry::atomic_transport>(ring.first_word(at));
    ASSERT_TRUE(reading.carries(ring.tag(at.window))) << tile;
    ASSERT_TRUE(same_bytes(reading.value().value, value)) << tile;
  }
}

TYPED_TEST(slots_of, half_published_values_are_not_taken)
{
  using T = TypeParam;
  std::vector<carry::slot_word> memory(slot_position::window_size * carry::slot_ring<T>::words_per_slot, 0);
  const carry::slot_ring<T> ring(memory.data(), 0, 9);
  for (int missing = 0; missing < carry::slot_ring<T>::words_per_slot; ++missing)
  {
    ring.template publish<carry::atomic_transport>(ring.address_of(17), T(3));
    carry::slot_word* const first                   = ring.first_word(slot_position::of(17));
    first[missing * carry::slot_ring<T>::next_word] = carry::pack(5, 8);
    carry::slot_reading<T> reading;
    reading.template load<carry::atomic_transport>(first);
    EXPECT_FALSE(reading.carries(9)) << missing;
  }
}

TYPED_TEST(slots_of, every_word_of_the_ring_belongs_to_one_slot)
{
  using T = TypeParam;
  for (int log2_windows = 0; log2_windows < 4; ++log2_windows)
  {
    const std::int64_t slots = std::int64_t{slot_position::window_size} << log2_windows;
    std::vector<carry::slot_word> memory(static_cast<std::size_t>(slots * carry::slot_ring<T>::words_per_slot));
    const carry::slot_ring<T> ring(memory.data(), log2_windows, 1);
    std::set<const carry::slot_word*> taken;
    for (std::int64_t tile = 5 * slots; tile < 6 * slots; ++tile) // from the sixth round on, say
    {
      const carry::slot_word* const first = ring.first_word(slot_position::of(tile));
      ASSERT_EQ(first, ring.first_word(slot_position::of(tile + slots)));
      for (int w = 0; w < carry::slot_ring<T>::words_per_slot; ++w)
      {
        const carry::slot_word* const word = first + w * carry::slot_ring<T>::next_word;
        ASSERT_GE(word, memory.data());
        ASSERT_LT(word, memory.data() + memory.size());
        ASSERT_TRUE(taken.insert(word).second) << "tile " << tile << " word " << w;
      }
    }
    ASSERT_EQ(taken.size(), memory.size());
  }
}

// Of a launch with few tiles, all slots lie in the first half of a window; of one with more, in as many halves as it takes.
template <class T>
void check_halves(int halves, int log2_windows)
{
  const int tiles = halves * slot_position::lanes_of_line * slot_position::slots_per_lane;
  std::vector<carry::slot_word> memory(static_cast<std::size_t>(tiles * carry::slot_ring<T>::words_per_slot));
  const carry::slot_ring<T> ring(memory.data(), log2_windows, 1);
  std::set<const carry::slot_word*> taken;
  for (std::int64_t tile = 0; tile < tiles; ++tile)
  {
    const T value = T(static_cast<unsigned>(tile));
    ring.template publish<carry::atomic_transport>(ring.address_of(tile), value);
    carry::slot_word* const first = ring.first_word(slot_position::of(tile));
    for (int w = 0; w < carry::slot_ring<T>::words_per_slot; ++w)
    {
      const carry::slot_word* const word = first + w * carry::slot_ring<T>::next_word;
      ASSERT_TRUE(memory.data() <= word && word < memory.data() + memory.size()) << "tile " << tile;
      ASSERT_TRUE(taken.insert(word).second) << "tile " << tile << " word " << w;
    }
    carry::slot_reading<T> reading;
    reading.template load<carry::atomic_transport>(first);
    ASSERT_TRUE(reading.carries(ring.tag(0)));
    ASSERT_TRUE(same_bytes(reading.value().value, value));
  }
  ASSERT_EQ(taken.size(), memory.size());
}

TYPED_TEST(slots_of, tiles_fill_halves_of_windows)
{
  check_halves<TypeParam>(1, 0);
  check_halves<TypeParam>(3, 1);
  check_halves<TypeParam>(5, 2);
}

// Readers share the copies out; publishers write them all, alone or as several lanes.
TYPED_TEST(slots_of, copies_all_hold_what_is_published)
{
  using T                    = TypeParam;
  constexpr int log2_windows = 1;
  constexpr int copies       = 4;
  const std::size_t words = std::size_t{copies} * 2 * slot_position::window_size * carry::slot_ring<T>::words_per_slot;
  std::vector<carry::slot_word> memory(words, 0);
  std::uint32_t tag = 1;
  for (const int lanes : {1, 2, 5, 32})
  {
    const carry::slot_ring<T> now(memory.data(), log2_windows, tag++, copies);
    for (std::int64_t tile = 0; tile < 2 * slot_position::window_size; ++tile)
    {
      for (int lane = 0; lane < lanes; ++lane)
      {
        now.template publish<carry::atomic_transport>(
          now.address_of(tile, lane), T(static_cast<unsigned>(tile)), lane, lanes);
      }
    }
    std::set<const carry::slot_word*> taken;
    for (unsigned block = 0; block < copies; ++block)
    {
      for (std::int64_t tile = 0; tile < 2 * slot_position::window_size; ++tile)
      {
        const slot_position at              = slot_position::of(tile);
        const carry::slot_word* const first = now.copy_for(block).first_word(at);
        ASSERT_TRUE(taken.insert(first).second) << "two copies at one address";
        ASSERT_EQ(first, now.copy_for(block + copies).first_word(at));
        carry::slot_reading<T> reading;
        reading.template load<carry::atomic_transport>(now.copy_for(block).first_word(at));
        ASSERT_TRUE(reading.carries(now.tag(at.window))) << "tile " << tile << ", block " << block << ", " << lanes;
        ASSERT_TRUE(same_bytes(reading.value().value, T(static_cast<unsigned>(tile))));
      }
    }
  }
}

// Runs of a scan by key: the flag takes no word of its own where it would need one, and what pads a run at its end none.
template <class Run>
class slots_of_runs : public ::testing::Test
{};

template <class Key, class Value, int Words>
struct run_of
{
  using type                 = lightscan::tile::keyed<Key, Value>;
  static constexpr int words = Words;
};

using run_types = ::testing::Types<run_of<std::int32_t, float, 3>,
                                   run_of<std::int32_t, double, 4>,
                                   run_of<std::int64_t, float, 5>,
                                   run_of<std::int64_t, double, 6>,
                                   run_of<std::int16_t, double, 4>,
                                   run_of<std::uint8_t, std::int16_t, 1>,
                                   run_of<std::uint8_t, std::uint8_t, 1>,
                                   run_of<std::int16_t, std::uint8_t, 2>,
                                   run_of<std::int8_t, float, 2>,
                                   run_of<float, std::int8_t, 3>>;
TYPED_TEST_SUITE(slots_of_runs, run_types);

TYPED_TEST(slots_of_runs, keep_key_value_and_flag)
{
  using run  = typename TypeParam::type;
  using ring = carry::slot_ring<run>;
  EXPECT_EQ(+ring::words_per_slot, +TypeParam::words);
  std::vector<carry::slot_word> memory(slot_position::window_size * ring::words_per_slot, 0);
  const run any{};
  const auto* const first_byte = reinterpret_cast<const unsigned char*>(&any);
  EXPECT_EQ(reinterpret_cast<const unsigned char*>(&any.broken) - first_byte,
            static_cast<std::ptrdiff_t>(run::bytes_before_broken));
  std::uint32_t tag = carry::last_tag - 5;
  for (int i = 0; i < 5; ++i, ++tag)
  {
    const ring now(memory.data(), 0, tag);
    for (const bool broken : {i % 2 == 0, i % 2 == 1})
    {
      const run sent{static_cast<decltype(run::first)>(37 * i + 1),
                     static_cast<decltype(run::last)>(59 * i + 2),
                     static_cast<decltype(run::value)>(7 * i + 3),
                     broken};
      EXPECT_EQ(lightscan::util::from_words<run>(lightscan::util::to_words(sent)).value.broken, broken);
      now.template publish<carry::atomic_transport>(now.address_of(7), sent);
      carry::slot_reading<run> reading;
      reading.template load<carry::atomic_transport>(now.first_word(slot_position::of(7)));
      ASSERT_TRUE(reading.carries(tag));
      EXPECT_FALSE(reading.carries(tag + 1) || reading.carries(tag - 1)) << "another launch's";
      const run read = reading.value().value;
      EXPECT_EQ(read.first, sent.first);
      EXPECT_EQ(read.last, sent.last);
      EXPECT_EQ(read.value, sent.value);
      EXPECT_EQ(read.broken, sent.broken);
      for (int missing = 0; missing < ring::words_per_slot; ++missing)
      {
        carry::slot_reading<run> half = reading;
        for (const std::uint32_t flag : {0u, 1u << 31})
        {
          half.word[missing] = carry::pack(5, (tag - 1) | flag);
          EXPECT_FALSE(half.carries(tag)) << missing;
        }
      }
    }
  }
}

TEST(slot_position, cuts_tiles_into_windows_lanes_and_indices)
{
  std::vector<std::int64_t> tiles;
  for (std::int64_t tile = 0; tile < 1000; ++tile)
  {
    tiles.push_back(tile);
    tiles.push_back((std::int64_t{1} << 31) - 500 + tile);
    tiles.push_back((std::int64_t{1} << 32) - 500 + tile);
  }
  for (const std::int64_t tile : tiles)
  {
    const slot_position at = slot_position::of(tile);
    ASSERT_TRUE(0 <= at.lane && at.lane < slot_position::lanes) << tile;
    ASSERT_TRUE(0 <= at.index && at.index < slot_position::slots_per_lane) << tile;
    ASSERT_EQ((at.window * slot_position::lanes + at.lane) * slot_position::slots_per_lane + at.index, tile);
  }
}

TEST(slot_ring, gives_each_round_the_next_tag)
{
  const carry::slot_ring<int> ring(nullptr, 3, 100);
  EXPECT_EQ(ring.tag(0), 100u);
  EXPECT_EQ(ring.tag(7), 100u);
  EXPECT_EQ(ring.tag(8), 101u);
  EXPECT_EQ(ring.tag(8 * 1000 - 1), 100u + 999u);
  EXPECT_EQ(ring.tag((std::int64_t{1} << 33) + 8), 100u + (1u << 30) + 1u);
}

TEST(slot_ring, lays_neighbouring_lanes_side_by_side)
{
  std::vector<carry::slot_word> memory(2 * slot_position::window_size);
  const carry::slot_ring<double> ring(memory.data(), 0, 1);
  for (int lane = 1; lane < slot_position::lanes; ++lane)
  {
    if (lane % slot_position::lanes_of_line == 0)
    {
      continue; // begins another line
    }
    EXPECT_EQ(ring.first_word({0, lane, 2}), ring.first_word({0, lane - 1, 2}) + 1);
  }
}
} // namespace
