// Where there are lines enough for all threads, each takes neighbouring ones as a whole and walks down their layers: nobody waits for
// another, and nothing goes through shared memory. A thread asks for layers before it scans those that it asked for last.
#pragma once

#include <lightscan/axis.h>
#include <lightscan/batched/geometry.h>
#include <lightscan/tile/column.h>
#include <lightscan/tile/divisor.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/tile/scan_kind.h>
#include <lightscan/util/iterators.h>
#include <lightscan/util/maybe.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
// What lines a thread takes.
enum class walk
{
  one,           // one, through any iterators
  several,       // those that one access of up to 16 bytes reaches
  several_of_few // the same for lines of few layers
};

// What was measured to be best (perf/DECISIONS.md, walk-rows and walks).
struct walk_row
{
  walk how;
  int at_once;    // layers that are asked for; a thread has room for twice as many
  int threads;    // of a block
  int min_blocks; // that the compiler is to leave registers for
  int enough;     // threads for each multiprocessor
};

// Of one line at a time, layers in as many registers.
inline constexpr walk_row walk_rows[] = {
  {walk::one, 32, 64, 10, 192}, {walk::several, 16, 32, 12, 96}, {walk::several_of_few, 4, 64, 16, 96}};

// The numbers that a kernel is compiled for: for accumulators of so many bytes, in so many registers, and elements of so many in memory.
template <walk How, int AccumulatorBytes, int Registers, int ElementBytes>
struct walk_policy
{
  static constexpr walk_row row      = walk_rows[static_cast<int>(How)];
  static constexpr int bytes         = AccumulatorBytes;
  static constexpr int element_bytes = ElementBytes;

  static_assert(row.how == How, "rows stand in the order of their names");

  // Neighbouring ones, that a thread takes.
  static constexpr int lines = How == walk::one || 16 % bytes != 0 ? 1 : bytes <= 4 ? 4 : 16 / bytes;

  static constexpr int at_once = How != walk::one ? row.at_once : Registers <= 12 ? row.at_once / Registers : 1;
};

// The registers of a T: compilers keep small members apart.
template <class T>
inline constexpr int walked_registers = static_cast<int>(alignof(T) < 4 ? sizeof(T) / alignof(T) : (sizeof(T) + 3) / 4);

// What lies in memory, where iterators are pointers; else the accumulators would.
template <class T, class InputIt, class OutputIt>
struct walked_memory
{
  static constexpr bool by_word  = false;                       // one access may reach several lines
  static constexpr int widest    = static_cast<int>(sizeof(T)); // of elements, results and accumulators
  static constexpr int narrowest = static_cast<int>(sizeof(T)); // of elements and results
};
template <class T, class In, class Out>
struct walked_memory<T, In*, Out*>
{
  using element = ::cuda::std::remove_cv_t<In>;

  static constexpr bool numbers =
    ::cuda::std::is_arithmetic_v<element> && ::cuda::std::is_arithmetic_v<T> && ::cuda::std::is_arithmetic_v<Out>;
  static constexpr bool by_word =
    numbers
    || (::cuda::std::is_same_v<element,
                               T> && ::cuda::std::is_same_v<Out, T> && util::assigns_bytes<T, T> && alignof(T) >= 4);
  static constexpr ::cuda::std::size_t wider = sizeof(In) > sizeof(Out) ? sizeof(In) : sizeof(Out);

  static constexpr int widest    = static_cast<int>(wider > sizeof(T) ? wider : sizeof(T));
  static constexpr int narrowest = static_cast<int>(sizeof(In) < sizeof(Out) ? sizeof(In) : sizeof(Out));
};

template <class T, class InputIt, class OutputIt, walk How>
using walk_policy_for =
  walk_policy<How,
              How == walk::one ? static_cast<int>(sizeof(T)) : walked_memory<T, InputIt, OutputIt>::widest,
              walked_registers<T>,
              walked_memory<T, InputIt, OutputIt>::narrowest>;

inline constexpr int max_walked_bytes = 64; // of an accumulator: registers hold two layers of wider ones no more

// Lines of so few layers are asked for as a whole, more or less.
inline constexpr int few_layers = 8;

// Bytes of a layer of which threads that have a line each, or some, use enough of each sector; for elements of 8 bytes, and others.
inline constexpr int walked_layer_bytes[] = {128, 64};

// Lines side by side that are so many that few threads meet two outer indices.
inline constexpr int many_lines = 256;

// Whether a scan is walked: by threads enough, through layers wide enough. Where layers of wide elements do not begin with a sector, lines
// must be so short that its parts are asked for at about the same time (perf/DECISIONS.md, walks).
template <class Policy>
bool suits_walks(const axis& of, int multiprocessors)
{
  constexpr walk how       = Policy::row.how;
  constexpr int bytes      = Policy::element_bytes;
  constexpr index of_layer = walked_layer_bytes[bytes >= 8 ? 0 : 1];
  const index walks        = of.outer * (of.inner / Policy::lines);
  if (of.inner % Policy::lines != 0 || of.inner * bytes < of_layer
      || walks < static_cast<index>(Policy::row.enough) * multiprocessors)
  {
    return false;
  }
  const bool cuts = bytes >= 4 && !layers_begin_with(sector_bytes, of, bytes);
  if constexpr (how == walk::one)
  {
    return of.length >= Policy::at_once / 2
        && (!cuts || bytes >= 8 || (of.length <= Policy::at_once && of.inner >= many_lines));
  }
  return (of.length <= few_layers) == (how == walk::several_of_few) && (!cuts || of.length <= 2 * few_layers);
}

// Whether walks are faster than bulk copies, too: lines of few layers, or layers that begin with a line of the cache.
inline bool suits_walks_most(const axis& of, int bytes)
{
  return of.length <= 2 * few_layers || layers_begin_with(cache_line_bytes, of, bytes);
}

template <class T, class InputIt, class OutputIt, class Op, class Init>
struct walk_arguments
{
  InputIt input;
  OutputIt output;
  strided_range from;
  strided_range to;
  index length;
  index walks;  // of all threads
  index across; // in a layer
  tile::divisor by_across;
  Op op;
  Init init;
};

#if defined(__CUDACC__)
template <class T, bool Inclusive, class InputIt, class OutputIt, class Op, class Init, class Policy>
class walker
{
  using item   = util::uninitialized<T>;
  using result = util::value_t<OutputIt>; // of memory

  static constexpr int lines   = Policy::lines;
  static constexpr int at_once = Policy::at_once;

  // Several lines' elements are read as they lie.
  using element = ::cuda::std::conditional_t<lines == 1, T, util::value_t<InputIt>>;
  template <class X>
  struct neighbours
  {
    util::uninitialized<X> line[lines];
  };
  using layer = neighbours<element>;

  // What one access reaches: the compiler makes accesses of structs to those of their members.
  template <class X>
  using word = decltype(tile::widest_word<lines* static_cast<int>(sizeof(X)),
                                          uint4,
                                          uint2,
                                          unsigned,
                                          unsigned short,
                                          unsigned char>());

public:
  using policy    = Policy;
  using arguments = walk_arguments<T, InputIt, OutputIt, Op, Init>;

  static constexpr int threads    = Policy::row.threads;
  static constexpr int min_blocks = Policy::row.min_blocks;

  explicit __device__ walker(const arguments& args)
      : args_(args)
      , op_(args.op)
  {}

  __device__ void scan()
  {
    const auto init  = util::resolved_init<T>(args_.init);
    const index step = static_cast<index>(gridDim.x) * threads;
    for (index walk = static_cast<index>(blockIdx.x) * threads + threadIdx.x; walk < args_.walks; walk += step)
    {
      const index outer  = args_.by_across.quotient(walk);
      const index column = (walk - outer * args_.across) * lines;
      scan_lines(first_of(args_.from, outer, column), first_of(args_.to, outer, column), init);
    }
  }

private:
  __device__ index first_of(const strided_range& where, index outer, index column) const
  {
    return where.origin + outer * (args_.length * where.along + where.gap) + column;
  }

  // Where a thread is.
  struct position
  {
    index left; // layers that are not scanned
    index from; // where those lie that are to be asked for next
    index to;
  };

  template <class Before>
  __device__ void scan_lines(index from, index to, const Before& init)
  {
    item before[lines];
    position at{args_.length, from, to};
    layer some[at_once];
    layer others[at_once];
    read(some, at.left, at.from);
    while (scan_and_read(some, others, at, init, before) && scan_and_read(others, some, at, init, before))
    {}
  }

  // Scans the layers `now`, for which it waits once the ones after them are asked for. Returns whether there are any.
  template <class Before>
  __device__ bool
  scan_and_read(layer (&now)[at_once], layer (&next)[at_once], position& at, const Before& init, item (&before)[lines])
  {
    const index after = at.left - at_once;
    if (after > 0)
    {
      read(next, after, at.from);
    }
    const bool first = at.left == args_.length;
    if (after >= 0)
    {
      scan_layers<true>(now, at_once, first, at.to, init, before);
    }
    else
    {
      scan_layers<false>(now, static_cast<int>(at.left), first, at.to, init, before);
    }
    at.left = after;
    return after > 0;
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  __device__ void read(layer (&layers)[at_once], index left, index& at) const
  {
    const int count = left < at_once ? static_cast<int>(left) : at_once;
    LIGHTSCAN_UNROLL
    for (int i = 0; i < at_once; ++i)
    {
      if (i < count)
      {
        if constexpr (lines > 1)
        {
          const auto read = *reinterpret_cast<const word<element>*>(args_.input + at);
          util::copy_bytes(&layers[i], &read, sizeof(read));
        }
        else
        {
          layers[i].line[0] = static_cast<T>(*(args_.input + at));
        }
      }
      at += args_.from.along;
    }
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  template <bool Whole, class Before>
  __device__ void scan_layers(
    const layer (&layers)[at_once], int count, bool first, index& at, const Before& init, item (&before)[lines])
  {
    LIGHTSCAN_UNROLL
    for (int i = 0; i < at_once; ++i)
    {
      if (Whole || i < count)
      {
        const bool begins = first && i == 0;
        item results[lines];
        LIGHTSCAN_UNROLL
        for (int k = 0; k < lines; ++k)
        {
          const T element = static_cast<T>(layers[i].line[k].value);
          results[k]      = tile::step_in_segment<Inclusive>(init, before[k], begins, element, op_);
        }
        write(results, at);
        at += args_.to.along;
      }
    }
  }

  LIGHTSCAN_EXEC_CHECK_DISABLE
  __device__ void write(const item (&results)[lines], index at) const
  {
    if constexpr (lines > 1)
    {
      neighbours<result> written;
      LIGHTSCAN_UNROLL
      for (int k = 0; k < lines; ++k)
      {
        written.line[k] = static_cast<result>(results[k].value);
      }
      word<result> together;
      util::copy_bytes(&together, &written, sizeof(together));
      *reinterpret_cast<word<result>*>(args_.output + at) = together;
    }
    else
    {
      *(args_.output + at) = results[0].value;
    }
  }

  const arguments& args_;
  Op op_;
};

template <class Walker>
__global__ void __launch_bounds__(Walker::threads, Walker::min_blocks)
  batched_walk(const __grid_constant__ typename Walker::arguments args)
{
  Walker(args).scan();
}
#endif
} // namespace batched
LIGHTSCAN_NAMESPACE_END
