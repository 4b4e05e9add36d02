// Puts a scan across ranks on a stream: the fold of this rank's part and the exchange, after which the carry lies in the group's
// memory, and then the scan of a single GPU with an initial value that lies there, if there is one.
#pragma once

#include <lightscan/device_value.h>
#include <lightscan/dispatch/choice.h>
#include <lightscan/dispatch/fold_launch.h>
#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/ranks/kernels.h>
#include <lightscan/ranks/team.h>
#include <lightscan/runtime/device.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/runtime/report.h>
#include <lightscan/runtime/slot_source.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/util/maybe.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>

#include <chrono>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ranks
{
#if defined(LIGHTSCAN_DETAIL_NCCL) && defined(__CUDACC__)
template <class Problem>
using accumulator_t = typename Problem::kind_type::accumulator;

// Where a scan finds its carry. With an initial value there always is one.
template <class Problem>
using carry_init = ::cuda::std::conditional_t<::cuda::std::is_same_v<typename Problem::init_type, util::no_init>,
                                              util::init_if_there<accumulator_t<Problem>>,
                                              device_value<accumulator_t<Problem>>>;

template <class Problem>
struct carried
{
  using type = dispatch::problem<typename Problem::kind_type,
                                 typename Problem::inputs_type,
                                 typename Problem::output_type,
                                 typename Problem::op_type,
                                 carry_init<Problem>,
                                 typename Problem::count_type>;
};

// The scan of this rank's part, which continues that of lower ranks.
template <class Problem>
typename carried<Problem>::type carried_problem(const Problem& problem, const team& of)
{
  using T           = accumulator_t<Problem>;
  const auto* carry = static_cast<const util::maybe<T>*>(of.carry());
  if constexpr (::cuda::std::is_same_v<typename Problem::init_type, util::no_init>)
  {
    return {problem.inputs, problem.output, problem.num_items, problem.scan_op, {carry}, problem.kind};
  }
  else
  {
    return {problem.inputs, problem.output, problem.num_items, problem.scan_op, {&carry->value.value}, problem.kind};
  }
}

// To load a kernel, CUDA may wait for those that run; so each is loaded before there is one on the stream that waits for other ranks.
template <class T, class Op, class Init>
runtime::outcome load_fold_of_messages(cudaStream_t stream)
{
  runtime::stream_attributes* attributes  = nullptr;
  const runtime::kernel_attributes* found = nullptr;
  const runtime::outcome asked            = runtime::attributes_of(stream, attributes);
  return asked ? runtime::kernel_on<fold_messages<T, Op, Init>>(attributes->device, found) : asked;
}

template <class Problem>
void load_scan(const Problem& problem, cudaStream_t stream)
{
  (void) dispatch::launcher<Problem>(problem, stream, dispatch::kernels::best, dispatch::loads_only).run();
}

template <class T, class Op, class Init>
runtime::outcome queue_fold_of_messages(const rank_call<T, Op, Init>& call, const team& of, cudaStream_t stream)
{
  fold_arguments<T, Op, Init> arguments{call, of.messages()};
  void* all[]             = {&arguments};
  const auto* kernel      = reinterpret_cast<const void*>(&fold_messages<T, Op, Init>);
  const cudaError_t error = cudaLaunchKernel(kernel, dim3(1), dim3(lanes), all, 0, stream);
  return error ? runtime::failed(error, "launching the fold of the ranks' totals") : runtime::outcome{};
}

// The fold and the exchange. What is to be launched after them is loaded.
template <class Problem>
runtime::outcome queue_exchange(const Problem& problem, team& of, cudaStream_t stream)
{
  using T    = accumulator_t<Problem>;
  using Op   = typename Problem::op_type;
  using Init = typename Problem::init_type;
  static_assert(sizeof(util::maybe<T>) <= team::carry_bytes, "room for the carry");

  ranks::load_scan(ranks::carried_problem(problem, of), stream); // what goes wrong is told where it is launched
  constexpr bool has_init       = !::cuda::std::is_same_v<Init, util::no_init>;
  constexpr signature signature = signature_of(Problem::kind_type::call, sizeof(T), has_init);
  const dispatch::fold_memory memory{of.block_folds(), &of.device()->folds_done};
  const rank_call<T, Op, Init> call{of.device(),
                                    of.verdict_on_host(),
                                    of.rank(),
                                    of.size(),
                                    signature,
                                    problem.scan_op,
                                    problem.init,
                                    static_cast<util::maybe<T>*>(of.carry())};
  if (of.way() == exchange::peer)
  {
    const auto patience = std::chrono::nanoseconds(of.limit()).count();
    return dispatch::fold_part(
      problem,
      memory,
      exchange_in_mailboxes<T, Op, Init>{call, of.mailboxes(), static_cast<::cuda::std::uint64_t>(patience)},
      stream);
  }
  runtime::outcome done = ranks::load_fold_of_messages<T, Op, Init>(stream);
  done = done ? dispatch::fold_part(problem, memory, put_message<T>{of.sent(), signature}, stream) : done;
  done = done ? of.gather(gathered_words<T>, stream) : done;
  return done ? queue_fold_of_messages(call, of, stream) : done;
}

// All of it. The scan's slots are the group's, which has them before any rank waits: getting memory, from CUDA, from a graph or from a
// user's allocator, may take a wait for a GPU, and on that the exchange may be waiting for this very rank.
template <class Problem>
runtime::outcome queue_scan(const Problem& problem, team& of, cudaStream_t stream)
{
  runtime::last_report() = launch_report{};
  if (const runtime::outcome state = of.state(); !state)
  {
    return state;
  }
  const bool captured   = runtime::is_captured(stream); // a call that fails forgets the stream
  runtime::outcome done = ranks::queue_exchange(problem, of, stream);
  if (done && problem.num_items > 0)
  {
    using part = typename carried<Problem>::type;
    static_assert(
      ::cuda::std::is_integral_v<typename part::count_type>, "slots that are kept take tags whose number is known");
    dispatch::launcher<part> scan(ranks::carried_problem(problem, of), stream);
    done            = scan.run(runtime::slots_kept(of.slots()));
    const auto wait = [&] {
      return of.wait(stream).error;
    };
    done = done ? runtime::watch(runtime::last_report(), stream, wait) : done;
    if (const runtime::outcome found = of.state(); !done && !found)
    {
      done = found; // what the ranks found, rather than that the wait for it failed
    }
  }
  const runtime::outcome noted = of.queued(stream, captured);
  done                         = done ? noted : done;
  if (!done)
  {
    of.fail(done);
  }
  return done;
}
#endif
} // namespace ranks
LIGHTSCAN_NAMESPACE_END
