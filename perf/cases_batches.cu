// Scans along an axis: lines that lie side by side, from two to 2^20 of them, of two elements to all of memory. The peers do as a program
// without such scans would: they go through the array line by line, by a permutation that is computed, and scan by key.
#include "random_keys.h"
#include "tree_work.h"

#include <lightscan/device_batched_scan.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <string>
#include <type_traits>

namespace perf
{
namespace
{
using place = std::int32_t;

struct batch
{
  std::int64_t outer;
  std::int64_t length;
  std::int64_t inner;

  __host__ __device__ std::int64_t elements() const
  {
    return outer * length * inner;
  }
};

// Where the i-th element lies, counted line by line; and which line it is of.
struct place_of
{
  place length;
  place inner;

  __host__ __device__ place operator()(place i) const
  {
    const place line = i / length;
    return (line / inner * length + i % length) * inner + line % inner;
  }
};
struct line_of
{
  place length;

  __host__ __device__ place operator()(place i) const
  {
    return i / length;
  }
};

template <class T>
struct batch_arrays
{
  batch of;
  T* in;
  T* out;
  cudaStream_t stream;
};

template <class T>
__global__ void write_batch(batch_arrays<T> a)
{
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < a.of.elements();
       i += step)
  {
    a.in[i] = random_value<T>(i);
  }
}

template <class T>
struct right_in_lines
{
  batch_arrays<T> a;

  __device__ bool operator()(std::int64_t i) const
  {
    const T value = random_value<T>(i);
    return i / a.of.inner % a.of.length == 0 ? a.out[i] == value : follows(1, a.out[i - a.of.inner], value, a.out[i]);
  }
};

// f(keys, input, output), line by line.
template <class T, class F>
auto line_by_line(const batch_arrays<T>& a, F f)
{
  const thrust::counting_iterator<place> positions(0);
  const place length = static_cast<place>(a.of.length);
  const auto places  = thrust::make_transform_iterator(positions, place_of{length, static_cast<place>(a.of.inner)});
  return f(thrust::make_transform_iterator(positions, line_of{length}),
           thrust::make_permutation_iterator(a.in, places),
           thrust::make_permutation_iterator(a.out, places));
}

template <class T>
cudaError_t batch_by_cub(void* scratch, std::size_t& bytes, const batch_arrays<T>& a)
{
  return line_by_line(a, [&](auto keys, auto in, auto out) {
    return cub::DeviceScan::InclusiveSumByKey(
      scratch, bytes, keys, in, out, static_cast<cub_count>(a.of.elements()), ::cuda::std::equal_to<>{}, a.stream);
  });
}

template <class T>
void call_batch(impl i, const batch_arrays<T>& a, const buffers& b, std::size_t moved)
{
  std::size_t bytes = b.scratch_bytes;
  switch (i)
  {
    case impl::memcpy:
      require(cudaMemcpyAsync(b.output, b.input, moved / 2, cudaMemcpyDeviceToDevice, b.stream), "copying");
      break;
    case impl::cub:
      require(batch_by_cub(b.scratch, bytes, a), "scanning with CUB");
      break;
    case impl::thrust:
      line_by_line(a, [&](auto keys, auto in, auto out) {
        return thrust::inclusive_scan_by_key(thrust::cuda::par.on(b.stream), keys, keys + a.of.elements(), in, out);
      });
      break;
    case impl::lightscan:
      require(lightscan::DeviceBatchedScan::InclusiveSum(
                a.in, a.out, lightscan::axis(a.of.outer, a.of.length, a.of.inner), b.stream),
              "scanning along an axis");
      break;
    default:
      throw std::logic_error(std::string("no such implementation of scans along an axis: ") + name_of(i));
  }
}

template <class T>
scan_case batch_case(batch of)
{
  const auto n            = static_cast<std::size_t>(of.elements());
  const std::size_t moved = 2 * n * sizeof(T);
  const std::size_t spare = 256;
  const auto in           = [of](const buffers& b) {
    return batch_arrays<T>{of, static_cast<T*>(b.input), static_cast<T*>(b.output), b.stream};
  };
  scan_case c;
  c.group         = "segments";
  c.op            = "axis_" + std::to_string(of.length) + "_by_" + std::to_string(of.inner);
  c.type          = std::is_same_v<T, float> ? "float" : "int32";
  c.count         = of.elements();
  c.bytes_moved   = static_cast<double>(moved);
  c.input_bytes   = n * sizeof(T) + spare;
  c.output_bytes  = n * sizeof(T) + spare;
  c.impls         = {impl::memcpy, impl::cub, impl::thrust, impl::lightscan};
  c.scratch_bytes = [of] {
    std::size_t bytes = 0;
    require(batch_by_cub(nullptr, bytes, batch_arrays<T>{of, nullptr, nullptr, nullptr}),
            "asking CUB how much temporary memory it wants");
    return bytes;
  };
  c.fill = [in, n](const buffers& b) {
    // An earlier, right result must not stand in for an element that is not written.
    require(cudaMemsetAsync(b.output, 0xff, n * sizeof(T), b.stream), "clearing the output");
    write_batch<T><<<fill_blocks, fill_threads, 0, b.stream>>>(in(b));
    require(cudaGetLastError(), "making the input");
  };
  c.call = [in, moved](impl i, const buffers& b) {
    call_batch(i, in(b), b, moved);
  };
  c.check = [in, of](impl, const buffers& b) {
    return check_by(right_in_lines<T>{in(b)}, 0, of.elements(), b.stream);
  };
  return c;
}

template <class T>
void add_batches(std::vector<scan_case>& all)
{
  constexpr std::int64_t n = std::int64_t{1} << 28;
  for (const std::int64_t inner : {2, 3, 16, 100, 1000, 1 << 20})
  {
    for (const std::int64_t length : {std::int64_t{2}, std::int64_t{100}, std::int64_t{1} << 12, n / inner})
    {
      if (length * inner <= n)
      {
        all.push_back(batch_case<T>({n / (length * inner), length, inner}));
      }
    }
  }
  // Layers that begin with a line of the cache.
  all.push_back(batch_case<T>({n >> 24, 1 << 14, 1024}));
  all.push_back(batch_case<T>({1, n >> 10, 1024}));
  all.push_back(batch_case<T>({1, 1 << 20, 2}));
  all.push_back(batch_case<T>({1, 1000, 1000}));
}
} // namespace

std::vector<scan_case> batches()
{
  std::vector<scan_case> all;
  add_batches<std::int32_t>(all);
  add_batches<float>(all);
  return all;
}
} // namespace perf
