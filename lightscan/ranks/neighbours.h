// Mailboxes (exchange.h) in each other's memory: of GPUs in one process by peer access, of processes on one machine by CUDA's
// handles for memory of another process's.
#pragma once

#include <lightscan/carry/slot.h>
#include <lightscan/ranks/exchange.h>
#include <lightscan/runtime/driver.h>
#include <lightscan/version.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace ranks
{
// What a rank tells the others of its mailbox. `mailbox` is 0 where it has none.
struct introduction
{
  std::uint64_t machine;
  std::uint64_t process;
  std::uint64_t mailbox; // in that process
  std::int64_t device;   // there
  cudaIpcMemHandle_t handle;
};

// This boot of this machine, or container of it with another kernel. Handles of another machine's memory mean nothing here.
inline std::uint64_t machine_number()
{
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  file >> text;
  return text.empty() ? 0 : std::hash<std::string>{}(text);
}

// A number that no other process has.
inline std::uint64_t process_number()
{
  static const std::uint64_t number = [] {
    std::random_device random;
    return (std::uint64_t{random()} << 32) ^ random();
  }();
  return number;
}

class neighbours
{
public:
  neighbours()                             = default;
  neighbours(const neighbours&)            = delete;
  neighbours& operator=(const neighbours&) = delete;

  // Makes this rank's mailbox and its introduction.
  runtime::outcome open(int device, int num_ranks, introduction& mine)
  {
    device_                 = device;
    mine.machine            = machine_number();
    mine.process            = process_number();
    mine.device             = device;
    const std::size_t bytes = mailbox_words(num_ranks) * sizeof(slot_word);
    const std::size_t list  = static_cast<std::size_t>(num_ranks) * sizeof(slot_word*);
    cudaError_t error       = cudaMalloc(&mailbox_, bytes);
    error                   = error ? error : cudaMalloc(&list_, list);
    error                   = error ? error : cudaMemset(mailbox_, 0, bytes);
    error                   = error ? error : cudaDeviceSynchronize();
    if (error)
    {
      return runtime::failed(error, "allocating a mailbox");
    }
    mine.mailbox = reinterpret_cast<std::uintptr_t>(mailbox_);
    if (cudaIpcGetMemHandle(&mine.handle, mailbox_) != cudaSuccess)
    {
      (void) cudaGetLastError(); // serves one process all the same
      mine.machine = 0;
    }
    return {};
  }

  // Whether this rank reaches all mailboxes.
  bool reach(const std::vector<introduction>& all, int rank)
  {
    std::vector<slot_word*> found;
    const introduction& mine = all[static_cast<std::size_t>(rank)];
    for (const introduction& other : all)
    {
      foreign_ = foreign_ || other.process != mine.process;
    }
    for (const introduction& other : all)
    {
      slot_word* there = nullptr;
      if (other.mailbox == 0)
      {
        return false;
      }
      if (other.process == mine.process)
      {
        there = reaches_device(static_cast<int>(other.device)) ? reinterpret_cast<slot_word*>(other.mailbox) : nullptr;
      }
      else if (other.machine == mine.machine && mine.machine != 0)
      {
        there = opened(other.handle);
      }
      if (there == nullptr)
      {
        (void) cudaGetLastError();
        return false;
      }
      found.push_back(there);
    }
    const cudaError_t error = cudaMemcpy(
      list_, found.data(), found.size() * sizeof(slot_word*), cudaMemcpyHostToDevice);
    return error == cudaSuccess;
  }

  // What all ranks have found: whether mailboxes are used. `unknown`: this rank has promised its own, and does not know what the others
  // have heard; they may write to it.
  void settle(bool reached, bool unknown)
  {
    reached_ = reached;
    unknown_ = unknown;
    if (!reached)
    {
      close();
    }
  }

  bool reached() const
  {
    return reached_;
  }

  slot_word* const* mailboxes() const
  {
    return list_;
  }

  // A mailbox that others reach stays until the process ends: a rank that has not heard yet that this group is over may
  // still write to it.
  void close()
  {
    for (void* const other : opened_)
    {
      (void) cudaIpcCloseMemHandle(other);
    }
    opened_.clear();
    if (!reached_ && !unknown_ && !foreign_)
    {
      (void) cudaFree(mailbox_);
    }
    (void) cudaFree(list_);
    mailbox_ = nullptr;
    list_    = nullptr;
  }

private:
  bool reaches_device(int other) const
  {
    if (other == device_)
    {
      return true;
    }
    int possible = 0;
    if (cudaDeviceCanAccessPeer(&possible, device_, other) != cudaSuccess || possible == 0)
    {
      return false;
    }
    const cudaError_t enabled = cudaDeviceEnablePeerAccess(other, 0);
    (void) cudaGetLastError();
    return enabled == cudaSuccess || enabled == cudaErrorPeerAccessAlreadyEnabled;
  }

  slot_word* opened(const cudaIpcMemHandle_t& handle)
  {
    void* there = nullptr;
    if (cudaIpcOpenMemHandle(&there, handle, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess)
    {
      return nullptr;
    }
    opened_.push_back(there);
    return static_cast<slot_word*>(there);
  }

  int device_         = 0;
  bool reached_       = false;
  bool unknown_       = false;
  bool foreign_       = false; // whether there are ranks in other processes
  slot_word* mailbox_ = nullptr;
  slot_word** list_   = nullptr; // of all ranks' mailboxes, in device memory
  std::vector<void*> opened_;
};
} // namespace ranks
LIGHTSCAN_NAMESPACE_END
