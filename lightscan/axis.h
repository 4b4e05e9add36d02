/// @file
/// lightscan::axis: the axis of an array that lightscan::DeviceBatchedScan and lightscan::HostBatchedScan scan along.
#pragma once

#include <lightscan/version.h>

#include <cstdint>

LIGHTSCAN_TYPES_NAMESPACE_BEGIN

/// How many elements lie from one element of an array to another; negative ones go backwards in memory.
struct axis_strides
{
  std::int64_t along; ///< to the next element along the axis
  std::int64_t outer; ///< to the same element of the next outer index
};

/// An array of outer x length x inner elements, scanned along the middle one. Neighbours along the inner one are neighbours in memory.
///
/// A matrix of r rows and c columns, stored row by row, is scanned along its columns by axis(1, r, c), along its rows by axis(r, c);
/// a batch of such matrices by axis(matrices, r, c). The product of the dimensions before the axis is `outer`, that of those behind it
/// `inner`. An array with a pitch, or a part of an array, says so in the strides:
///
///     lightscan::axis of_columns(1, rows, width);
///     of_columns.input.along = of_columns.output.along = pitch;
struct axis
{
  std::int64_t outer;   ///< how many times there are `inner` lines to scan
  std::int64_t length;  ///< elements of a line, which is what is scanned for itself
  std::int64_t inner;   ///< lines that lie side by side
  axis_strides input;   ///< where the input's elements lie, counted from its first
  axis_strides output;  ///< where the results lie, counted from the output's first
  bool reverse = false; ///< each line is scanned from its last element to its first

  /// The axis of an array without gaps.
  /// @param outer_count,line_length,inner_count the dimensions
  constexpr axis(std::int64_t outer_count, std::int64_t line_length, std::int64_t inner_count = 1)
      : outer(outer_count)
      , length(line_length)
      , inner(inner_count)
      , input{inner_count, line_length * inner_count}
      , output(input)
  {}
};

LIGHTSCAN_TYPES_NAMESPACE_END
