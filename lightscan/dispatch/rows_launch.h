// Scans of rows of one length that blocks hold as a whole: one launch of plain/row_scan.h's kernel. Takes no memory.
#pragma once

#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/plain_shape.h>
#include <lightscan/dispatch/plain_view.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/dispatch/whole_rows.h>
#include <lightscan/plain/row_scan.h>
#include <lightscan/plain/sources_and_sinks.h>
#include <lightscan/runtime/device.h>
#include <lightscan/runtime/launch_grid.h>
#include <lightscan/runtime/report.h>
#include <lightscan/runtime/slot_source.h>
#include <lightscan/runtime/stream.h>
#include <lightscan/tile/row_geometry.h>
#include <lightscan/tile/segment_heads.h>
#include <lightscan/version.h>

#include <cuda/std/tuple>
#include <cuda/std/type_traits>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
template <class Value, class ValueIt, class OutputIt, class ScanOp, class Init, bool Inclusive>
using rows_problem = segmented_problem<Value, tile::row_heads, ValueIt, OutputIt, ScanOp, Init, Inclusive, index>;

// A problem of rows of one length, each of which is scanned for itself.
template <class Problem>
struct whole_rows;

template <class Value, class ValueIt, class OutputIt, class ScanOp, class Init, bool Inclusive>
struct whole_rows<rows_problem<Value, ValueIt, OutputIt, ScanOp, Init, Inclusive>>
{
  using problem_type = rows_problem<Value, ValueIt, OutputIt, ScanOp, Init, Inclusive>;
  using row_type     = scan_problem<Value, ValueIt, OutputIt, ScanOp, Init, Inclusive>; // as if all were one

  template <class Source>
  using policy = plain_policy<Value, Source>;

  static constexpr const char* call = problem_type::kind_type::call;

  row_type all;
  index length;

  explicit whole_rows(const problem_type& problem)
      : all{{::cuda::std::get<1>(problem.inputs)},
            problem.output,
            problem.num_items,
            problem.scan_op.scan_op,
            problem.kind.init}
      , length(::cuda::std::get<0>(problem.inputs).list.longest())
  {}

  // Calls f(source, sink, lead) with what suits the rows' memory (plain_view).
  template <class F>
  auto with_source_and_sink(F f) const
  {
    return plain_view<row_type>(all).with_source_and_sink(f);
  }

  // Whether a block can hold one.
  bool fit() const
  {
    return with_source_and_sink([this](const auto& source, const auto&, int lead) {
      return this->fit_from(source, lead);
    });
  }

  // Whether blocks are to hold them.
  bool suit() const
  {
    return with_source_and_sink([this](const auto& source, const auto&, int lead) {
      using source_type = ::cuda::std::remove_cvref_t<decltype(source)>;
      if (!this->fit_from(source, lead))
      {
        return false;
      }
      const index places = index{shape<source_type>(lead).warps} * policy<source_type>::warp_items;
      return faster_as_whole(length, places, all.num_items, word_bytes(source), static_cast<int>(sizeof(Value)));
    });
  }

  template <class Source>
  row_shape shape(int lead) const
  {
    const int items = most_from_chunk(static_cast<int>(length), lead, policy<Source>::chunk_items);
    return row_shape(items, policy<Source>::warp_items);
  }
  template <class Source>
  tile::row_geometry geometry(int lead) const
  {
    return {all.num_items / length, static_cast<int>(length), lead, policy<Source>::chunk_items};
  }

private:
  static constexpr int word_bytes(const plain::memory_source&)
  {
    return static_cast<int>(sizeof(Value));
  }
  template <class V>
  static constexpr int word_bytes(const plain::converted_source<V>&)
  {
    return static_cast<int>(sizeof(V));
  }
  template <class... Its>
  static constexpr int word_bytes(const plain::iterator_source<Its...>&)
  {
    return 0;
  }

  template <class Source>
  bool fit_from(const Source&, int lead) const
  {
    constexpr int max_warps = policy<Source>::max_warps;
    return length <= index{max_warps} * policy<Source>::warp_items && shape<Source>(lead).warps <= max_warps;
  }
};

#if defined(__CUDACC__)
template <class Problem, class Transport, class Policies>
class launcher<whole_rows<Problem>, Transport, Policies>
{
  using rows = whole_rows<Problem>;
  using kind = typename rows::row_type::kind_type;
  using Op   = typename rows::row_type::op_type;
  using Init = typename rows::row_type::init_type;

public:
  launcher(const rows& of_problem, cudaStream_t stream)
      : rows_(of_problem)
      , stream_(stream)
  {}

  // Whatever memory there is, it takes none.
  runtime::outcome run(const runtime::slot_source& = {}) const
  {
    runtime::last_report()                 = launch_report{};
    runtime::stream_attributes* attributes = nullptr;
    runtime::outcome done                  = runtime::attributes_of(stream_, attributes);
    if (done)
    {
      done = rows_.with_source_and_sink([&](const auto& source, const auto& sink, int lead) {
        return this->launch_between(attributes->device, source, sink, lead);
      });
    }
    if (!done && attributes != nullptr)
    {
      runtime::forget(*attributes);
    }
    return done;
  }

private:
  template <class Source, class Sink>
  runtime::outcome
  launch_between(const runtime::device_attributes& device, const Source& source, const Sink& sink, int lead) const
  {
    constexpr auto kernel = plain::scan_rows<kind, Source, Sink, Op, Init, typename rows::template policy<Source>>;
    const runtime::kernel_attributes* found = nullptr;
    runtime::outcome asked                  = runtime::kernel_on<kernel>(device, found);
    asked                                   = asked ? expect_architecture(found->compiled_for) : asked;
    if (!asked)
    {
      return asked;
    }
    const row_shape shape          = rows_.template shape<Source>(lead);
    const tile::row_geometry tiles = rows_.template geometry<Source>(lead);
    plain::row_arguments<kind, Source, Sink, Op, Init> arguments{
      source, sink, tiles, shape.log2_warps, shape.rows_a_block, rows_.all.kind, rows_.all.scan_op, rows_.all.init};
    launch_report report{path::plain_kernel,
                         rows::call,
                         rows_.all.num_items,
                         static_cast<int>((tiles.num_rows - 1) / shape.rows_a_block + 1),
                         shape.warps_a_block() * 32,
                         tiles.length,
                         found->compiled_for};
    const runtime::nvtx_range range(report);
    return runtime::launch_and_report(*device.calls, found->function, true, report, 0, stream_, &arguments);
  }

  rows rows_;
  cudaStream_t stream_;
};
#endif
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
