// The two ends of the plain kernel: where a tile's accumulators come from and where their results go.
//
//   memory_source, memory_sink      contiguous memory of the accumulator's own type: 16-byte words
//   iterator_source, iterator_sink  any random-access iterators: element by element, converted on the way
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/tile/copy.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstring>
#include <cuda/std/tuple>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
struct memory_source
{
  const unsigned char* grid; // mirrors the stages: the input's address, less the lead
};

struct memory_sink
{
  unsigned char* grid;
};

// One iterator for each argument of the form's lift.
template <class... Its>
struct iterator_source
{
  ::cuda::std::tuple<Its...> first;
};

template <class It>
struct iterator_sink
{
  It first;
};

#if defined(__CUDACC__)
// All threads of the group; each returns once its own part is done.
template <class Form, int WordsPerThread>
__device__ void
load(const memory_source& source, unsigned char* stage, const geometry& tiles, index t, int thread, int threads)
{
  using T                         = typename Form::accumulator;
  const unsigned char* const from = source.grid + t * tiles.tile_items * static_cast<index>(sizeof(T));
  load_tile<WordsPerThread>(stage, from, bytes_of<T>(tiles.inside(t)), thread, threads);
}

template <class Form>
__device__ void
store(const memory_sink& sink, const unsigned char* stage, const geometry& tiles, index t, int thread, int threads)
{
  using T                 = typename Form::accumulator;
  unsigned char* const to = sink.grid + t * tiles.tile_items * static_cast<index>(sizeof(T));
  store_tile(to, stage, bytes_of<T>(tiles.inside(t)), thread, threads);
}

template <class Form, int, class... Its>
__device__ void load(
  const iterator_source<Its...>& source, unsigned char* stage, const geometry& tiles, index t, int thread, int threads)
{
  using T           = typename Form::accumulator;
  const span inside = tiles.inside(t);
  const index begin = tiles.begin(t);
  ::cuda::std::apply(
    [&](const auto&... first) {
#  pragma unroll 8
      for (int i = inside.first + thread; i < inside.last; i += threads)
      {
        const carry::uninitialized<T> lifted(Form::lift(*(first + (begin + i))...));
        ::cuda::std::memcpy(stage + i * sizeof(T), static_cast<const void*>(&lifted.value), sizeof(T));
      }
    },
    source.first);
}

template <class Form, class It>
__device__ void store(
  const iterator_sink<It>& sink, const unsigned char* stage, const geometry& tiles, index t, int thread, int threads)
{
  using T           = typename Form::accumulator;
  using result      = typename Form::result;
  const span inside = tiles.inside(t);
  const index begin = tiles.begin(t); // negative for tile 0 of a range with a lead: no iterator is made of it alone
#  pragma unroll 8
  for (int i = inside.first + thread; i < inside.last; i += threads)
  {
    *(sink.first + (begin + i)) = *reinterpret_cast<const result*>(stage + i * sizeof(T));
  }
}
#endif
} // namespace tile
LIGHTSCAN_NAMESPACE_END
