// Who is ordered after whom, told to ThreadSanitizer where a program has it: each thread of a kernel, and each copy, is a thread of its
// own there, and what orders them is said by the emulator's barriers, meetings and arrivals. Then an access of a kernel's that nothing
// orders is found, whoever went first. Without ThreadSanitizer nothing here does anything.
#pragma once

#include <cstddef>

namespace emulated
{
namespace order
{
// A thread that runs when another one says so; null without ThreadSanitizer.
void* make();
void forget(void* made);
void* current();
void run(void* made);

// What the caller has done comes before what those do who acquire the same object later.
void release(const void* object);
void acquire(const void* object);

// What the emulator itself reads and writes in a thread's name is no access of the thread's.
class unseen
{
public:
  unseen();
  unseen(const unseen&)            = delete;
  unseen& operator=(const unseen&) = delete;
  ~unseen();
};

// Copies `bytes`, as an access of the current thread's in spite of that.
void copy(void* to, const void* from, std::size_t bytes);
} // namespace order
} // namespace emulated
