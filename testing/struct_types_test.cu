// Rule: user structs are scanned, of 1 to 256 bytes, small and large, whatever they lack and however they are aligned.
// Where copies are copies of bytes, of at most 1,024, LightScan's kernels serve; elsewhere Thrust's own scan.
#include "support/operators.h"
#include "support/type_check.h"

#include <lightscan/scan.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

using lightscan::is_accelerated_v;
using namespace testing_support;

template <class T>
class struct_of_any_size : public ::testing::Test
{};

using struct_types = ::testing::Types<bytes_of_size<1>,
                                      bytes_of_size<3>,
                                      bytes_of_size<17>,
                                      words_of_size<5>,
                                      words_of_size<6>,
                                      words_of_size<8>,
                                      words_of_size<12>,
                                      words_of_size<25>,
                                      words_of_size<64>>;
TYPED_TEST_SUITE(struct_of_any_size, struct_types);

TYPED_TEST(struct_of_any_size, is_added_member_by_member)
{
  static_assert(is_accelerated_v<TypeParam>);
  check_type<TypeParam>(any_members<TypeParam>, plus{});
}

namespace
{
// x -> a * x + b modulo 2^32, in shapes that ask for care.
struct affine_parts
{
  std::uint32_t a, b;

  affine_parts() = default;
  __host__ __device__ affine_parts(std::uint32_t a_, std::uint32_t b_)
      : a(a_)
      , b(b_)
  {}

  friend __host__ __device__ bool operator==(const affine_parts& l, const affine_parts& r)
  {
    return l.a == r.a && l.b == r.b;
  }
};

struct without_default_constructor : affine_parts
{
  without_default_constructor() = delete;
  using affine_parts::affine_parts;
};

struct without_assignment : affine_parts
{
  using affine_parts::affine_parts;
  without_assignment()                                     = default;
  without_assignment(const without_assignment&)            = default;
  without_assignment& operator=(const without_assignment&) = delete;
};

template <int Alignment>
struct alignas(Alignment) over_aligned : affine_parts
{
  using affine_parts::affine_parts;
};

// Copying this one runs a user's code.
struct with_a_copy_constructor : affine_parts
{
  using affine_parts::affine_parts;
  with_a_copy_constructor() = default;
  __host__ __device__ with_a_copy_constructor(const with_a_copy_constructor& other)
      : affine_parts(other.a, other.b)
  {}
  with_a_copy_constructor& operator=(const with_a_copy_constructor&) = default;
};

struct compose_parts
{
  template <class T>
  __host__ __device__ T operator()(const T& first, const T& then) const
  {
    return T(first.a * then.a, first.b * then.a + then.b);
  }
};

template <class T>
T odd_and_index(std::size_t i)
{
  return T(static_cast<std::uint32_t>(2 * i + 1), static_cast<std::uint32_t>(i));
}
} // namespace

TEST(a_struct, without_a_default_constructor)
{
  static_assert(is_accelerated_v<without_default_constructor>);
  static_assert(!std::is_default_constructible_v<without_default_constructor>);
  check_type<without_default_constructor>(odd_and_index<without_default_constructor>, compose_parts{});
}

TEST(a_struct, without_assignment)
{
  static_assert(is_accelerated_v<without_assignment> && !std::is_copy_assignable_v<without_assignment>);
  check_type<without_assignment>(odd_and_index<without_assignment>, compose_parts{});
}

TEST(a_struct, aligned_to_32_bytes)
{
  static_assert(is_accelerated_v<over_aligned<32>> && sizeof(over_aligned<32>) == 32);
  check_type<over_aligned<32>>(odd_and_index<over_aligned<32>>, compose_parts{});
}

TEST(a_struct, aligned_to_64_bytes)
{
  static_assert(is_accelerated_v<over_aligned<64>> && sizeof(over_aligned<64>) == 64);
  check_type<over_aligned<64>>(odd_and_index<over_aligned<64>>, compose_parts{});
}

TEST(a_struct, aligned_to_128_bytes)
{
  static_assert(is_accelerated_v<over_aligned<128>> && sizeof(over_aligned<128>) == 128);
  check_type<over_aligned<128>>(odd_and_index<over_aligned<128>>, compose_parts{});
}

TEST(a_struct, with_a_copy_constructor_of_its_own_goes_to_thrust)
{
  static_assert(!is_accelerated_v<with_a_copy_constructor>);
  check_type<with_a_copy_constructor>(odd_and_index<with_a_copy_constructor>, compose_parts{});
}

TEST(a_struct, is_accelerated_up_to_1024_bytes)
{
  static_assert(is_accelerated_v<words_of_size<256>> && !is_accelerated_v<words_of_size<257>>);
  check_type<words_of_size<256>>(any_members<words_of_size<256>>, plus{});
}
