// One scan by one kernel, held against a sequential one on the host: every element, the guards around both ranges, and
// an input that stays as it was.
#pragma once

#include "expect_cuda.h"
#include "guarded_memory.h"

#include <lightscan/dispatch/launch.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace testing_support
{
using lightscan::dispatch::kernels;

struct placement
{
  std::size_t input_offset  = 0; // elements from a 256-byte boundary
  std::size_t output_offset = 0;
  bool in_place             = false;
};

template <bool Inclusive, class T, class Init, class Op>
std::vector<T> host_scan(const std::vector<T>& input, Init init, Op op)
{
  constexpr bool has_init = !std::is_same_v<Init, lightscan::util::no_init>;
  std::vector<T> output(input.size());
  T running{};
  if constexpr (has_init)
  {
    running = init;
  }
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    if (!Inclusive)
    {
      output[i] = running;
    }
    running = i == 0 && !has_init ? input[i] : static_cast<T>(op(running, input[i]));
    if (Inclusive)
    {
      output[i] = running;
    }
  }
  return output;
}

template <class Transport,
          bool Inclusive,
          class Policies = lightscan::dispatch::tuned_policies,
          class T,
          class Init,
          class Op>
void check_scan(const std::vector<T>& input, Init init, Op op, placement where, kernels allowed, int max_blocks = 0)
{
  using problem = lightscan::dispatch::scan_problem<T, const T*, T*, Op, Init, Inclusive>;
  SCOPED_TRACE("n = " + std::to_string(input.size()) + ", input + " + std::to_string(where.input_offset) + ", output + "
               + std::to_string(where.output_offset) + (where.in_place ? ", in place" : "")
               + (allowed == kernels::bulk_only ? ", bulk pipeline" : ", plain kernel")
               + (max_blocks ? ", " + std::to_string(max_blocks) + " blocks" : ""));

  guarded_memory<T> in(input.size(), where.input_offset);
  guarded_memory<T> out(input.size(), where.output_offset);
  ASSERT_NO_FATAL_FAILURE(in.upload(input));
  guarded_memory<T>& result = where.in_place ? in : out;

  lightscan::dispatch::launcher<problem, Transport, Policies> launcher(
    problem{in.data(), result.data(), static_cast<std::int64_t>(input.size()), op, init}, nullptr, allowed, max_blocks);
  const lightscan::runtime::outcome done = launcher.run();
  ASSERT_TRUE(done) << done.doing << ": " << cudaGetErrorString(done.error);
  LIGHTSCAN_EXPECT_CUDA(cudaDeviceSynchronize());

  const std::vector<T> expected = host_scan<Inclusive>(input, init, op);
  const std::vector<T> actual   = result.download();
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    ASSERT_TRUE(actual[i] == expected[i]) << "element " << i;
  }
  in.expect_guards_untouched();
  out.expect_guards_untouched();
  if (!where.in_place)
  {
    const std::vector<T> after = in.download();
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      ASSERT_TRUE(after[i] == input[i]) << "input element " << i << " was changed";
    }
  }
}
} // namespace testing_support
