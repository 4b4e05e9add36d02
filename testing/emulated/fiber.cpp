// The checked longjmp takes a jump to another stack for an error.
#undef _FORTIFY_SOURCE
#include "fiber.h"
#include "order.h"

#include <cstdint>
#include <new>
#include <utility>

#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace emulated
{
fiber::fiber(std::function<void()> body)
    : body_(std::move(body))
{
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const got = mmap(
    nullptr, page + stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED || mprotect(got, page, PROT_NONE) != 0)
  {
    throw std::bad_alloc();
  }
  memory_ = static_cast<unsigned char*>(got);
  order_  = order::make();
}

fiber::~fiber()
{
  order::forget(order_);
  (void) munmap(memory_, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + stack_bytes);
}

// makecontext passes integers.
void fiber::enter(unsigned high, unsigned low)
{
  auto* const self = reinterpret_cast<fiber*>(static_cast<std::uintptr_t>(high) << 32 | low);
  while (true)
  {
    self->body_();
    self->leave();
  }
}

void fiber::resume()
{
  resumer_ = order::current();
  if (_setjmp(outside_) != 0)
  {
    return;
  }
  order::run(order_);
  if (begun_)
  {
    _longjmp(inside_, 1);
  }
  begun_ = true;
  ucontext_t begin{};
  (void) getcontext(&begin);
  begin.uc_stack.ss_sp   = memory_ + sysconf(_SC_PAGESIZE);
  begin.uc_stack.ss_size = stack_bytes;
  const auto self        = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&begin,
              reinterpret_cast<void (*)()>(&fiber::enter),
              2,
              static_cast<unsigned>(self >> 32),
              static_cast<unsigned>(self));
  (void) setcontext(&begin);
}

void fiber::leave()
{
  if (_setjmp(inside_) == 0)
  {
    order::run(resumer_);
    _longjmp(outside_, 1);
  }
}
} // namespace emulated
