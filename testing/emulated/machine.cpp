// The scheduler: whose turn it is, from the launch's seed; and the threads of the system that have the blocks.
#include "launch_state.h"
#include "order.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <sstream>
#include <thread>

namespace emulated
{
course now;
const thread_names* here = nullptr;

gpu& device()
{
  static gpu only;
  return only;
}

unsigned any_below(unsigned end)
{
  return static_cast<unsigned>(now.random() % end);
}

bool one_in(unsigned many)
{
  return many > 0 && any_below(many) == 0;
}

namespace
{
void happen_next()
{
  const auto next     = now.later.begin();
  const pending event = std::move(next->second);
  now.later.erase(next);
  ++now.deeds;
  void* const scheduler = order::current();
  void* const copy      = order::make();
  order::run(copy);
  {
    const order::unseen by_kernels;
    order::acquire(event.begun.get());
    event.happen();
    order::release(&now);
  }
  order::run(scheduler);
  order::forget(copy);
  if (event.shared != nullptr)
  {
    --event.shared->copies;
  }
}

bool has_useful(block& b)
{
  if (b.seen != now.written)
  {
    b.seen = now.written;
    b.to_ask.insert(b.to_ask.end(), b.asked.begin(), b.asked.end());
    b.asked.clear();
  }
  return !b.ready.empty() || !b.to_ask.empty();
}

lane_thread* take(std::vector<lane_thread*>& from, std::size_t at)
{
  lane_thread* const taken = from[at];
  from[at]                 = from.back();
  from.pop_back();
  return taken;
}

lane_thread* choose(block& b)
{
  if (b.ready.empty() || (!b.to_ask.empty() && one_in(4)))
  {
    return take(b.to_ask, any_below(static_cast<unsigned>(b.to_ask.size())));
  }
  const auto size = static_cast<unsigned>(b.ready.size());
  if (!one_in(now.mood.one_in_strays))
  {
    return take(b.ready, size - 1);
  }
  if (one_in(now.mood.one_in_changes))
  {
    b.priority = static_cast<unsigned>(now.random());
  }
  const auto rank = [&](unsigned i) { // of a warp, as good as drawn
    return (b.ready[i]->names.thread / lanes + 1) * 2654435761u * (b.priority | 1) >> 16;
  };
  unsigned best = any_below(size);
  for (unsigned tries = 0; tries < now.mood.tries; ++tries)
  {
    const unsigned other = any_below(size);
    best                 = rank(other) > rank(best) ? other : best;
  }
  return take(b.ready, best);
}

std::string report_of_hang()
{
  std::ostringstream text;
  text << "nobody can go on (seed " << device().seed << ", step " << now.step << "):";
  for (const auto& b : now.resident)
  {
    std::map<std::string, unsigned> of_warp;
    for (unsigned t = 0; t < b->threads.size(); ++t)
    {
      const lane_thread& thread = b->threads[t];
      const std::string where   = thread.now == state::ended    ? "ended"
                                : thread.waits_where != nullptr ? thread.waits_where(thread)
                                                                : "has not run";
      of_warp[where] |= 1u << t % lanes;
      if (t % lanes == lanes - 1 || t + 1 == b->threads.size())
      {
        for (const auto& [what, which] : of_warp)
        {
          text << "\n  block " << b->number << ", warp " << t / lanes << ", lanes " << std::hex << which << std::dec
               << ": " << what;
        }
        of_warp.clear();
      }
    }
  }
  return text.str();
}

void all_ask_again()
{
  for (const auto& b : now.resident)
  {
    if (b == nullptr)
    {
      continue;
    }
    b->asked.clear();
    b->to_ask.clear();
    for (auto& [word, there] : b->waiting)
    {
      there.erase(std::remove_if(there.begin(),
                                 there.end(),
                                 [](const lane_thread* each) {
                                   return each->now == state::polls;
                                 }),
                  there.end());
    }
    for (lane_thread& each : b->threads)
    {
      if (each.now == state::polls)
      {
        b->to_ask.push_back(&each);
      }
    }
  }
}

// A thread of the system, which runs blocks.
struct worker
{
  std::thread thread;
  std::condition_variable wakes;
  std::vector<std::unique_ptr<fiber>> fibers;
};

std::mutex baton_lock;
std::condition_variable launch_over;
std::vector<std::unique_ptr<worker>> workers;
constexpr int nobody = -1;
int owner            = nobody; // the number of the worker that runs
bool ends            = false;
const grid* launched = nullptr;
unsigned next_block  = 0;

void begin_block(int which)
{
  worker& self = *workers[which];
  if (now.resident[which] != nullptr)
  {
    now.past.push_back(std::move(now.resident[which]));
  }
  block& b   = *(now.resident[which] = std::make_unique<block>());
  b.number   = next_block++;
  b.alive    = launched->threads;
  b.priority = static_cast<unsigned>(now.random());
  b.threads  = std::vector<lane_thread>(launched->threads);
  for (unsigned t = 0; t < launched->threads; ++t)
  {
    if (self.fibers.size() <= t)
    {
      self.fibers.push_back(std::make_unique<fiber>([] {
        order::acquire(now.running->of);
        launched->kernel();
        order::release(now.running->of);
        order::release(&now);
        ended(*now.running);
      }));
    }
    lane_thread& thread = b.threads[t];
    thread.names        = {t, b.number, launched->threads, launched->blocks};
    thread.of           = &b;
    thread.runner       = self.fibers[t].get();
    thread.groups.resize(1);
    b.ready.push_back(&thread);
  }
  launched->block_begins();
  order::release(&b);
}

// The block has ended; another one begins in its place, if there is one.
void end_block(int which)
{
  const block& b = *now.resident[which];
  if (b.copies > 0)
  {
    now.wrong = "block " + std::to_string(b.number) + " has ended with copies under way in its shared memory";
    return;
  }
  order::acquire(&b);
  const std::string wrong = launched->block_ends();
  if (!wrong.empty())
  {
    now.wrong = "block " + std::to_string(b.number) + ": " + wrong;
    return;
  }
  if (next_block < launched->blocks)
  {
    begin_block(which);
  }
}

// Whose turn it is: a block with a thread that may run, or nobody's, when all have ended or nobody can go on.
int next_owner(int current)
{
  while (now.wrong.empty())
  {
    ++now.step;
    while (!now.later.empty() && now.later.begin()->first <= now.step)
    {
      happen_next();
    }
    if (has_useful(*now.resident[current]) && !one_in(now.mood.one_in_moves))
    {
      return current;
    }
    const auto blocks   = static_cast<unsigned>(now.resident.size());
    const unsigned from = any_below(blocks);
    for (unsigned i = 0; i < blocks; ++i)
    {
      const unsigned which = (from + i) % blocks;
      if (now.resident[which] != nullptr ? has_useful(*now.resident[which]) : next_block < launched->blocks)
      {
        return static_cast<int>(which);
      }
    }
    if (now.later.empty())
    {
      if (now.deeds != now.deeds_when_idle) // some poll what was written without a call of the emulator
      {
        now.deeds_when_idle = now.deeds;
        all_ask_again();
        continue;
      }
      const bool over = std::all_of(now.resident.begin(), now.resident.end(), [](const auto& b) {
        return b == nullptr || b->alive == 0;
      });
      now.wrong       = over ? "" : report_of_hang();
      return nobody;
    }
    now.step = now.later.begin()->first;
  }
  return nobody;
}

// Runs a block's threads until it is another's turn.
int run_turns(int which)
{
  if (now.resident[which] == nullptr)
  {
    begin_block(which);
  }
  while (true)
  {
    block& b          = *now.resident[which];
    lane_thread& next = *choose(b);
    now.running       = &next;
    here              = &next.names;
    next.runner->resume();
    now.running = nullptr;
    if (++now.turns > device().most_turns && now.wrong.empty())
    {
      now.wrong = "it takes too many turns: " + report_of_hang();
    }
    if (b.alive == 0 && now.wrong.empty())
    {
      end_block(which);
    }
    const int turn = next_owner(which);
    if (turn != which)
    {
      return turn;
    }
  }
}

void work(int which)
{
  const order::unseen by_kernels;
  worker& self = *workers[which];
  std::unique_lock<std::mutex> lock(baton_lock);
  while (true)
  {
    self.wakes.wait(lock, [&] {
      return owner == which || ends;
    });
    if (ends)
    {
      return;
    }
    lock.unlock();
    const int turn = run_turns(which);
    lock.lock();
    owner = turn;
    (owner == nobody ? launch_over : workers[owner]->wakes).notify_one();
  }
}

// Joins the workers at the end of the program.
struct crew
{
  ~crew()
  {
    {
      const std::lock_guard<std::mutex> lock(baton_lock);
      ends = true;
    }
    for (auto& each : workers)
    {
      each->wakes.notify_one();
      each->thread.join();
    }
    workers.clear();
  }
};
} // namespace

void ended(lane_thread& thread)
{
  const order::unseen by_kernels;
  thread.now = state::ended;
  --thread.of->alive;
  ++now.deeds;
  look_for_meeting(thread);
  for (auto& [id, there] : thread.of->at_named) // barriers of all threads need this one no more
  {
    if (!there.empty() && there.front()->named_count == 0 && there.size() == thread.of->alive)
    {
      std::vector<lane_thread*> go_on;
      go_on.swap(there);
      for (lane_thread* each : go_on)
      {
        make_ready(*each);
      }
    }
  }
}

void run(const grid& what)
{
  const order::unseen by_kernels;
  static crew all;
  catch_faults();
  now = {};
  now.random.seed(device().seed * 0x9E3779B97F4A7C15u + 1);
  now.mood   = any_temper();
  launched   = &what;
  next_block = 0;
  now.resident.resize(what.resident);
  std::unique_lock<std::mutex> lock(baton_lock);
  while (workers.size() < what.resident)
  {
    const int which = static_cast<int>(workers.size());
    workers.push_back(std::make_unique<worker>());
    workers.back()->thread = std::thread(work, which);
  }
  owner = 0;
  workers[0]->wakes.notify_one();
  launch_over.wait(lock, [] {
    return owner == nobody;
  });
  order::acquire(&now);
  device().turns          = now.turns;
  const std::string wrong = std::move(now.wrong);
  now                     = {};
  if (!wrong.empty())
  {
    for (auto& each : workers) // where their functions stand is lost
    {
      each->fibers.clear();
    }
    throw failure(wrong);
  }
}
} // namespace emulated
