// What the bulk pipeline finds on each architecture.
#pragma once

#include <lightscan/bulk/movers.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
struct architecture_row
{
  int compute_capability; // and newer ones, up to the next row: 90 for sm_90
  int shared;             // kilobytes that one block can have
  bulk::copies copies;    // how memory gets into a stage (bulk/movers.h)
  int stages;             // to make room for, by shorter tiles than a row says that is fitted (tuning.h); 0: they fit
  int loaders;            // warps
  int storers;            // warps
};

// Whether there is code for an architecture, by the numbers of __CUDA_ARCH_LIST__.
template <class... Numbers>
constexpr bool lists(int number, Numbers... listed)
{
  return ((number == listed) || ...);
}

// Whether code for sm_80 is for an A100 or A30 alone: there is code for sm_86, too, and other GPUs of compute capability 8 take that; or the
// program says so. Where another GPU takes it all the same (an RTX 3090 that is given 80-real and 86-virtual has its binary of sm_80 rather
// than compile sm_86's; PTX of sm_80 alone on sm_120), large scans take the plain kernel. (Namespaces keep files of other lists apart:
// version.h.)
#if defined(LIGHTSCAN_SM80_IS_A100)
inline constexpr bool sm_80_is_a100 = true;
#elif defined(__CUDA_ARCH_LIST__)
inline constexpr bool sm_80_is_a100 = lists(860, __CUDA_ARCH_LIST__);
#else
inline constexpr bool sm_80_is_a100 = false;
#endif

// Whether there is code for nothing but GPUs where a block has 227 KB, sm_90's and their like: then stages have room for values beside what
// they are made of (perf/DECISIONS.md, kept-values).
template <class... Numbers>
constexpr bool all_have_227_kb(Numbers... listed)
{
  return ((900 <= listed && listed < 1200) && ...);
}
#if defined(__CUDA_ARCH_LIST__)
inline constexpr bool keeps_beside = all_have_227_kb(__CUDA_ARCH_LIST__);
#else
inline constexpr bool keeps_beside  = false;
#endif

// Code runs on newer GPUs, too: what is compiled for sm_80 alone also serves sm_86 and sm_89, where a block has 99 KB instead of 163, and
// PTX every newer GPU. So a row asks for no more than the poorest of them has, but for an A100's and sm_90's: sm_90's PTX alone, without
// code for sm_120, takes the plain kernel there. Sizes: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
// Only sm_90's row was measured on GPUs of its own; the others' code, in part, on an H200 and an H100 (perf/DECISIONS.md, architectures).
// clang-format off
inline constexpr architecture_row architectures[] = {
  // sm  shared  copies  stages  loaders  storers
  {75, 64, bulk::copies::words, 4, 4, 1},
  {80, sm_80_is_a100 ? 163 : 99, bulk::copies::async, 6, 1, 1},
  {86, 99, bulk::copies::async, 6, 1, 1},
  {90, 227, bulk::copies::bulk, 0, 1, 1},
  {120, 99, bulk::copies::bulk, 6, 1, 1},
};
// clang-format on

// The one that the tuning table's rows were measured on.
inline constexpr int tuned_for = 90;

// Kilobytes of shared memory that a block can have on a GPU, for rows that are made for one.
constexpr int most_shared(int compute_capability)
{
  switch (compute_capability)
  {
    case 75:
      return 64;
    case 80:
    case 87:
      return 163;
    default:
      return compute_capability >= 90 && compute_capability < 120 ? 227 : 99;
  }
}

inline constexpr int num_architectures = static_cast<int>(sizeof(architectures) / sizeof(architectures[0]));

// The number of the row for code of a compute capability; -1 where it is older than all.
constexpr int architecture_number(int compute_capability)
{
  int number = num_architectures - 1;
  while (number >= 0 && architectures[number].compute_capability > compute_capability)
  {
    --number;
  }
  return number;
}

// What no row speaks of has the oldest one's.
constexpr architecture_row architecture_row_for(int compute_capability)
{
  const int number = architecture_number(compute_capability);
  return architectures[number < 0 ? 0 : number];
}
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
