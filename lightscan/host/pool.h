// A set of threads that serves one call at a time.
//
// The protocol between blocks needs all blocks of a call to run at once: one that waits for another's aggregate must
// not keep it from running. So a call gets its threads all for itself, or none: while the pool serves another call, be
// that a concurrent one or one that this call is nested in, a crew is its caller alone. Nobody ever waits for the pool,
// so calls cannot deadlock, however they are nested.
#pragma once

#include <lightscan/host/pause.h>
#include <lightscan/version.h>

#include <atomic>
#include <cfenv>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#if __has_include(<unistd.h>)
#  include <unistd.h>
#endif

LIGHTSCAN_TYPES_NAMESPACE_BEGIN
namespace host_pool LIGHTSCAN_HIDDEN
{
// What the members of a crew do. Lives on the caller's stack, until `running` is zero.
struct job
{
  void (*run)(void* context, int member); // must not throw
  void* context;
  int members;
  std::atomic<int> running;     // members other than the caller
  std::fenv_t floating_point{}; // the caller's: how it rounds, whether it flushes subnormals
};

// One thread of the pool: its inbox, and the bed it sleeps in when nothing has come for a while.
class alignas(64) worker
{
public:
  void put(job* work)
  {
    inbox_.store(work);
  }

  // After `put`, by whichever thread. Costs a look at a flag where the worker is awake.
  void wake()
  {
    // Sequentially consistent, as are put and the worker's own accesses before it sleeps: either this sees the flag, or
    // the worker sees the inbox.
    if (asleep_.load())
    {
      {
        const std::lock_guard<std::mutex> lock(mutex_);
      }
      arrived_.notify_one();
    }
  }

  // Some 50 to 200 us awake: calls that follow each other closely find the threads awake.
  job* take()
  {
    for (pauses waiting; waiting.count() < pauses::polls_awake - 1; waiting.once())
    {
      if (job* const work = inbox_.load(std::memory_order_acquire))
      {
        return emptied(work);
      }
    }
    std::unique_lock<std::mutex> lock(mutex_);
    asleep_.store(true);
    arrived_.wait(lock, [this] {
      return inbox_.load() != nullptr;
    });
    asleep_.store(false);
    return emptied(inbox_.load());
  }

  bool asleep() const
  {
    return asleep_.load();
  }

  std::thread thread;

private:
  job* emptied(job* work)
  {
    inbox_.store(nullptr, std::memory_order_relaxed);
    return work;
  }

  std::atomic<job*> inbox_{nullptr};
  std::atomic<bool> asleep_{false};
  std::mutex mutex_;
  std::condition_variable arrived_;
};

// The process's number: a forked child has another one.
inline long this_process()
{
#if __has_include(<unistd.h>)
  return static_cast<long>(::getpid());
#else
  return 0;
#endif
}

class pool
{
public:
  // The program's, or the shared library's. Its threads start when they are first needed, and leave when static objects
  // are destroyed. The pool itself stays: a later call finds it taken for good, and does without.
  static pool& instance()
  {
    static pool& all = *new pool;
    static const closer at_exit{all};
    return all;
  }

  // Not in a child that was forked once there were threads: it has this memory, but not them. There the pool is taken for
  // good with the first attempt.
  bool try_take()
  {
    return !taken_.load(std::memory_order_relaxed) && !taken_.exchange(true, std::memory_order_acquire)
        && (workers_.empty() || process_ == this_process());
  }
  void give_back()
  {
    taken_.store(false, std::memory_order_release);
  }

  // Starts threads until there are `wanted`; how many there are then, which is fewer where the system has no more. Only
  // for who has taken the pool.
  int grow(int wanted)
  {
    try
    {
      process_ = this_process();
      while (static_cast<int>(workers_.size()) < wanted)
      {
        workers_.reserve(workers_.size() + 1); // nothing may fail once the thread runs
        auto added       = std::make_unique<worker>();
        void* const self = added.get();
        const int member = static_cast<int>(workers_.size()) + 1;
        added->thread    = std::thread(&pool::begin, static_cast<void*>(this), member, self);
        workers_.push_back(std::move(added));
      }
    }
    catch (const std::system_error&)
    {}
    catch (const std::bad_alloc&)
    {}
    return static_cast<int>(workers_.size());
  }

  // Runs `work` on the caller, as member 0, and on its other members' threads, and returns when all of them are done.
  void run(job& work)
  {
    (void) std::fegetenv(&work.floating_point);
    // Children before their parents: one that is awake begins at once, and whom it wakes must find work, or sleeps on.
    for (int member = work.members - 1; member > 0; --member)
    {
      worker_of(member).put(&work);
    }
    wake_children(0, work.members);
    work.run(work.context, 0);
    for (pauses waiting; work.running.load(std::memory_order_acquire) > 0; waiting.once())
    {}
  }

private:
  // Joins the threads before the code that they run may be unloaded. Where a call is still under way, as when an
  // operator calls std::exit, they are left alone: the process ends under them.
  struct closer
  {
    pool& all;

    ~closer()
    {
      if (all.try_take())
      {
        all.dismiss();
      }
    }
  };

  pool() = default;

  // Workers may be reached by other workers that still wake theirs; a growing vector would move under them. None does:
  // a member has woken its children before it is done, and the pool grows between calls only.
  worker& worker_of(int member)
  {
    return *workers_[static_cast<std::size_t>(member - 1)];
  }

  // Waking a sleeper takes a system call, so members wake each other: 2m + 1 and 2m + 2 are for member m to wake.
  void wake_children(int member, int members)
  {
    for (int child = 2 * member + 1; child <= 2 * member + 2 && child < members; ++child)
    {
      worker_of(child).wake();
    }
  }

  // With no type of ours: of one, std::thread makes code that other libraries see. GCC forgets that the type is hidden.
  static void begin(void* all, int member, void* self)
  {
    static_cast<pool*>(all)->serve(member, *static_cast<worker*>(self));
  }

  void serve(int member, worker& self)
  {
    for (;;)
    {
      job* const work = self.take();
      if (!work->run)
      {
        return;
      }
      wake_children(member, work->members);
      (void) std::fesetenv(&work->floating_point); // or bits would depend on who calculates them
      work->run(work->context, member);
      work->running.fetch_sub(1, std::memory_order_release); // `work` may be gone from here on
    }
  }

  void dismiss()
  {
    job leave{nullptr, nullptr, 0, {0}, {}};
    for (const std::unique_ptr<worker>& each : workers_)
    {
      each->put(&leave);
      each->wake();
    }
    for (const std::unique_ptr<worker>& each : workers_)
    {
      each->thread.join();
    }
    workers_.clear();
  }

  std::atomic<bool> taken_{false};
  long process_ = 0; // whose the threads are
  std::vector<std::unique_ptr<worker>> workers_;
};

// The threads of one call: the caller, and as many of the pool's as it can have, up to `wanted` in all.
class crew
{
public:
  explicit crew(int wanted)
  {
    if (wanted > 1 && pool::instance().try_take())
    {
      const int there = 1 + pool::instance().grow(wanted - 1);
      members_        = there < wanted ? there : wanted;
      holds_          = true;
    }
  }
  ~crew()
  {
    if (holds_)
    {
      pool::instance().give_back();
    }
  }
  crew(const crew&)            = delete;
  crew& operator=(const crew&) = delete;

  int members() const
  {
    return members_;
  }

  // work(0) ... work(members() - 1), all at once; member 0 is the calling thread. `work` must not throw.
  template <class Work>
  void run(Work& work)
  {
    static_assert(noexcept(work(0)), "nobody but the caller could tell of an exception");
    if (!holds_)
    {
      work(0);
      return;
    }
    job all{[](void* context, int member) {
              (*static_cast<Work*>(context))(member);
            },
            &work,
            members_,
            {members_ - 1},
            {}};
    pool::instance().run(all);
  }

private:
  int members_ = 1;
  bool holds_  = false;
};
} // namespace LIGHTSCAN_HIDDEN
LIGHTSCAN_TYPES_NAMESPACE_END
