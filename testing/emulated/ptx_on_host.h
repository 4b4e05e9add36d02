// The functions of cuda::ptx that LightScan calls. CCCL has none of them for the host, but has the types of their arguments.
#pragma once

#include <cuda/ptx>

#include <cstdint>

#include "machine.h"

namespace cuda
{
namespace ptx
{
inline void mbarrier_init(std::uint64_t* barrier, const std::uint32_t& arrivals)
{
  emulated::initialize(barrier, arrivals);
}

template <class Semantics, class Scope>
void fence_mbarrier_init(Semantics, Scope)
{}

template <class Space>
void fence_proxy_async(Space)
{}

inline std::uint64_t mbarrier_arrive(std::uint64_t* barrier)
{
  emulated::arrive(barrier);
  return 0;
}

template <class Semantics, class Scope, class Space>
std::uint64_t mbarrier_arrive_expect_tx(Semantics, Scope, Space, std::uint64_t* barrier, const std::uint32_t& bytes)
{
  emulated::arrive(barrier, bytes);
  return 0;
}

inline bool mbarrier_test_wait_parity(std::uint64_t* barrier, const std::uint32_t& parity)
{
  return emulated::is_over(barrier, parity != 0);
}

inline bool mbarrier_try_wait_parity(std::uint64_t* barrier, const std::uint32_t& parity)
{
  return emulated::wait_for(barrier, parity != 0);
}

template <class To, class From>
void cp_async_bulk(To, From, void* global, const void* shared, const std::uint32_t& bytes)
{
  emulated::store_bulk(global, shared, bytes);
}

template <class To, class From>
void cp_async_bulk_tensor(To, From, const void* map, const std::int32_t (&at)[2], const void* shared)
{
  emulated::store_box(*static_cast<const emulated::box_map*>(map), at[0], at[1], shared);
}

inline void cp_async_bulk_commit_group()
{
  emulated::commit_stores();
}

template <int But>
void cp_async_bulk_wait_group_read(n32_t<But>)
{
  emulated::wait_for_stores(But, false);
}

template <int But>
void cp_async_bulk_wait_group(n32_t<But>)
{
  emulated::wait_for_stores(But, true);
}

inline void cp_async_mbarrier_arrive_noinc(std::uint64_t* barrier)
{
  emulated::arrive_after_loads(barrier);
}
} // namespace ptx
} // namespace cuda
