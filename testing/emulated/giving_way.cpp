// How the running thread gives way: it polls, pauses, has done something that others wait for, or what no kernel may do.
#include "launch_state.h"
#include "order.h"

#include <sstream>

#include <csignal>

namespace emulated
{
void make_ready(lane_thread& thread)
{
  thread.now = state::ready;
  thread.of->ready.push_back(&thread);
}

void give_way(state until, std::string (*where)(const lane_thread&))
{
  lane_thread& self = *now.running;
  self.now          = until;
  self.waits_where  = where;
  self.runner->leave();
}

void acted()
{
  ++now.deeds;
  now.running->reads.clear();
}

void may_give_way()
{
  if (one_in(now.mood.one_in_yields))
  {
    make_ready(*now.running);
    now.running->runner->leave();
  }
}

void poll(const char* where)
{
  const order::unseen by_kernels;
  lane_thread& self = *now.running;
  self.polled       = where;
  (self.watched != nullptr ? self.of->waiting[self.watched] : self.of->asked).push_back(&self);
  give_way(state::polls, [](const lane_thread& thread) {
    std::ostringstream text;
    text << "polls " << thread.polled;
    if (thread.watched != nullptr && thread.watched == thread.barrier)
    {
      text << "; asked last for " << state_of_barrier(*thread.of, thread.barrier);
    }
    else if (thread.watched != nullptr)
    {
      text << "; asked last for the word of shared memory at " << thread.watched << ", which is " << std::hex
           << *static_cast<const unsigned*>(thread.watched);
    }
    return text.str();
  });
  self.watched = nullptr;
  self.reads.clear();
}

void pause()
{
  const order::unseen by_kernels;
  lane_thread& self = *now.running;
  if (self.watched != nullptr || !self.reads.empty())
  {
    poll("and pauses");
    return;
  }
  make_ready(self);
  self.runner->leave();
}

void reads(const void* word, bool of_block)
{
  const order::unseen by_kernels;
  lane_thread& self = *now.running;
  // A round of questions may ask for a word five times, and may have been half over when the word came.
  constexpr unsigned patience = 16;
  self.watched                = of_block ? word : nullptr;
  if (!of_block && ++self.reads[word] == patience)
  {
    poll("words of global memory");
  }
  may_give_way();
}

void wake(block& in, const void* word)
{
  const auto waiting = in.waiting.find(word);
  if (waiting != in.waiting.end())
  {
    std::vector<lane_thread*> go_on;
    go_on.swap(waiting->second);
    for (lane_thread* each : go_on)
    {
      make_ready(*each);
    }
  }
}

void wrote(const void* word, bool of_block)
{
  const order::unseen by_kernels;
  acted();
  if (of_block)
  {
    wake(*now.running->of, word);
  }
  else
  {
    ++now.written;
  }
  may_give_way();
}

void misused(const std::string& what)
{
  const order::unseen by_kernels;
  const lane_thread& self = *now.running;
  now.wrong = "block " + std::to_string(self.of->number) + ", thread " + std::to_string(self.names.thread) + ": "
            + what;
  now.running->runner->leave();
  std::abort(); // it never runs again
}

namespace
{
// A fault of a kernel's thread: guard pages say so (memory.h). It is synchronous, so the thread may be left from its handler.
void on_fault(int signal, siginfo_t* what, void*)
{
  if (now.running != nullptr)
  {
    std::ostringstream text;
    text << "it reads or writes at " << what->si_addr << ", where there is no memory";
    misused(text.str());
  }
  (void) std::signal(signal, SIG_DFL); // not a kernel's: it happens again, and ends the program
}
} // namespace

void catch_faults()
{
  struct sigaction caught
  {};
  caught.sa_sigaction = on_fault;
  caught.sa_flags     = SA_SIGINFO | SA_NODEFER;
  (void) sigaction(SIGSEGV, &caught, nullptr);
}
} // namespace emulated
