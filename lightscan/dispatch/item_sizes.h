// What decides on the shape of the bulk pipeline's blocks (shape.h) of the items that they scan.
#pragma once

#include <lightscan/bulk/source.h>
#include <lightscan/bulk/stage_view.h>
#include <lightscan/util/words.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// Of the items of a stage (bulk/stage_view.h), what decides on a shape.
struct item_sizes
{
  bulk::source source;
  bool looks_up; // whether a test of the items may read memory of its own (bulk::source::with_lookups)
  int columns;   // of inputs, in the stage
  int results;   // their columns there
  bulk::placement placed;
  bool in_place;
  bool emits;
  bool has_evaluators;
  int accumulator;       // bytes
  int alignment;         // of an accumulator
  int evaluated;         // bytes of the widest item that evaluators read; 0 where there is none
  int held_in_registers; // bytes of the widest value that a thread holds; of items that are read, less padding
  int chunk_items;
  int chunk_bytes; // in the stage
  int held_bytes;  // of a chunk, where results are not in place
  int slack;       // bytes of a stage beside the items'
};

template <class Items>
constexpr item_sizes item_sizes_of()
{
  using T                   = typename Items::kind_type::accumulator;
  constexpr int accumulator = static_cast<int>(sizeof(T));
  constexpr int widest  = Items::inputs.widest > Items::results.widest ? Items::inputs.widest : Items::results.widest;
  constexpr int in_scan = bulk::reads_items(Items::leaves::from) ? static_cast<int>(util::used_bytes<T>) : accumulator;
  constexpr int in_emission = widest > accumulator ? widest : accumulator; // a thread holds items
  return {Items::leaves::from,
          Items::kind_type::looks_up,
          Items::inputs.count,
          Items::results.count,
          Items::placed,
          Items::in_place,
          Items::emits,
          Items::has_evaluators,
          accumulator,
          static_cast<int>(alignof(T)),
          Items::has_evaluators && !Items::leaves::only_marked ? Items::leaves::widest_evaluated() : 0,
          Items::emits ? in_emission : in_scan,
          Items::items,
          Items::bytes,
          Items::held_bytes,
          Items::slack};
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
