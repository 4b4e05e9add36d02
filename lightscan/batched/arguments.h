// What a launch of a batched kernel gets.
#pragma once

#include <lightscan/batched/carry_chain.h>
#include <lightscan/batched/geometry.h>
#include <lightscan/batched/tensor_copies.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace batched
{
// `Init` converts to T in device code; or is util::no_init, and the scan inclusive. It stands before each line.
template <class T, class InputIt, class OutputIt, class Op, class Init>
struct batched_arguments
{
  InputIt input;
  OutputIt output;
  strided_range from;
  strided_range to;
  geometry lines;
  line_slots<T> slots;
  Op op;
  Init init;
};

// Where tensor copies bring tiles of bands, and take them back.
template <class Arguments>
struct banded_arguments : Arguments
{
  tensor_maps maps{};
};
} // namespace batched
LIGHTSCAN_NAMESPACE_END
