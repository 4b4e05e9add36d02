// Where a sweep's scans write: iterators over the arrays of sweep_memory, by the type V that is written.
//
// An output has a name, its iterator result(memory), fill(memory) for what it reads itself, and written(memory), where the
// results are to be found; `widest` as an input's.
#pragma once

#include "elements.h"
#include "inputs.h"
#include "sweep_case.h"

#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perf
{
template <class T, int Array = 0>
T* results(const sweep_memory& m)
{
  return static_cast<T*>(m.out[Array]);
}

template <class T>
written_bytes as_written(const sweep_memory& m, const void* begin)
{
  return {begin, static_cast<std::size_t>(m.n) * sizeof(T)};
}

template <class V>
struct to_memory
{
  static constexpr std::size_t widest = sizeof(V);

  static std::string name()
  {
    return "memory";
  }

  static auto result(const sweep_memory& m)
  {
    return results<V>(m);
  }
  static void fill(const sweep_memory&) {}
  static std::vector<written_bytes> written(const sweep_memory& m)
  {
    return {as_written<V>(m, m.out[0])};
  }
};

// Over elements that an input reads.
template <class V>
struct in_place : to_memory<V>
{
  static std::string name()
  {
    return "in_place";
  }

  static auto result(const sweep_memory& m)
  {
    return elements<V>(m);
  }
  static std::vector<written_bytes> written(const sweep_memory& m)
  {
    return {as_written<V>(m, m.in[0])};
  }
};

// An output from its last element to its first.
template <class Under>
struct backwards : Under
{
  static std::string name()
  {
    return "reverse(" + Under::name() + ")";
  }

  static auto result(const sweep_memory& m)
  {
    return thrust::make_reverse_iterator(Under::result(m) + m.n);
  }
};
template <class V>
using to_reverse = backwards<to_memory<V>>;
template <class V>
using in_place_reversed = backwards<in_place<V>>;

// What is thrown away cannot be compared.
template <class V>
struct to_discard : to_memory<V>
{
  static std::string name()
  {
    return "discard";
  }

  static auto result(const sweep_memory&)
  {
    return thrust::make_discard_iterator();
  }
  static std::vector<written_bytes> written(const sweep_memory&)
  {
    return {};
  }
};

template <class V>
struct to_transform : to_memory<V>
{
  static std::string name()
  {
    return "transform_output";
  }

  static auto result(const sweep_memory& m)
  {
    return thrust::make_transform_output_iterator(results<V>(m), negated{});
  }
};

// In another type.
template <class V>
struct to_floats : to_memory<float>
{
  static std::string name()
  {
    return "transform_output(float)";
  }

  struct of_sixteenths
  {
    __host__ __device__ float operator()(V sum) const
    {
      return static_cast<float>(sum) / 16;
    }
  };

  static auto result(const sweep_memory& m)
  {
    return thrust::make_transform_output_iterator(results<float>(m), of_sixteenths{});
  }
};

// In order, by indices in an array that no input may use then.
template <class V>
struct to_permutation : to_memory<V>
{
  static constexpr std::size_t widest = sizeof(V) < 4 ? 4 : sizeof(V);

  static std::string name()
  {
    return "permutation";
  }

  static auto result(const sweep_memory& m)
  {
    return thrust::make_permutation_iterator(results<V>(m), elements<std::int32_t, 2>(m));
  }
  static void fill(const sweep_memory& m)
  {
    fill_by<std::int32_t>(m.in[2], m.n, in_order{m.n}, m.stream);
  }
};

template <class V>
struct to_zip;
template <class T, class U>
struct to_zip<thrust::tuple<T, U>> : to_memory<thrust::tuple<T, U>>
{
  static std::string name()
  {
    return "zip";
  }

  static auto result(const sweep_memory& m)
  {
    return thrust::make_zip_iterator(results<T>(m), results<U, 1>(m));
  }
  static std::vector<written_bytes> written(const sweep_memory& m)
  {
    return {as_written<T>(m, m.out[0]), as_written<U>(m, m.out[1])};
  }
};

template <class V>
struct in_place_zip;
template <class T, class U>
struct in_place_zip<thrust::tuple<T, U>> : to_memory<thrust::tuple<T, U>>
{
  static std::string name()
  {
    return "in_place(zip)";
  }

  static auto result(const sweep_memory& m)
  {
    return thrust::make_zip_iterator(elements<T>(m), elements<U, 1>(m));
  }
  static std::vector<written_bytes> written(const sweep_memory& m)
  {
    return {as_written<T>(m, m.in[0]), as_written<U>(m, m.in[1])};
  }
};

template <class V>
using to_reverse_zip = backwards<to_zip<V>>;
} // namespace perf
