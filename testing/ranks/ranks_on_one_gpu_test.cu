// Scans across ranks that all are on one GPU: the fold of each part, the exchange in mailboxes inside it, and the scan that it hands
// the carry to, without NCCL and without a second GPU. The kernels are those of several GPUs.
//
// Rules covered:
//   - a part's fold calls the operator on neighbours in their order only, of any length, and there is none of an empty part
//   - what may not be there (a carry) is there or not, in both kernels, inclusive and by key
//   - ranks of any number, with parts of any lengths, empty ones too, get the scan of all parts
//   - a rank that never calls is given up after the limit, and the host is told; later calls wait for nobody
#include "../support/expect_cuda.h"
#include "../support/operators.h"
#include "../support/strict_join.h"

#include <lightscan/device_value.h>
#include <lightscan/dispatch/fold_launch.h>
#include <lightscan/dispatch/launch.h>
#include <lightscan/plain/part_fold.h>
#include <lightscan/ranks/kernels.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace testing_support;
namespace dispatch = lightscan::dispatch;
namespace plain    = lightscan::plain;
namespace ranks    = lightscan::ranks;
namespace tile     = lightscan::tile;
namespace util     = lightscan::util;
using dispatch::kernels;

namespace
{
// What can be called between kernels: leaves the fold where the host finds it.
template <class T>
struct leave_fold
{
  util::maybe<T>* to;

  __device__ void operator()(const util::maybe<T>& total) const
  {
    if (threadIdx.x == 0)
    {
      *to = total;
    }
  }
};

// Device memory of `count` T, cleared.
template <class T>
class room
{
public:
  explicit room(std::size_t count)
      : count_(count)
  {
    EXPECT_EQ(cudaMalloc(&memory_, sizeof(T) * (count + 1)), cudaSuccess);
    EXPECT_EQ(cudaMemset(memory_, 0, sizeof(T) * (count + 1)), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess); // other streams do not wait for it
  }
  room(const room&)            = delete;
  room& operator=(const room&) = delete;
  ~room()
  {
    EXPECT_EQ(cudaFree(memory_), cudaSuccess);
  }

  T* get() const
  {
    return static_cast<T*>(memory_);
  }
  void upload(const std::vector<T>& values)
  {
    EXPECT_EQ(cudaMemcpy(memory_, values.data(), sizeof(T) * values.size(), cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess); // other streams do not wait for it
  }
  std::vector<T> download() const
  {
    std::vector<T> values(count_);
    EXPECT_EQ(cudaMemcpy(values.data(), memory_, sizeof(T) * count_, cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

private:
  std::size_t count_;
  void* memory_ = nullptr;
};

std::vector<interval> intervals_from(std::int64_t first, std::int64_t count)
{
  std::vector<interval> values;
  for (std::int64_t i = first; i < first + count; ++i)
  {
    values.push_back(interval_of(i));
  }
  return values;
}

void expect_done(const lightscan::runtime::outcome& done)
{
  EXPECT_TRUE(done) << done.doing << ": " << cudaGetErrorString(done.error);
}

class one_gpu : public ::testing::Test
{
protected:
  room<unsigned long long> bad_calls_{1};
  room<unsigned char> block_folds_{plain::fold_bytes};
  room<unsigned> done_{1};

  dispatch::fold_memory fold_memory() const
  {
    return {block_folds_.get(), done_.get()};
  }
  strict_join op() const
  {
    return {bad_calls_.get()};
  }
  void expect_no_bad_call(const std::string& what) const
  {
    EXPECT_EQ(bad_calls_.download()[0], 0u) << "bad calls of the operator, " << what;
  }
};

template <class Init, bool Inclusive = true>
using interval_problem = dispatch::scan_problem<interval, const interval*, interval*, strict_join, Init, Inclusive>;
} // namespace

TEST(shares, leave_no_tile_out_and_no_block_without_one)
{
  for (const std::size_t bytes : {1u, 4u, 16u, 100u, 1024u})
  {
    for (std::int64_t tiles = 0; tiles < 400000; tiles = tiles < 3000 ? tiles + 1 : tiles * 2 - tiles / 3)
    {
      const auto shares         = plain::fold_shares::of(tiles, bytes);
      const std::int64_t each   = shares.tiles_a_warp * plain::fold_warps;
      const std::int64_t blocks = shares.blocks;
      ASSERT_LE(static_cast<std::size_t>(blocks) * bytes, plain::fold_bytes);
      ASSERT_GE(blocks * each, tiles);
      ASSERT_TRUE(tiles == 0 ? blocks == 1 : (blocks - 1) * each < tiles) << tiles << " tiles";
    }
  }
}

// Every length to 3,000, and those around what one block, all blocks, and two tiles a warp hold; on the 16-byte grid and off it.
TEST_F(one_gpu, folds_neighbours_in_their_order)
{
  const std::int64_t tile    = dispatch::plain_policy<interval, plain::memory_source>::warp_items;
  const std::int64_t all     = plain::max_fold_blocks * plain::fold_warps * tile;
  const std::int64_t longest = 2 * all + 3;
  room<interval> in(static_cast<std::size_t>(longest));
  in.upload(intervals_from(0, longest));
  room<util::maybe<interval>> fold(1);
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = 0; n <= 3000; ++n)
  {
    lengths.push_back(n);
  }
  for (const std::int64_t n : {tile * plain::fold_warps, 2 * tile * plain::fold_warps, all / 3, all, 2 * all})
  {
    for (int more = -1; more <= 2; ++more)
    {
      lengths.push_back(n + more);
    }
  }
  for (const std::int64_t n : lengths)
  {
    for (const std::int64_t from : {std::int64_t{0}, std::int64_t{1}})
    {
      const interval_problem<util::no_init> problem{{in.get() + from}, nullptr, n, op(), {}, {}};
      expect_done(dispatch::fold_part(problem, fold_memory(), leave_fold<interval>{fold.get()}, nullptr));
      const util::maybe<interval> found = fold.download()[0];
      ASSERT_EQ(found.there, n > 0) << n << " items";
      ASSERT_TRUE(n == 0
                  || found.value.value
                       == (interval{static_cast<std::uint32_t>(from) + 1, static_cast<std::uint32_t>(from + n) + 1}))
        << n << " items from " << from;
    }
  }
  expect_no_bad_call("folds");
}

TEST_F(one_gpu, the_operator_sees_an_order_that_is_wrong)
{
  room<interval> in(1000);
  std::vector<interval> values = intervals_from(0, 1000);
  std::swap(values[500], values[501]);
  in.upload(values);
  room<util::maybe<interval>> fold(1);
  const interval_problem<util::no_init> problem{{in.get()}, nullptr, 1000, op(), {}, {}};
  expect_done(dispatch::fold_part(problem, fold_memory(), leave_fold<interval>{fold.get()}, nullptr));
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_GT(bad_calls_.download()[0], 0u);
}

// Doubles: the bits of a thousand runs. And the widest accumulators, of which there are fewer blocks.
TEST_F(one_gpu, folds_have_the_same_bits_in_every_run)
{
  using sum_problem    = dispatch::scan_problem<double, const double*, double*, plus, util::no_init, true>;
  const std::int64_t n = 3000001;
  std::vector<double> values;
  for (std::int64_t i = 0; i < n; ++i)
  {
    values.push_back(1.0 / static_cast<double>(1 + (i * 7919) % 10007));
  }
  room<double> in(static_cast<std::size_t>(n));
  in.upload(values);
  room<util::maybe<double>> fold(1);
  double first = 0;
  for (int run = 0; run < 1000; ++run)
  {
    expect_done(dispatch::fold_part(
      sum_problem{{in.get()}, nullptr, n, {}, {}, {}}, fold_memory(), leave_fold<double>{fold.get()}, nullptr));
    const double found = fold.download()[0].value.value;
    first              = run == 0 ? found : first;
    ASSERT_EQ(std::memcmp(&found, &first, sizeof(found)), 0) << "run " << run;
  }

  using wide               = words_of_size<256>;
  using wide_problem       = dispatch::scan_problem<wide, const wide*, wide*, plus, util::no_init, true>;
  const std::int64_t count = 40000;
  std::vector<wide> wides(static_cast<std::size_t>(count));
  wide expected{};
  for (std::int64_t i = 0; i < count; ++i)
  {
    for (int w = 0; w < 256; ++w)
    {
      wides[static_cast<std::size_t>(i)].member[w] = static_cast<std::uint32_t>(i * 31 + w);
    }
    expected = expected + wides[static_cast<std::size_t>(i)];
  }
  room<wide> wide_in(static_cast<std::size_t>(count));
  wide_in.upload(wides);
  room<util::maybe<wide>> wide_fold(1);
  expect_done(dispatch::fold_part(wide_problem{{wide_in.get()}, nullptr, count, {}, {}, {}},
                                  fold_memory(),
                                  leave_fold<wide>{wide_fold.get()},
                                  nullptr));
  EXPECT_TRUE(wide_fold.download()[0].value.value == expected);
}

// Both kernels, with a carry and without.
TEST_F(one_gpu, scans_continue_a_carry_where_there_is_one)
{
  const std::int64_t longest = 1500001;
  room<interval> in(static_cast<std::size_t>(longest));
  room<interval> out(static_cast<std::size_t>(longest));
  room<util::maybe<interval>> carry(1);
  for (const bool there : {true, false})
  {
    util::maybe<interval> before = util::maybe<interval>::of(util::uninitialized<interval>(interval{3, 101}));
    before.there                 = there;
    carry.upload({before});
    in.upload(intervals_from(100, longest));
    const std::uint32_t first = there ? 3 : 101;
    for (const kernels kernel : {kernels::plain_only, kernels::bulk_only})
    {
      for (const std::int64_t n : {std::int64_t{1}, std::int64_t{2}, std::int64_t{33}, std::int64_t{5000}, longest})
      {
        using problem = interval_problem<util::init_if_there<interval>>;
        LIGHTSCAN_EXPECT_CUDA(cudaMemset(out.get(), 0xee, sizeof(interval) * static_cast<std::size_t>(longest)));
        expect_done(
          dispatch::launcher<problem>(problem{{in.get()}, out.get(), n, op(), {carry.get()}, {}}, nullptr, kernel)
            .run());
        const std::vector<interval> found = out.download();
        for (std::int64_t i = 0; i < n; ++i)
        {
          ASSERT_TRUE(found[static_cast<std::size_t>(i)] == (interval{first, static_cast<std::uint32_t>(i) + 102}))
            << "element " << i << " of " << n << (there ? ", after a carry" : "");
        }
      }
    }
  }
  expect_no_bad_call("after a carry");
}

namespace
{
// One rank's memory, on a stream of its own.
template <class T>
struct rank_memory
{
  explicit rank_memory(int num_ranks)
      : mailbox(ranks::mailbox_words(num_ranks))
      , list(static_cast<std::size_t>(num_ranks))
  {
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(cudaHostAlloc(&on_host, sizeof(std::uint32_t), cudaHostAllocMapped), cudaSuccess);
    *static_cast<std::uint32_t*>(on_host) = 0;
  }
  rank_memory(const rank_memory&)            = delete;
  rank_memory& operator=(const rank_memory&) = delete;
  ~rank_memory()
  {
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(cudaFreeHost(on_host), cudaSuccess);
  }

  std::uint32_t verdict() const
  {
    return *static_cast<volatile std::uint32_t*>(on_host);
  }

  room<ranks::slot_word> mailbox;
  room<ranks::slot_word*> list;
  room<ranks::device_state> state{1};
  room<util::maybe<T>> carry{1};
  room<unsigned char> block_folds{plain::fold_bytes};
  cudaStream_t stream = nullptr;
  void* on_host       = nullptr;
};

template <class T>
class ranks_of_one_gpu
{
public:
  explicit ranks_of_one_gpu(int num_ranks)
  {
    std::vector<ranks::slot_word*> all;
    for (int r = 0; r < num_ranks; ++r)
    {
      ranks_.push_back(std::make_unique<rank_memory<T>>(num_ranks));
      all.push_back(ranks_.back()->mailbox.get());
    }
    for (const auto& rank : ranks_)
    {
      rank->list.upload(all);
    }
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }

  template <class Problem>
  void queue_exchange(int rank, const Problem& problem, std::uint64_t patience_ns, ranks::signature call = 1)
  {
    using Op             = typename Problem::op_type;
    using Init           = typename Problem::init_type;
    rank_memory<T>& mine = of(rank);
    const ranks::rank_call<T, Op, Init> made{mine.state.get(),
                                             static_cast<std::uint32_t*>(mine.on_host),
                                             rank,
                                             static_cast<int>(ranks_.size()),
                                             call,
                                             problem.scan_op,
                                             problem.init,
                                             mine.carry.get()};
    expect_done(dispatch::fold_part(problem,
                                    {mine.block_folds.get(), &mine.state.get()->folds_done},
                                    ranks::exchange_in_mailboxes<T, Op, Init>{made, mine.list.get(), patience_ns},
                                    mine.stream));
  }

  rank_memory<T>& of(int rank)
  {
    return *ranks_[static_cast<std::size_t>(rank)];
  }

private:
  std::vector<std::unique_ptr<rank_memory<T>>> ranks_;
};

constexpr std::uint64_t a_minute = 60'000'000'000;
} // namespace

// No more ranks than a GPU has queues for, so that all wait at once; and all exchanges are queued before the first scan, because
// what the host does for a kernel's first launch may wait for those that run.
TEST_F(one_gpu, ranks_get_the_scan_of_all_parts)
{
  for (const int num_ranks : {1, 2, 3, 7})
  {
    ranks_of_one_gpu<interval> all(num_ranks);
    for (int division = 0; division < 6; ++division)
    {
      std::vector<std::int64_t> sizes;
      std::int64_t total = 0;
      for (int r = 0; r < num_ranks; ++r)
      {
        const std::int64_t kinds[] = {
          0, r % 3 == 1 ? 1 : 0, 17 + r, r % 2 ? 0 : 4097, 20000 + 13 * r, r == 0 ? 300000 : 5};
        sizes.push_back(kinds[division]);
        total += sizes.back();
      }
      room<interval> in(static_cast<std::size_t>(total));
      room<interval> out(static_cast<std::size_t>(total));
      in.upload(intervals_from(0, total));
      LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
      std::int64_t first = 0;
      for (int r = 0; r < num_ranks; ++r)
      {
        const std::int64_t n = sizes[static_cast<std::size_t>(r)];
        const interval_problem<util::no_init> part{{in.get() + first}, out.get() + first, n, op(), {}, {}};
        all.queue_exchange(r, part, a_minute);
        first += n;
      }
      first = 0;
      for (int r = 0; r < num_ranks; ++r)
      {
        const std::int64_t n = sizes[static_cast<std::size_t>(r)];
        using carried        = interval_problem<util::init_if_there<interval>>;
        expect_done(
          dispatch::launcher<carried>(
            carried{{in.get() + first}, out.get() + first, n, op(), {all.of(r).carry.get()}, {}}, all.of(r).stream)
            .run());
        first += n;
      }
      LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
      const std::vector<interval> found = out.download();
      for (std::int64_t i = 0; i < total; ++i)
      {
        ASSERT_TRUE(found[static_cast<std::size_t>(i)] == (interval{1, static_cast<std::uint32_t>(i) + 2}))
          << "element " << i << ", " << num_ranks << " ranks, division " << division;
      }
      for (int r = 0; r < num_ranks; ++r)
      {
        ASSERT_EQ(all.of(r).verdict(), 0u);
      }
    }
  }
  expect_no_bad_call("across ranks");
}

TEST_F(one_gpu, a_rank_that_never_calls_is_given_up)
{
  ranks_of_one_gpu<interval> all(3);
  room<interval> in(1000);
  in.upload(intervals_from(0, 1000));
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  const interval_problem<util::no_init> part{{in.get()}, nullptr, 1000, op(), {}, {}};
  for (const int r : {0, 2})
  {
    all.queue_exchange(r, part, 20'000'000);
  }
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(all.of(0).verdict(), static_cast<std::uint32_t>(ranks::verdict::gave_up));
  EXPECT_EQ(all.of(2).verdict(), static_cast<std::uint32_t>(ranks::verdict::gave_up));
  EXPECT_FALSE(all.of(2).carry.download()[0].there);
  // Would be waited for, for an hour.
  all.queue_exchange(0, part, 60 * a_minute);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
}

TEST_F(one_gpu, ranks_whose_calls_differ_find_out)
{
  ranks_of_one_gpu<interval> all(2);
  room<interval> in(1000);
  in.upload(intervals_from(0, 1000));
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  const interval_problem<util::no_init> part{{in.get()}, nullptr, 1000, op(), {}, {}};
  all.queue_exchange(0, part, a_minute, 1);
  all.queue_exchange(1, part, a_minute, 2);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(all.of(0).verdict(), static_cast<std::uint32_t>(ranks::verdict::disagreed));
  EXPECT_EQ(all.of(1).verdict(), static_cast<std::uint32_t>(ranks::verdict::disagreed));
}
