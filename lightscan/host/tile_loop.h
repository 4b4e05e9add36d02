// The loop of a call that does more for a tile than engine.h's scans: selections and reductions by key, whose results go where earlier
// tiles leave off, and scans of segments. The blocks, their tiles and the lookahead are those of engine.h. Once a tile's carry is there,
// all earlier tiles have been folded; so selections, which read a tile's items once and keep what they will put out, may overwrite the
// input up to their own tile's end. A work is what is done for a tile:
//
//   accumulator, op_type, op()
//   tile_items
//   stage                                      what a thread has of a tile between fold and put; made for a number of items
//   fold(begin, count, stage)                  reads a tile, and gives its aggregate
//   put(stage, has_carry, carry, is_last)
#pragma once

#include <lightscan/carry/aggregate.h>
#include <lightscan/carry/lookahead.h>
#include <lightscan/carry/slot.h>
#include <lightscan/host/engine.h>
#include <lightscan/host/members.h>
#include <lightscan/host/pool.h>
#include <lightscan/host/stream_store.h>
#include <lightscan/host/transport.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>
#include <lightscan/warp/serial_warp.h>

#include <cstddef>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
// Items of a tile that a thread buffers so many bytes of for each: 64 KiB, as a scan's tile.
constexpr index buffered_items(std::size_t bytes_each)
{
  const index items = (index{64} << 10) / static_cast<index>(bytes_each > 0 ? bytes_each : 1);
  return items < 16 ? 16 : items;
}

template <class Tuning, class Work>
class tile_loop
{
public:
  tile_loop(const Work& work, index num_items)
      : work_(work)
      , num_items_(num_items)
  {}

  void run(int wanted_threads)
  {
    num_tiles_ = (num_items_ - 1) / Work::tile_items + 1;
    if (num_tiles_ == 1)
    {
      Work work = work_;
      stage only(num_items_);
      const T aggregate = work.fold(0, num_items_, only);
      work.put(only, false, util::uninitialized<T>(aggregate), true);
      finish_stream_stores();
      return;
    }
    host_pool::crew crew(threads_for_tiles<Tuning>(num_tiles_, wanted_threads));
    blocks_           = crew.members();
    const auto memory = slots_for(num_tiles_, blocks_, slots_);

    run_members(crew, failure_, [this](int block) {
      run_block(block);
    });
  }

private:
  using T         = typename Work::accumulator;
  using stage     = typename Work::stage;
  using lookahead = carry::lookahead<T, typename Work::op_type, transport, warp::serial_warp>;

  // Copies of everything that is the user's, as in engine.h.
  void run_block(int block)
  {
    Work work = work_;
    lookahead other_blocks(slots_, work.op(), util::no_init{});
    stage first(Work::tile_items);
    stage second(Work::tile_items);
    stage* current = &first;
    stage* next    = &second;
    fold_and_publish(work, block, *current);
    for (index number = block; number < num_tiles_ && !failure_.happened(); number += blocks_)
    {
      if (number + blocks_ < num_tiles_)
      {
        fold_and_publish(work, number + blocks_, *next);
      }
      transport::begin_waiting();
      const util::uninitialized<T> carry = other_blocks.carry_before(number);
      work.put(*current, other_blocks.has_carry(), carry, number + 1 == num_tiles_);
      stage* const done = current;
      current           = next;
      next              = done;
    }
  }

  void fold_and_publish(Work& work, index number, stage& into)
  {
    const index begin = number * Work::tile_items;
    const index left  = num_items_ - begin;
    const T aggregate = work.fold(begin, left < Work::tile_items ? left : Work::tile_items, into);
    lookahead::publish_aggregate(slots_, slots_.address_of(number), carry::aggregate_of<T>::narrowed(aggregate));
  }

  const Work& work_;
  index num_items_;
  index num_tiles_ = 0;
  int blocks_      = 1;
  typename lookahead::ring slots_;
  failure failure_;
};

// Calls f(begin, end) for parts of [0, count), which differ by one at most, each on a thread of its own where there is enough to do.
template <class F>
void share_out(int threads, index count, index worth_a_thread, const F& f)
{
  const index most = count / worth_a_thread;
  host_pool::crew crew(most < threads ? static_cast<int>(most) : threads);
  const index members = crew.members();
  failure of_call;
  run_members(crew, of_call, [&](int number) {
    const index each  = count / members;
    const index more  = count % members; // members have one more
    const index begin = number * each + (number < more ? number : more);
    f(begin, begin + each + (number < more ? 1 : 0));
  });
}
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
