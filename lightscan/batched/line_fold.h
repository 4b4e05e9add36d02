// Folds of runs of a line's elements, and how the groups of a block exchange and scan theirs.
#pragma once

#include <lightscan/batched/geometry.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
// The fold of a run of a line's elements since the line began, if it began in the run.
template <class T>
struct line_fold
{
  util::uninitialized<T> value;
  bool there; // the run has elements
  bool begun; // the line began in it
};

LIGHTSCAN_EXEC_CHECK_DISABLE
template <class T, class Op>
LIGHTSCAN_HOST_DEVICE line_fold<T> joined(const line_fold<T>& above, const line_fold<T>& below, Op& op)
{
  if (!above.there || (below.there && below.begun))
  {
    return below;
  }
  if (!below.there)
  {
    return above;
  }
  return {util::combine(op, above.value.value, below.value.value), true, above.begun};
}

#if defined(__CUDACC__)
// What a fold is besides its value, as a number.
template <class T>
__device__ unsigned marks_of(const line_fold<T>& of)
{
  return (of.there ? 1u : 0u) | (of.begun ? 2u : 0u);
}
template <class T>
__device__ line_fold<T> with_marks(const util::uninitialized<T>& value, unsigned marks)
{
  return {value, (marks & 1) != 0, (marks & 2) != 0};
}

// The folds of a block's threads in shared memory, in two halves: while one is read, the other is written.
template <class T, class Policy>
class group_folds
{
  using fold = line_fold<T>;

  static constexpr int threads      = Policy::threads;
  static constexpr int values_bytes = (threads * static_cast<int>(sizeof(T)) + 15) / 16 * 16;

public:
  static constexpr int bytes = 2 * (values_bytes + threads);

  // `group` and `line`: the thread's.
  __device__ group_folds(unsigned char* memory, const geometry& lines, int group, int line)
      : memory_(memory)
      , lines_(lines)
      , group_(group)
      , line_(line)
  {}

  // Scans the groups' folds of each line: in steps of distances 1, 2, 4, ... each adds the value that far above. All threads call it.
  template <class Op>
  __device__ void scan(fold own, Op& op)
  {
    share(own, true);
    for (int distance = 1; distance < lines_.groups; distance *= 2)
    {
      if (group_ >= distance && group_ < lines_.groups)
      {
        own = joined(of(group_ - distance), own, op);
      }
      share(own, true);
    }
  }

  // Puts a thread's fold, if it has one, where others find it. All threads call it.
  __device__ void share(const fold& own, bool has_one)
  {
    half_ ^= 1; // nobody reads there any more
    if (has_one)
    {
      const int at = half_ * threads + static_cast<int>(threadIdx.x);
      value(at)    = own.value;
      mark(at)     = static_cast<unsigned char>(marks_of(own));
    }
    __syncthreads();
  }

  // What a group has shared, of the thread's line.
  __device__ fold of(int group) const
  {
    const int at = half_ * threads + group * lines_.lines + line_;
    return with_marks(value(at), mark(at));
  }

private:
  __device__ util::uninitialized<T>& value(int at) const
  {
    return reinterpret_cast<util::uninitialized<T>*>(memory_)[at];
  }
  __device__ unsigned char& mark(int at) const
  {
    return memory_[2 * values_bytes + at];
  }

  unsigned char* memory_;
  const geometry& lines_;
  int group_;
  int line_;
  int half_ = 0;
};

// The folds of a team's threads, where a warp has at least a group: by shuffles within warps, in shared memory between them. A team has
// `thread()`, the calling thread's number in it, and `meet()`, a barrier of all its threads.
template <class T, class Policy, class Team>
class shuffled_folds
{
  using fold = line_fold<T>;

  static constexpr int warps        = Policy::threads / warp::lanes;
  static constexpr int values       = warps * warp::lanes;
  static constexpr int values_bytes = (values * static_cast<int>(sizeof(T)) + 15) / 16 * 16;

public:
  static constexpr int bytes = 2 * (values_bytes + values);

  __device__ shuffled_folds(unsigned char* memory, int lines, Team team)
      : team_(team)
      , memory_(memory)
      , lines_(lines)
      , line_(team.thread() % lines)
  {}

  // The fold of what lies above the thread's own part of its line, and the line's in the whole tile. `plain`: all groups have elements, and
  // no line begins in the tile. All threads call it.
  template <class Op>
  __device__ fold above(const fold& own, bool plain, fold& total, Op& op)
  {
    half_ ^= 1; // that nobody reads any more
    // And each line has a thread in the last warp, though there are threads without one.
    const bool in_all_warps = Policy::threads % lines_ + lines_ <= warp::lanes;
    return plain && in_all_warps ? plain_above(own, total, op) : any_above(own, total, op);
  }

private:
  // Threads without elements, behind all others, hand on what they are given.
  template <class Op>
  __device__ fold plain_above(const fold& own, fold& total, Op& op)
  {
    const int lane              = warp::lane_id();
    const int warp              = team_.thread() / warp::lanes;
    util::uninitialized<T> mine = own.value;
    bool there                  = own.there;
    for (int distance = lines_; distance < warp::lanes; distance *= 2)
    {
      const util::uninitialized<T> other = warp::shuffle_up(mine.value, distance);
      if (lane >= distance)
      {
        mine  = there ? util::combine(op, other.value, mine.value) : other;
        there = true;
      }
    }
    if (lane >= warp::lanes - lines_)
    {
      value(place(warp)) = mine;
    }
    fold before{warp::shuffle_up(mine.value, lines_), lane >= lines_, false};
    team_.meet();
    util::uninitialized<T> all = value(place(0));
    LIGHTSCAN_UNROLL
    for (int w = 1; w < warps; ++w)
    {
      if (w == warp)
      {
        before = {before.there ? util::combine(op, all.value, before.value.value) : all, true, false};
      }
      all = util::combine(op, all.value, value(place(w)).value);
    }
    total = {all, true, false};
    return before;
  }

  template <class Op>
  __device__ fold any_above(fold own, fold& total, Op& op)
  {
    const int lane = warp::lane_id();
    for (int distance = lines_; distance < warp::lanes; distance *= 2)
    {
      const fold other = shuffled_up(own, distance);
      if (lane >= distance)
      {
        own = joined(other, own, op);
      }
    }
    if (lane >= warp::lanes - lines_)
    {
      const int at = place(team_.thread() / warp::lanes);
      value(at)    = own.value;
      mark(at)     = static_cast<unsigned char>(marks_of(own));
    }
    fold before = shuffled_up(own, lines_);
    if (lane < lines_)
    {
      before = {{}, false, false};
    }
    team_.meet();
    total = {{}, false, false};
    LIGHTSCAN_UNROLL
    for (int w = 0; w < warps; ++w)
    {
      if (w == team_.thread() / warp::lanes)
      {
        before = joined(total, before, op);
      }
      const int at = place(w);
      total        = joined(total, with_marks(value(at), mark(at)), op);
    }
    return before;
  }

  static __device__ fold shuffled_up(const fold& of, int distance)
  {
    return with_marks(warp::shuffle_up(of.value.value, distance), warp::shuffle_up(marks_of(of), distance).value);
  }
  __device__ int place(int warp) const
  {
    return half_ * values + warp * warp::lanes + line_;
  }
  __device__ util::uninitialized<T>& value(int at) const
  {
    return reinterpret_cast<util::uninitialized<T>*>(memory_)[at];
  }
  __device__ unsigned char& mark(int at) const
  {
    return memory_[2 * values_bytes + at];
  }

  Team team_;
  unsigned char* memory_;
  int lines_;
  int line_;
  int half_ = 0;
};

// The same where a warp may have less than a group, and groups are few: each thread reads those of all groups.
template <class T, class Policy, class Team>
class shared_folds
{
  using fold = line_fold<T>;

  static constexpr int threads      = Policy::threads;
  static constexpr int values_bytes = (threads * static_cast<int>(sizeof(T)) + 15) / 16 * 16;

public:
  static constexpr int bytes = 2 * (values_bytes + threads);

  __device__ shared_folds(unsigned char* memory, int lines, Team team)
      : team_(team)
      , memory_(memory)
      , lines_(lines)
      , groups_(Policy::threads / lines)
  {}

  // As shuffled_folds' one; it does not matter here whether a tile is plain.
  template <class Op>
  __device__ fold above(const fold& own, bool, fold& total, Op& op)
  {
    half_ ^= 1; // that nobody reads any more
    const int thread = team_.thread();
    const int group  = thread / lines_;
    const int line   = thread - group * lines_;
    value(thread)    = own.value;
    mark(thread)     = static_cast<unsigned char>(marks_of(own));
    team_.meet();
    fold before{{}, false, false};
    total = before;
    for (int g = 0; g < groups_; ++g)
    {
      if (g == group)
      {
        before = total;
      }
      const int at = g * lines_ + line;
      total        = joined(total, with_marks(value(at), mark(at)), op);
    }
    return before;
  }

private:
  __device__ util::uninitialized<T>& value(int thread) const
  {
    return reinterpret_cast<util::uninitialized<T>*>(memory_ + half_ * values_bytes)[thread];
  }
  __device__ unsigned char& mark(int thread) const
  {
    return memory_[2 * values_bytes + half_ * threads + thread];
  }

  Team team_;
  unsigned char* memory_;
  int lines_;
  int groups_;
  int half_ = 0;
};
#endif
} // namespace batched
LIGHTSCAN_NAMESPACE_END
