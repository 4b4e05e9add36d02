// Where a scan's elements come from and where results go: iterators as functions of an index.
#pragma once

#include <lightscan/host/stream_store.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

#include <cstddef>
#include <utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
using tile::index;

// How many of an iterator's elements lie in a cache line; 0 where their memory is not known.
template <class It>
inline constexpr int elements_of_line = 0;
template <class V>
inline constexpr int elements_of_line<V*> = static_cast<int>(line_of_cache / (sizeof(V) < 64 ? sizeof(V) : 64));

// Asks for an element's line in the second-level cache.
template <class It>
void prefetch(const It& first, index i)
{
  if constexpr (elements_of_line < It >> 0)
  {
#if defined(__GNUC__)
    __builtin_prefetch(first + i, 0, 2);
#endif
  }
}

// function(element), converted to T; without a function, elements as they are.
template <class T, class It, class Function = ::cuda::std::identity>
struct elements
{
  using iterator = It;

  It first;
  Function function = {};

  T operator()(index i)
  {
    return static_cast<T>(function(first[i]));
  }
};

// What a scan in values of T begins with.
template <class T, class Init>
auto start_of(const Init& init)
{
  if constexpr (::cuda::std::is_same_v<Init, util::no_init>)
  {
    return init;
  }
  else
  {
    return static_cast<T>(init);
  }
}

// A value of a scan by key, or of segments; `head` says that a segment begins in what it stands for.
template <class V>
struct keyed
{
  V value;
  bool head;
};

template <class V, class Op>
struct keyed_op
{
  Op op;

  keyed<V> operator()(const keyed<V>& left, const keyed<V>& right)
  {
    return right.head ? right : keyed<V>{static_cast<V>(op(left.value, right.value)), left.head};
  }
};

template <class KeyIt, class Predicate>
struct heads
{
  KeyIt keys;
  Predicate equal;

  bool operator()(index i)
  {
    return i == 0 || !equal(keys[i - 1], keys[i]);
  }
};

// Init: util::no_init, or V, with which every segment's first element is combined.
template <class V, class It, class Heads, class Init, class Op>
struct keyed_elements
{
  using iterator = It;

  It first;
  Heads head;
  Init init;
  Op op;

  keyed<V> operator()(index i)
  {
    const bool begins = head(i);
    if constexpr (!::cuda::std::is_same_v<Init, util::no_init>)
    {
      if (begins)
      {
        return {static_cast<V>(op(init, static_cast<V>(first[i]))), true};
      }
    }
    return {static_cast<V>(first[i]), begins};
  }
};

// What of an accumulated value is the result at an index.
struct all_of_it
{
  template <class T>
  const T& operator()(index, const T& value)
  {
    return value;
  }
};

template <class Heads, class Init>
struct keyed_result
{
  Heads head;
  Init init;

  template <class V>
  const V& operator()([[maybe_unused]] index i, const keyed<V>& value)
  {
    if constexpr (!::cuda::std::is_same_v<Init, util::no_init>)
    {
      if (head(i))
      {
        return init;
      }
    }
    return value.value;
  }
};

// What a loop is to have for itself, so that the compiler knows that nobody else writes there: a copy, where that is a few bytes; copies of
// what users hand over may cost anything (a predicate with a table in it, a function in a std::function).
template <class X>
using own_copy =
  ::cuda::std::conditional_t<::cuda::std::is_trivially_copyable_v<X> && sizeof(X) <= line_of_cache, X, X&>;

// Puts the results begin, begin + 1, ... to `to`, to + 1, ...
template <class It, class Projection>
struct result_writer
{
  It to;
  own_copy<Projection> projection;
  index begin;

  template <class T>
  void put(index offset, const T& value)
  {
    to[offset] = projection(begin + offset, value);
  }
};

// Results straight to their places.
template <class OutputIt, class Projection>
struct direct_results
{
  OutputIt result;
  Projection projection;

  // For results begin, begin + 1, ...; `end` once `count` of them are there.
  result_writer<OutputIt, Projection> begin(index first)
  {
    return {result + first, projection, first};
  }
  void end(index, index) {}
};

// Results in contiguous memory, by way of a buffer in the nearest cache and past the caches.
template <class O, class Projection, std::size_t Bytes>
struct streamed_results
{
  O* result;
  Projection projection;
  alignas(line_of_cache) unsigned char buffer[Bytes];

  streamed_results(O* to, Projection p)
      : result(to)
      , projection(std::move(p))
  {}
  streamed_results(const streamed_results& other) // each thread fills a buffer of its own
      : result(other.result)
      , projection(other.projection)
  {}
  streamed_results& operator=(const streamed_results&) = delete;

  result_writer<O*, Projection> begin(index first)
  {
    return {reinterpret_cast<O*>(buffer), projection, first};
  }
  void end(index first, index count)
  {
    stream_copy(result + first, buffer, static_cast<std::size_t>(count) * sizeof(O));
  }
};
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
