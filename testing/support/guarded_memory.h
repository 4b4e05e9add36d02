// Device memory with guard bytes on both sides, at any offset from a 16-byte boundary: whatever a kernel writes outside
// its range is seen afterwards.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <cuda_runtime_api.h>

namespace testing_support
{
template <class T>
class guarded_memory
{
public:
  static constexpr unsigned char guard  = 0xa5;
  static constexpr unsigned char poison = 0xee;

  // Room for `count` elements, beginning `offset` elements after a 256-byte boundary (and a guard).
  guarded_memory(std::size_t count, std::size_t offset)
      : bytes_(count * sizeof(T))
      , begin_(guard_bytes + offset * sizeof(T))
      , total_(begin_ + bytes_ + guard_bytes)
  {
    if (cudaMalloc(reinterpret_cast<void**>(&memory_), total_) != cudaSuccess)
    {
      (void) cudaGetLastError();
      throw std::bad_alloc();
    }
    poison_all();
  }
  guarded_memory(const guarded_memory&)            = delete;
  guarded_memory& operator=(const guarded_memory&) = delete;
  ~guarded_memory()
  {
    (void) cudaFree(memory_);
  }

  T* data() const
  {
    return reinterpret_cast<T*>(memory_ + begin_);
  }

  void poison_all()
  {
    EXPECT_EQ(cudaMemset(memory_, guard, total_), cudaSuccess);
    EXPECT_EQ(cudaMemset(memory_ + begin_, poison, bytes_), cudaSuccess);
    wait();
  }

  void upload(const std::vector<T>& values)
  {
    ASSERT_EQ(values.size() * sizeof(T), bytes_);
    ASSERT_EQ(cudaMemcpy(data(), values.data(), bytes_, cudaMemcpyHostToDevice), cudaSuccess);
    wait();
  }

  std::vector<T> download() const
  {
    std::vector<T> values(bytes_ / sizeof(T));
    EXPECT_EQ(cudaMemcpy(values.data(), data(), bytes_, cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

  void expect_guards_untouched() const
  {
    expect_guard(0, begin_, "before");
    expect_guard(begin_ + bytes_, total_, "behind");
  }

private:
  static constexpr std::size_t guard_bytes = 4096;

  // Neither setting memory nor a small copy to the GPU waits until it has happened, and some streams do not wait for the default one.
  static void wait()
  {
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  }

  void expect_guard(std::size_t from, std::size_t to, const char* where) const
  {
    std::vector<unsigned char> bytes(to - from);
    ASSERT_EQ(cudaMemcpy(bytes.data(), memory_ + from, bytes.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
      ASSERT_EQ(bytes[i], guard) << "a byte " << where << " the range was written, at offset " << i << " of "
                                 << bytes.size();
    }
  }

  unsigned char* memory_ = nullptr;
  std::size_t bytes_;
  std::size_t begin_;
  std::size_t total_;
};
} // namespace testing_support
