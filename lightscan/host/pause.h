// What a thread does between two polls of something that another thread will change.
#pragma once

#include <lightscan/version.h>

#include <chrono>
#include <thread>

#if defined(__SSE2__) || defined(_M_X64)
#  include <emmintrin.h>
#endif

// One pool serves the plain C++ files and the CUDA files of a library, so it stands in the namespace of types, which does
// not depend on a file's architectures; but no other library's, whose code goes when that is unloaded.
LIGHTSCAN_TYPES_NAMESPACE_BEGIN
namespace host_pool LIGHTSCAN_HIDDEN
{
// Short waits stay on the core; in longer ones the thread that is waited for may need this very core. Where it still
// has not come after that, the machine is busy with other work, and whoever keeps asking uses up the share of the
// processor that it needs afterwards: then the thread sleeps.
class pauses
{
public:
  static constexpr unsigned polls_awake = 2048;

  void once()
  {
    ++count_;
    if (count_ >= polls_awake)
    {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    else if (count_ % polls_per_yield == 0)
    {
      std::this_thread::yield();
    }
    else
    {
#if defined(__SSE2__) || defined(_M_X64)
      _mm_pause();
#endif
    }
  }

  unsigned count() const
  {
    return count_;
  }

private:
  static constexpr unsigned polls_per_yield = 64;

  unsigned count_ = 0;
};
} // namespace LIGHTSCAN_HIDDEN
LIGHTSCAN_TYPES_NAMESPACE_END
