// Selections on host threads: copy_if, remove, unique, partition.
#pragma once

#include <lightscan/dispatch/problem.h>
#include <lightscan/host/select_tiles.h>
#include <lightscan/host/tile_loop.h>
#include <lightscan/util/iterators.h>
#include <lightscan/version.h>

#include <cuda/std/tuple>
#include <cuda/std/type_traits>

#include <cstddef>
#include <utility>
#include <vector>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
// For items that are not their bytes.
template <bool MovesTested, class Problem>
class one_by_one
{
public:
  explicit one_by_one(Problem& problem)
      : problem_(problem)
  {}

  template <std::size_t... M>
  void run(std::index_sequence<M...>)
  {
    using tested = item_t<::cuda::std::tuple_element_t<0, typename Problem::inputs_type>>;
    auto& items  = ::cuda::std::get<0>(problem_.inputs);
    asking<typename Problem::kind_type::test_type, tested> test(problem_.kind.test, items, 0);
    index of_part[2] = {0, 0};
    for (index i = 0; i < static_cast<index>(problem_.num_items); ++i)
    {
      tested item(static_cast<tested>(items[i]));
      const int part                  = test.part_of(item);
      [[maybe_unused]] const index at = of_part[part]++;
      if (part == 0)
      {
        (put<M>(::cuda::std::get<0>(problem_.output.parts), at, i, item), ...);
      }
      else
      {
        (put<M>(::cuda::std::get<1>(problem_.output.parts), at, i, item), ...);
      }
    }
    problem_.output.total[0] = of_part[0];
  }

private:
  template <std::size_t M, class Part, class Tested>
  void
  put([[maybe_unused]] Part& part, [[maybe_unused]] index at, [[maybe_unused]] index i, [[maybe_unused]] Tested& item)
  {
    if constexpr (is_wanted<Part>)
    {
      if constexpr (::cuda::std::tuple_size_v < decltype(part.to) >> 0)
      {
        if constexpr (MovesTested && M == 0)
        {
          ::cuda::std::get<M>(part.to)[at] = std::move(item);
        }
        else
        {
          ::cuda::std::get<M>(part.to)[at] = ::cuda::std::get<M + (MovesTested ? 0 : 1)>(problem_.inputs)[i];
        }
      }
    }
  }

  Problem& problem_;
};

// `in_place`: part 0 goes where the items lie.
template <class Tuning, class Test, bool MovesTested, class Inputs, class Output, class Count>
void run(int threads, dispatch::select_problem<Test, MovesTested, Inputs, Output, Count> problem, bool in_place = false)
{
  using all   = dispatch::select_problem<Test, MovesTested, Inputs, Output, Count>;
  using moved = moved_of<MovesTested, Inputs>;
  if constexpr (moved::bitwise)
  {
    using work = select_work<Tuning, all>;
    const work of_tiles(problem, in_place);
    tile_loop<Tuning, work>(of_tiles, static_cast<index>(problem.num_items)).run(threads);
  }
  else
  {
    one_by_one<MovesTested, all>(problem).run(std::make_index_sequence<moved::count>{});
  }
}

// A partition in place of items that are not their bytes.
template <class Call>
index partition_one_by_one(Call& call, index num_items)
{
  using item_type = typename Call::rest;
  typename Call::test test{call.pred};
  std::vector<item_type> others;
  index kept = 0;
  for (index i = 0; i < num_items; ++i)
  {
    item_type item(static_cast<item_type>(call.first[i]));
    int part = 0;
    if constexpr (Call::kind::moves_tested)
    {
      part = test.part_of(item);
    }
    else
    {
      item_t<::cuda::std::remove_reference_t<decltype(call.stencil)>> tested(call.stencil[i]);
      part = test.part_of(tested);
    }
    if (part == 0)
    {
      call.first[kept++] = std::move(item);
    }
    else
    {
      others.push_back(std::move(item));
    }
  }
  for (std::size_t k = 0; k < others.size(); ++k)
  {
    call.first[kept + static_cast<index>(k)] = std::move(others[k]);
  }
  return kept;
}

// A partition in place: what does not stay is set aside, and put behind the others once these are there.
template <class Tuning, class Call>
index partition(int threads, Call& call, index num_items)
{
  using T = typename Call::rest;
  if constexpr (moved_of<Call::kind::moves_tested, typename Call::inputs>::bitwise)
  {
    const item_buffer<T> others = buffer_of<T>(num_items);
    index kept                  = 0;
    host_engine::run<Tuning>(threads, call.problem(num_items, &kept, &others[0].value), true);
    const auto to = util::unwrapped(call.first);
    share_out(
      threads, num_items - kept, (index{1} << 20) / static_cast<index>(sizeof(T)) + 1, [&](index begin, index end) {
        put_items(to + (kept + begin), others.get() + begin, end - begin, false);
      });
    return kept;
  }
  else
  {
    return partition_one_by_one(call, num_items);
  }
}
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
