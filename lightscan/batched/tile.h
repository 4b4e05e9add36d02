// One tile: which lines and layers it has, which of them are a thread's, and where these lie in memory.
#pragma once

#include <lightscan/batched/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
// What is known of a chunk of a thread's items.
enum class chunk_case
{
  within_line, // all are there, and no line begins among them
  whole,       // all are there
  any
};
template <chunk_case Case>
using case_constant = ::cuda::std::integral_constant<chunk_case, Case>;

#if defined(__CUDACC__)
template <class Policy>
struct tile_of_lines
{
  static constexpr int at_once = Policy::items_at_once;
  static constexpr int far     = Policy::most_items; // so many layers on, no thread has one

  const geometry& lines;
  index down;  // pieces above
  index layer; // the first
  index line;  // the first
  int width;   // lines
  int depth;   // layers
  index above; // layers of the lines that come from above
  int group;   // the thread's
  int column;  // the thread's line
  int begin;   // the thread's first layer, of the tile's
  int count;   // the thread's layers
  int head;    // the first of them with which a line begins; or beyond

  // Tile `t` of a piece.
  __device__ tile_of_lines(const geometry& all, index piece, int t, int group_of_thread, int line_of_thread)
      : lines(all)
      , down(all.by_bands.quotient(piece))
      , layer(down * all.piece_layers + static_cast<index>(t) * (all.groups * all.layers_each))
      , line((piece - down * all.bands) * all.lines)
      , width(least(all.lines, all.inner - line))
      , depth(least(least(all.groups * all.layers_each, (down + 1) * all.piece_layers - layer), all.layers - layer))
      , above(layer - all.by_length.quotient(layer) * all.length)
      , group(group_of_thread)
      , column(line_of_thread)
      , begin(group * all.layers_each)
      , count(takes_part() && depth > begin ? least(all.layers_each, depth - begin) : 0)
      , head(head_from(begin))
  {}

  __device__ bool takes_part() const
  {
    return column < width && group < lines.groups;
  }
  // Whether the lines go on below.
  __device__ bool goes_on() const
  {
    return layer + depth < lines.layers && head_from(depth) > 0;
  }

  // Whether it has all layers that a tile may have, and no line begins in it.
  __device__ bool is_plain() const
  {
    return depth == lines.groups * lines.layers_each && head_from(0) >= depth;
  }

  // Where the tile begins in a range whose layers lie side by side: some tiles stand from their last layer on.
  __device__ index begin_in(const strided_range& where) const
  {
    return where.origin + (lines.upward ? layer + depth - 1 : layer) * where.along + line;
  }

  // Calls f(case, chunk, head) for the thread's items, `at_once` after another. Chunks, because the compiler makes a product of each place
  // in a loop that it unrolls as a whole (perf/DECISIONS.md, batch-chunks).
  template <class F>
  __device__ void each_chunk(F f) const
  {
    int next = head;
    LIGHTSCAN_KEEP_ROLLED
    for (int chunk = 0; chunk < count; chunk += at_once)
    {
      if (chunk + at_once > count)
      {
        f(case_constant<chunk_case::any>{}, chunk, next);
      }
      else if (chunk + at_once <= next)
      {
        f(case_constant<chunk_case::within_line>{}, chunk, next);
      }
      else
      {
        f(case_constant<chunk_case::whole>{}, chunk, next);
        while (next < chunk + at_once)
        {
          next += length();
        }
      }
    }
  }

  // f(i, begins) for the items of a chunk: whether a line begins with it.
  template <chunk_case Case, class F>
  __device__ void each_of_chunk(int chunk, int next_head, F f) const
  {
    LIGHTSCAN_UNROLL
    for (int i = 0; i < at_once; ++i)
    {
      if constexpr (Case == chunk_case::within_line)
      {
        f(i, false);
      }
      else if (Case == chunk_case::whole || chunk + i < count)
      {
        const bool begins = chunk + i == next_head;
        next_head += begins ? length() : 0;
        f(i, begins);
      }
    }
  }

  // Where the thread's first item lies in a range; before the gap, where its line begins with it.
  __device__ index place_in(const strided_range& where) const
  {
    const index first = layer + begin;
    const index at    = where.origin + first * where.along + line + column;
    return where.gap == 0 || first == 0 ? at : at + lines.by_length.quotient(first - 1) * where.gap;
  }

  // f(i, at) for the items of a chunk; moves `at`, where the first of them lies, past them.
  template <chunk_case Case, class F>
  __device__ void each_place(const strided_range& where, int chunk, int next_head, index& at, F f) const
  {
    if (Case == chunk_case::whole && where.gap == 0)
    {
      each_of_chunk<chunk_case::within_line>(chunk, next_head, [&](int i, bool) {
        f(i, at);
        at += where.along;
      });
    }
    else
    {
      each_of_chunk<Case>(chunk, next_head, [&](int i, bool begins) {
        at += begins && layer + begin + chunk + i > 0 ? where.gap : 0;
        f(i, at);
        at += where.along;
      });
    }
  }

private:
  static __device__ int least(int a, index b)
  {
    return a < b ? a : static_cast<int>(b);
  }
  __device__ int length() const
  {
    return least(far, lines.length);
  }

  // With how many layers from one of the tile's on no line begins.
  __device__ int head_from(int from) const
  {
    const index to_head = lines.length - above - from; // of lines that come from above
    if (to_head >= 0)
    {
      return above + from == 0 ? 0 : least(far, to_head);
    }
    const int size = length(); // of a line longer than a tile, as much as a tile can have: it ends below this one
    const int past = static_cast<int>(-to_head) % size;
    return past == 0 ? 0 : size - past;
  }
};
#endif
} // namespace batched
LIGHTSCAN_NAMESPACE_END
