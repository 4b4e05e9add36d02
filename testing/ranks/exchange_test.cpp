// The exchange of totals between ranks on host threads, a rank each, with delays at random; no GPU is needed. Mailboxes are the same
// source that the kernels run (lightscan/ranks/exchange.h).
//
// Rules covered:
//   - what lies before a rank is the fold of exactly the totals of lower ranks, in order, whichever of them are empty
//   - it has the same bits by mailboxes as by an all-gather
//   - places are used again call after call, with messages of other lengths, and what they held is never taken for a message
//   - a rank that never calls is given up by all others; one that makes another call is found by all, whatever the lengths
#include "../support/operators.h"

#include <lightscan/ranks/exchange.h>
#include <lightscan/warp/serial_warp.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace testing_support;
namespace ranks = lightscan::ranks;
using lightscan::util::maybe;
using lightscan::util::uninitialized;
using warp = lightscan::warp::serial_warp;

namespace
{
std::minstd_rand& random_here()
{
  thread_local std::minstd_rand random(
    static_cast<unsigned>(std::hash<std::thread::id>{}(std::this_thread::get_id()) % 1000003u));
  return random;
}

// Before an access a thread may lose its core, and a waiting one lets others run.
struct delaying_transport : ranks::system_transport
{
  static ranks::slot_word load(ranks::slot_word* address)
  {
    return ranks::system_transport::load(address);
  }
  static void store(ranks::slot_word* address, ranks::slot_word word)
  {
    for (unsigned turns = random_here()() % 8 == 0 ? 1 + random_here()() % 4 : 0; turns > 0; --turns)
    {
      std::this_thread::yield();
    }
    ranks::system_transport::store(address, word);
  }
  static void delay()
  {
    std::this_thread::yield();
  }
};

// Waits for a message until the one that decides says that nobody waits any more.
struct until_told
{
  const std::atomic<bool>& told;

  bool is_over() const
  {
    return told.load();
  }
};

std::atomic<bool> never{false};
std::atomic<bool> at_once{true};

// The mailboxes of all ranks.
class mail
{
public:
  explicit mail(int num_ranks)
      : num_ranks_(num_ranks)
      , words_(static_cast<std::size_t>(num_ranks) * ranks::mailbox_words(num_ranks), 0)
  {
    for (int r = 0; r < num_ranks; ++r)
    {
      mailboxes_.push_back(words_.data() + static_cast<std::size_t>(r) * ranks::mailbox_words(num_ranks));
    }
  }

  template <class T, class Op>
  ranks::received<T> exchange(int rank,
                              std::uint32_t number,
                              const maybe<T>& total,
                              ranks::signature call,
                              Op op,
                              const std::atomic<bool>& told = never)
  {
    ranks::send<T, delaying_transport, warp>(
      ranks::message<T>::of(total, call), mailboxes_.data(), number, rank, num_ranks_);
    until_told patience{told};
    return ranks::receive<T, warp>(
      ranks::arriving<T, delaying_transport, until_told>{
        mailboxes_[static_cast<std::size_t>(rank)], number, num_ranks_, patience},
      call,
      rank,
      num_ranks_,
      op);
  }

  int size() const
  {
    return num_ranks_;
  }

private:
  int num_ranks_;
  std::vector<ranks::slot_word> words_;
  std::vector<ranks::slot_word*> mailboxes_;
};

template <class T, class Op>
ranks::received<T> gather(const std::vector<maybe<T>>& totals, int rank, ranks::signature call, Op op)
{
  std::vector<std::uint32_t> words(totals.size() * ranks::gathered_words<T>, 0);
  for (std::size_t r = 0; r < totals.size(); ++r)
  {
    const ranks::message<T> sent = ranks::message<T>::of(totals[r], call);
    std::memcpy(words.data() + r * ranks::gathered_words<T>, sent.word, sizeof(sent.word));
  }
  return ranks::receive<T, warp>(ranks::gathered<T>{words.data()}, call, rank, static_cast<int>(totals.size()), op);
}

template <class T>
maybe<T> some(const T& value)
{
  return maybe<T>::of(uninitialized<T>(value));
}

// Some ranks have nothing, at random.
bool is_empty(int rank, std::uint32_t number)
{
  return (static_cast<std::uint32_t>(rank) * 2654435761u ^ number * 40503u) >> 7 & 1u;
}

// Rank r's interval ends where the next one begins that is not empty.
maybe<interval> interval_of_rank(int rank, std::uint32_t number)
{
  std::uint32_t begin = 0;
  for (int r = 0; r < rank; ++r)
  {
    begin += is_empty(r, number) ? 0 : number % 5 + static_cast<std::uint32_t>(r) + 1;
  }
  return is_empty(rank, number) ? maybe<interval>::none()
                                : some(interval{begin, begin + number % 5 + static_cast<std::uint32_t>(rank) + 1});
}

using wide = words_of_size<50>;

wide wide_of_rank(int rank, std::uint32_t number)
{
  wide value{};
  for (int w = 0; w < 50; ++w)
  {
    value.member[w] = static_cast<std::uint32_t>(rank * 1000 + w) ^ number;
  }
  return value;
}

template <class F>
void on_threads(int num_ranks, F f)
{
  std::vector<std::thread> threads;
  for (int r = 0; r < num_ranks; ++r)
  {
    threads.emplace_back([=] {
      f(r);
    });
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
}

std::uint32_t first_after(std::uint32_t begin)
{
  return ranks::number_after(begin);
}
} // namespace

TEST(numbers, take_turns_and_never_are_that_of_an_empty_mailbox)
{
  EXPECT_EQ(ranks::number_after(0), 1u);
  EXPECT_EQ(ranks::number_after(0xfffffffeu), 0xffffffffu);
  EXPECT_EQ(ranks::number_after(0xffffffffu), 2u); // even, after an odd one
}

TEST(signatures, tell_calls_apart)
{
  const ranks::signature one = ranks::signature_of("inclusive_scan", 4, false);
  EXPECT_EQ(one, ranks::signature_of("inclusive_scan", 4, false));
  EXPECT_NE(one, ranks::signature_of("inclusive_scan", 8, false));
  EXPECT_NE(one, ranks::signature_of("inclusive_scan", 4, true));
  EXPECT_NE(one, ranks::signature_of("exclusive_scan", 4, false));
}

TEST(messages, hold_the_longest_accumulator)
{
  EXPECT_EQ(ranks::message<words_of_size<256>>::count, ranks::max_words);
}

class of_ranks : public ::testing::TestWithParam<int>
{};
INSTANTIATE_TEST_SUITE_P(exchange, of_ranks, ::testing::Values(1, 2, 3, 5, 33, 70));

// A rank that finds something wrong calls on: others wait for it.
TEST_P(of_ranks, gives_each_the_fold_of_those_before)
{
  const int num_ranks       = GetParam();
  const std::uint32_t calls = num_ranks > 8 ? 40 : 1000;
  mail box(num_ranks);
  on_threads(num_ranks, [&](int rank) {
    std::uint32_t number = 0xffffffffu - calls / 2; // past the last number
    for (std::uint32_t call = 0; call < calls; ++call)
    {
      number = first_after(number);
      if (call % 3 == 1) // of another length
      {
        const auto found = box.exchange(rank, number, some(wide_of_rank(rank, number)), 7u, plus{});
        wide expected{};
        for (int r = 0; r < rank; ++r)
        {
          expected = expected + wide_of_rank(r, number);
        }
        EXPECT_EQ(found.found, ranks::verdict::agreed) << "call " << call << ", rank " << rank;
        EXPECT_EQ(found.before.there, rank > 0) << "call " << call << ", rank " << rank;
        EXPECT_TRUE(rank == 0 || found.before.value.value == expected) << "call " << call << ", rank " << rank;
        continue;
      }
      const auto found  = box.exchange(rank, number, interval_of_rank(rank, number), 9u, join{});
      std::uint32_t end = 0;
      bool there        = false;
      for (int r = 0; r < rank; ++r)
      {
        const maybe<interval> one = interval_of_rank(r, number);
        there                     = there || one.there;
        end                       = one.there ? one.value.value.end : end;
      }
      EXPECT_EQ(found.found, ranks::verdict::agreed) << "call " << call << ", rank " << rank;
      EXPECT_EQ(found.before.there, there) << "call " << call << ", rank " << rank;
      EXPECT_TRUE(!there || found.before.value.value == (interval{0, end})) << "call " << call << ", rank " << rank;
    }
  });
}

TEST_P(of_ranks, has_the_bits_of_an_all_gather)
{
  const int num_ranks = GetParam();
  std::vector<maybe<float>> totals;
  std::mt19937 random(20);
  for (int r = 0; r < num_ranks; ++r)
  {
    const float value = std::uniform_real_distribution<float>(-1e3f, 1e3f)(random);
    totals.push_back(r % 4 == 2 ? maybe<float>::none() : some(value));
  }
  mail box(num_ranks);
  on_threads(num_ranks, [&](int rank) {
    const auto by_mail   = box.exchange(rank, 1u, totals[static_cast<std::size_t>(rank)], 9u, plus{});
    const auto by_gather = gather(totals, rank, 9u, plus{});
    EXPECT_EQ(by_mail.before.there, by_gather.before.there);
    EXPECT_TRUE(!by_mail.before.there
                || std::memcmp(&by_mail.before.value, &by_gather.before.value, sizeof(float)) == 0)
      << "rank " << rank;
  });
}

TEST_P(of_ranks, gives_up_one_that_never_calls)
{
  const int num_ranks = GetParam();
  const int absent    = num_ranks / 2;
  mail box(num_ranks);
  std::atomic<int> others{num_ranks - 1};
  on_threads(num_ranks, [&](int rank) {
    if (rank != absent)
    {
      const auto found = box.exchange(rank, 1u, some(interval{1, 2}), 9u, join{}, at_once);
      EXPECT_EQ(found.found, ranks::verdict::gave_up);
      EXPECT_FALSE(found.before.there);
      --others;
    }
  });
  EXPECT_EQ(others.load(), 0);
}

TEST_P(of_ranks, finds_one_that_makes_another_call)
{
  const int num_ranks = GetParam();
  const int stray     = num_ranks - 1;
  if (num_ranks == 1)
  {
    return;
  }
  mail box(num_ranks);
  on_threads(num_ranks, [&](int rank) {
    const ranks::verdict found = rank == stray ? box.exchange(rank, 1u, some(1), 8u, plus{}).found
                                               : box.exchange(rank, 1u, some(wide_of_rank(rank, 1)), 9u, plus{}).found;
    EXPECT_EQ(found, ranks::verdict::disagreed) << "rank " << rank;
  });
  std::vector<maybe<int>> totals(static_cast<std::size_t>(num_ranks), some(1));
  EXPECT_EQ(gather(totals, 0, 9u, plus{}).found, ranks::verdict::agreed);
}
