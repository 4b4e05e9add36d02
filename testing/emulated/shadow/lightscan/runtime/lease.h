// As lightscan/runtime/lease.h: one workspace, whose tags go on from launch to launch. What earlier launches have stored stays there.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace runtime
{
struct lease
{
  void* memory            = nullptr;
  std::uint32_t first_tag = 1;
  std::size_t bytes       = 0;
};

inline constexpr std::uint64_t unknown_tags = 0;

struct emulated_workspace
{
  std::vector<carry::slot_word> words =
    std::vector<carry::slot_word>(carry::workspace_bytes / sizeof(carry::slot_word));
  std::vector<carry::slot_word> at_launch;
  std::uint32_t next_tag = 0; // 0: must be cleared first
};

inline emulated_workspace& workspace_of_all()
{
  static emulated_workspace only;
  return only;
}

inline outcome clear(void* memory, std::size_t bytes, cudaStream_t)
{
  std::memset(memory, 0, bytes);
  return {};
}

inline outcome acquire(stream_attributes&, cudaStream_t, std::size_t bytes, std::uint64_t tags, lease& result)
{
  emulated_workspace& all = workspace_of_all();
  if (bytes > carry::workspace_bytes)
  {
    return {cudaErrorInvalidValue, "asking for more than a workspace"};
  }
  if (tags == unknown_tags || all.next_tag == 0 || tags > carry::last_tag - all.next_tag)
  {
    std::fill(all.words.begin(), all.words.end(), 0);
    all.next_tag = 1;
  }
  result.memory    = all.words.data();
  result.first_tag = all.next_tag;
  result.bytes     = bytes;
  all.next_tag     = tags == unknown_tags ? 0 : all.next_tag + static_cast<std::uint32_t>(tags);
  all.at_launch    = all.words;
  return {};
}

// Tells of a word behind those leased that has changed.
inline outcome release(const driver&, cudaStream_t, const lease& done)
{
  const emulated_workspace& all = workspace_of_all();
  if (done.memory == all.words.data())
  {
    const auto first =
      static_cast<std::ptrdiff_t>((done.bytes + sizeof(carry::slot_word) - 1) / sizeof(carry::slot_word));
    if (!std::equal(all.words.begin() + first, all.words.end(), all.at_launch.begin() + first))
    {
      throw emulated::failure("a slot was stored behind the memory for slots");
    }
  }
  return {};
}

inline outcome clear_in_graph(void*, std::size_t, std::size_t, cudaStream_t)
{
  return {cudaErrorNotSupported, "capturing a launch"};
}
inline outcome acquire_in_graph(cudaStream_t, std::size_t, lease&)
{
  return {cudaErrorNotSupported, "capturing a launch"};
}
} // namespace runtime
LIGHTSCAN_NAMESPACE_END
