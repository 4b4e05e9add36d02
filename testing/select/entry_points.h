// Calls of CUB's entry points in every way that they can be called, against loops over the items.
#pragma once

#include "problems.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace testing_support
{
using results = std::vector<int>;

// What an entry point of `n` items has to put out: to up to three places, and as totals.
struct outcome
{
  results to[3];
  std::vector<std::int64_t> totals;
};

class entry_points : public ::testing::TestWithParam<int>
{
protected:
  entry_points()
      : n_(GetParam())
      , items_(items_of_pattern<int>(n_, 3))
      , flags_(items_of_pattern<std::uint8_t>(n_, 0))
      , in_(size(), 1)
      , of_(size(), 3)
      , to_{{size(), 1}, {size(), 2}, {size(), 3}}
      , totals_(2, 0)
      , number_(1, 0)
  {
    for (std::uint8_t& flag : flags_)
    {
      flag %= 4;
    }
    of_.upload(flags_);
  }
  std::size_t size() const
  {
    return static_cast<std::size_t>(n_);
  }
  const int* in() const
  {
    return in_.data();
  }
  int* data() const
  {
    return in_.data();
  }
  const std::uint8_t* flags() const
  {
    return of_.data();
  }
  int* to(int place) const
  {
    return to_[place].data();
  }
  std::int64_t* total() const
  {
    return totals_.data();
  }

  // In: the items again; all outputs as if never written.
  void begin()
  {
    in_.upload(items_);
    for (auto& place : to_)
    {
      place.poison_all();
    }
    totals_.poison_all();
    // The calls' stream does not wait for the one that all this is queued on.
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  void expect_untouched(const char* what)
  {
    EXPECT_EQ(in_.download(), items_) << what;
    for (const auto& place : to_)
    {
      expect_results(place, results(), what);
    }
    expect_results(totals_, std::vector<std::int64_t>(), what);
  }
  // In place, nothing is said of what lies behind the results.
  void expect(const outcome& wanted, bool in_place, const char* what)
  {
    SCOPED_TRACE(what);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    if (in_place)
    {
      const results there = in_.download();
      EXPECT_TRUE(std::equal(wanted.to[0].begin(), wanted.to[0].end(), there.begin()));
      in_.expect_guards_untouched();
    }
    else
    {
      EXPECT_EQ(in_.download(), items_);
      expect_results(to_[0], wanted.to[0], "first output");
    }
    expect_results(to_[1], wanted.to[1], "second output");
    expect_results(to_[2], wanted.to[2], "third output");
    expect_results(totals_, wanted.totals, "totals");
    EXPECT_EQ(of_.download(), flags_);
  }

  // call(number of items, stream, storage and its size or nothing); wanted(how many items) says what it puts out.
  template <class Call, class Wanted>
  void check(Call call, Wanted wanted, bool in_place = false)
  {
    const outcome all = wanted(n_);
    void* storage     = nullptr;
    std::size_t bytes = 0;
    cudaStream_t stream;
    LIGHTSCAN_EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    begin();
    LIGHTSCAN_EXPECT_CUDA(call(n_, stream, storage, bytes));
    ASSERT_GT(bytes, 0u);
    expect_untouched("asked for its size");
    guarded_memory<unsigned char> room(bytes, 1);
    storage             = room.data();
    std::size_t too_few = bytes - 1;
    EXPECT_EQ(call(n_, stream, storage, too_few), cudaErrorInvalidValue);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    expect_untouched("too little storage");
    EXPECT_EQ(call(n_, stream, storage, bytes), cudaSuccess);
    expect(all, in_place, "two phases");
    room.expect_guards_untouched();
    begin();
    EXPECT_EQ(call(n_, stream), cudaSuccess);
    expect(all, in_place, "a single call");

    const int* const number = number_.data();
    cudaGraph_t graph;
    cudaGraphExec_t program;
    LIGHTSCAN_EXPECT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    EXPECT_EQ(call(number, stream), cudaSuccess);
    LIGHTSCAN_EXPECT_CUDA(cudaStreamEndCapture(stream, &graph));
    LIGHTSCAN_EXPECT_CUDA(cudaGraphInstantiate(&program, graph, 0));
    for (const int now : {n_, n_ / 3, 0, n_})
    {
      number_.upload({now});
      begin();
      LIGHTSCAN_EXPECT_CUDA(cudaGraphLaunch(program, stream));
      LIGHTSCAN_EXPECT_CUDA(cudaStreamSynchronize(stream));
      expect(wanted(now), in_place, ("replayed on " + std::to_string(now) + " items").c_str());
    }
    LIGHTSCAN_EXPECT_CUDA(cudaGraphExecDestroy(program));
    LIGHTSCAN_EXPECT_CUDA(cudaGraphDestroy(graph));
    LIGHTSCAN_EXPECT_CUDA(cudaStreamDestroy(stream));
  }

  // The items of the first `now` whose index is wanted.
  template <class IsWanted>
  auto those(IsWanted is_wanted) const
  {
    return [=](int now) {
      outcome wanted;
      for (std::size_t i = 0; i < static_cast<std::size_t>(now); ++i)
      {
        if (is_wanted(i))
        {
          wanted.to[0].push_back(items_[i]);
        }
      }
      wanted.totals = {static_cast<std::int64_t>(wanted.to[0].size())};
      return wanted;
    };
  }
  auto odd_ones() const
  {
    return those([=](std::size_t i) {
      return is_odd{}(items_[i]);
    });
  }
  auto flagged() const
  {
    return those([=](std::size_t i) {
      return flags_[i] != 0;
    });
  }
  auto with_odd_flags() const
  {
    return those([=](std::size_t i) {
      return flags_[i] % 2 != 0;
    });
  }
  template <class Same>
  auto first_of_runs(Same same) const
  {
    return those([=](std::size_t i) {
      return i == 0 || !same(items_[i - 1], items_[i]);
    });
  }
  // The same, and behind them the others backwards.
  template <class Selected>
  auto both_ends(Selected selected, bool by_flag) const
  {
    return [=](int now) {
      outcome wanted = selected(now);
      for (std::size_t i = static_cast<std::size_t>(now); i-- > 0;)
      {
        if (!(by_flag ? flags_[i] != 0 : is_odd{}(items_[i])))
        {
          wanted.to[0].push_back(items_[i]);
        }
      }
      return wanted;
    };
  }

  int n_;
  std::vector<int> items_;
  std::vector<std::uint8_t> flags_;
  guarded_memory<int> in_;
  guarded_memory<std::uint8_t> of_;
  guarded_memory<int> to_[3];
  guarded_memory<std::int64_t> totals_;
  guarded_memory<int> number_;
};
} // namespace testing_support
