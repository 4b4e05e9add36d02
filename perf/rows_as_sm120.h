// Rows for lightscan/dispatch/tuning.h, included before all else: what sm_120 has, bulk copies in 99 KB, on a GPU of sm_90. The first and
// the fourth are sm_120's own rows; the others are sm_90's, as lightscan/dispatch/shape.h fits them to six stages there. Kinds of scan that
// the preset perf-as-sm120 does not measure are left out.
#pragma once

// clang-format off
#define LIGHTSCAN_BULK_ROWS \
  {90, memory, 1, in_place, 8, 0, 6, 128, 112, 3, 6, 3, 1, 99}, \
  {90, memory, 1, in_place, 16, 0, 5, 128, 128, 3, 5, 2, 1, 99}, \
  {90, memory, 1, moved, 8, 0, 4, 192, 86, 11, 5, 2, 1, 99}, \
  {90, memory, 2, in_place, 16, 0, 5, 96, 160, 3, 5, 2, 1, 99}, \
  {90, memory, 2, in_place, 24, 0, 4, 128, 128, 1, 5, 2, 1, 99}, \
  {90, memory, 2, in_place, 32, 0, 4, 96, 172, 3, 4, 2, 1, 99, 1},
// clang-format on
