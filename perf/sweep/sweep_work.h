// From a kind of call, an input and an output to a case of a sweep. Included by the files that list cases.
#pragma once

#include "calls.h"
#include "elements.h"
#include "inputs.h"
#include "outputs.h"
#include "sweep_case.h"

#include <lightscan/lightscan.h>
#include <lightscan/path.h>

#include <thrust/system/cuda/execution_policy.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

namespace perf
{
// What an allocator costs that has the memory at hand: nothing. A scan allocates once.
struct memory_at_hand
{
  using value_type = char;
  char* memory;
  std::size_t bytes;

  char* allocate(std::size_t wanted)
  {
    if (wanted > bytes)
    {
      throw std::bad_alloc();
    }
    return memory;
  }
  void deallocate(char*, std::size_t) {}
};

template <call C, class Input>
struct values_in
{
  using type = value_of<decltype(Input::first(sweep_memory{}))>;
};
template <call C, class Keys, class Values>
struct values_in<C, keyed<Keys, Values>>
{
  using type = value_of<decltype(Values::first(sweep_memory{}))>;
};

// One kind of call from one input to one output, which is made for the values that are scanned.
template <call C, class Input, template <class> class Output>
struct sweep_work
{
  using value  = typename values_in<C, Input>::type;
  using output = Output<value>;

  template <class Policy>
  static void by_thrust(Policy policy, const sweep_memory& m)
  {
    if constexpr (by_key(C))
    {
      scan_by_thrust<C>(policy, Input::keys(m), Input::values(m), m.n, output::result(m));
    }
    else
    {
      scan_by_thrust<C>(policy, Input::first(m), m.n, output::result(m));
    }
  }

  static std::size_t by_cub(void* scratch, std::size_t bytes, const sweep_memory& m)
  {
    const cub_storage storage{scratch, bytes};
    const auto n = static_cast<std::uint32_t>(m.n);
    if constexpr (by_key(C))
    {
      require(
        scan_by_cub<C>(storage, Input::keys(m), Input::values(m), n, output::result(m), m.stream), "scanning with CUB");
    }
    else
    {
      require(scan_by_cub<C>(storage, Input::first(m), n, output::result(m), m.stream), "scanning with CUB");
    }
    return bytes;
  }

  static void run(contender who, const sweep_memory& m)
  {
    switch (who)
    {
      case contender::lightscan:
        by_thrust(lightscan::par_nosync.on(m.stream), m);
        break;
      case contender::cub:
        (void) by_cub(m.scratch, m.scratch_bytes, m);
        break;
      case contender::thrust: {
        memory_at_hand allocator{static_cast<char*>(m.scratch), m.scratch_bytes};
        by_thrust(thrust::cuda::par_nosync(allocator).on(m.stream), m);
        break;
      }
    }
  }

  static void fill(const sweep_memory& m)
  {
    Input::fill(m);
    output::fill(m);
  }
};

template <call C, class Input, template <class> class Output>
sweep_case case_of()
{
  using work = sweep_work<C, Input, Output>;
  sweep_case c;
  c.call          = call_names[static_cast<int>(C)];
  c.input         = Input::name();
  c.output        = work::output::name();
  c.type          = element_of<typename work::value>::name();
  c.widest        = std::max({std::size_t{Input::widest}, std::size_t{work::output::widest}});
  c.scratch_bytes = [](const sweep_memory& m) {
    return work::by_cub(nullptr, 0, m);
  };
  c.fill    = work::fill;
  c.run     = work::run;
  c.written = work::output::written;
  c.path    = [] {
    return std::string(lightscan::runtime::name_of(lightscan::last_launch().taken));
  };
  return c;
}
} // namespace perf
