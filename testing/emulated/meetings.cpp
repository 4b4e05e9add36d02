// Threads that wait for each other: the lanes of a warp in collective calls, the warps of a block at its numbered barriers.
#include "launch_state.h"
#include "order.h"

#include <sstream>

namespace emulated
{
namespace
{
const char* name_of(collective kind)
{
  constexpr const char* names[] = {
    "__syncwarp", "a shuffle", "a shuffle up", "a shuffle down", "a vote", "a sum", "a maximum"};
  return names[static_cast<int>(kind)];
}

// Lanes of a warp that have not ended.
unsigned alive_lanes(block& b, lane_thread* warp)
{
  unsigned alive = 0;
  for (unsigned l = 0; l < lanes && warp + l < b.threads.data() + b.threads.size(); ++l)
  {
    alive |= warp[l].now != state::ended ? 1u << l : 0;
  }
  return alive;
}

constexpr std::uint64_t read_from_nobody = 0xbadbadbadbadbad1; // of a lane that does not take part

std::uint64_t shuffled(lane_thread* warp, unsigned lane, unsigned there)
{
  const lane_thread& self = warp[lane];
  const auto width        = static_cast<unsigned>(self.width);
  const unsigned first    = lane & ~(width - 1);
  unsigned from           = lane;
  switch (self.kind)
  {
    case collective::shuffle:
      from = first + self.operand % width;
      break;
    case collective::shuffle_up:
      from = lane - first >= self.operand ? lane - self.operand : lane;
      break;
    default:
      from = lane - first + self.operand < width ? lane + self.operand : lane;
  }
  return (there >> from & 1) != 0 ? warp[from].value : read_from_nobody;
}

// What all lanes are told, given what the lanes before one say, and what it says.
std::uint64_t joined(collective kind, std::uint64_t before, std::uint64_t value, unsigned lane)
{
  switch (kind)
  {
    case collective::ballot:
      return before | static_cast<std::uint64_t>(value != 0) << lane;
    case collective::greatest:
      return value > before ? value : before;
    default:
      return before + value;
  }
}

// Ends the meeting of `mask`, where all have come.
bool try_to_meet(block& b, lane_thread* warp, unsigned mask, collective kind)
{
  const unsigned there = mask & alive_lanes(b, warp);
  for (unsigned l = 0; l < lanes; ++l)
  {
    if ((there >> l & 1) != 0 && !(warp[l].meets && warp[l].mask == mask && warp[l].kind == kind))
    {
      return false;
    }
  }
  std::uint64_t together = 0;
  for (unsigned l = 0; l < lanes; ++l)
  {
    if ((there >> l & 1) != 0)
    {
      together = joined(kind, together, warp[l].value, l);
    }
  }
  for (unsigned l = 0; l < lanes; ++l)
  {
    if ((there >> l & 1) != 0)
    {
      const bool moves = kind == collective::shuffle || kind == collective::shuffle_up
                      || kind == collective::shuffle_down;
      warp[l].result = moves ? shuffled(warp, l, there) : together;
    }
  }
  for (unsigned l = 0; l < lanes; ++l)
  {
    if ((there >> l & 1) != 0)
    {
      warp[l].meets = false;
      if (warp[l].now == state::waits)
      {
        make_ready(warp[l]);
      }
    }
  }
  return there != 0;
}
} // namespace

std::uint64_t meet(collective kind, unsigned mask, std::uint64_t value, unsigned operand, int width)
{
  const order::unseen by_kernels;
  lane_thread& self       = *now.running;
  const unsigned lane     = self.names.thread % lanes;
  lane_thread* const warp = self.of->warp(self.names.thread);
  if ((mask >> lane & 1) == 0)
  {
    misused("a lane calls for others, and not for itself");
  }
  self.meets   = true;
  self.kind    = kind;
  self.mask    = mask;
  self.value   = value;
  self.operand = operand;
  self.width   = width;
  acted();
  if (kind == collective::sync) // the others order nothing
  {
    order::release(warp);
  }
  if (!try_to_meet(*self.of, warp, mask, kind))
  {
    give_way(state::waits, [](const lane_thread& thread) {
      std::ostringstream text;
      text << "waits in " << name_of(thread.kind) << " of lanes " << std::hex << thread.mask;
      return text.str();
    });
  }
  else
  {
    may_give_way();
  }
  if (kind == collective::sync)
  {
    order::acquire(warp);
  }
  return self.result;
}

void look_for_meeting(lane_thread& ended)
{
  lane_thread* const warp = ended.of->warp(ended.names.thread);
  for (unsigned l = 0; l < lanes && warp + l < ended.of->threads.data() + ended.of->threads.size(); ++l)
  {
    if (warp[l].meets)
    {
      (void) try_to_meet(*ended.of, warp, warp[l].mask, warp[l].kind);
    }
  }
}

unsigned active_lanes()
{
  const order::unseen by_kernels;
  lane_thread& self   = *now.running;
  const unsigned lane = self.names.thread % lanes;
  self.asks_active    = true;
  acted();
  make_ready(self);
  self.runner->leave();
  if (self.asks_active) // the first of its warp to go on says who is together with it
  {
    lane_thread* const warp = self.of->warp(self.names.thread);
    const auto drawn        = static_cast<unsigned>(now.random()) | (one_in(2) ? ~0u : 0u);
    unsigned together       = 0;
    for (unsigned l = 0; l < lanes && warp + l < self.of->threads.data() + self.of->threads.size(); ++l)
    {
      together |= warp[l].asks_active && (l == lane || (drawn >> l & 1) != 0) ? 1u << l : 0;
    }
    for (unsigned l = 0; l < lanes; ++l)
    {
      if ((together >> l & 1) != 0)
      {
        warp[l].asks_active = false;
        warp[l].active      = together;
      }
    }
  }
  return self.active;
}

void synchronize(unsigned id, unsigned threads)
{
  const order::unseen by_kernels;
  lane_thread& self  = *now.running;
  block& b           = *self.of;
  auto& there        = b.at_named[id];
  self.named_barrier = id;
  self.named_count   = threads;
  there.push_back(&self);
  order::release(&there);
  acted();
  if (id > 15 || threads % lanes != 0)
  {
    misused("no such barrier");
  }
  if (there.front()->named_count != threads)
  {
    misused("barrier " + std::to_string(id) + " is waited at with different counts");
  }
  if (there.size() < (threads > 0 ? threads : b.alive))
  {
    give_way(state::waits, [](const lane_thread& thread) {
      return "waits at the block's barrier " + std::to_string(thread.named_barrier) + ", of "
           + (thread.named_count > 0 ? std::to_string(thread.named_count) : std::string("all"))
           + " threads, where there are " + std::to_string(thread.of->at_named[thread.named_barrier].size());
    });
    order::acquire(&there);
    return;
  }
  std::vector<lane_thread*> go_on;
  go_on.swap(there);
  for (lane_thread* each : go_on)
  {
    if (each != &self)
    {
      make_ready(*each);
    }
  }
  order::acquire(&there);
  may_give_way();
}
} // namespace emulated
