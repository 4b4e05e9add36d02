// Scans of segments: at offsets, and of rows, of lengths from one element to all of them, and empty ones. The peers are
// cub::DeviceSegmentedScan, where this CCCL has it (3.3), else CUB's sum by key; and Thrust's by key. Keys are computed, as a program
// without segments would do: a division for rows and segments of one length, a binary search for others. So are the offsets of rows
// that CUB is given: LightScan reads none there either.
#include "random_keys.h"
#include "sums.h"
#include "tree_work.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#if __has_include(<cub/device/device_segmented_scan.cuh>)
#  include <cub/device/device_segmented_scan.cuh>
#  define PERF_HAS_CUBS_SEGMENTS
#endif

#include <string>

namespace perf
{
namespace
{
using offset = std::int32_t;

enum class lengths
{
  equal,  // all of `length`
  random, // 32 on average
  giant,  // a segment of half of all elements among millions of eight
  hollow  // of `length`, and between two in the middle as many empty ones
};

// Which segments there are.
struct layout
{
  using random_runs = runs_of<32>;

  lengths kind;
  std::int64_t length;
  std::int64_t n;

  __host__ __device__ std::int64_t segments() const
  {
    return kind == lengths::equal  ? (n + length - 1) / length
         : kind == lengths::random ? random_runs::number(n)
         : kind == lengths::hollow ? 2 * (n / length)
                                   : 1 + 2 * (n / 4 / 8);
  }
  // Those that have elements.
  std::int64_t filled() const
  {
    return kind == lengths::hollow ? n / length : segments();
  }
  __host__ __device__ std::int64_t begin(std::int64_t j) const
  {
    if (j >= segments())
    {
      return n;
    }
    const std::int64_t tiny = n / 4 / 8; // on each side of the giant
    if (kind == lengths::hollow)
    {
      const std::int64_t all = n / length, before = all / 2; // before the empty ones
      return length * (j <= before ? j : j < before + all ? before : j - all);
    }
    return kind == lengths::equal  ? j * length
         : kind == lengths::random ? random_runs::begin(j)
         : j <= tiny               ? 8 * j
                                   : n / 2 + 8 * (j - 1) + n / 4 - 8 * tiny;
  }
  __device__ bool begins(std::int64_t i) const
  {
    switch (kind)
    {
      case lengths::equal:
      case lengths::hollow:
        return i % length == 0;
      case lengths::random:
        return i == 0 || key_at<offset, 32>(i) != key_at<offset, 32>(i - 1);
      default:
        return i <= n / 4 ? i % 8 == 0 : i >= n - n / 4 && i % 8 == 0;
    }
  }
};

struct row_of
{
  offset length;

  __host__ __device__ offset operator()(offset i) const
  {
    return i / length;
  }
};

struct segment_at
{
  const offset* offsets;
  offset segments;

  __host__ __device__ offset operator()(offset i) const
  {
    offset first = 0, last = segments;
    while (first < last)
    {
      const offset middle = first + (last - first) / 2;
      first               = offsets[middle] <= i ? middle + 1 : first;
      last                = offsets[middle] <= i ? last : middle;
    }
    return first;
  }
};

template <class T>
struct segmented_arrays
{
  layout of;
  T* in;
  T* out;
  offset* offsets;
  cudaStream_t stream;
};

template <class T>
__global__ void write_segments(segmented_arrays<T> a)
{
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i <= a.of.n; i += step)
  {
    if (i < a.of.n)
    {
      a.in[i] = random_value<T>(i);
    }
    if (i <= a.of.segments())
    {
      a.offsets[i] = static_cast<offset>(a.of.begin(i));
    }
  }
}

template <class T>
struct right_in_segments
{
  segmented_arrays<T> a;

  __device__ bool operator()(std::int64_t i) const
  {
    const T value = random_value<T>(i);
    return a.of.begins(i) ? a.out[i] == value : follows(a.out, i, value);
  }
};

// f(keys), as they are computed for a peer.
template <class T, class F>
auto with_keys(const segmented_arrays<T>& a, F f)
{
  const thrust::counting_iterator<offset> positions(0);
  return a.of.kind == lengths::equal
         ? f(thrust::make_transform_iterator(positions, row_of{static_cast<offset>(a.of.length)}))
         : f(thrust::make_transform_iterator(positions, segment_at{a.offsets, static_cast<offset>(a.of.segments())}));
}

#if defined(PERF_HAS_CUBS_SEGMENTS)
struct row_begin
{
  offset length;

  __host__ __device__ offset operator()(offset j) const
  {
    return j * length;
  }
};

#endif

template <class T>
cudaError_t segments_by_cub(void* scratch, std::size_t& bytes, const segmented_arrays<T>& a, [[maybe_unused]] bool rows)
{
#if defined(PERF_HAS_CUBS_SEGMENTS)
  const auto at = [&](auto offsets) {
    return cub::DeviceSegmentedScan::InclusiveSegmentedSum(
      scratch, bytes, a.in, a.out, offsets, offsets + 1, a.of.segments(), a.stream);
  };
  const thrust::counting_iterator<offset> numbers(0);
  return rows ? at(thrust::make_transform_iterator(numbers, row_begin{static_cast<offset>(a.of.length)}))
              : at(a.offsets);
#else
  return with_keys(a, [&](auto keys) {
    return cub::DeviceScan::InclusiveSumByKey(
      scratch, bytes, keys, a.in, a.out, static_cast<cub_count>(a.of.n), ::cuda::std::equal_to<>{}, a.stream);
  });
#endif
}

template <class T>
void call_segments(impl i, const segmented_arrays<T>& a, const buffers& b, bool rows, std::size_t moved)
{
  std::size_t bytes = b.scratch_bytes;
  switch (i)
  {
    case impl::memcpy:
      require(cudaMemcpyAsync(b.output, b.input, moved / 2, cudaMemcpyDeviceToDevice, b.stream), "copying");
      break;
    case impl::cub:
      require(segments_by_cub(b.scratch, bytes, a, rows), "scanning with CUB");
      break;
    case impl::thrust:
      with_keys(a, [&](auto keys) {
        return thrust::inclusive_scan_by_key(thrust::cuda::par.on(b.stream), keys, keys + a.of.n, a.in, a.out);
      });
      break;
    case impl::lightscan:
      require(
        rows
          ? lightscan::DeviceSegmentedScan::InclusiveSegmentedSum(a.in, a.out, a.of.segments(), a.of.length, b.stream)
          : lightscan::DeviceSegmentedScan::InclusiveSegmentedSum(a.in, a.out, a.offsets, a.of.segments(), b.stream),
        "scanning segments");
      break;
    default:
      throw std::logic_error(std::string("no such implementation of segments: ") + name_of(i));
  }
}

// `rows`: told by their length, so that no offsets are read.
template <class T>
scan_case segments_case(const std::string& op, layout of, bool rows)
{
  const auto n            = static_cast<std::size_t>(of.n);
  const auto offsets      = static_cast<std::size_t>(of.segments() + 1);
  const auto told         = static_cast<std::size_t>(of.filled() + 1); // of empty ones nothing has to be read
  const std::size_t moved = 2 * n * sizeof(T) + (rows ? 0 : told * sizeof(offset));
  const std::size_t spare = 256;
  const auto in           = [of, n](const buffers& b) {
    // Offsets lie behind the input, on a 16-byte boundary.
    char* const input = static_cast<char*>(b.input);
    return segmented_arrays<T>{of,
                               reinterpret_cast<T*>(input),
                               static_cast<T*>(b.output),
                               reinterpret_cast<offset*>(input + (n * sizeof(T) + 15) / 16 * 16),
                               b.stream};
  };
  scan_case c;
  c.group         = "segments";
  c.op            = op;
  c.type          = type_name<T>;
  c.count         = of.n;
  c.bytes_moved   = static_cast<double>(moved);
  c.input_bytes   = std::max(n * sizeof(T) + offsets * sizeof(offset), moved / 2) + spare;
  c.output_bytes  = std::max(n * sizeof(T), moved / 2) + spare;
  c.impls         = {impl::memcpy, impl::cub, impl::thrust, impl::lightscan};
  c.scratch_bytes = [of, rows] {
    std::size_t bytes = 0;
    require(segments_by_cub(nullptr, bytes, segmented_arrays<T>{of, nullptr, nullptr, nullptr, nullptr}, rows),
            "asking CUB how much temporary memory it wants");
    return bytes;
  };
  c.fill = [in, n](const buffers& b) {
    // An earlier, right result must not stand in for an element that is not written.
    require(cudaMemsetAsync(b.output, 0xff, n * sizeof(T), b.stream), "clearing the output");
    write_segments<T><<<fill_blocks, fill_threads, 0, b.stream>>>(in(b));
    require(cudaGetLastError(), "making the input");
  };
  c.call = [in, rows, moved](impl i, const buffers& b) {
    call_segments(i, in(b), b, rows, moved);
  };
  c.check = [in, of](impl, const buffers& b) {
    return check_by(right_in_segments<T>{in(b)}, 0, of.n, b.stream);
  };
  return c;
}

template <class T>
void add_segments(std::vector<scan_case>& all)
{
  constexpr std::int64_t n = std::int64_t{1} << 28;
  for (const std::int64_t length :
       {std::int64_t{1}, std::int64_t{7}, std::int64_t{32}, std::int64_t{1000}, std::int64_t{100000}, n})
  {
    const std::int64_t whole = n / length * length;
    all.push_back(segments_case<T>("segments_" + std::to_string(length), {lengths::equal, length, n}, false));
    all.push_back(segments_case<T>("rows_" + std::to_string(length), {lengths::equal, length, whole}, true));
  }
  all.push_back(segments_case<T>("segments_random", {lengths::random, 0, n}, false));
  all.push_back(segments_case<T>("segments_giant", {lengths::giant, 0, n}, false));
  all.push_back(segments_case<T>("segments_half_empty", {lengths::hollow, 32, n}, false));
}

// Few enough for the plain kernel, or hardly too many: CUB gives each segment a block, which serves these well.
template <class T>
void add_few_segments(std::vector<scan_case>& all)
{
  for (const std::int64_t n : {262000, 1000000, 4194000})
  {
    all.push_back(segments_case<T>("rows_1000", {lengths::equal, 1000, n}, true));
    all.push_back(segments_case<T>("segments_1000", {lengths::equal, 1000, n}, false));
  }
}
} // namespace

std::vector<scan_case> segments()
{
  std::vector<scan_case> all;
  add_segments<std::int32_t>(all);
  add_segments<float>(all);
  add_few_segments<std::int32_t>(all);
  add_few_segments<float>(all);
  add_few_segments<std::int8_t>(all);
  add_few_segments<double>(all);
  return all;
}
} // namespace perf
