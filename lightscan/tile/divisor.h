// Quotients by a number that the host knows.
#pragma once

#include <lightscan/tile/geometry.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>

LIGHTSCAN_NAMESPACE_BEGIN
namespace tile
{
// A division as a multiplication and a shift instead of a division (Granlund and Montgomery, "Division
// by invariant integers using multiplication", 1994). Exact for 0 <= x < 2^63: with 2^s < d <= 2^(s + 1) and m = floor(2^(64 + s) / d)
// + 1, m * d exceeds 2^(64 + s) by at most d, so by x times that less than 2^(64 + s).
class divisor
{
public:
  // 1 or more.
  explicit divisor(index number)
  {
    const auto d = static_cast<::cuda::std::uint64_t>(number);
    while (d > (::cuda::std::uint64_t{2} << shift_))
    {
      ++shift_;
    }
    if (d > 1)
    {
      ::cuda::std::uint64_t rest = ::cuda::std::uint64_t{1} << shift_; // below d: 64 digits of 2^(64 + s) / d are left
      for (int digit = 0; digit < 64; ++digit)
      {
        rest *= 2;
        multiplier_ = multiplier_ * 2 + (rest >= d ? 1 : 0);
        rest -= rest >= d ? d : 0;
      }
      ++multiplier_;
    }
  }

  LIGHTSCAN_HOST_DEVICE index quotient(index x) const
  {
    if (multiplier_ == 0)
    {
      return x; // by 1
    }
    const auto whole = static_cast<::cuda::std::uint64_t>(x);
#if defined(__CUDA_ARCH__)
    return static_cast<index>(__umul64hi(whole, multiplier_) >> shift_);
#else
    constexpr ::cuda::std::uint64_t low = 0xffffffffu;
    const ::cuda::std::uint64_t a = whole >> 32, b = whole & low, c = multiplier_ >> 32, d = multiplier_ & low;
    const ::cuda::std::uint64_t middle = a * d + (b * d >> 32);
    return static_cast<index>((a * c + (middle >> 32) + ((b * c + (middle & low)) >> 32)) >> shift_);
#endif
  }

private:
  ::cuda::std::uint64_t multiplier_ = 0;
  int shift_                        = 0;
};
} // namespace tile
LIGHTSCAN_NAMESPACE_END
