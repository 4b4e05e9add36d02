// Where a sweep's scans read: iterators over the arrays of sweep_memory, and what those arrays are filled with.
//
// An input has a name, its iterator first(memory), fill(memory), and `widest`, the bytes of an element in the widest of the
// arrays that it reads. An input by key has keys(memory) and values(memory) instead of first(memory).
#pragma once

#include "../random_keys.h"
#include "elements.h"
#include "sweep_case.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <cstdint>
#include <string>
#include <type_traits>

namespace perf
{
template <class T, int Array = 0>
T* elements(const sweep_memory& m)
{
  return static_cast<T*>(m.in[Array]);
}

template <class T>
struct contiguous
{
  static constexpr std::size_t widest = sizeof(T);

  static std::string name()
  {
    return "contiguous";
  }

  static auto first(const sweep_memory& m)
  {
    return elements<T>(m);
  }
  static void fill(const sweep_memory& m)
  {
    fill_elements<T>(m.in[0], m.n, m.stream);
  }
};

// Of two arrays.
template <class T, class U = T>
struct zip
{
  static constexpr std::size_t widest = sizeof(T) < sizeof(U) ? sizeof(U) : sizeof(T);

  static std::string name()
  {
    return "zip";
  }

  static auto first(const sweep_memory& m)
  {
    return thrust::make_zip_iterator(elements<T>(m), elements<U, 1>(m));
  }
  static void fill(const sweep_memory& m)
  {
    fill_elements<T>(m.in[0], m.n, m.stream);
    fill_elements<U>(m.in[1], m.n, m.stream, m.n);
  }
};

// Reads no memory.
struct of_no_memory
{
  static constexpr std::size_t widest = 1;
  static void fill(const sweep_memory&) {}
};

template <class T>
struct counting : of_no_memory
{
  static std::string name()
  {
    return "counting";
  }

  static auto first(const sweep_memory&)
  {
    return thrust::make_counting_iterator(T{});
  }
};

template <class T>
struct constant : of_no_memory
{
  static std::string name()
  {
    return "constant";
  }

  static auto first(const sweep_memory&)
  {
    return thrust::make_constant_iterator(T{1});
  }
};

// A small number from an index, whose sums are exact in every type.
template <class T>
struct spread
{
  __host__ __device__ T operator()(std::int32_t i) const
  {
    const auto bits = static_cast<std::uint32_t>(i);
    return static_cast<T>(static_cast<int>((bits ^ (bits >> 7)) & 7) - static_cast<int>(bits & 7));
  }
};

template <class T>
struct transform_counting : of_no_memory
{
  static std::string name()
  {
    return "transform(counting)";
  }

  static auto first(const sweep_memory&)
  {
    return thrust::make_transform_iterator(thrust::make_counting_iterator(std::int32_t{0}), spread<T>{});
  }
};

// offsets[i + 1] - offsets[i].
template <class T>
struct difference
{
  const T* offsets;

  __host__ __device__ T operator()(std::int32_t i) const
  {
    return static_cast<T>(offsets[i + 1] - offsets[i]);
  }
};

template <class T>
struct offset_at
{
  __device__ T operator()(std::int64_t i) const
  {
    return static_cast<T>(4 * i + static_cast<std::int64_t>(random_bits(i) % 4));
  }
};

template <class T>
struct differences
{
  static constexpr std::size_t widest = sizeof(T);

  static std::string name()
  {
    return "gather(differences)";
  }

  static auto first(const sweep_memory& m)
  {
    return thrust::make_transform_iterator(
      thrust::make_counting_iterator(std::int32_t{0}), difference<T>{elements<T>(m)});
  }
  static void fill(const sweep_memory& m)
  {
    fill_by<T>(m.in[0], m.n + 1, offset_at<T>{}, m.stream);
  }
};

// Indices of [0, n), where n is a power of two.
struct in_no_order
{
  std::int64_t n;

  __device__ std::int32_t operator()(std::int64_t i) const
  {
    return static_cast<std::int32_t>(shuffled(i, n));
  }
};
struct in_order
{
  explicit in_order(std::int64_t) {}

  __device__ std::int32_t operator()(std::int64_t i) const
  {
    return static_cast<std::int32_t>(i);
  }
};

// Of elements at indices, which lie in array number `Indices`.
template <class T, bool Ordered, int Indices = 2>
struct permutation
{
  static constexpr std::size_t widest = sizeof(T) < 4 ? 4 : sizeof(T);

  static std::string name()
  {
    return Ordered ? "permutation" : "permutation(random)";
  }

  static auto first(const sweep_memory& m)
  {
    return thrust::make_permutation_iterator(elements<T>(m), elements<std::int32_t, Indices>(m));
  }
  static void fill(const sweep_memory& m)
  {
    using index = std::conditional_t<Ordered, in_order, in_no_order>;
    fill_elements<T>(m.in[0], m.n, m.stream);
    fill_by<std::int32_t>(m.in[Indices], m.n, index{m.n}, m.stream);
  }
};

// table[index[i]], in a functor.
template <class T>
struct looked_up
{
  const T* table;

  __host__ __device__ T operator()(std::int32_t i) const
  {
    return table[i];
  }
};

template <class T>
struct lookup : permutation<T, false>
{
  static std::string name()
  {
    return "gather(lookup)";
  }

  static auto first(const sweep_memory& m)
  {
    return thrust::make_transform_iterator(elements<std::int32_t, 2>(m), looked_up<T>{elements<T>(m)});
  }
};

// Functions of elements, beside negated in elements.h.
struct sixteenths
{
  __host__ __device__ std::int64_t operator()(float value) const
  {
    return static_cast<std::int64_t>(16 * value);
  }
};
template <class T>
struct halves_difference
{
  __host__ __device__ T operator()(const thrust::tuple<T, T>& pair) const
  {
    return next_sum(thrust::get<0>(pair), static_cast<T>(-thrust::get<1>(pair)));
  }
};
struct widened
{
  __host__ __device__ std::int32_t operator()(std::uint8_t value) const
  {
    return value;
  }
};

// An input through a function.
template <class Under, class Function>
struct transform : Under
{
  static std::string name()
  {
    using from      = value_of<decltype(Under::first(sweep_memory{}))>;
    using to        = std::invoke_result_t<Function, from>;
    const auto type = std::is_same_v<from, to> ? "" : " of " + element_of<from>::name();
    return "transform(" + Under::name() + type + ")";
  }

  static auto first(const sweep_memory& m)
  {
    return thrust::make_transform_iterator(Under::first(m), Function{});
  }
};

// An input from its last element to its first.
template <class Under>
struct reverse : Under
{
  static std::string name()
  {
    return "reverse(" + Under::name() + ")";
  }

  static auto first(const sweep_memory& m)
  {
    return thrust::make_reverse_iterator(Under::first(m) + m.n);
  }
};

// Two inputs as one; they must not fill the same array differently.
template <class Left, class Right>
struct zip_of
{
  static constexpr std::size_t widest = Left::widest < Right::widest ? Right::widest : Left::widest;

  static std::string name()
  {
    return "zip(" + Left::name() + " " + Right::name() + ")";
  }

  static auto first(const sweep_memory& m)
  {
    return thrust::make_zip_iterator(Left::first(m), Right::first(m));
  }
  static void fill(const sweep_memory& m)
  {
    Left::fill(m);
    Right::fill(m);
  }
};

// Keys lie in in[2], and where there are two of them, in in[1].
template <class Key, int Length>
struct key_in_run
{
  __device__ Key operator()(std::int64_t i) const
  {
    return key_at<Key, Length>(i);
  }
};

template <class Key>
struct contiguous_keys
{
  static constexpr std::size_t widest = sizeof(Key);

  static std::string name()
  {
    return sizeof(Key) == 4 ? "contiguous" : "contiguous(int64)";
  }

  static auto first(const sweep_memory& m)
  {
    return elements<Key, 2>(m);
  }
  static void fill(const sweep_memory& m)
  {
    fill_by<Key>(m.in[2], m.n, key_in_run<Key, 32>{}, m.stream);
  }
};

struct zip_keys
{
  static constexpr std::size_t widest = sizeof(std::int32_t);

  static std::string name()
  {
    return "zip";
  }

  static auto first(const sweep_memory& m)
  {
    return thrust::make_zip_iterator(elements<std::int32_t, 2>(m), elements<std::int32_t, 1>(m));
  }
  static void fill(const sweep_memory& m)
  {
    contiguous_keys<std::int32_t>::fill(m);
    fill_by<std::int32_t>(m.in[1], m.n, key_in_run<std::int32_t, 100>{}, m.stream);
  }
};

struct matrix_row
{
  __host__ __device__ std::int32_t operator()(std::int32_t i) const
  {
    return i / 1000;
  }
};

struct row_keys : of_no_memory
{
  static std::string name()
  {
    return "transform(counting)";
  }

  static auto first(const sweep_memory&)
  {
    return thrust::make_transform_iterator(thrust::make_counting_iterator(std::int32_t{0}), matrix_row{});
  }
};

struct segment_end
{
  __device__ std::int32_t operator()(std::int64_t segment) const
  {
    return static_cast<std::int32_t>(end_of_segment(segment));
  }
};

struct search_keys
{
  static constexpr std::size_t widest = 1;

  static std::string name()
  {
    return "gather(search)";
  }

  static auto first(const sweep_memory& m)
  {
    const segment_of segment{elements<std::int32_t, 2>(m), static_cast<std::int32_t>(m.n / segment_length)};
    return thrust::make_transform_iterator(thrust::make_counting_iterator(std::int32_t{0}), segment);
  }
  static void fill(const sweep_memory& m)
  {
    fill_by<std::int32_t>(m.in[2], m.n / segment_length, segment_end{}, m.stream);
  }
};

// Values by keys. The values must not lie where the keys do.
template <class Keys, class Values>
struct keyed
{
  static constexpr std::size_t widest = Keys::widest < Values::widest ? Values::widest : Keys::widest;

  static std::string name()
  {
    return Keys::name() + "+" + Values::name();
  }

  static auto keys(const sweep_memory& m)
  {
    return Keys::first(m);
  }
  static auto values(const sweep_memory& m)
  {
    return Values::first(m);
  }
  static void fill(const sweep_memory& m)
  {
    Values::fill(m);
    Keys::fill(m);
  }
};
} // namespace perf
