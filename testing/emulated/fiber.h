// A fiber: a function that runs on a stack of its own, and gives way to whoever resumed it.
//
// Resumed and left by _setjmp and _longjmp, which make no system call, where swapcontext makes two.
#pragma once

#include <cstddef>
#include <functional>

#include <csetjmp>

namespace emulated
{
class fiber
{
public:
  // `body` is called once each time that the fiber is resumed after it has returned.
  explicit fiber(std::function<void()> body);
  fiber(const fiber&)            = delete;
  fiber& operator=(const fiber&) = delete;
  ~fiber();

  // Runs the fiber until it leaves; to be called by the thread that made it.
  void resume();
  // Gives way to whoever has resumed this fiber, which runs.
  void leave();

private:
  static void enter(unsigned high, unsigned low);

  static constexpr std::size_t stack_bytes = 192 * 1024;

  std::function<void()> body_;
  void* order_           = nullptr; // order.h
  void* resumer_         = nullptr;
  unsigned char* memory_ = nullptr; // a page that nobody may touch, and the stack
  bool begun_            = false;
  std::jmp_buf inside_;
  std::jmp_buf outside_;
};
} // namespace emulated
