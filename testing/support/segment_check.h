// What the tests of segments share: offsets of rows and of segments of any lengths, a sequential scan of them, and ranges on the GPU.
#pragma once

#include "guarded_memory.h"

#include <lightscan/util/uninitialized.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace testing_support
{
// Offsets of rows.
template <class Offset>
std::vector<Offset> rows_of(std::int64_t length, std::int64_t rows)
{
  std::vector<Offset> offsets;
  for (std::int64_t row = 0; row <= rows; ++row)
  {
    offsets.push_back(static_cast<Offset>(row * length));
  }
  return offsets;
}

// Segments of up to `longest` elements, some empty, a few a hundred times as long; `n` elements in all.
template <class Offset>
std::vector<Offset> random_segments(std::int64_t n, std::int64_t longest, unsigned seed)
{
  std::mt19937_64 random(seed);
  std::vector<Offset> offsets{0};
  while (static_cast<std::int64_t>(offsets.back()) < n)
  {
    const auto drawn          = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(longest + 1));
    const std::int64_t length = random() % 50 == 0 ? 100 * drawn : drawn;
    offsets.push_back(
      static_cast<Offset>(std::min<std::int64_t>(n, static_cast<std::int64_t>(offsets.back()) + length)));
  }
  offsets.push_back(offsets.back()); // an empty one at the end
  return offsets;
}

template <bool Inclusive, class T, class Offset, class Init, class Op>
std::vector<T> host_scan_of_segments(const std::vector<T>& in, const std::vector<Offset>& offsets, Init init, Op op)
{
  std::vector<T> out(in.size());
  for (std::size_t j = 0; j + 1 < offsets.size(); ++j)
  {
    T running{};
    for (auto i = static_cast<std::size_t>(offsets[j]); i < static_cast<std::size_t>(offsets[j + 1]); ++i)
    {
      const bool first = i == static_cast<std::size_t>(offsets[j]);
      const T before   = running;
      running          = first ? in[i] : op(running, in[i]);
      if constexpr (std::is_same_v<Init, lightscan::util::no_init>)
      {
        out[i] = running;
      }
      else
      {
        out[i] = Inclusive ? op(init, running) : first ? init : op(init, before);
      }
    }
  }
  return out;
}

template <class T>
class on_device
{
public:
  explicit on_device(const std::vector<T>& values, std::size_t offset = 0)
      : memory_(values.size(), offset)
  {
    memory_.upload(values);
  }
  T* data() const
  {
    return memory_.data();
  }
  guarded_memory<T>& memory()
  {
    return memory_;
  }

private:
  guarded_memory<T> memory_;
};
} // namespace testing_support
