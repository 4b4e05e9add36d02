// What a scan call asks for, after the entry points have settled the types, and which kernels can serve it.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/version.h>

#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
// T is the type that is accumulated in. Contiguous device memory comes as a raw pointer.
template <class T, class InputIt, class OutputIt, class Op, class Init, bool Inclusive>
struct problem
{
  using accumulator = T;
  using input_type  = InputIt;
  using output_type = OutputIt;
  using op_type     = Op;
  using init_type   = Init; // T or carry::no_init

  static constexpr bool inclusive = Inclusive;

  InputIt input;
  OutputIt output;
  ::cuda::std::int64_t num_items;
  Op op;
  Init init;
};

// Aggregates travel between blocks as words, and a slot holds at most four of them.
template <class T>
inline constexpr bool accumulates_in_kernels =
  ::cuda::std::is_trivially_copyable_v<T> && !::cuda::std::is_volatile_v<T> && sizeof(T) <= 16;

// It points at plain memory of T, which may move as bytes.
template <class It, class T>
inline constexpr bool is_memory_of =
  ::cuda::std::disjunction_v<::cuda::std::is_same<It, T*>, ::cuda::std::is_same<It, const T*>>;

template <class Problem>
inline constexpr bool fits_bulk_pipeline = ::cuda::std::conjunction_v<
  ::cuda::std::bool_constant<is_memory_of<typename Problem::input_type, typename Problem::accumulator>>,
  ::cuda::std::bool_constant<is_memory_of<typename Problem::output_type, typename Problem::accumulator>>>;
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
