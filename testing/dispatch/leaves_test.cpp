// Rule: a function that a leaf has taken from a transform_iterator is called as Thrust's own calls it, with an object of the value
// type of what it lies over, whichever kernel evaluates it; and what it returns goes into a scan unchanged. One that may read memory is
// evaluated; where it is a key's, and is given the index alone, the key is searched for.
#include <lightscan/bulk/source.h>
#include <lightscan/dispatch/key_leaf.h>
#include <lightscan/dispatch/leaves.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <gtest/gtest.h>

namespace
{
namespace dispatch = lightscan::dispatch;

using pair = thrust::tuple<int, float>;

// Which argument it was called with.
template <class Wanted>
struct is_called_with
{
  template <class Argument>
  bool operator()(const Argument&) const
  {
    return cuda::std::is_same_v<Argument, Wanted>;
  }
};

struct half
{
  double operator()(int i) const
  {
    return i / 2.0;
  }
};

const int ints[]     = {1};
const float floats[] = {2};

TEST(leaves, call_a_function_over_a_zip_with_the_tuple_of_values)
{
  const auto zip = thrust::make_zip_iterator(&ints[0], &floats[0]);
  auto leaf      = dispatch::leaf(thrust::make_transform_iterator(zip, is_called_with<pair>{}));
  EXPECT_TRUE(leaf.function(pair(1, 2.0f)));
  EXPECT_TRUE(*thrust::make_transform_iterator(zip, is_called_with<pair>{})) << "this is how Thrust's is called";
}

TEST(leaves, call_a_function_over_a_function_with_its_value)
{
  const auto halves = thrust::make_transform_iterator(&ints[0], half{});
  auto leaf         = dispatch::leaf(thrust::make_transform_iterator(halves, is_called_with<double>{}));
  EXPECT_TRUE(leaf.function(1));
  EXPECT_TRUE(*thrust::make_transform_iterator(halves, is_called_with<double>{})) << "this is how Thrust's is called";
}

// It keeps values of the value type: where a function returns another, there is none, and the plain kernel reads the iterator.
TEST(leaves, are_none_where_the_value_type_was_named_apart)
{
  using plain  = thrust::transform_iterator<half, const int*>;
  using narrow = thrust::transform_iterator<half, const int*, double, int>;
  EXPECT_TRUE(dispatch::is_leaf<plain>);
  EXPECT_FALSE(dispatch::is_leaf<narrow>);
}

// A function that can hold an address may read memory; whether one does that holds other numbers is known by what they are.
struct line
{
  float slope;
  float height;

  float operator()(float x) const
  {
    return slope * x + height;
  }
};
struct table
{
  const float* entries;

  float operator()(int i) const
  {
    return entries[i];
  }
};
template <class Function, class It>
inline constexpr bool is_evaluated = !dispatch::leaf_t<thrust::transform_iterator<Function, It>>::in_memory;

static_assert(!is_evaluated<half, const int*>);
static_assert(is_evaluated<table, const int*>);
static_assert(sizeof(line) == sizeof(table) && !is_evaluated<line, const float*>);

struct half_of_pair
{
  template <class Pair>
  double operator()(const Pair& pair) const
  {
    return half{}(static_cast<int>(thrust::get<0>(pair)));
  }
};

// Where keys come from: `Once`, a scan's; else a reduction's.
using bulk_source = lightscan::bulk::source;
template <bool Once, class KeyIt>
constexpr bulk_source source_of()
{
  using leaf = decltype(dispatch::key_leaf<Once>(cuda::std::declval<dispatch::leaf_t<KeyIt>>()));
  return decltype(cuda::std::declval<leaf>().starting(0))::leaves::from;
}
using index_it = thrust::counting_iterator<int>;
template <class Function, class It>
using function_of = thrust::transform_iterator<Function, It>;

template <bool Once>
constexpr bool are_told_apart()
{
  using search = function_of<table, index_it>;
  static_assert(source_of<Once, search>() == bulk_source::searched);
  static_assert(source_of<Once, thrust::reverse_iterator<search>>() == bulk_source::searched);
  static_assert(source_of<Once, function_of<table, function_of<half, index_it>>>() == bulk_source::searched);
  static_assert(source_of<Once, function_of<half, search>>() == bulk_source::searched);
  static_assert(source_of<Once, thrust::zip_iterator<thrust::tuple<search, const int*>>>() == bulk_source::searched);
  using pair_of_searches = thrust::zip_iterator<thrust::tuple<search, index_it>>;
  static_assert(source_of<Once, function_of<half_of_pair, pair_of_searches>>() == bulk_source::searched);
  // At indices in memory they may lie anywhere, and of an iterator of a user's own nothing is known.
  static_assert(source_of<Once, function_of<table, const int*>>() == bulk_source::gathered);
  static_assert(source_of<Once, thrust::permutation_iterator<const int*, const int*>>() == bulk_source::gathered);
  static_assert(source_of<Once, thrust::permutation_iterator<const int*, search>>() == bulk_source::gathered);
  using mixed = thrust::tuple<search, thrust::permutation_iterator<const int*, const int*>>;
  static_assert(source_of<Once, thrust::zip_iterator<mixed>>() == bulk_source::gathered);
  // Without an address nothing is read.
  static_assert(source_of<Once, function_of<half, index_it>>() == bulk_source::calculated);
  static_assert(source_of<Once, const int*>() == bulk_source::memory);
  return true;
}
static_assert(are_told_apart<true>());
static_assert(are_told_apart<false>());
} // namespace
