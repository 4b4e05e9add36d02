// The threads of a call: each does its part, and the caller gets the first exception that one of them throws.
#pragma once

#include <lightscan/host/pool.h>
#include <lightscan/host/stream_store.h>
#include <lightscan/host/transport.h>
#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace host_engine
{
// part(0) ... part(crew.members() - 1), all at once. Whatever they store is there for the caller when this returns; if one of them throws,
// those that wait for its tiles leave (transport.h), and what it threw goes on from here, once all have left.
template <class Part>
void run_members(host_pool::crew& crew, failure& of_call, const Part& part)
{
  auto member = [&](int number) noexcept {
    try
    {
      const taking_part in_call(of_call);
      part(number);
    }
    catch (const abandoned&)
    {}
    catch (...)
    {
      of_call.keep_current();
    }
    finish_stream_stores();
  };
  crew.run(member);
  of_call.rethrow();
}
} // namespace host_engine
LIGHTSCAN_NAMESPACE_END
