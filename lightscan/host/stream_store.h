// Stores past the caches.
//
// An ordinary store first reads the line that it is about to overwrite, which makes three bytes of traffic of every two
// that a scan needs to move. A non-temporal store of whole lines reads nothing. It pays where the output is much larger
// than the caches, and only there: the lines are not in the cache afterwards.
#pragma once

#include <lightscan/version.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) || defined(_M_X64)
#  include <emmintrin.h>
#  define LIGHTSCAN_HAS_STREAM_STORES 1
#else
#  define LIGHTSCAN_HAS_STREAM_STORES 0
#endif

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
inline constexpr bool has_stream_stores    = LIGHTSCAN_HAS_STREAM_STORES;
inline constexpr std::size_t line_of_cache = 64;

// Copies as memcpy does; whole lines of `to` are written past the caches, the parts of lines at both ends are not.
// `finish_stream_stores` must follow on the same thread before another may read.
inline void stream_copy(void* to, const void* from, std::size_t bytes)
{
  unsigned char* out      = static_cast<unsigned char*>(to);
  const unsigned char* in = static_cast<const unsigned char*>(from);
#if LIGHTSCAN_HAS_STREAM_STORES
  const std::size_t past_line = reinterpret_cast<std::uintptr_t>(out) % line_of_cache;
  const std::size_t to_line   = past_line == 0 ? 0 : line_of_cache - past_line;
  const std::size_t head      = to_line < bytes ? to_line : bytes;
  std::memcpy(out, in, head);
  out += head;
  in += head;
  bytes -= head;
  for (; bytes >= line_of_cache; bytes -= line_of_cache, out += line_of_cache, in += line_of_cache)
  {
    const __m128i* const words = reinterpret_cast<const __m128i*>(in);
    const __m128i a            = _mm_loadu_si128(words);
    const __m128i b            = _mm_loadu_si128(words + 1);
    const __m128i c            = _mm_loadu_si128(words + 2);
    const __m128i d            = _mm_loadu_si128(words + 3);
    __m128i* const line        = reinterpret_cast<__m128i*>(out);
    _mm_stream_si128(line, a);
    _mm_stream_si128(line + 1, b);
    _mm_stream_si128(line + 2, c);
    _mm_stream_si128(line + 3, d);
  }
#endif
  std::memcpy(out, in, bytes);
}

// Non-temporal stores are ordered by no release store and no lock; this orders them before both.
inline void finish_stream_stores()
{
#if LIGHTSCAN_HAS_STREAM_STORES
  _mm_sfence();
#endif
}
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
