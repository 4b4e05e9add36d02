/// @file
/// lightscan::exchange: how the ranks of a lightscan::group tell each other their totals.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_TYPES_NAMESPACE_BEGIN
/// How the ranks of a lightscan::group tell each other their totals.
enum class exchange
{
  automatic, ///< peer, where every rank reaches every other's memory; nccl otherwise
  nccl,      ///< by an all-gather of NCCL's
  peer       ///< through memory of each other's that the kernels write to
};
LIGHTSCAN_TYPES_NAMESPACE_END
