// mbarrier objects, which are words of shared memory: arrivals and bytes to come, and the parity of the phase under way.
#include "launch_state.h"
#include "order.h"

#include <cstring>
#include <sstream>

namespace emulated
{
// An mbarrier object: a mark that says it is one, bytes to come, arrivals of a phase, arrivals to come, parity.
namespace
{
struct parts
{
  std::uint64_t parity : 1;
  std::uint64_t to_come : 15;
  std::uint64_t of_phase : 15;
  std::int64_t bytes : 25;
  std::uint64_t mark : 8;
};
static_assert(sizeof(parts) == 8);
constexpr unsigned mark = 0xb5;

parts read(const std::uint64_t* barrier)
{
  parts there;
  std::memcpy(&there, barrier, sizeof there);
  return there;
}

void write(std::uint64_t* barrier, parts there, block& b)
{
  if (there.to_come == 0 && there.bytes == 0)
  {
    there.parity ^= 1;
    there.to_come = there.of_phase;
    wake(b, barrier);
  }
  std::memcpy(barrier, &there, sizeof there);
}

parts checked(const std::uint64_t* barrier)
{
  const parts there = read(barrier);
  if (there.mark != mark)
  {
    misused("it uses what is no mbarrier");
  }
  return there;
}

} // namespace

void expect_barrier(const std::uint64_t* barrier)
{
  (void) checked(barrier);
}

void complete(std::uint64_t* barrier, block& b, unsigned bytes, unsigned arrivals)
{
  parts there = read(barrier);
  if (there.to_come < arrivals)
  {
    now.wrong = "a copy arrives where all have, at " + state_of_barrier(b, barrier);
    return;
  }
  order::release(barrier);
  there.bytes -= bytes;
  there.to_come -= arrivals;
  write(barrier, there, b);
}

std::string state_of_barrier(const block& in, std::uint64_t* barrier)
{
  const parts there = read(barrier);
  std::size_t which = 0;
  while (which < in.barriers.size() && in.barriers[which] != barrier)
  {
    ++which;
  }
  std::ostringstream text;
  text << "mbarrier " << which << " in the order of initialisation, whose phase of parity " << there.parity << " lacks "
       << there.to_come << " of " << there.of_phase << " arrivals and " << there.bytes << " bytes";
  return text.str();
}

void initialize(std::uint64_t* barrier, unsigned arrivals)
{
  const order::unseen by_kernels;
  parts there{};
  there.to_come  = arrivals;
  there.of_phase = arrivals;
  there.mark     = mark;
  std::memcpy(barrier, &there, sizeof there);
  now.running->of->barriers.push_back(barrier);
  acted();
  may_give_way();
}

void arrive(std::uint64_t* barrier, unsigned bytes_to_come)
{
  const order::unseen by_kernels;
  parts there = checked(barrier);
  if (there.to_come == 0)
  {
    misused("it arrives where all have, at " + state_of_barrier(*now.running->of, barrier));
  }
  order::release(barrier);
  there.bytes += bytes_to_come;
  --there.to_come;
  write(barrier, there, *now.running->of);
  acted();
  may_give_way();
}

bool is_over(std::uint64_t* barrier, bool parity)
{
  const order::unseen by_kernels;
  may_give_way(); // and not later: whoever polls then must not have missed the end
  const bool over      = checked(barrier).parity != parity;
  now.running->barrier = over ? nullptr : barrier;
  now.running->watched = over ? nullptr : barrier;
  if (over)
  {
    order::acquire(barrier);
  }
  return over;
}

bool wait_for(std::uint64_t* barrier, bool parity)
{
  const order::unseen by_kernels;
  if (checked(barrier).parity != parity)
  {
    order::acquire(barrier);
    may_give_way();
    return true;
  }
  lane_thread& self = *now.running;
  self.barrier      = barrier;
  self.parity       = parity;
  acted();
  self.of->waiting[barrier].push_back(&self);
  give_way(state::waits, [](const lane_thread& thread) {
    return "waits for the end of parity " + std::to_string(thread.parity) + " of "
         + state_of_barrier(*thread.of, thread.barrier);
  });
  self.barrier = nullptr;
  if (checked(barrier).parity == parity)
  {
    return false;
  }
  order::acquire(barrier);
  return true;
}
} // namespace emulated
