// Reductions by key on host threads.
//
// Order of combination: a tile's values of one run are folded from left to right; what a run has in several tiles is joined as
// aggregates are (carry/lookahead.h), and with what its last tile has of it.
#pragma once

#include <lightscan/dispatch/problem.h>
#include <lightscan/host/engine.h>
#include <lightscan/host/select_tiles.h>
#include <lightscan/host/tile_loop.h>
#include <lightscan/tile/select_kind.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

#include <cuda/std/tuple>
#include <cuda/std/type_traits>

#include <cstddef>
#include <optional>
#include <utility>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
template <class Tuning,
          class Value,
          class KeyIt,
          class ValueIt,
          class Output,
          class EqualityOp,
          class ReductionOp,
          class Count>
class reduce_work
{
  using problem = dispatch::reduce_by_key_problem<Value, KeyIt, ValueIt, Output, EqualityOp, ReductionOp, Count>;
  using key     = item_t<KeyIt>;
  using asks    = asking<tile::run_test<EqualityOp>, key>;

public:
  using accumulator = tile::reduced<Value>;
  using op_type     = tile::reduced_op<ReductionOp>;

  static constexpr index tile_items = buffered_items(sizeof(key) + sizeof(Value));

  // The first keys of the runs that begin in the tile, and the reductions of all of these but the last.
  struct stage
  {
    explicit stage(index items)
        : keys(buffer_of<key>(items))
        , values(buffer_of<Value>(items))
    {}

    item_buffer<key> keys;
    item_buffer<Value> values;
    index begun   = 0;
    bool has_lead = false;
    util::uninitialized<Value> lead; // of what belongs to a run of an earlier tile, where another begins after it
    util::uninitialized<Value> last; // since the last run began
  };

  explicit reduce_work(const problem& p)
      : problem_(p)
  {}

  op_type op() const
  {
    return problem_.scan_op;
  }

  accumulator fold(index begin, index count, stage& into)
  {
    const auto& keys   = ::cuda::std::get<0>(problem_.inputs);
    const auto& values = ::cuda::std::get<1>(problem_.inputs);
    asks test(problem_.kind.test, keys, begin);
    ReductionOp& reduction = problem_.scan_op.reduction_op;
    util::uninitialized<key> item(static_cast<key>(keys[begin]));
    util::uninitialized<Value> running(static_cast<Value>(values[begin]));
    index begun   = test.part_of(item.value) == 0 ? 1 : 0;
    into.keys[0]  = item;
    into.has_lead = false;
    for (index i = begin + 1; i < begin + count; ++i)
    {
      item = util::uninitialized<key>(static_cast<key>(keys[i]));
      const util::uninitialized<Value> value(static_cast<Value>(values[i]));
      if (test.part_of(item.value) != 0)
      {
        running = util::combine(reduction, running.value, value.value);
        continue;
      }
      if (begun > 0)
      {
        into.values[static_cast<std::size_t>(begun - 1)] = running;
      }
      else
      {
        into.lead     = running;
        into.has_lead = true;
      }
      into.keys[static_cast<std::size_t>(begun)] = item;
      running                                    = value;
      ++begun;
    }
    into.begun = begun;
    into.last  = running;
    return accumulator{running.value, begun};
  }

  void put(const stage& from, bool has_carry, const util::uninitialized<accumulator>& carry, bool is_last)
  {
    ReductionOp& reduction = problem_.scan_op.reduction_op;
    const auto keys        = problem_.output.keys;
    const auto values      = problem_.output.values;
    const index before     = has_carry ? carry.value.begun : 0;
    const index all        = before + from.begun;
    if (from.begun > 0)
    {
      if (before > 0)
      {
        put_value(from.has_lead ? util::combine(reduction, carry.value.value, from.lead.value)
                                : util::uninitialized<Value>(carry.value.value),
                  before - 1);
      }
      put_items(keys + before, from.keys.get(), from.begun, false);
      put_items(values + before, from.values.get(), from.begun - 1, false);
    }
    if (is_last)
    {
      // The last run ends with the range, in whichever tile it began.
      put_value(from.begun > 0 ? from.last : util::combine(reduction, carry.value.value, from.last.value), all - 1);
      problem_.output.total[0] = all;
    }
  }

private:
  void put_value(const util::uninitialized<Value>& value, index run)
  {
    auto to = problem_.output.values;
    to[run] = value.value;
  }

  problem problem_;
};

// For keys that are not their bytes, or accumulators that no slot holds.
template <class Value, class KeyIt, class ValueIt, class Output, class EqualityOp, class ReductionOp, class Count>
void reduce_one_by_one(
  dispatch::reduce_by_key_problem<Value, KeyIt, ValueIt, Output, EqualityOp, ReductionOp, Count>& problem)
{
  using key          = item_t<KeyIt>;
  auto& keys         = ::cuda::std::get<0>(problem.inputs);
  auto& values       = ::cuda::std::get<1>(problem.inputs);
  auto keys_result   = problem.output.keys;
  auto values_result = problem.output.values;
  asking<tile::run_test<EqualityOp>, key> test(problem.kind.test, keys, 0);
  index runs = 0;
  std::optional<Value> running;
  for (index i = 0; i < static_cast<index>(problem.num_items); ++i)
  {
    key item(static_cast<key>(keys[i]));
    Value value(static_cast<Value>(values[i]));
    if (test.part_of(item) == 0)
    {
      if (runs > 0)
      {
        values_result[runs - 1] = *running;
      }
      keys_result[runs++] = std::move(item);
      running.emplace(std::move(value));
    }
    else
    {
      running.emplace(static_cast<Value>(problem.scan_op.reduction_op(*running, value)));
    }
  }
  values_result[runs - 1] = *running;
  problem.output.total[0] = runs;
}

template <class Tuning,
          class Value,
          class KeyIt,
          class ValueIt,
          class Output,
          class EqualityOp,
          class ReductionOp,
          class Count>
void run(int threads,
         dispatch::reduce_by_key_problem<Value, KeyIt, ValueIt, Output, EqualityOp, ReductionOp, Count> problem)
{
  constexpr bool in_tiles = [] {
    if constexpr (util::is_bitwise_copyable<item_t<KeyIt>> && util::is_bitwise_copyable<Value>)
    {
      return fits_slots<tile::reduced<Value>>;
    }
    return false;
  }();
  if constexpr (in_tiles)
  {
    using work = reduce_work<Tuning, Value, KeyIt, ValueIt, Output, EqualityOp, ReductionOp, Count>;
    const work of_tiles(problem);
    tile_loop<Tuning, work>(of_tiles, static_cast<index>(problem.num_items)).run(threads);
  }
  else
  {
    reduce_one_by_one<Value>(problem);
  }
}
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
