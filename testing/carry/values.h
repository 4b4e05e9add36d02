// Values that the protocol's tests send between blocks, and the operators that fold them.
#pragma once

#include <lightscan/tile/scan_kind.h>

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace testing_support
{
struct sum
{
  template <class T>
  T operator()(const T& a, const T& b) const
  {
    return static_cast<T>(a + b);
  }
};

// x -> factor * x + offset, modulo 2^32; not commutative.
struct affine
{
  std::uint32_t factor, offset;
};
struct compose
{
  affine operator()(const affine& first, const affine& second) const
  {
    return {second.factor * first.factor, second.factor * first.offset + second.offset};
  }
};

// A run of numbered things. Anything but joining neighbours, in order, leaves a broken one.
struct interval
{
  std::int32_t first, last;
};
struct join
{
  interval operator()(const interval& left, const interval& right) const
  {
    return left.last + 1 == right.first ? interval{left.first, right.last} : interval{-1000000, -1000000};
  }
};

// Upper triangular matrices; three words, not commutative.
struct triangle
{
  std::uint32_t a, b, c;
};
struct multiply
{
  triangle operator()(const triangle& x, const triangle& y) const
  {
    return {x.a + y.a, x.b + y.b, x.c + y.c + x.a * y.b};
  }
};

// What a scan by key accumulates: it ends in a flag, which a slot keeps in the tags.
using keyed    = lightscan::tile::keyed<std::int32_t, std::uint32_t>;
using keyed_op = lightscan::tile::keyed_op<std::int32_t, std::uint32_t, std::equal_to<>, sum>;

template <class T>
struct sample;

template <>
struct sample<std::int32_t>
{
  using op = sum;
  static std::int32_t at(int i, std::mt19937&)
  {
    return i < 0 ? 1000 : i % 101 - 50;
  }
};
template <>
struct sample<std::uint8_t>
{
  using op = sum;
  static std::uint8_t at(int i, std::mt19937& random)
  {
    return static_cast<std::uint8_t>(i < 0 ? 77 : random());
  }
};
template <>
struct sample<double>
{
  using op = sum;
  static double at(int, std::mt19937& random)
  {
    return std::uniform_real_distribution<double>(-1, 1)(random);
  }
};
template <>
struct sample<float>
{
  using op = sum;
  static float at(int, std::mt19937& random)
  {
    return std::uniform_real_distribution<float>(-1, 1)(random);
  }
};
template <>
struct sample<affine>
{
  using op = compose;
  static affine at(int, std::mt19937& random)
  {
    return {static_cast<std::uint32_t>(random()) | 1, static_cast<std::uint32_t>(random())};
  }
};
template <>
struct sample<interval>
{
  using op = join;
  static interval at(int i, std::mt19937&)
  {
    return i < 0 ? interval{-5, -1} : interval{3 * i, 3 * i + 2};
  }
};
template <>
struct sample<triangle>
{
  using op = multiply;
  static triangle at(int, std::mt19937& random)
  {
    return {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random()), 1};
  }
};

// Of three keys, so that runs meet in equal ones often.
template <>
struct sample<keyed>
{
  using op = keyed_op;
  static keyed at(int, std::mt19937& random)
  {
    const auto key = [&random] {
      return static_cast<std::int32_t>(random() % 3);
    };
    const std::int32_t first = key();
    const std::int32_t last  = key();
    return {first, last, static_cast<std::uint32_t>(random()), first != last || random() % 4 == 0};
  }
};

template <class T>
std::vector<T> aggregates_of(int num_tiles)
{
  std::mt19937 random(static_cast<unsigned>(num_tiles));
  std::vector<T> values;
  for (int i = 0; i < num_tiles; ++i)
  {
    values.push_back(sample<T>::at(i, random));
  }
  return values;
}

template <class T>
T initial()
{
  std::mt19937 random(99);
  return sample<T>::at(-1, random);
}
} // namespace testing_support
