// The choice of protocol and transport, as one type that a kernel is compiled for.
#pragma once

#include <lightscan/carry/chain.h>
#include <lightscan/carry/look_across.h>
#include <lightscan/carry/slot.h>
#include <lightscan/version.h>

#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace carry
{
enum class protocol
{
  look_across,
  chain
};

template <protocol Protocol, class Transport>
struct exchange
{
  template <class T, class Op, class Warp>
  using communicator = ::cuda::std::conditional_t<Protocol == protocol::look_across,
                                                  look_across<T, Op, Transport, Warp>,
                                                  chain<T, Op, Transport, Warp>>;

#if defined(__CUDACC__)
  using impatient = exchange<Protocol, carry::impatient<Transport>>;
#endif
};

using default_exchange = exchange<protocol::look_across, default_transport>;
} // namespace carry
LIGHTSCAN_NAMESPACE_END
