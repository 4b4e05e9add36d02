// Copies that happen later: bulk copies, in parts; words of 16 bytes; and stores of slots.
#include "launch_state.h"
#include "order.h"

#include <algorithm>

namespace emulated
{
std::uint64_t schedule(std::function<void()> happen, block* shared, std::uint64_t from)
{
  const std::uint64_t earliest = std::max(from, now.step);
  const std::uint64_t at       = earliest + (now.mood.most_delay > 0 ? now.random() % now.mood.most_delay : 0);
  auto begun                   = std::make_shared<char>();
  order::release(begun.get());
  now.later.emplace(at, pending{std::move(happen), shared, std::move(begun)});
  if (shared != nullptr)
  {
    ++shared->copies;
  }
  return at;
}

void store_late(std::uint64_t* address, std::uint64_t value)
{
  const order::unseen by_kernels;
  if (!now.mood.late_stores)
  {
    __atomic_store_n(address, value, __ATOMIC_RELAXED);
    wrote(address, false);
    return;
  }
  // Stores to one word keep their order.
  std::uint64_t& last = now.last_store[address];
  last                = schedule(
    [=] {
      __atomic_store_n(address, value, __ATOMIC_RELAXED);
      ++now.written;
    },
    nullptr,
    last);
  acted();
  may_give_way();
}

namespace
{
bool on_grid(const void* address)
{
  return reinterpret_cast<std::uintptr_t>(address) % 16 == 0;
}

// Calls f(offset, bytes) for one to three parts of whole words.
template <class F>
void in_parts(unsigned bytes, F f)
{
  for (unsigned first = 0; first < bytes;)
  {
    const unsigned rest = bytes - first;
    const unsigned here = one_in(2) || rest == 16 ? rest : 16 * (1 + any_below(rest / 16));
    f(first, here);
    first += here;
  }
}

// A part of a bulk store of the calling thread's: it is read some time, and later write(what was read) is called.
template <class F>
void store_part(const unsigned char* from, unsigned bytes, F write)
{
  lane_thread* const self = now.running;
  const std::size_t group = self->groups.size() - 1;
  ++self->groups[group].unread;
  ++self->groups[group].unwritten;
  const auto look = [=] {
    if (self->waits_for_copies)
    {
      self->waits_for_copies = false;
      make_ready(*self);
    }
  };
  schedule(
    [=] {
      std::vector<unsigned char> taken(bytes);
      order::copy(taken.data(), from, bytes);
      order::release(self);
      --self->groups[group].unread;
      look();
      schedule(
        [=] {
          write(taken.data());
          order::release(self);
          --self->groups[group].unwritten;
          look();
        },
        nullptr);
    },
    self->of);
}
} // namespace

void load_bulk(void* shared, const void* global, unsigned bytes, std::uint64_t* barrier)
{
  const order::unseen by_kernels;
  if (!on_grid(shared) || !on_grid(global) || bytes % 16 != 0 || bytes == 0)
  {
    misused("a bulk load that does not meet the 16-byte grid");
  }
  expect_barrier(barrier);
  block* const b = now.running->of;
  in_parts(bytes, [&](unsigned first, unsigned part) {
    void* const to         = static_cast<unsigned char*>(shared) + first;
    const void* const from = static_cast<const unsigned char*>(global) + first;
    schedule(
      [=] {
        order::copy(to, from, part);
        complete(barrier, *b, part, 0);
      },
      b);
  });
  acted();
  may_give_way();
}

// Nothing comes of it; but memory that is not there is found. No access that others have to be ordered with.
__attribute__((no_sanitize("thread"))) void prefetch_bulk(const void* global, unsigned bytes)
{
  if (!on_grid(global) || bytes % 16 != 0 || bytes == 0)
  {
    misused("a bulk prefetch that does not meet the 16-byte grid");
  }
  const auto* const first = static_cast<const volatile unsigned char*>(global);
  (void) first[0];
  (void) first[bytes - 1];
}

// The same of the line of an address.
__attribute__((no_sanitize("thread"))) void prefetch(const void* global)
{
  (void) *static_cast<const volatile unsigned char*>(global);
}

void store_bulk(void* global, const void* shared, unsigned bytes)
{
  const order::unseen by_kernels;
  if (!on_grid(shared) || !on_grid(global) || bytes % 16 != 0 || bytes == 0)
  {
    misused("a bulk store that does not meet the 16-byte grid");
  }
  in_parts(bytes, [&](unsigned first, unsigned part) {
    void* const to = static_cast<unsigned char*>(global) + first;
    store_part(static_cast<const unsigned char*>(shared) + first, part, [=](const unsigned char* taken) {
      order::copy(to, taken, part);
    });
  });
  acted();
  may_give_way();
}

namespace
{
// What of a box's row lies in the array: words of the box.
struct words_within
{
  unsigned first = 0, last = 0;

  words_within(const box_map& map, int column, std::int64_t row)
  {
    if (row >= 0 && static_cast<std::uint64_t>(row) < map.rows)
    {
      const std::int64_t left = static_cast<std::int64_t>(map.words) - column;
      first                   = column < 0 ? static_cast<unsigned>(-column) : 0;
      last                    = left < 0 ? 0 : static_cast<unsigned>(std::min<std::int64_t>(left, map.box_words));
    }
  }
};

unsigned char* place_of(const box_map& map, int column, std::int64_t row, unsigned word)
{
  return map.first + row * static_cast<std::int64_t>(map.bytes_on) + 4 * (column + static_cast<std::int64_t>(word));
}

void check_box(const box_map& map, const void* shared)
{
  if (reinterpret_cast<std::uintptr_t>(shared) % 128 != 0 || !on_grid(map.first) || map.bytes_on % 16 != 0
      || map.box_words % 4 != 0 || map.box_words > 256 || map.box_rows > 256 || map.box_words * map.box_rows == 0)
  {
    misused("a tensor copy whose box or array does not meet the grid, or is too large");
  }
}
} // namespace

void load_box(void* shared, const box_map& map, int column, int row, std::uint64_t* barrier)
{
  const order::unseen by_kernels;
  check_box(map, shared);
  expect_barrier(barrier);
  block* const b           = now.running->of;
  const unsigned row_bytes = 4 * map.box_words;
  in_parts(16 * map.box_rows, [&](unsigned first, unsigned part) {
    schedule(
      [=] {
        for (unsigned r = first / 16; r < (first + part) / 16; ++r)
        {
          auto* const to = static_cast<unsigned char*>(shared) + r * row_bytes;
          std::vector<unsigned char> read(row_bytes, 0);
          const words_within in(map, column, std::int64_t{row} + r);
          if (in.first < in.last)
          {
            order::copy(read.data() + 4 * in.first,
                        place_of(map, column, std::int64_t{row} + r, in.first),
                        4 * (in.last - in.first));
          }
          order::copy(to, read.data(), row_bytes);
        }
        complete(barrier, *b, part / 16 * row_bytes, 0);
      },
      b);
  });
  acted();
  may_give_way();
}

void store_box(const box_map& map, int column, int row, const void* shared)
{
  const order::unseen by_kernels;
  check_box(map, shared);
  if (column < 0 || row < 0)
  {
    misused("a tensor store whose box begins before the array");
  }
  const unsigned row_bytes = 4 * map.box_words;
  in_parts(16 * map.box_rows, [&](unsigned first, unsigned part) {
    const unsigned begin = first / 16;
    const unsigned rows  = part / 16;
    store_part(
      static_cast<const unsigned char*>(shared) + begin * row_bytes, rows * row_bytes, [=](const unsigned char* taken) {
        for (unsigned r = 0; r < rows; ++r)
        {
          const std::int64_t at = std::int64_t{row} + begin + r;
          const words_within in(map, column, at);
          if (in.first < in.last)
          {
            order::copy(
              place_of(map, column, at, in.first), taken + r * row_bytes + 4 * in.first, 4 * (in.last - in.first));
          }
        }
      });
  });
  acted();
  may_give_way();
}

void commit_stores()
{
  const order::unseen by_kernels;
  now.running->groups.emplace_back();
  acted();
  may_give_way();
}

void wait_for_stores(unsigned but, bool written)
{
  const order::unseen by_kernels;
  lane_thread& self   = *now.running;
  const auto finished = [&] {
    for (std::size_t g = 0; g + 1 + but < self.groups.size(); ++g)
    {
      if (self.groups[g].unread > 0 || (written && self.groups[g].unwritten > 0))
      {
        return false;
      }
    }
    return true;
  };
  while (!finished())
  {
    self.waits_for_copies = true; // any of them wakes it
    self.written          = written;
    give_way(state::waits, [](const lane_thread& thread) {
      return std::string("waits until its bulk stores have been ") + (thread.written ? "written" : "read");
    });
  }
  order::acquire(&self);
  acted();
  may_give_way();
}

namespace
{
load_batch& open_batch(lane_thread& self)
{
  if (self.batches.empty() || self.batches.back()->barrier != nullptr)
  {
    self.batches.push_back(std::make_shared<load_batch>());
  }
  return *self.batches.back();
}

// One more of what an arrival waits for has happened: the first batches that are complete arrive.
void settle(lane_thread& thread, load_batch& batch)
{
  --batch.under_way;
  auto& all = thread.batches;
  while (!all.empty() && all.front()->barrier != nullptr && all.front()->under_way == 0)
  {
    order::acquire(all.front().get());
    complete(all.front()->barrier, *thread.of, 0, 1);
    all.erase(all.begin());
  }
}
} // namespace

void load_16(void* shared, const void* global)
{
  const order::unseen by_kernels;
  if (!on_grid(shared) || !on_grid(global))
  {
    misused("an asynchronous copy that does not meet the 16-byte grid");
  }
  lane_thread* const self = now.running;
  ++open_batch(*self).under_way;
  schedule(
    [=, batch = self->batches.back()] {
      order::copy(shared, global, 16);
      order::release(batch.get());
      settle(*self, *batch);
    },
    self->of);
  acted();
  may_give_way();
}

void arrive_after_loads(std::uint64_t* barrier)
{
  const order::unseen by_kernels;
  expect_barrier(barrier);
  lane_thread* const self = now.running;
  load_batch& batch       = open_batch(*self);
  batch.barrier           = barrier;
  ++batch.under_way; // the arrival itself, which comes some time later, too
  schedule(
    [=, closed = self->batches.back()] {
      settle(*self, *closed);
    },
    self->of);
  acted();
  may_give_way();
}
} // namespace emulated
