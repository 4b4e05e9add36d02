// The two ends of the plain kernel: where a tile's elements come from and where their scan goes.
//
//   memory_source, memory_sink      contiguous memory of the accumulator's own type: 16-byte words
//   iterator_source, iterator_sink  any random-access iterator: element by element, converted on the way
#pragma once

#include <lightscan/tile/copy.h>
#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

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

template <class It>
struct iterator_source
{
  It first;
};

template <class It>
struct iterator_sink
{
  It first;
};

#if defined(__CUDACC__)
// All threads of the block; each returns once its own part is done.
template <class T, int WordsPerThread>
__device__ void
load(const memory_source& source, unsigned char* stage, const geometry& tiles, index t, int thread, int threads)
{
  const unsigned char* const from = source.grid + t * tiles.tile_items * static_cast<index>(sizeof(T));
  load_tile<WordsPerThread>(stage, from, bytes_of<T>(tiles.inside(t)), thread, threads);
}

template <class T>
__device__ void
store(const memory_sink& sink, const unsigned char* stage, const geometry& tiles, index t, int thread, int threads)
{
  unsigned char* const to = sink.grid + t * tiles.tile_items * static_cast<index>(sizeof(T));
  store_tile(to, stage, bytes_of<T>(tiles.inside(t)), thread, threads);
}

template <class T, int WordsPerThread, class It>
__device__ void
load(const iterator_source<It>& source, unsigned char* stage, const geometry& tiles, index t, int thread, int threads)
{
  const span inside = tiles.inside(t);
  const It from     = source.first + tiles.begin(t);
#  pragma unroll 8
  for (int i = inside.first + thread; i < inside.last; i += threads)
  {
    reinterpret_cast<T*>(stage)[i] = static_cast<T>(*(from + i));
  }
}

template <class T, class It>
__device__ void store(
  const iterator_sink<It>& sink, const unsigned char* stage, const geometry& tiles, index t, int thread, int threads)
{
  const span inside = tiles.inside(t);
  const index begin = tiles.begin(t); // negative for tile 0 of a range with a lead: no iterator is made of it alone
#  pragma unroll 8
  for (int i = inside.first + thread; i < inside.last; i += threads)
  {
    *(sink.first + (begin + i)) = reinterpret_cast<const T*>(stage)[i];
  }
}
#endif
} // namespace tile
LIGHTSCAN_NAMESPACE_END
