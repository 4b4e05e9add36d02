#include "order.h"

#include <cstring>

extern "C" {
__attribute__((weak)) void* __tsan_create_fiber(unsigned flags);
__attribute__((weak)) void __tsan_destroy_fiber(void* fiber);
__attribute__((weak)) void* __tsan_get_current_fiber();
__attribute__((weak)) void __tsan_switch_to_fiber(void* fiber, unsigned flags);
__attribute__((weak)) void __tsan_acquire(void* object);
__attribute__((weak)) void __tsan_release(void* object);
__attribute__((weak)) void __tsan_ignore_thread_begin();
__attribute__((weak)) void __tsan_ignore_thread_end();

// Volatile accesses of words are atomic in CUDA; GCC calls these for them (--param tsan-distinguish-volatile=1).
void __tsan_volatile_read1(void*) {}
void __tsan_volatile_read2(void*) {}
void __tsan_volatile_read4(void*) {}
void __tsan_volatile_read8(void*) {}
void __tsan_volatile_read16(void*) {}
void __tsan_volatile_write1(void*) {}
void __tsan_volatile_write2(void*) {}
void __tsan_volatile_write4(void*) {}
void __tsan_volatile_write8(void*) {}
void __tsan_volatile_write16(void*) {}
}

namespace emulated
{
namespace order
{
namespace
{
bool watched()
{
  return __tsan_create_fiber != nullptr;
}

constexpr unsigned without_order = 1; // __tsan_switch_to_fiber_no_sync
} // namespace

void* make()
{
  return watched() ? __tsan_create_fiber(0) : nullptr;
}

void forget(void* made)
{
  if (watched())
  {
    __tsan_destroy_fiber(made);
  }
}

void* current()
{
  return watched() ? __tsan_get_current_fiber() : nullptr;
}

void run(void* made)
{
  if (watched())
  {
    __tsan_switch_to_fiber(made, without_order);
  }
}

void release(const void* object)
{
  if (watched())
  {
    __tsan_release(const_cast<void*>(object));
  }
}

void acquire(const void* object)
{
  if (watched())
  {
    __tsan_acquire(const_cast<void*>(object));
  }
}

unseen::unseen()
{
  if (watched())
  {
    __tsan_ignore_thread_begin();
  }
}

unseen::~unseen()
{
  if (watched())
  {
    __tsan_ignore_thread_end();
  }
}

void copy(void* to, const void* from, std::size_t bytes)
{
  if (watched())
  {
    __tsan_ignore_thread_end();
  }
  std::memcpy(to, from, bytes); // which ThreadSanitizer sees wherever it is called
  if (watched())
  {
    __tsan_ignore_thread_begin();
  }
}
} // namespace order
} // namespace emulated
