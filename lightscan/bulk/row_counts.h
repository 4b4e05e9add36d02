// Counts of a lane's chunks, one a row of a warp's, and how many items come before them (group_select.h). The counts of several rows are
// scanned over the lanes in one word.
#pragma once

#include <lightscan/version.h>
#include <lightscan/warp/device_warp.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
#if defined(__CUDACC__)
// Set to a lane's items, as bits; then tells how many come before its chunk in each row, and how many the row has.
template <int Rows, int ChunkItems>
class row_counts
{
  static constexpr int in_word = ChunkItems * warp::lanes < 256 ? 4 : 2;
  static constexpr int bits    = 32 / in_word;
  static constexpr int words   = (Rows + in_word - 1) / in_word;
  static_assert(ChunkItems * warp::lanes < 1 << 16, "or a row has more items than a count holds");

public:
  __device__ void set(const unsigned (&masks)[Rows])
  {
#  pragma unroll
    for (int w = 0; w < words; ++w)
    {
      unsigned own = 0;
#  pragma unroll
      for (int k = 0; k < in_word && w * in_word + k < Rows; ++k)
      {
        own |= static_cast<unsigned>(__popc(masks[w * in_word + k])) << (k * bits);
      }
      unsigned all = own;
#  pragma unroll
      for (int distance = 1; distance < warp::lanes; distance *= 2)
      {
        const unsigned left = __shfl_up_sync(0xffffffffu, all, distance);
        all += warp::lane_id() >= distance ? left : 0;
      }
      before_[w] = all - own;
      total_[w]  = __shfl_sync(0xffffffffu, all, warp::lanes - 1);
    }
  }

  __device__ int before(int row) const
  {
    return field(before_, row);
  }
  __device__ int total(int row) const
  {
    return field(total_, row);
  }

private:
  static __device__ int field(const unsigned (&in)[words], int row)
  {
    return static_cast<int>(in[row / in_word] >> (row % in_word * bits) & ((1u << bits) - 1));
  }

  unsigned before_[words];
  unsigned total_[words];
};
#endif
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
