// Memory for the emulated kernels, between pages that nobody may touch: an access outside ends the program there and then, and a
// write beside the range, on its page, is found afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace emulated
{
template <class T>
class memory
{
public:
  // Room for `count` elements, `offset` of them after a multiple of 16 bytes; at the end of its pages or at their beginning.
  explicit memory(std::size_t count, unsigned offset = 0, bool at_end = true)
      : bytes_(count * sizeof(T))
  {
    const auto page         = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t shift = offset * sizeof(T) % 16;
    inside_                 = (bytes_ + 32 + page - 1) / page * page;
    total_                  = inside_ + 2 * guard_bytes;
    void* const got         = mmap(nullptr, total_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED)
    {
      throw std::bad_alloc();
    }
    all_  = static_cast<unsigned char*>(got);
    page_ = all_ + guard_bytes;
    if (mprotect(page_, inside_, PROT_READ | PROT_WRITE) != 0)
    {
      throw std::bad_alloc();
    }
    const std::size_t last = (inside_ - bytes_ - shift) / 16 * 16
                           + shift; // may be 16 bytes too far down, and so it stays inside
    begin_ = at_end ? last : shift;
    poison();
  }
  explicit memory(const std::vector<T>& values, unsigned offset = 0, bool at_end = true)
      : memory(values.size(), offset, at_end)
  {
    fill(values);
  }
  memory(const memory&)            = delete;
  memory& operator=(const memory&) = delete;
  ~memory()
  {
    (void) munmap(all_, total_);
  }

  T* data() const
  {
    return reinterpret_cast<T*>(page_ + begin_);
  }

  void fill(const std::vector<T>& values)
  {
    std::memcpy(page_ + begin_, values.data(), bytes_);
  }

  void poison()
  {
    std::memset(page_, beside, inside_);
    std::memset(page_ + begin_, unwritten, bytes_);
  }

  // What is wrong with the first elements, which should be `wanted`, and with all that lies behind them; nothing, mostly.
  std::string differs_from(const std::vector<T>& wanted) const
  {
    for (std::size_t i = 0; i < wanted.size(); ++i)
    {
      if (std::memcmp(page_ + begin_ + i * sizeof(T), &wanted[i], sizeof(T)) != 0)
      {
        return "element " + std::to_string(i) + " of " + std::to_string(wanted.size()) + " is wrong";
      }
    }
    for (std::size_t b = wanted.size() * sizeof(T); b < bytes_; ++b)
    {
      if (page_[begin_ + b] != unwritten)
      {
        return "byte " + std::to_string(b) + " was written, behind the results";
      }
    }
    for (std::size_t b = 0; b < inside_; ++b)
    {
      if ((b < begin_ || b >= begin_ + bytes_) && page_[b] != beside)
      {
        return "a byte beside the range was written";
      }
    }
    return "";
  }

private:
  static constexpr std::size_t guard_bytes = 64 << 10; // longer than a tile
  static constexpr unsigned char beside    = 0xa5;
  static constexpr unsigned char unwritten = 0xee;

  std::size_t bytes_;
  std::size_t inside_;
  std::size_t total_;
  std::size_t begin_;
  unsigned char* all_;
  unsigned char* page_;
};
} // namespace emulated
