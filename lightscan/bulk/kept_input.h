// Values that a function makes of other inputs, kept in the stage: the thread that folds an item calls the function then, and puts what it
// returns where the second pass finds it. So a function is called once for each item, however long it takes (perf/DECISIONS.md,
// kept-values).
#pragma once

#include <lightscan/bulk/inputs.h>
#include <lightscan/bulk/source.h>
#include <lightscan/bulk/stage_columns.h>
#include <lightscan/tile/column.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
// Their leaf: a column of its own or, of items of the same size, the last one before, whose items only the function needs.
template <class Value, bool OverLast, bool Reversed>
struct kept_values
{
  static constexpr bool in_memory    = false;
  static constexpr bool evaluated    = false;
  static constexpr bool calculates   = false;
  static constexpr bool gathers      = false;
  static constexpr int leads_to_grid = 0;
  static constexpr bool reversed     = Reversed;
  static constexpr int item_bytes    = OverLast ? 0 : static_cast<int>(sizeof(Value));

#if defined(__CUDACC__)
  template <int Items>
  using chunk = tile::column_chunk<tile::column<Value, ::cuda::std::identity, Reversed>, Items>;

  // `area`: where the columns of the leaves before end.
  template <int Items>
  static __device__ void load(chunk<Items>& part, unsigned char* area, int number, int count, tile::index)
  {
    part.load(column<Items>(area, count), number, count);
  }
  template <int Items>
  static __device__ void store(const chunk<Items>& part, unsigned char* area, int number, int count)
  {
    part.store(column<Items>(area, count), number, count);
  }

private:
  template <int Items>
  static __device__ unsigned char* column(unsigned char* area, int count)
  {
    return OverLast ? area - count * chunk<Items>::bytes : area;
  }
#endif
};

template <class Value, bool Reversed>
inline constexpr bool is_kept_beside<kept_values<Value, false, Reversed>> = true;

template <class Input, class Value, bool OverLast, bool Reversed>
struct kept_input
{
  using leaf   = kept_values<Value, OverLast, Reversed>;
  using under  = typename Input::leaves;
  using leaves = typename joined<under, leaf_list<leaf>>::type;

  Input input;

  kept_input(const Input& of)
      : input(of)
  {}

#if defined(__CUDACC__)
  template <int First, class Chunks>
  __device__ Value value(const Chunks& chunks, int i)
  {
    return ::cuda::std::get<First + under::count>(chunks).item(i).value;
  }

  template <int Number, class F>
  __device__ void each_leaf(F& f) const
  {
    input.template each_leaf<Number>(f);
    f(leaf{}, ::cuda::std::integral_constant<int, Number + under::count>{});
  }

  // Calls the function for the items of a chunk that are `inside`, and puts what it returns into the stage; garbage elsewhere.
  template <bool Whole, int Items, int First, class Chunks>
  __device__ void keep(Chunks& chunks, unsigned char* area, int number, int count, tile::span inside)
  {
    auto& part = ::cuda::std::get<First + under::count>(chunks);
    part       = {};
#  pragma unroll
    for (int i = 0; i < Items; ++i)
    {
      if (Whole || (inside.first <= i && i < inside.last))
      {
        part.set(i, static_cast<Value>(input.template value<First>(chunks, i)));
      }
    }
    leaf::template store<Items>(part, area, number, count);
  }
#endif
};

template <class Input>
inline constexpr bool is_kept = false;
template <class Input, class Value, bool OverLast, bool Reversed>
inline constexpr bool is_kept<kept_input<Input, Value, OverLast, Reversed>> = true;

// What an input yields.
template <class Input>
struct yield_of;
template <class Stored, class Function, bool Reversed>
struct yield_of<memory_input<tile::column<Stored, Function, Reversed>>>
{
  using type = ::cuda::std::remove_cvref_t<::cuda::std::invoke_result_t<Function&, const Stored&>>;
};
template <class It, class Stored, source From>
struct yield_of<evaluated_input<It, Stored, From>>
{
  using type = Stored;
};
template <class It, class Value, bool Calculates>
struct yield_of<computed_input<It, Value, Calculates>>
{
  using type = Value;
};
template <class Function, class... Inputs>
struct yield_of<composed_input<Function, Inputs...>>
{
  using type =
    ::cuda::std::remove_cvref_t<::cuda::std::invoke_result_t<Function&, const typename yield_of<Inputs>::type&...>>;
};

// Whether a function only makes a tuple of what it is given: cheaper to call than to keep what it returns.
template <class Function>
inline constexpr bool makes_tuple = false;

// Whether an input is what a user's function makes of what lies under it.
template <class Input>
inline constexpr bool calls_function = false;
template <class Stored, class Function, bool Reversed>
inline constexpr bool calls_function<memory_input<tile::column<Stored, Function, Reversed>>> =
  !::cuda::std::is_same_v<Function, ::cuda::std::identity>;
template <class Function, class Input>
inline constexpr bool calls_function<composed_input<Function, Input>> = !makes_tuple<Function>;

// Of a value; and of what it is made of, where it is kept beside it, in so many columns: what a row has room for.
inline constexpr int most_kept_bytes   = 16;
inline constexpr int most_kept_columns = 7;

// Whether values of `Bytes` may have a column of their own: where the results' one comes to lie on it.
template <class Columns, int Bytes>
inline constexpr bool lie_under = false;
template <class Column, int Bytes>
inline constexpr bool lie_under<leaf_list<Column>, Bytes> = Column::item_bytes == Bytes;

template <class Columns>
inline constexpr bool lies_reversed = false;
template <class Column>
inline constexpr bool lies_reversed<leaf_list<Column>> = Column::reversed;

// The input with its values kept or, where nothing is called, or there is no room for them, itself; `Columns`: those of the results.
template <class Input, class Columns>
constexpr auto kept_as()
{
  if constexpr (calls_function<Input>)
  {
    using Value           = typename yield_of<Input>::type;
    constexpr int size    = static_cast<int>(sizeof(Value));
    constexpr auto under  = bulk::columns_of(typename Input::leaves{});
    constexpr int last    = under.count > 0 ? under.count - 1 : 0;
    constexpr bool over   = under.count > 0 && under.width[last] == size;
    constexpr bool beside = lie_under<Columns, size> && under.bytes <= most_kept_bytes
                         && under.count <= most_kept_columns;
    if constexpr (util::is_bitwise_copyable<Value> && size <= most_kept_bytes && (over || beside))
    {
      constexpr bool reversed = over ? under.reversed[last] : lies_reversed<Columns>;
      return ::cuda::std::type_identity<kept_input<Input, Value, over, reversed>>{};
    }
    else
    {
      return ::cuda::std::type_identity<Input>{};
    }
  }
  else
  {
    return ::cuda::std::type_identity<Input>{};
  }
}
template <class Input, class Columns>
using kept_t = typename decltype(bulk::kept_as<Input, Columns>())::type;
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
