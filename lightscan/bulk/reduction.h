// Reductions by key in the bulk pipeline (tile::reduce_kind): a scan as any other (group_scan.h), of which only what stands at the
// beginning of a run is put out, into two columns of results.
//
// An item is told to begin a run by the item before it: that of its chunk, of the chunk before, or, once a tile, the one that an iterator
// reads before the tile. The first pass over the items notes that, a bit for each, and the second one asks nobody.
#pragma once

#include <lightscan/bulk/emission.h>
#include <lightscan/bulk/group_scan.h>
#include <lightscan/bulk/item_flags.h>
#include <lightscan/bulk/run_slots.h>
#include <lightscan/bulk/stage_view.h>
#include <lightscan/carry/aggregate.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/select_kind.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
template <class TotalIt, class First, class Second>
struct run_output
{
  static constexpr int first_bytes  = First::item_bytes;
  static constexpr int second_bytes = Second::item_bytes;

  TotalIt total;
  First first;
  Second second;

  static constexpr auto columns()
  {
    stage_columns<2> both;
    both.add(First::item_bytes, 0, false);
    both.add(Second::item_bytes, 1, false);
    return both;
  }
};

template <class Kind, class TestedIt, class Output, class... Inputs>
struct reduction_items
{
  using kind_type   = Kind;
  using output_type = Output;
  using leaves      = typename joined<typename Inputs::leaves...>::type;

  static constexpr bool emits          = true;
  static constexpr bool has_evaluators = leaves::has_evaluators;
  static constexpr auto inputs         = bulk::columns_of(leaves{});
  static constexpr auto results        = Output::columns();
  static constexpr placement placed    = placement::emitted;
  static constexpr bool in_place       = false;

  static constexpr int items        = reduced_chunk_items(inputs, results);
  static constexpr int input_bytes  = items * inputs.bytes;
  static constexpr int output_bytes = items * results.bytes;
  static constexpr int bytes        = items * emitted_bytes(inputs, results);
  static constexpr int slack      = emission_slack(2 * Output::first_bytes) + emission_slack(2 * Output::second_bytes);
  static constexpr int held_bytes = input_bytes > 0 ? input_bytes : items;

  Kind kind;
  Output to;
  ::cuda::std::tuple<Inputs...> from;
  TestedIt tested; // item 0 of the range
};

#if defined(__CUDACC__)
template <class Items, int Threads, int Chunks>
class reduction_view;

template <class Kind, class TestedIt, class Output, class... Inputs, int Threads, int Chunks>
class reduction_view<reduction_items<Kind, TestedIt, Output, Inputs...>, Threads, Chunks>
    : public stage_inputs<reduction_items<Kind, TestedIt, Output, Inputs...>,
                          reduction_items<Kind, TestedIt, Output, Inputs...>::items,
                          Threads,
                          Chunks,
                          Inputs...>
{
  using base = stage_inputs<reduction_items<Kind, TestedIt, Output, Inputs...>,
                            reduction_items<Kind, TestedIt, Output, Inputs...>::items,
                            Threads,
                            Chunks,
                            Inputs...>;
  using test = typename Kind::test_type;
  using runs = runs_of<Kind>;
  using T    = carry::aggregate_t<typename Kind::accumulator>;

public:
  using items_type  = typename base::items_type;
  using kind_type   = Kind;
  using output_type = Output;
  using accumulator = T;
  using open_run    = typename runs::open_run;
  using tested      = ::cuda::std::remove_cvref_t<decltype(::cuda::std::declval<base&>().template input<0>(
    ::cuda::std::declval<const typename base::in_chunks&>(), 0))>;

  static constexpr bool in_place     = false;
  static constexpr bool before_carry = true;
  static constexpr bool in_segments  = false;

  struct chunk
  {
    typename base::in_chunks in;
    unsigned begins; // a bit for each item that begins a run
    int number;
  };

  // `open` is the group's.
  __device__ reduction_view(const items_type& items)
      : base(items)
      , to_(items.to)
      , test_(items.kind.test)
  {}

  // Of the tile that is looked at: the item before it, in the one thread that needs it, and where the range's items lie.
  __device__ void begin_tile(const util::uninitialized<tested>& before_tile, tile::span inside)
  {
    before_tile_ = before_tile;
    inside_      = inside;
    begins_      = {};
  }
  // The group's place for the open run of the tile that is looked at, or of one whose results are put out.
  __device__ void use_open(open_run* open)
  {
    open_ = open;
  }

  __device__ open_run& open() const
  {
    return *open_;
  }

  // The item before a thread's chunks (compared_view.h).
  template <bool Whole>
  __device__ void begin_chunks(int first_number)
  {
    before_ = this->template before_chunk<Whole>(first_number, inside_, before_tile_);
  }

  // Notes which items begin a run: the test is asked in the first pass only.
  template <bool Whole>
  __device__ chunk first_load(int number, tile::span inside)
  {
    chunk loaded;
    this->load_inputs(loaded.in, number);
    this->template keep_values<Whole>(loaded.in, number, inside);
    loaded.number = number;
    loaded.begins = this->template run_heads<Whole>(loaded.in, number, inside, before_, test_);
    begins_.append(loaded.begins);
    return loaded;
  }
  // A thread takes all its chunks before the second pass; where they lie, and what begins a run, comes to each when it is its turn, for
  // registers are short (perf/DECISIONS.md, taken-inputs).
  using taken_chunk = typename base::in_chunks;
  __device__ taken_chunk take(int number)
  {
    taken_chunk taken;
    this->load_inputs(taken, number);
    return taken;
  }
  __device__ chunk chunk_of(const taken_chunk& taken, int number)
  {
    return {taken, begins_.take(), number};
  }

  __device__ T item(const chunk& loaded, int i)
  {
    return runs::lift(*this, loaded.in, i, (loaded.begins >> i & 1) != 0);
  }

  // What an item is scanned to: what lies before it in the tile.
  struct result
  {
    open_run before;
    bool is_put;
  };

  struct kind_in_view
  {
    struct stepped
    {
      result value;
    };

    template <class Op>
    __device__ stepped step(util::uninitialized<T>& running, bool starts, const T& item, Op& op) const
    {
      const stepped done{{{running, !starts}, runs::begins(item)}};
      running = starts ? util::uninitialized<T>(item) : util::combine(op, running.value, item);
      return done;
    }
  };

  __device__ static kind_in_view kind()
  {
    return {};
  }

  __device__ void set(const chunk& loaded, int i, const result& value)
  {
    if (value.is_put)
    {
      runs::put(*this, loaded, i, value.before);
    }
  }
  __device__ static void store(int, const chunk&) {}

  // Which slots there are.
  __device__ void set_counts(int first, int second)
  {
    first_count_  = first;
    second_count_ = second;
  }

  template <class Value>
  __device__ void put_first(int slot, const Value& value) const
  {
    bulk::put_result(to_.first, first_area(), slot, first_count_, value);
  }
  template <class Value>
  __device__ void put_second(int slot, const Value& value) const
  {
    bulk::put_result(to_.second, second_area(), slot, second_count_, value);
  }

  // Stores the slots that are in use, by all threads of the group.
  __device__ void store_slots(const run_slots& slots, tile::index num_items, int thread) const
  {
    to_.first.store(first_area(),
                    slots.first_begin,
                    slots.first_slots[0],
                    slots.first_slots[1],
                    first_count_,
                    num_items,
                    thread,
                    Threads);
    to_.second.store(second_area(),
                     slots.second_begin,
                     slots.second_slots[0],
                     slots.second_slots[1],
                     second_count_,
                     num_items,
                     thread,
                     Threads);
  }

private:
  __device__ unsigned char* first_area() const
  {
    return this->stage();
  }
  __device__ unsigned char* second_area() const
  {
    return first_area() + base::tile_items * Output::first_bytes + emission_slack(2 * Output::first_bytes);
  }

  const Output& to_;
  test test_;
  util::uninitialized<tested> before_tile_;
  util::uninitialized<tested> before_;
  tile::span inside_;
  item_flags<base::chunk_items, Chunks> begins_;
  open_run* open_;
  int first_count_;
  int second_count_;
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
