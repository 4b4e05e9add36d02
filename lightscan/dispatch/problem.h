// What a scan call asks for, after the entry points have settled the types.
#pragma once

#include <lightscan/carry/words.h>
#include <lightscan/tile/form.h>
#include <lightscan/version.h>

#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

LIGHTSCAN_NAMESPACE_BEGIN
namespace dispatch
{
using index = ::cuda::std::int64_t;

// inclusive_scan and exclusive_scan. T is the type that is accumulated in. `Count` is an integer, or converts to one in
// device code, for a number of items that only the GPU knows; so does `Init` to T.
template <class T, class InputIt, class OutputIt, class Op, class Init, bool Inclusive, class Count = index>
struct problem
{
  using form        = tile::scan_form<T, Inclusive>;
  using op_type     = Op;
  using init_type   = Init; // or carry::no_init
  using count_type  = Count;
  using output_type = OutputIt;
  using inputs_type = ::cuda::std::tuple<InputIt>;

  static constexpr const char* call = Inclusive ? "inclusive_scan" : "exclusive_scan";

  InputIt input;
  OutputIt output;
  Count num_items;
  Op op;
  Init init;

  form what() const
  {
    return {};
  }
  inputs_type inputs() const
  {
    return inputs_type(input);
  }
  const Op& combining() const
  {
    return op;
  }
  const Init& before_first() const
  {
    return init;
  }
};

// inclusive_scan_by_key (with Init = carry::no_init) and exclusive_scan_by_key.
template <class Key,
          class Value,
          class KeyIt,
          class ValueIt,
          class OutputIt,
          class Same,
          class Op,
          class Init,
          class Count = index>
struct keyed_problem
{
  using form        = tile::by_key_form<Key, Value, Init>;
  using op_type     = tile::keyed_op<Key, Value, Same, Op>;
  using init_type   = carry::no_init; // the form's own begins every segment
  using count_type  = Count;
  using output_type = OutputIt;
  using inputs_type = ::cuda::std::tuple<KeyIt, ValueIt>;

  static constexpr const char* call = ::cuda::std::is_same_v<Init, carry::no_init> ? "inclusive_scan_by_key"
                                                                                   : "exclusive_scan_by_key";

  KeyIt keys;
  ValueIt values;
  OutputIt output;
  Count num_items;
  Same same;
  Op op;
  Init init;

  form what() const
  {
    return form{init};
  }
  inputs_type inputs() const
  {
    return inputs_type(keys, values);
  }
  op_type combining() const
  {
    return op_type{same, op};
  }
  init_type before_first() const
  {
    return {};
  }
};

// The widest accumulator whose slots a stream's workspace can hold. A scan by key accumulates two keys and a value.
inline constexpr ::cuda::std::size_t max_accumulator_bytes = 1024;

template <class T>
inline constexpr bool accumulates_in_kernels = carry::is_bitwise_copyable<T> && sizeof(T) <= max_accumulator_bytes;
} // namespace dispatch
LIGHTSCAN_NAMESPACE_END
