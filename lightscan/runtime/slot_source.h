// Where a launch's slots come from: the library's workspaces, memory that the caller brings, or slots that somebody keeps for launches
// of his own.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/runtime/lease.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/version.h>

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace runtime
{
// Slots for launches that run one after another, in graphs, too: a graph clears them and begins with the first tag at each replay,
// whenever that is; so other launches have tags above those of every graph.
struct kept_slots
{
  void* memory                 = nullptr; // carry::workspace_bytes, cleared once, before the first launch
  std::uint32_t next_tag       = 1;
  std::uint32_t tags_of_graphs = 0; // the most that one uses up

  // The tags of a launch that uses up so many, in a graph or not. Returns whether the slots have to be cleared before it.
  bool take_tags(bool captured, std::uint64_t tags, std::uint32_t& first)
  {
    const auto count  = static_cast<std::uint32_t>(tags);
    const bool clears = captured || count > carry::last_tag - next_tag;
    first             = clears ? 1 : next_tag;
    if (captured)
    {
      tags_of_graphs = tags_of_graphs > count ? tags_of_graphs : count;
    }
    const std::uint32_t past = captured ? next_tag : first + count;
    next_tag                 = past > tags_of_graphs ? past : tags_of_graphs + 1;
    return clears;
  }
};

// Leases slots that somebody keeps. `bytes`: of them, that the launch uses.
inline outcome
acquire_kept(kept_slots& kept, bool captured, cudaStream_t stream, std::size_t bytes, std::uint64_t tags, lease& result)
{
  result.memory = kept.memory;
  if (!kept.take_tags(captured, tags, result.first_tag))
  {
    return {};
  }
  return captured ? clear_in_graph(kept.memory, bytes, carry::workspace_bytes, stream)
                  : clear(kept.memory, carry::workspace_bytes, stream);
}

// Where a launch's slots are to come from: from the library's own workspaces, unless another place is named.
struct slot_source
{
  void* brought     = nullptr;
  std::size_t bytes = carry::workspace_bytes; // there
  kept_slots* kept  = nullptr;
};

// Memory that the caller brings for one launch alone, aligned to 8 bytes; null: none.
inline slot_source slots_brought(void* memory, std::size_t bytes)
{
  return memory != nullptr ? slot_source{memory, bytes, nullptr} : slot_source{};
}

inline slot_source slots_kept(kept_slots& kept)
{
  return {nullptr, carry::workspace_bytes, &kept};
}

inline outcome acquire_from(const slot_source& from,
                            stream_attributes& attributes,
                            cudaStream_t stream,
                            std::size_t bytes,
                            std::uint64_t tags,
                            lease& result)
{
  if (from.brought != nullptr)
  {
    result.memory = from.brought;
    if (bytes > from.bytes)
    {
      return {cudaErrorInvalidValue, "looking for room for slots in the memory that was brought"};
    }
    return attributes.captured ? clear_in_graph(from.brought, bytes, from.bytes, stream)
                               : clear(from.brought, bytes, stream);
  }
  if (from.kept != nullptr)
  {
    return acquire_kept(*from.kept, attributes.captured, stream, bytes, tags, result);
  }
  return attributes.captured ? acquire_in_graph(stream, bytes, result)
                             : acquire(attributes, stream, bytes, tags, result);
}
} // namespace runtime
LIGHTSCAN_NAMESPACE_END
