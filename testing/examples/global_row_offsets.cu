// A sparse matrix whose rows are spread over the ranks of a communicator: where each row begins in the arrays of all, from the lengths
// of the rows that each rank has. One exclusive scan across the GPUs gives every rank the offsets of its own rows.
//
// Here a rank is a thread with a GPU of its own, as many as there are; with one GPU it is a group of one.
#include "example.h"

#include <lightscan/multi_gpu.h>
#include <lightscan/scan.h>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>
#include <nccl.h>

static void check(ncclResult_t result)
{
  if (result != ncclSuccess)
  {
    std::fprintf(stderr, "NCCL: %s\n", ncclGetErrorString(result));
    std::exit(1);
  }
}

// Rows of rank r: the later, the more, and rank 1 has none.
static int rows_of(int rank)
{
  return rank == 1 ? 0 : 400000 + 1000 * rank;
}

// Entries of a row, counted from the first of all.
static int length_of(std::int64_t row)
{
  return static_cast<int>(row * 2654435761LL % 97);
}

// What a program does on each rank: `lengths` are of its own rows.
static thrust::host_vector<std::int64_t> global_row_offsets(ncclComm_t comm,
                                                            cudaStream_t stream,
                                                            const std::vector<int>& lengths)
{
  lightscan::group group(comm, stream);
  const thrust::device_vector<int> input(lengths);
  thrust::device_vector<std::int64_t> offsets(input.size());
  example::check(cudaDeviceSynchronize());
  thrust::exclusive_scan(
    lightscan::par.on(stream).across(group), input.begin(), input.end(), offsets.begin(), std::int64_t{0});
  return offsets;
}

int main()
{
  int exit_code = 0;
  if (example::gpu_is_missing(exit_code))
  {
    return exit_code;
  }
  int ranks = 0;
  example::check(cudaGetDeviceCount(&ranks));
  ranks = std::min(ranks, 8);
  std::printf("rows spread over %d GPU%s\n", ranks, ranks > 1 ? "s" : "");

  ncclUniqueId id;
  check(ncclGetUniqueId(&id));
  std::vector<thrust::host_vector<std::int64_t>> found(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
  {
    threads.emplace_back([&, rank] {
      std::int64_t first = 0;
      for (int r = 0; r < rank; ++r)
      {
        first += rows_of(r);
      }
      std::vector<int> lengths;
      for (int row = 0; row < rows_of(rank); ++row)
      {
        lengths.push_back(length_of(first + row));
      }
      ncclComm_t comm     = nullptr;
      cudaStream_t stream = nullptr;
      example::check(cudaSetDevice(rank));
      example::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      check(ncclCommInitRank(&comm, ranks, id, rank));
      found[static_cast<std::size_t>(rank)] = global_row_offsets(comm, stream, lengths);
      check(ncclCommDestroy(comm));
      example::check(cudaStreamDestroy(stream));
    });
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }

  std::int64_t row    = 0;
  std::int64_t offset = 0;
  for (int rank = 0; rank < ranks && exit_code == 0; ++rank)
  {
    std::vector<std::int64_t> expected;
    for (int i = 0; i < rows_of(rank); ++i, ++row)
    {
      expected.push_back(offset);
      offset += length_of(row);
    }
    std::printf("rank %d: ", rank);
    exit_code = example::compare("row offsets", found[static_cast<std::size_t>(rank)], expected);
  }
  return exit_code;
}
