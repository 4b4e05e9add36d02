// Threads that run one at a time, in an order that a seed decides: at every access to a slot the next one to run is chosen
// anew. So an interleaving, however unlikely, can be had again; and a launch that would wait for ever is found out at
// once and without a clock: nobody is left whose polls could still find anything new.
#pragma once

#include <lightscan/carry/slot.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace testing_support
{
struct no_progress : std::exception
{
  const char* what() const noexcept override
  {
    return "no thread makes progress";
  }
};

class schedule
{
public:
  // One of the threads, the victim, runs only when no other can, for stretches of random length: a block that falls
  // behind as far as the protocol lets it.
  explicit schedule(unsigned seed)
      : random_(seed)
  {}

  // Runs body(0), body(1), ..., body(count - 1) on at most `num_threads` threads; each begins another when it has ended
  // one. Returns false if they came to where none could go on.
  bool run(int count, int num_threads, const std::function<void(int)>& body)
  {
    threads_ = std::vector<thread_state>(static_cast<std::size_t>(num_threads < count ? num_threads : count));
    for (thread_state& state : threads_)
    {
      state.turn = std::make_unique<std::condition_variable>();
    }
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < threads_.size(); ++t)
    {
      threads.emplace_back([this, t, count, &body] {
        current_ = this;
        self_    = t;
        try
        {
          await_turn();
          while (next_body_ < count)
          {
            body(next_body_++);
          }
        }
        catch (const no_progress&)
        {}
        end();
      });
    }
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      choose();
    }
    for (std::thread& thread : threads)
    {
      thread.join();
    }
    return !stuck_;
  }

  // Of the thread that runs: another may run before it goes on.
  static void step()
  {
    schedule& s = *current_;
    if (s.random_() % 4 == 0)
    {
      s.give_way();
    }
  }

  static void stored()
  {
    ++current_->stores_;
  }

  // A poll has found nothing. If nothing was stored since it began, neither will another poll.
  static void look_failed()
  {
    schedule& s         = *current_;
    thread_state& state = s.threads_[self_];
    state.waits_for     = state.look_began == s.stores_ ? s.stores_ + 1 : 0;
    s.give_way();
    state.look_began = s.stores_;
  }

private:
  struct thread_state
  {
    std::unique_ptr<std::condition_variable> turn;
    bool ended               = false;
    std::uint64_t look_began = ~std::uint64_t{0}; // at this many stores
    std::uint64_t waits_for  = 0;                 // so many stores
  };

  void give_way()
  {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      choose();
    }
    await_turn();
  }

  void await_turn()
  {
    std::unique_lock<std::mutex> lock(mutex_);
    threads_[self_].turn->wait(lock, [this] {
      return running_ == self_ || stuck_;
    });
    if (stuck_)
    {
      throw no_progress{};
    }
  }

  void end()
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    threads_[self_].ended = true;
    if (!stuck_)
    {
      choose();
    }
  }

  // The next thread to run.
  void choose()
  {
    std::vector<std::size_t> able;
    bool all_ended = true;
    for (std::size_t t = 0; t < threads_.size(); ++t)
    {
      all_ended = all_ended && threads_[t].ended;
      if (!threads_[t].ended && threads_[t].waits_for <= stores_)
      {
        able.push_back(t);
      }
    }
    if (all_ended)
    {
      return;
    }
    if (able.empty())
    {
      stuck_ = true;
      for (thread_state& state : threads_)
      {
        state.turn->notify_one();
      }
      return;
    }
    if (random_() % 2000 == 0)
    {
      victim_ = random_() % threads_.size();
    }
    std::size_t chosen = able[random_() % able.size()];
    while (chosen == victim_ && able.size() > 1)
    {
      chosen = able[random_() % able.size()];
    }
    running_ = chosen;
    threads_[chosen].turn->notify_one();
  }

  static inline thread_local schedule* current_ = nullptr;
  static inline thread_local std::size_t self_  = 0;

  std::mutex mutex_;
  std::minstd_rand random_;
  std::vector<thread_state> threads_;
  std::size_t running_  = ~std::size_t{0};
  std::size_t victim_   = 0;
  std::uint64_t stores_ = 0;
  int next_body_        = 0;
  bool stuck_           = false;
};

struct scheduled_transport
{
  static lightscan::carry::slot_word load(lightscan::carry::slot_word* address)
  {
    schedule::step();
    return lightscan::carry::atomic_transport::load(address);
  }
  static void store(lightscan::carry::slot_word* address, lightscan::carry::slot_word word)
  {
    schedule::step();
    lightscan::carry::atomic_transport::store(address, word);
    schedule::stored();
  }
  static void delay()
  {
    schedule::look_failed();
  }
};
} // namespace testing_support
