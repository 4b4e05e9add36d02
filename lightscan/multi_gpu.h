/// @file
/// lightscan::group: scans across GPUs, of one machine or of many, whose data lies in parts on them.
///
/// Where a program has an NCCL communicator, a scan across its ranks is one more word on the policy:
///
///     lightscan::group group(comm, stream); // collective, once
///     thrust::inclusive_scan(lightscan::par_nosync.on(stream).across(group), part.begin(), part.end(), out.begin());
///
/// Every rank calls with its own part, of any length; the result is that of one scan of the parts in the order of their ranks, each
/// rank having the results of its own part.
///
/// - **Calls**: inclusive_scan, exclusive_scan, their transform_ and _by_key forms, and lightscan::DeviceScan with such a policy as
///   environment, with any operator, iterator and accumulator that one GPU takes; the accumulator (by key: two keys, a value and a flag)
///   must be bitwise copyable and have no more than 1,024 bytes. DeviceScan's number of items must be one that the host knows. Nothing
///   else takes such a policy: it does not compile.
/// - **Every rank makes the same calls in the same order**, with the same operator and initial value. A group's calls run one after
///   another: on one stream, or on streams that wait for one another. Different groups know nothing of each other.
/// - **Every rank has a thread or a process of its own**, with its GPU the current one. As with NCCL's own kernels, what one rank
///   queues waits on its GPU for the others' calls; so once one rank has called, no other may wait for that rank's GPU (as
///   cudaFree may) before it has called, too.
/// - **Results**: as of one GPU, but for the grouping of what is combined. The same bits in every run for the same division
///   into parts, by either way of exchange.
/// - **Work**: each part is read twice and written once. An input iterator is read twice for each element.
/// - **Waiting**: with par_nosync nothing waits on the host, and calls may be captured (by either way of exchange); a graph must
///   then be launched by all ranks, and be destroyed before its group. A captured call has the limit that was set when it was captured.
/// - **Faults**: a rank waits for the others as long as limit() says. Then, or where NCCL exchanges the totals and reports that one
///   has died, the call fails with cudaErrorTimeout or what NCCL said: par throws, par_nosync's next call and wait() do. Ranks whose
///   calls differ get cudaErrorInvalidValue, as far as their totals arrive; with LIGHTSCAN_DEBUG_SYNC they always do. The results of
///   a failed call are worth nothing, the group serves no more calls, the GPU is as usable as before.
/// - **Memory**: 1.4 MiB on the GPU for each group, and 4 KB for each rank; the latter stay, where they were offered to other ranks,
///   until the process ends, because another rank may write there that has not heard yet that the group is over. Calls take no other:
///   an allocator of the policy's serves only a group of one rank.
///
/// It needs NCCL 2.18 or newer: nccl.h among the headers, and libnccl among the libraries; in CMake
/// `find_package(lightscan COMPONENTS multi_gpu)` and the target lightscan::multi_gpu.
#pragma once

#include <lightscan/entry/run_across.h>
#include <lightscan/execution_policy.h>
#include <lightscan/ranks/team.h>
#include <lightscan/ranks/way.h>
#include <lightscan/scan.h>
#include <lightscan/scan_by_key.h>
#include <lightscan/transform_scan.h>
#include <lightscan/version.h>

#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

#include <chrono>
#include <string>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN

#if defined(LIGHTSCAN_DETAIL_NCCL)
/// The ranks of a communicator, as scans go across them. It has a communicator of its own, split off the one it was made from: the
/// two may be destroyed in any order, and neither's calls are in the other's way. Neither copied nor moved: policies refer to it.
///
/// Thread safety: one thread at a time.
class group
{
public:
  /// How long a rank waits for others where nothing else is said (perf/DECISIONS.md, rank-limit).
  static constexpr std::chrono::milliseconds default_limit = std::chrono::minutes(10);

  /// Collective: every rank of the communicator makes its own, with its GPU current, and each waits for the others. A group of one
  /// rank takes nothing and costs nothing: its scans are those of the policy alone.
  /// @param comm an ncclComm_t
  /// @param stream where the ranks get to know each other; waited for
  /// @param way how totals are exchanged; peer fails where a rank does not reach another's memory
  /// @param limit as set_limit() takes it; it holds for this call, too. Where it passes before all ranks have come, a thread is
  ///   left behind that waits for them in ncclCommSplit(comm): then all that may be done with `comm` is to abort it.
  /// @throw thrust::system_error where CUDA or NCCL fails, or another rank does not come in time
  group(ncclComm_t comm,
        cudaStream_t stream,
        exchange way                    = exchange::automatic,
        std::chrono::milliseconds limit = default_limit)
  {
    expect(team_.open(comm, stream, way, limit), "making a group");
  }
  group(const group&)            = delete;
  group& operator=(const group&) = delete;

  /// Waits for the group's calls that have been queued, as long as limit() says, and then for NCCL to end the communicator. That
  /// may wait in turn for the other ranks of this machine to end theirs: again as long as limit() says, two seconds at least, and no
  /// longer than those where a call has failed here. What has not ended by then ends on a thread that is left behind. Whoever knows
  /// that another rank will not come, sets a small limit first; with exchange::peer calls that are queued keep the limit they had.
  ~group() = default;

  /// @return this rank's number
  int rank() const
  {
    return team_.rank();
  }

  /// @return the number of ranks
  int size() const
  {
    return team_.size();
  }

  /// @return how totals are exchanged: exchange::peer or exchange::nccl
  exchange way() const
  {
    return team_.way();
  }

  /// @return how long a rank waits for the others
  std::chrono::milliseconds limit() const
  {
    return team_.limit();
  }

  /// Sets how long a rank waits for the others, in later calls. Counted from when it begins to wait: with exchange::peer on
  /// the GPU, with exchange::nccl on the host, in calls with par and in wait().
  /// @param limit more than nothing; more than a year is a year
  void set_limit(std::chrono::milliseconds limit)
  {
    team_.set_limit(limit);
  }

  /// Waits for a stream as par does: no longer for the other ranks than limit() says.
  /// @param stream the one of the group's last call
  /// @throw thrust::system_error where that or an earlier call of the group has failed, or work on the stream
  void wait(cudaStream_t stream)
  {
    expect(team_.wait(stream), "a scan across GPUs");
  }

  /// @cond internal
  ranks::team& own_team()
  {
    return team_;
  }
  /// @endcond

private:
  static void expect(const runtime::outcome& done, const char* what)
  {
    if (!done)
    {
      throw THRUST_NS_QUALIFIER::system_error(done.error,
                                              THRUST_NS_QUALIFIER::cuda_category(),
                                              "lightscan: " + std::string(what) + " failed while " + done.doing);
    }
  }

  ranks::team team_;
};
#else
/// @cond internal
class group
{
public:
  template <class Communicator, class... More>
  explicit group(Communicator, More...)
  {
    static_assert(
      sizeof(Communicator*) == 0,
      "lightscan::group needs NCCL 2.18 or newer: put the folder of nccl.h among the include paths and link libnccl "
      "(in CMake, find_package(lightscan COMPONENTS multi_gpu) and lightscan::multi_gpu), without LIGHTSCAN_NO_NCCL");
  }
};
/// @endcond
#endif

LIGHTSCAN_NAMESPACE_END
