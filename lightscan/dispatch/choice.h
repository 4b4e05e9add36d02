// Which of the two kernels is the faster one.
#pragma once

#include <lightscan/dispatch/bulk_view.h>
#include <lightscan/dispatch/plain_view.h>
#include <lightscan/dispatch/tuning.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// The plain kernel is made for one wave: every block has a tile in its registers, and they look across once. The bulk
// pipeline takes longer to get going, and then a fraction of the time for a tile. So what decides is how many tiles a block
// of the plain kernel would have; on an H200 the two meet between one and two for most types, whatever that is in bytes
// (perf/NOTES.md, "Which kernel"). The most items with which the plain kernel is faster:
template <class Rows, class Form, class OutputIt, class... InputIts>
constexpr ::cuda::std::int64_t most_for_plain(int multiprocessors)
{
  using T    = typename Form::accumulator;
  using bulk = typename bulk_view<Rows, Form, OutputIt, InputIts...>::type;
  return plain_shape_for<T, plain_source<T, InputIts...>>::items_in(bulk::shape::row.plain_tiles, multiprocessors);
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
