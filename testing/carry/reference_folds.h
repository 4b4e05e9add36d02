// What the carries of a launch must be: folded from left to right, and in the order that carry/look_across.h documents.
#pragma once

#include <lightscan/carry/words.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace testing_support
{
using lightscan::carry::no_init;

template <class T>
struct found_carry
{
  bool exists;
  lightscan::carry::uninitialized<T> value;
};

template <class T>
bool same_bits(const T& a, const T& b)
{
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// Empty if both are the same to the bit, else where they differ.
template <class T>
std::string difference(const std::vector<found_carry<T>>& actual, const std::vector<found_carry<T>>& expected)
{
  for (std::size_t t = 0; t < expected.size(); ++t)
  {
    if (actual[t].exists != expected[t].exists)
    {
      return "tile " + std::to_string(t) + (actual[t].exists ? " has a carry" : " has no carry");
    }
    if (expected[t].exists && !same_bits(actual[t].value.value, expected[t].value.value))
    {
      return "tile " + std::to_string(t) + " has another carry";
    }
  }
  return "";
}

// A fold under way that may not have begun.
template <class T, class Op>
struct running_fold
{
  Op op;
  found_carry<T> value;

  running_fold(Op o, no_init)
      : op(o)
      , value{false, {}}
  {}
  running_fold(Op o, const T& init)
      : op(o)
      , value{true, init}
  {}

  void append(const T& right)
  {
    value = {true, value.exists ? op(value.value.value, right) : right};
  }
};

template <class T, class Op, class Init>
std::vector<found_carry<T>> left_to_right(const std::vector<T>& aggregates, Op op, Init init)
{
  running_fold<T, Op> fold(op, init);
  std::vector<found_carry<T>> carries;
  for (const T& aggregate : aggregates)
  {
    carries.push_back(fold.value);
    fold.append(aggregate);
  }
  return carries;
}

// The order that carry/look_across.h documents, written down a second time: windows of 160 tiles, lanes of 5 folded
// from left to right, lanes folded by a tree over neighbours, windows folded from left to right.
template <class T, class Op>
T fold_of_window(const T* first, const T* last, Op op)
{
  std::vector<T> lanes;
  for (const T* run = first; run < last; run += 5)
  {
    running_fold<T, Op> lane(op, no_init{});
    std::for_each(run, std::min(run + 5, last), [&](const T& aggregate) {
      lane.append(aggregate);
    });
    lanes.push_back(lane.value.value.value);
  }
  while (lanes.size() > 1)
  {
    std::vector<T> pairs;
    for (std::size_t i = 0; i < lanes.size(); i += 2)
    {
      pairs.push_back(i + 1 < lanes.size() ? op(lanes[i], lanes[i + 1]) : lanes[i]);
    }
    lanes = pairs;
  }
  return lanes.front();
}

template <class T, class Op, class Init>
std::vector<found_carry<T>> documented_order(const std::vector<T>& aggregates, Op op, Init init)
{
  running_fold<T, Op> windows(op, init);
  std::vector<found_carry<T>> carries;
  for (std::size_t t = 0; t < aggregates.size(); ++t)
  {
    const T* const window = aggregates.data() + t / 160 * 160;
    if (t > 0 && t % 160 == 0)
    {
      windows.append(fold_of_window(window - 160, window, op));
    }
    running_fold<T, Op> carry = windows;
    if (t % 160 > 0)
    {
      carry.append(fold_of_window(window, window + t % 160, op));
    }
    carries.push_back(carry.value);
  }
  return carries;
}
} // namespace testing_support
