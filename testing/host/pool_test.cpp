// The pool of host threads. Built a second time with ThreadSanitizer.
//
// Rules covered:
//   - the members of a crew all run at once, member 0 on the calling thread
//   - a crew is its caller alone while the pool serves another, nested or concurrent; afterwards it has members again
//   - a thread that has gone to sleep wakes up, also where the one that wakes it was awake and has its own work first
#include <lightscan/host/pool.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace
{
using lightscan::host_pool::crew;

// Waits until `count` have come. Ends only if all of them run at once.
class gate
{
public:
  explicit gate(int count)
      : missing_(count)
  {}
  void pass()
  {
    missing_.fetch_sub(1);
    while (missing_.load() > 0)
    {
      std::this_thread::yield();
    }
  }

private:
  std::atomic<int> missing_;
};

TEST(crew, runs_all_members_at_once)
{
  for (const int wanted : {1, 2, 3, 7, 16, 5})
  {
    crew members(wanted);
    ASSERT_EQ(members.members(), wanted);
    for (int call = 0; call < 3; ++call)
    {
      gate all_here(wanted);
      std::vector<std::thread::id> ids(static_cast<std::size_t>(wanted));
      auto work = [&](int member) noexcept {
        ids[static_cast<std::size_t>(member)] = std::this_thread::get_id();
        all_here.pass();
      };
      members.run(work);
      EXPECT_EQ(ids[0], std::this_thread::get_id());
      EXPECT_EQ(std::set<std::thread::id>(ids.begin(), ids.end()).size(), ids.size());
    }
  }
}

TEST(crew, takes_turns_thousands_of_times)
{
  long sum = 0; // by member 0 alone, after it has seen the others' work
  std::vector<long> seen(4, 0);
  auto work = [&](int member) noexcept {
    ++seen[static_cast<std::size_t>(member)];
  };
  for (int call = 1; call <= 5000; ++call)
  {
    const int wanted = 1 + call % 4;
    crew members(wanted);
    ASSERT_EQ(members.members(), wanted);
    members.run(work);
    sum += wanted;
    ASSERT_EQ(seen[0] + seen[1] + seen[2] + seen[3], sum);
  }
}

TEST(crew, inside_another_is_its_caller_alone)
{
  crew outer(3);
  ASSERT_EQ(outer.members(), 3);
  std::atomic<int> alone{0};
  auto work = [&](int) noexcept {
    crew inner(4);
    const std::thread::id caller = std::this_thread::get_id();
    auto inner_work              = [&](int) noexcept {
      alone += inner.members() == 1 && std::this_thread::get_id() == caller ? 1 : 0;
    };
    inner.run(inner_work);
  };
  outer.run(work);
  EXPECT_EQ(alone.load(), 3);
}

TEST(crew, beside_another_is_its_caller_alone_until_that_is_gone)
{
  {
    const crew taken(2);
    ASSERT_EQ(taken.members(), 2);
    int members = 0;
    std::thread([&] {
      members = crew(2).members();
    }).join();
    EXPECT_EQ(members, 1);
  }
  EXPECT_EQ(crew(2).members(), 2);
}

// Small crews keep the first threads awake while the others fall asleep. A thread that is awake wakes its children as soon
// as it has work, and they must have theirs by then: whoever is woken for nothing sleeps on.
TEST(crew, of_threads_awake_and_asleep_is_all_there)
{
  for (int round = 0; round < 300; ++round)
  {
    std::atomic<int> came{0};
    auto work = [&](int) noexcept {
      ++came;
    };
    for (int call = 0; call < 200; ++call)
    {
      crew(3).run(work);
    }
    ASSERT_EQ(came.load(), 600);
    gate all_here(48);
    auto meeting = [&](int) noexcept {
      all_here.pass();
    };
    crew(48).run(meeting);
  }
}

TEST(worker, wakes_up)
{
  using lightscan::host_pool::job;
  lightscan::host_pool::worker worker;
  for (int round = 0; round < 20; ++round)
  {
    job work{nullptr, nullptr, 0, {0}};
    job* taken = nullptr;
    std::thread sleeper([&] {
      taken = worker.take();
    });
    while (round % 2 == 0 && !worker.asleep())
    {
      std::this_thread::yield();
    }
    worker.put(&work);
    worker.wake();
    sleeper.join();
    EXPECT_EQ(taken, &work);
  }
}
} // namespace
