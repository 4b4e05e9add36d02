// A thread's work on a tile of a selection: items are asked about and buffered, and put to their places.
#pragma once

#include <lightscan/dispatch/problem.h>
#include <lightscan/host/engine.h>
#include <lightscan/host/places.h>
#include <lightscan/host/stream_store.h>
#include <lightscan/host/tile_loop.h>
#include <lightscan/tile/select_kind.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/tuple>
#include <cuda/std/type_traits>

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
template <class It>
using item_t = ::cuda::std::remove_cv_t<util::value_t<It>>;

// Items of one iterator that have been read and not put out yet.
template <class T>
using item_buffer = std::unique_ptr<util::uninitialized<T>[]>;

template <class T>
item_buffer<T> buffer_of(index items)
{
  return item_buffer<T>(new util::uninitialized<T>[static_cast<std::size_t>(items)]);
}

// Contiguous memory that takes items as their bytes.
template <class To, class T>
inline constexpr bool takes_bytes = false;
template <class T>
inline constexpr bool takes_bytes<T*, T> = util::is_bitwise_copyable<T>&& util::assigns_bytes<T, T>;

// Puts `count` neighbouring items to to[0], to[1], ...; `streams`: past the caches, where that can be.
template <class To, class T>
void put_items(To to, const util::uninitialized<T>* items, index count, bool streams)
{
  if constexpr (takes_bytes<To, T>)
  {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    if (streams)
    {
      stream_copy(to, items, bytes);
    }
    else if (bytes > 0)
    {
      util::copy_bytes(to, items, bytes);
    }
  }
  else
  {
    for (index k = 0; k < count; ++k)
    {
      to[k] = items[k].value;
    }
  }
}

// The same of items that lie the other way round: the first is the last of them.
template <class To, class T>
void put_items_backwards(To to, const util::uninitialized<T>* last, index count)
{
  for (index k = 0; k < count; ++k)
  {
    to[k] = last[-k].value;
  }
}

template <class Part>
inline constexpr bool is_wanted = !::cuda::std::is_same_v<Part, dispatch::no_part>;

// What a selection's inputs are: which are moved, and their items.
template <bool MovesTested, class Inputs>
struct moved_of;
template <bool MovesTested, class TestedIt, class... Its>
struct moved_of<MovesTested, ::cuda::std::tuple<TestedIt, Its...>>
{
  using tested = item_t<TestedIt>;

  static constexpr std::size_t first = MovesTested ? 0 : 1;
  static constexpr std::size_t count = sizeof...(Its) + 1 - first;
  // Items travel as their bytes.
  static constexpr bool bitwise = (util::is_bitwise_copyable<tested> && ... && util::is_bitwise_copyable<item_t<Its>>);
  static constexpr std::size_t bytes_each = (std::size_t{0} + ... + sizeof(item_t<Its>)) + sizeof(tested);

  template <bool, class... All>
  struct buffers_of;
  template <class... All>
  struct buffers_of<true, All...>
  {
    using type = ::cuda::std::tuple<item_buffer<tested>, item_buffer<item_t<All>>...>;
  };
  template <class... All>
  struct buffers_of<false, All...>
  {
    using type = ::cuda::std::tuple<item_buffer<item_t<All>>...>;
  };
  using buffers = typename buffers_of<MovesTested, Its...>::type;
};

// Asks a test of items in their order. What stands before the first is read for it; of a range's first item nothing is asked.
template <class Test, class Item, bool OfNeighbours = Test::of_neighbours>
class asking
{
public:
  template <class It>
  asking(Test& test, const It&, index)
      : test_(test)
  {}

  int part_of(Item& item)
  {
    return test_.part_of(item);
  }

private:
  Test& test_;
};

// A plain item that may not be there: where it is std::optional's, GCC warns in users' files of reading it before it is there.
template <class Item>
class plain_or_none
{
public:
  void emplace(const Item& item)
  {
    item_  = item;
    there_ = true;
  }
  explicit operator bool() const
  {
    return there_;
  }
  const Item& operator*() const
  {
    return item_;
  }

private:
  Item item_{};
  bool there_ = false;
};

template <class Test, class Item>
class asking<Test, Item, true>
{
public:
  template <class It>
  asking(Test& test, const It& items, index begin)
      : test_(test)
  {
    if (begin > 0)
    {
      before_.emplace(static_cast<Item>(items[begin - 1]));
    }
  }

  int part_of(Item& item)
  {
    const int part = before_ ? test_.part_of(*before_, item) : 0;
    before_.emplace(item);
    return part;
  }

private:
  static constexpr bool is_plain =
    std::is_trivially_default_constructible_v<
      Item> && std::is_trivially_copyable_v<Item> && std::is_trivially_copy_assignable_v<Item>;

  Test& test_;
  // Which need not be assignable; none before the range's first.
  std::conditional_t<is_plain, plain_or_none<Item>, std::optional<Item>> before_;
};

template <class Tuning, class Problem>
class select_work;

// In a stage part 0 lies from the front, and part 1, if anybody wants it, from the back.
template <class Tuning,
          class Test,
          bool MovesTested,
          class Inputs,
          class TotalIt,
          class Part0,
          class Part1,
          class Count>
class select_work<Tuning,
                  dispatch::select_problem<Test, MovesTested, Inputs, dispatch::selected<TotalIt, Part0, Part1>, Count>>
{
  using problem = dispatch::select_problem<Test, MovesTested, Inputs, dispatch::selected<TotalIt, Part0, Part1>, Count>;
  using moved   = moved_of<MovesTested, Inputs>;
  using tested  = typename moved::tested;

  static constexpr bool keeps_first = [] {
    if constexpr (is_wanted<Part0>)
    {
      return ::cuda::std::tuple_size_v<decltype(Part0::to)> > 0;
    }
    return false;
  }();
  // The inputs that are moved, where anybody wants them.
  using indices = std::make_index_sequence<keeps_first || is_wanted<Part1> ? moved::count : 0>;

public:
  using accumulator = tile::part_counts<2>;
  using op_type     = tile::count_op;

  static constexpr index tile_items = buffered_items(moved::bytes_each);

  struct stage
  {
    explicit stage(index items)
        : capacity(items)
    {
      make(indices{});
    }

    template <std::size_t... M>
    void make(std::index_sequence<M...>)
    {
      ((::cuda::std::get<M>(buffers) =
          buffer_of<::cuda::std::remove_reference_t<decltype(::cuda::std::get<M>(buffers)[0].value)>>(capacity)),
       ...);
    }

    index capacity;
    typename moved::buffers buffers;
    index begin = 0;
    index kept  = 0; // of part 0
    index rest  = 0; // the others
  };

  // In place: where it is known; pointers to one place are seen besides.
  select_work(const problem& p, bool in_place)
      : problem_(p)
  {
    look_where(in_place, indices{});
  }

  op_type op() const
  {
    return {};
  }

  accumulator fold(index begin, index count, stage& into)
  {
    into.begin = begin;
    read(count, into, indices{});
    return accumulator{{into.kept}};
  }

  void put(const stage& from, bool has_carry, const util::uninitialized<accumulator>& carry, bool is_last)
  {
    const index before = has_carry ? carry.value.of[0] : 0;
    put_parts(from, before, indices{});
    if (is_last)
    {
      problem_.output.total[0] = before + from.kept;
    }
  }

private:
  template <std::size_t... M>
  void look_where([[maybe_unused]] bool in_place, std::index_sequence<M...>)
  {
    if constexpr (keeps_first)
    {
      ((in_place_[M] = in_place
                    || same_place(::cuda::std::get<moved::first + M>(problem_.inputs),
                                  ::cuda::std::get<M>(::cuda::std::get<0>(problem_.output.parts).to))),
       ...);
    }
  }

  template <std::size_t... M>
  void read(index count, stage& into, std::index_sequence<M...>)
  {
    const Inputs inputs = problem_.inputs; // these and the buffers are nobody else's, which the compiler may know
    const ::cuda::std::tuple<decltype(::cuda::std::get<M>(into.buffers).get())...> buffers{
      ::cuda::std::get<M>(into.buffers).get()...};
    const auto& items = ::cuda::std::get<0>(inputs);
    asking<Test, tested> test(problem_.kind.test, items, into.begin);
    index front = 0;
    index back  = into.capacity;
    for (index i = into.begin; i < into.begin + count; ++i)
    {
      util::uninitialized<tested> item(static_cast<tested>(items[i]));
      const bool goes_first = test.part_of(item.value) == 0;
      // Without a branch: what nobody wants is overwritten by the next.
      [[maybe_unused]] const index at = goes_first || !is_wanted<Part1> ? front : back - 1;
      (keep<M>(::cuda::std::get<M>(buffers)[at], inputs, i, item), ...);
      front += goes_first ? 1 : 0;
      back -= goes_first ? 0 : 1;
    }
    into.kept = front;
    into.rest = into.capacity - back;
  }

  template <std::size_t M, class T>
  static void keep(util::uninitialized<T>& to,
                   [[maybe_unused]] const Inputs& inputs,
                   [[maybe_unused]] index i,
                   [[maybe_unused]] const util::uninitialized<tested>& item)
  {
    if constexpr (MovesTested && M == 0)
    {
      to = item;
    }
    else
    {
      to = util::uninitialized<T>(static_cast<T>(::cuda::std::get<moved::first + M>(inputs)[i]));
    }
  }

  template <std::size_t... M>
  void put_parts(const stage& from, index before, std::index_sequence<M...>)
  {
    if constexpr (keeps_first)
    {
      (put_first<M>(from, before), ...);
    }
    if constexpr (is_wanted<Part1>)
    {
      (put_backwards<M>(from, from.begin - before), ...);
    }
  }

  template <std::size_t M>
  void put_first(const stage& from, index before)
  {
    auto to            = ::cuda::std::get<M>(::cuda::std::get<0>(problem_.output.parts).to);
    const auto* buffer = ::cuda::std::get<M>(from.buffers).get();
    // Items that are in their places already are left alone: the thread of the next tile may be reading the last of them.
    const bool there = in_place_[M] && before == from.begin;
    if (!there || from.rest > 0)
    {
      const bool large = static_cast<index>(problem_.num_items)
                      >= Tuning::streams_from_bytes / static_cast<index>(sizeof(*buffer));
      put_items(to + before, buffer, from.kept, large && !in_place_[M]);
    }
  }

  template <std::size_t M>
  void put_backwards(const stage& from, index before)
  {
    auto to = ::cuda::std::get<M>(::cuda::std::get<1>(problem_.output.parts).to);
    put_items_backwards(to + before, ::cuda::std::get<M>(from.buffers).get() + from.capacity - 1, from.rest);
  }

  problem problem_;
  bool in_place_[moved::count + 1]{};
};
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
