// What is measured: a case is one operation on one element type and size, with every implementation of it.
#pragma once

#include "peers.h"
#include "verdict.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

namespace perf
{
enum class impl
{
  memcpy,            // cudaMemcpyAsync of the bytes of a scan with no scan; cudaMemsetAsync where nothing is read
  cub,               // cub::DeviceScan, its temporary memory at hand; does not wait
  cub_run_to_run,    // the same with CUB's requirement of the same bits in every run (cub_run_to_run.h)
  thrust,            // thrust::cuda::par; waits, as it always does
  lightscan,         // lightscan::par_nosync; does not wait, as CUB and those below; in select: select_work.h
  lightscan_cg,      // with the paper's ld.cg / st.cg between blocks
  published,         // the paper's whole kernel (paper/published_scan.h), ld.cg / st.cg between blocks
  published_atomics, // the same with atomic operations between blocks, which the paper's ablation compares
  tbb,               // oneTBB's parallel_scan on the host
  empty_kernel       // one block of 32 threads, and a wait where the case's calls wait
};

inline constexpr const char* impl_names[] = {"memcpy",
                                             "cub",
                                             "cub_run_to_run",
                                             "thrust",
                                             "lightscan",
                                             "lightscan_cg",
                                             "published",
                                             "published_atomics",
                                             "tbb",
                                             "empty_kernel"};

inline std::string name_of(impl i)
{
  return name_in_results(impl_names[static_cast<int>(i)]);
}

// Memory for the largest case, used by all, and the stream that everything runs on.
struct buffers
{
  void* input;
  void* output;
  void* scratch;
  std::size_t scratch_bytes;
  cudaStream_t stream;
};

struct scan_case
{
  std::string group; // what --only names
  std::string op;
  std::string type;
  std::int64_t count;
  double bytes_moved; // that one scan cannot but read and write
  std::size_t input_bytes;
  std::size_t output_bytes;

  std::vector<impl> impls;                            // in the order in which they take turns
  std::function<std::size_t()> scratch_bytes;         // that CUB asks for
  std::function<void(const buffers&)> fill;           // with input, and poison where the output will be
  std::function<void(impl, const buffers&)> call;     // one scan
  std::function<verdict(impl, const buffers&)> check; // of what it left

  // The row of a result file: everything but the implementation.
  std::string key() const
  {
    return op + "," + type + "," + std::to_string(count);
  }
};

// One file for each, so that they compile side by side: a type or an operation has some ten kernels. Sums (sums.h) are there
// for the types that CMakeLists.txt makes a file of.
template <class T>
std::vector<scan_case> sums_of();
std::vector<scan_case> sums_by_key();
std::vector<scan_case> transformed_sums();
std::vector<scan_case> reversed_sums();
std::vector<scan_case> float_operators();
std::vector<scan_case> struct_operators();
std::vector<scan_case> converting_sums();
std::vector<scan_case> sums_by_computed_key();
std::vector<scan_case> sums_of_zips();
std::vector<scan_case> sums_to_iterators();
std::vector<scan_case> sums_of_computed();
std::vector<scan_case> sums_of_long_functions();
std::vector<scan_case> wide_struct_scans();
std::vector<scan_case> selections();
std::vector<scan_case> partitions();
std::vector<scan_case> uniques();
std::vector<scan_case> reductions_by_key();
std::vector<scan_case> run_lengths();
std::vector<scan_case> selections_of_iterators();
std::vector<scan_case> selections_of_zips();
std::vector<scan_case> lookups();
std::vector<scan_case> segments();
std::vector<scan_case> batches();
std::vector<scan_case> paper_cases(); // from the sums

inline constexpr const char* groups[] = {
  "sums", "by_key", "transform", "reverse", "operators", "forms", "iterators", "select", "segments", "paper", "tbb"};
// In a run that names no group. What else is a scan, and the paper's tables, are files of their own.
inline constexpr const char* default_groups = "sums,by_key,transform,reverse,operators,forms,iterators";

// All of them, group by group.
std::vector<scan_case> all_cases();
} // namespace perf
