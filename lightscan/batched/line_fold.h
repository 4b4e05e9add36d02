// Folds of runs of a line's elements, and how the groups of a block exchange and scan theirs.
#pragma once

#include <lightscan/batched/geometry.h>
#include <lightscan/util/uninitialized.h>
#include <lightscan/version.h>

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
      mark(at)     = static_cast<unsigned char>((own.there ? 1 : 0) | (own.begun ? 2 : 0));
    }
    __syncthreads();
  }

  // What a group has shared, of the thread's line.
  __device__ fold of(int group) const
  {
    const int at        = half_ * threads + group * lines_.lines + line_;
    const unsigned mark = this->mark(at);
    return {value(at), (mark & 1) != 0, (mark & 2) != 0};
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
#endif
} // namespace batched
LIGHTSCAN_NAMESPACE_END
