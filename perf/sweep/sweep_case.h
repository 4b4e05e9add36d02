// One call of a sweep: a kind of scan, from an input to an output, of a type, at any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

namespace perf
{
// What all cases share: arrays as long as the largest of them needs, and the stream that everything runs on.
struct sweep_memory
{
  static constexpr int arrays = 5;

  void* in[3];  // elements, more elements, keys or indices
  void* out[2]; // results, more results
  void* scratch;
  std::size_t scratch_bytes;
  std::int64_t n;
  cudaStream_t stream;
};

enum class contender
{
  lightscan, // lightscan::par_nosync
  cub,       // cub::DeviceScan, its temporary memory at hand
  thrust     // thrust::cuda::par_nosync with an allocator that has the memory at hand
};
inline constexpr const char* contender_names[] = {"lightscan", "cub", "thrust"};

// Where results lie.
struct written_bytes
{
  const void* begin;
  std::size_t bytes;
};

struct sweep_case
{
  std::string call;
  std::string input;
  std::string output;
  std::string type;
  std::size_t widest; // bytes of an element, in whichever array has most

  std::function<std::size_t(const sweep_memory&)> scratch_bytes; // that CUB asks for
  std::function<void(const sweep_memory&)> fill;
  std::function<void(contender, const sweep_memory&)> run;
  std::function<std::vector<written_bytes>(const sweep_memory&)> written;
  std::function<std::string()> path; // that this thread's last call by LightScan took

  std::string subject(std::int64_t n) const
  {
    return call + "," + input + "," + output + "," + type + "," + std::to_string(n);
  }
};

// One file for each, so that they compile side by side.
std::vector<sweep_case> contiguous_sums();
std::vector<sweep_case> contiguous_exclusive_sums();
std::vector<sweep_case> contiguous_in_place();
std::vector<sweep_case> contiguous_calls();
std::vector<sweep_case> transform_calls();
std::vector<sweep_case> contiguous_to_discard();
std::vector<sweep_case> contiguous_to_order();
std::vector<sweep_case> counted();
std::vector<sweep_case> constants();
std::vector<sweep_case> computed();
std::vector<sweep_case> differenced();
std::vector<sweep_case> transformed();
std::vector<sweep_case> converted();
std::vector<sweep_case> zipped();
std::vector<sweep_case> zipped_otherwise();
std::vector<sweep_case> permuted();
std::vector<sweep_case> gathered();
std::vector<sweep_case> reversed();
std::vector<sweep_case> reversed_otherwise();
std::vector<sweep_case> struct_sums();
std::vector<sweep_case> struct_trees();
std::vector<sweep_case> wide_struct_sums();
std::vector<sweep_case> widest_struct_sums();
std::vector<sweep_case> calls_by_key();
std::vector<sweep_case> exclusive_calls_by_key();
std::vector<sweep_case> by_row();
std::vector<sweep_case> by_pair_or_search();
std::vector<sweep_case> computed_by_key();
std::vector<sweep_case> functions_by_key();
std::vector<sweep_case> by_key_to_outputs();
std::vector<sweep_case> by_key_backwards();
} // namespace perf
