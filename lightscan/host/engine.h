// One call on host threads: the blocks' loop over their tiles, and the choice of what runs where.
//
// Each thread is one resident block, with the cyclic distribution and the lookahead of the kernels (../carry/). It
// folds a tile, publishes the aggregate, folds and publishes its next tile, and only then needs the first one's carry:
// that is there by then unless some thread is a whole tile behind. The scan of a tile reads it from the cache.
#pragma once

#include <lightscan/carry/lookahead.h>
#include <lightscan/carry/slot.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/host/elements.h>
#include <lightscan/host/members.h>
#include <lightscan/host/pool.h>
#include <lightscan/host/stream_store.h>
#include <lightscan/host/tile_scan.h>
#include <lightscan/host/transport.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/serial_warp.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
struct default_tuning
{
  // Fewer tiles than this run on the calling thread: waking another takes about as long as a tile.
  static constexpr index tiles_for_threads = 4;
  // Output of so many bytes or more goes past the caches.
  static constexpr index streams_from_bytes = index{32} << 20;
  // Whether a thread asks for a tile's memory while it scans the one before.
  static constexpr bool prefetches = true;
  // Of lines side by side, threads share out bands whose layers have so many bytes or more, if there are so many of these; a band has no
  // more bytes of folds than the nearest cache has room for (lines.h).
  static constexpr index least_bytes_of_layer = index{2} << 10;
  static constexpr index most_bytes_of_folds  = index{16} << 10;
  static constexpr index bands_for_threads    = 16;
};

// Whether values of T go through slots. Others are scanned by the calling thread, from left to right.
template <class T>
inline constexpr bool
  fits_slots = ::cuda::std::is_trivially_copyable_v<T>&& ::cuda::std::is_copy_assignable_v<util::uninitialized<
                 ::cuda::std::conditional_t<::cuda::std::is_trivially_copyable_v<T>, T, int>>> && sizeof(T) <= 256;

inline int default_threads()
{
  // Asked once: it takes a system call.
  static const int there = static_cast<int>(std::thread::hardware_concurrency());
  return there > 0 ? there : 1;
}

// How many threads a call has for which `asked` were asked, 0 for the default; `apart`: several may write its results.
inline int threads_for(int asked, bool apart)
{
  return !apart ? 1 : asked > 0 ? asked : default_threads();
}

// Tiles that a block folds ahead of the one that it scans, itself included; dispatch/plan.h calls them groups.
inline constexpr int tiles_in_flight = 2;

// How many threads take so many tiles in turn.
template <class Tuning>
int threads_for_tiles(index num_tiles, int threads)
{
  return num_tiles < Tuning::tiles_for_threads ? 1 : dispatch::grid_for(num_tiles, threads);
}

// Makes `slots` a ring of empty slots for the tiles of a call. The memory that is returned must outlive it.
template <class Ring>
std::vector<carry::slot_word> slots_for(index num_tiles, int blocks, Ring& slots)
{
  const int log2_windows = dispatch::log2_ring_windows_for(num_tiles, blocks, tiles_in_flight);
  std::vector<carry::slot_word> memory(
    (std::size_t{1} << log2_windows) * carry::slot_position::window_size * Ring::words_per_slot, 0);
  slots = Ring(memory.data(), log2_windows, 1);
  return memory;
}

template <class Tuning, bool Inclusive, class T, class Source, class Results, class Op, class Init>
class call
{
public:
  call(const Source& source, const Results& results, index num_items, const Op& op, const Init& init)
      : source_(source)
      , results_(results)
      , num_items_(num_items)
      , op_(op)
      , init_(init)
  {}

  void run(int wanted_threads)
  {
    const index num_tiles = shape::tiles_of(num_items_);
    if (num_tiles == 1)
    {
      run_single_tile();
      return;
    }
    host_pool::crew crew(threads_for_tiles<Tuning>(num_tiles, wanted_threads));
    blocks_           = crew.members();
    num_tiles_        = num_tiles;
    const auto memory = slots_for(num_tiles, blocks_, slots_);

    run_members(crew, failure_, [this](int block) {
      run_block(block);
    });
  }

private:
  using shape     = tile_shape<T>;
  using lookahead = carry::lookahead<T, Op, transport, warp::serial_warp>;
  using scanner   = tile_scanner<Inclusive, T, Source, Results, Op>;

  void run_single_tile()
  {
    Source source   = source_;
    Results results = results_;
    Op op           = op_;
    strip_values<T> folds;
    fold_strips(source, 0, static_cast<int>((num_items_ - 1) / shape::strip_items), folds, op);
    scanner tiles(source, results, op, num_items_, 0);
    if constexpr (::cuda::std::is_same_v<Init, util::no_init>)
    {
      tiles.scan(0, folds, false, util::uninitialized<T>(folds.of[0]));
    }
    else
    {
      tiles.scan(0, folds, true, util::uninitialized<T>(init_));
    }
    finish_stream_stores();
  }

  // Copies of everything that is the user's: threads share no state of theirs that they did not share themselves.
  void run_block(int block)
  {
    Source source   = source_;
    Results results = results_;
    Op op           = op_;
    lookahead other_blocks(slots_, op, init_);
    strip_values<T> folds[tiles_in_flight];
    const index ahead = Tuning::prefetches ? tiles_in_flight * blocks_ * shape::tile_items : 0;
    scanner tiles(source, results, op, num_items_, ahead);

    int current = 0;
    fold_and_publish(source, op, block, folds[current]);
    for (index number = block; number < num_tiles_ && !failure_.happened(); number += blocks_)
    {
      if (number + blocks_ < num_tiles_)
      {
        fold_and_publish(source, op, number + blocks_, folds[1 - current]);
      }
      transport::begin_waiting();
      const util::uninitialized<T> tile_carry = other_blocks.carry_before(number);
      tiles.scan(number * shape::tile_items, folds[current], other_blocks.has_carry(), tile_carry);
      current = 1 - current;
    }
  }

  // The last tile has no aggregate that anybody needs, and its last strip no fold.
  void fold_and_publish(Source& source, Op& op, index number, strip_values<T>& folds)
  {
    const index begin = number * shape::tile_items;
    if (number + 1 == num_tiles_)
    {
      fold_strips(source, begin, static_cast<int>((num_items_ - begin - 1) / shape::strip_items), folds, op);
      return;
    }
    fold_strips(source, begin, shape::strips, folds, op);
    lookahead::publish_aggregate(slots_, slots_.address_of(number), aggregate_of(folds, op).value);
  }

  const Source& source_;
  const Results& results_;
  index num_items_;
  const Op& op_;
  const Init& init_;
  index num_tiles_ = 0;
  int blocks_      = 1;
  typename lookahead::ring slots_;
  failure failure_;
};

// For values that no slot holds.
template <bool Inclusive, class T, class Source, class Results, class Op, class Init>
void scan_left_to_right(Source source, Results results, index num_items, Op op, const Init& init)
{
  std::optional<T> value;
  if constexpr (!::cuda::std::is_same_v<Init, util::no_init>)
  {
    value.emplace(init);
  }
  auto to = results.begin(0);
  for (index i = 0; i < num_items; ++i)
  {
    T element = source(i);
    if constexpr (!Inclusive)
    {
      to.put(i, *value);
    }
    if (value)
    {
      value.emplace(static_cast<T>(op(*value, element)));
    }
    else
    {
      value.emplace(std::move(element));
    }
    if constexpr (Inclusive)
    {
      to.put(i, *value);
    }
  }
  results.end(0, num_items);
}

// `Result`: what is assigned.
template <class OutputIt, class T, class Result>
struct output_traits
{
  static constexpr bool streams = false;
};
template <class O, class T, class Result>
struct output_traits<O*, T, Result>
{
  // The buffer holds a group of results.
  static constexpr std::size_t buffer_bytes = tile_shape<T>::group_items * sizeof(O);
  static constexpr bool streams =
    has_stream_stores && util::is_bitwise_copyable<O> && util::assigns_bytes<O, Result> && alignof(O) <= line_of_cache
    && buffer_bytes <= (std::size_t{32} << 10);
};

// The whole of a scan. `in_place`: the input lies where the results go, so its lines are in the cache.
template <class Tuning, bool Inclusive, class T, class Source, class OutputIt, class Projection, class Op, class Init>
void scan(int threads,
          bool in_place,
          const Source& source,
          OutputIt result,
          const Projection& projection,
          index num_items,
          const Op& op,
          const Init& init)
{
  using direct = direct_results<OutputIt, Projection>;
  const direct results{result, projection};
  if constexpr (!fits_slots<T>)
  {
    scan_left_to_right<Inclusive, T>(source, results, num_items, op, init);
  }
  else
  {
    using projected = decltype(::cuda::std::declval<Projection&>()(index{}, ::cuda::std::declval<const T&>()));
    using traits    = output_traits<OutputIt, T, ::cuda::std::remove_cvref_t<projected>>;
    if constexpr (traits::streams)
    {
      using O        = ::cuda::std::remove_pointer_t<OutputIt>;
      using streamed = streamed_results<O, Projection, traits::buffer_bytes>;
      if (!in_place && num_items >= Tuning::streams_from_bytes / static_cast<index>(sizeof(O)))
      {
        call<Tuning, Inclusive, T, Source, streamed, Op, Init>(
          source, streamed{result, projection}, num_items, op, init)
          .run(threads);
        return;
      }
    }
    call<Tuning, Inclusive, T, Source, direct, Op, Init>(source, results, num_items, op, init).run(threads);
  }
}
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
