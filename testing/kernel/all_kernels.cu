// Every kind of kernel, to be compiled for every architecture that we name: see registers.cmake for what is asked of
// the result. Never run.
#include <lightscan/axis.h>
#include <lightscan/carry/slot.h>
#include <lightscan/dispatch/batched_launch.h>
#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/launched.h>
#include <lightscan/dispatch/problem.h>
#include <lightscan/dispatch/rows_launch.h>
#include <lightscan/entry/select_problem.h>
#include <lightscan/tile/segment_heads.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cuda/functional>
#include <cuda/std/cstdint>
#include <cuda/std/functional>

namespace carry    = lightscan::carry;
namespace dispatch = lightscan::dispatch;
namespace entry    = lightscan::entry;
namespace tile     = lightscan::tile;

namespace
{
// Composition of x -> a * x + b: an operator that is not commutative, on 8 and on 16 bytes.
template <class T>
struct affine
{
  T a, b;
};

struct compose
{
  template <class T>
  __host__ __device__ affine<T> operator()(const affine<T>& x, const affine<T>& y) const
  {
    return {x.a * y.a, y.a * x.b + y.b};
  }
};

template <class T, class Op, class Init, bool Inclusive, class Transport = carry::default_transport>
void compile(T* memory)
{
  using problem = dispatch::scan_problem<T, const T*, T*, Op, Init, Inclusive>;
  problem p{memory, memory, 0, Op{}, {}};
  (void) dispatch::launcher<problem, Transport>(p, nullptr).run();
}

template <class T, class Op>
void compile_both()
{
  compile<T, Op, lightscan::util::no_init, true>(nullptr);
  compile<T, Op, T, false>(nullptr);
}

struct is_odd
{
  template <class T>
  __host__ __device__ bool operator()(T item) const
  {
    return item % 2 != 0;
  }
};

struct row_of
{
  __host__ __device__ cuda::std::uint32_t operator()(int item) const
  {
    return static_cast<cuda::std::uint32_t>(item / 1000);
  }
};

// Three doubles: the widest that a lane polls five at a time.
struct triple
{
  double at[3];
};

struct join_triples
{
  __host__ __device__ triple operator()(const triple& x, const triple& y) const
  {
    return {x.at[0] + y.at[0], x.at[1] * y.at[1], x.at[2] - y.at[2]};
  }
};

// A column that is not stored as it is accumulated.
template <class From, class To>
void compile_converting(From* from, To* to)
{
  using problem = dispatch::scan_problem<To, const From*, To*, cuda::std::plus<To>, To, false>;
  (void) dispatch::launcher<problem>(problem{from, to, 0, {}, To{}}, nullptr).run();
}

// Inclusive ones need more registers than exclusive ones, 16-bit results the most.
template <class From, class To, class Op>
void compile_converting_inclusively(From* from, To* to)
{
  using problem = dispatch::scan_problem<To, const From*, To*, Op, lightscan::util::no_init, true>;
  (void) dispatch::launcher<problem>(problem{from, to, 0, {}, {}}, nullptr).run();
}

template <class Key, class Value, class Init, class Result = Value, class EqualityOp = cuda::std::equal_to<Key>>
void compile_by_key(Key* keys, Value* values, Result* results = nullptr)
{
  using problem =
    dispatch::by_key_problem<Key, Result, Key*, Value*, Result*, EqualityOp, cuda::std::plus<Result>, Init>;
  const problem asked{{keys, values}, results, 0, {}, {}};
  dispatch::launched<problem>::with(asked, [](const auto& launched) {
    (void) dispatch::launcher<cuda::std::remove_cvref_t<decltype(launched)>>(launched, nullptr).run();
  });
}

// Of which a thread of sm_80 has three, each a chunk of its own (predicates.cmake).
struct key_of_32_bytes
{
  cuda::std::int64_t word[4];

  __host__ __device__ bool operator==(const key_of_32_bytes& other) const
  {
    bool equal = true;
    for (int w = 0; w < 4; ++w)
    {
      equal = equal && word[w] == other.word[w];
    }
    return equal;
  }
};

// Suffix sums, and a number of items that only the GPU knows.
struct on_device
{
  const int* pointer;
  __device__ operator int() const
  {
    return *pointer;
  }
};

void compile_others(int* memory)
{
  using backwards = thrust::reverse_iterator<int*>;
  using reversed =
    dispatch::scan_problem<int, backwards, backwards, cuda::std::plus<int>, lightscan::util::no_init, true>;
  (void) dispatch::launcher<reversed>(reversed{backwards(memory), backwards(memory), 0, {}, {}}, nullptr).run();
  using turned = dispatch::scan_problem<int, backwards, int*, cuda::std::plus<int>, lightscan::util::no_init, true>;
  (void) dispatch::launcher<turned>(turned{backwards(memory), memory, 0, {}, {}}, nullptr).run();
  using counted = dispatch::scan_problem<int, int*, int*, cuda::std::plus<int>, on_device, false, on_device>;
  (void) dispatch::launcher<counted>(counted{memory, memory, {memory}, {}, {memory}}, nullptr).run();
}

template <class T, class Op, class Init, bool Inclusive>
void compile_batched(T* memory)
{
  using problem = dispatch::batched_problem<T, Inclusive, const T*, T*, Op, Init>;
  const problem p{memory, memory, lightscan::axis(1, 1, 1), Op{}, {}};
  (void) dispatch::batched_launcher<problem>(p, nullptr).run(nullptr, 0);
}

template <class Value, class Heads, class Init, bool Inclusive>
void compile_segmented(Heads heads, Value* memory)
{
  using plus    = cuda::std::plus<Value>;
  using problem = dispatch::segmented_problem<Value, Heads, const Value*, Value*, plus, Init, Inclusive>;
  (void) dispatch::launcher<problem>(problem{{heads, memory}, memory, 0, {}, {}, {}}, nullptr).run();
}

template <class T, class Init, bool Inclusive, class It, class Value>
void compile_rows(It first, Value* out)
{
  using problem = dispatch::rows_problem<T, It, Value*, cuda::std::plus<T>, Init, Inclusive>;
  using rows    = dispatch::whole_rows<problem>;
  const tile::row_heads heads{tile::row_list(7)};
  (void) dispatch::launcher<rows>(rows(problem{{heads, first}, out, 0, {}, {}, {}}), nullptr).run();
}

// One kernel each: words of memory, numbers that are converted, and what iterators yield.
void compile_whole_rows()
{
  using lightscan::util::no_init;
  using byte           = cuda::std::int8_t;
  int* const ints      = nullptr;
  byte* const bytes    = nullptr;
  double* const floats = nullptr;
  compile_rows<int, no_init, true>(ints, ints);
  compile_rows<double, double, false>(floats, floats);
  compile_rows<byte, no_init, true>(bytes, bytes);
  compile_rows<int, int, true>(bytes, bytes);
  compile_rows<double, no_init, true>(bytes, floats);
  compile_rows<int, int, false>(thrust::reverse_iterator<int*>(ints), bytes);
}

void compile_segments(const int* offsets)
{
  using lightscan::util::no_init;
  const tile::row_heads rows{tile::row_list(7)};
  const tile::offset_heads<const int*, int> at{{offsets, 7}};
  compile_segmented<int, tile::row_heads, no_init, true>(rows, nullptr);
  compile_segmented<double, tile::row_heads, double, false>(rows, nullptr);
  compile_segmented<int, tile::offset_heads<const int*, int>, no_init, true>(at, nullptr);
  compile_segmented<double, tile::offset_heads<const int*, int>, double, false>(at, nullptr);
}

// Two kernels each: lines that are staged, and others.
void compile_batches()
{
  using lightscan::util::no_init;
  compile_batched<cuda::std::uint8_t, cuda::std::plus<cuda::std::uint8_t>, no_init, true>(nullptr);
  compile_batched<int, cuda::std::plus<int>, no_init, true>(nullptr);
  compile_batched<int, cuda::std::plus<int>, int, false>(nullptr);
  compile_batched<double, cuda::std::plus<double>, no_init, true>(nullptr);
  compile_batched<double, cuda::std::plus<double>, double, false>(nullptr);
  compile_batched<affine<double>, compose, no_init, true>(nullptr);
  compile_batched<triple, join_triples, triple, false>(nullptr);
}

__extension__ using wide_integer = __int128; // read as a whole from words (util/uninitialized.h)

template <class Problem>
void compile_problem(const Problem& problem)
{
  (void) dispatch::launcher<Problem>(problem, nullptr).run();
}

// Two kernels each: selections, reductions by key and lengths of runs.
void compile_emissions(const cuda::std::uint32_t* in, cuda::std::uint32_t* out, float* values, int* lengths)
{
  using equal = cuda::std::equal_to<>;
  const dispatch::index n{};
  dispatch::index* const total = nullptr;
  const auto keys              = entry::these(in);
  compile_problem(entry::select_problem_of<true>(tile::if_test<is_odd>{}, keys, entry::these(out), total, n));
  compile_problem(entry::select_problem_of<true>(tile::run_test<equal>{}, keys, entry::these(out), total, n));
  compile_problem(
    entry::reduce_by_key_problem_of<float>(in, values, out, values, total, n, equal{}, cuda::std::plus<>{}));
  compile_problem(
    entry::reduce_by_key_problem_of<cuda::std::uint32_t>(in, in, out, out, total, n, equal{}, cuda::std::plus<>{}));
  compile_problem(entry::reduce_by_key_problem_of<int>(
    in, entry::constantly(1), out, lengths, total, n, equal{}, cuda::std::plus<>{}));
  compile_problem(entry::runs_problem_of(in, lengths, lengths, total, n, equal{}));
  wide_integer* const wide = nullptr;
  compile_problem(entry::select_problem_of<true>(
    tile::if_test<is_odd>{}, entry::these(static_cast<const wide_integer*>(wide)), entry::these(wide), total, n));
  const auto rows = thrust::make_transform_iterator(thrust::make_counting_iterator(0), row_of{});
  compile_problem(
    entry::reduce_by_key_problem_of<float>(rows, values, out, values, total, n, equal{}, cuda::std::plus<>{}));
}

// What it makes of a float: as wide, or wider.
template <class T>
struct function_to
{
  LIGHTSCAN_HOST_DEVICE T operator()(float of) const
  {
    return of * T{0.5};
  }
};

// Two kernels each: values that a function makes, kept over items, beside them, and under keys.
void compile_functions(const float* in, const int* keys, float* out, double* wide, int* keys_out)
{
  using lightscan::util::no_init;
  using plus = cuda::std::plus<>;
  const dispatch::index n{};
  const auto halves  = thrust::make_transform_iterator(in, function_to<float>{});
  const auto doubles = thrust::make_transform_iterator(in, function_to<double>{});
  using to_halves =
    dispatch::scan_problem<float, cuda::std::remove_const_t<decltype(halves)>, float*, plus, no_init, true>;
  using to_doubles =
    dispatch::scan_problem<double, cuda::std::remove_const_t<decltype(doubles)>, double*, plus, no_init, true>;
  compile_problem(to_halves{halves, out, n, {}, {}});
  compile_problem(to_doubles{doubles, wide, n, {}, {}});
  compile_problem(entry::reduce_by_key_problem_of<float>(
    keys, halves, keys_out, out, static_cast<dispatch::index*>(nullptr), n, cuda::std::equal_to<>{}, plus{}));
}

// Predicates and equalities that look items up.
struct is_odd_there
{
  const int* at;

  __host__ __device__ bool operator()(int item) const
  {
    return at[item] % 2 != 0;
  }
};

struct is_same_there
{
  const int* at;

  template <class Key>
  __host__ __device__ bool operator()(Key left, Key right) const
  {
    return at[left] == at[right];
  }
};

// Two kernels each, of which lookups have rows of their own (lightscan/dispatch/tuning.h).
void compile_lookups(const int* in, int* out, float* values, double* wide, cuda::std::int64_t* keys)
{
  using lightscan::util::no_init;
  using plus = cuda::std::plus<>;
  const dispatch::index n{};
  dispatch::index* const total = nullptr;
  const auto items             = entry::these(in);
  compile_problem(entry::select_problem_of<true>(tile::if_test<is_odd_there>{}, items, entry::these(out), total, n));
  compile_problem(entry::select_problem_of<true>(tile::run_test<is_same_there>{}, items, entry::these(out), total, n));
  compile_problem(
    entry::select_problem_of<false>(tile::if_test<is_odd_there>{}, entry::these(in, in), entry::these(out), total, n));
  compile_problem(entry::reduce_by_key_problem_of<float>(in, values, out, values, total, n, is_same_there{}, plus{}));
  compile_problem(
    entry::reduce_by_key_problem_of<int>(in, entry::constantly(1), out, out, total, n, is_same_there{}, plus{}));
  compile_by_key<int, float, no_init, float, is_same_there>(out, values);
  compile_by_key<int, double, no_init, double, is_same_there>(out, wide);
  compile_by_key<cuda::std::int64_t, float, no_init, float, is_same_there>(keys, values);
  compile_by_key<cuda::std::int64_t, double, no_init, double, is_same_there>(keys, wide);
}

template <class Transport>
void compile_transport()
{
  compile<int, cuda::std::plus<int>, lightscan::util::no_init, true, Transport>(nullptr);
  compile<int, cuda::std::plus<int>, int, false, Transport>(nullptr);
}
} // namespace

void all_kernels()
{
  compile_both<cuda::std::int8_t, cuda::std::plus<cuda::std::int8_t>>();
  compile_both<cuda::std::int16_t, cuda::std::plus<cuda::std::int16_t>>();
  compile_both<int, cuda::std::plus<int>>();
  compile_both<float, cuda::std::plus<float>>();
  compile_both<cuda::std::int64_t, cuda::std::plus<cuda::std::int64_t>>();
  compile_both<double, cuda::std::plus<double>>();
  compile_both<affine<float>, compose>();
  compile_both<affine<double>, compose>();
  compile<wide_integer, cuda::std::plus<>, lightscan::util::no_init, true>(nullptr);

  compile_converting<cuda::std::uint8_t, int>(nullptr, nullptr);
  compile_converting<int, cuda::std::int64_t>(nullptr, nullptr);
  compile_converting<cuda::std::uint8_t, cuda::std::int64_t>(nullptr, nullptr);
  compile_converting<cuda::std::int64_t, int>(nullptr, nullptr);
  compile_converting<cuda::std::int64_t, cuda::std::uint8_t>(nullptr, nullptr);
  compile_converting_inclusively<cuda::std::uint8_t, int, cuda::maximum<>>(nullptr, nullptr);
  compile_converting_inclusively<cuda::std::int16_t, float, cuda::std::plus<>>(nullptr, nullptr);
  compile_converting_inclusively<cuda::std::uint8_t, cuda::std::int16_t, cuda::maximum<>>(nullptr, nullptr);
  compile_converting_inclusively<float, cuda::std::int16_t, cuda::std::plus<>>(nullptr, nullptr);
  compile<triple, join_triples, lightscan::util::no_init, true>(nullptr);
  compile_by_key<int, float, lightscan::util::no_init>(nullptr, nullptr);
  compile_by_key<int, float, float>(nullptr, nullptr);
  compile_by_key<cuda::std::int64_t, double, lightscan::util::no_init>(nullptr, nullptr);
  compile_by_key<cuda::std::int64_t, double, double>(nullptr, nullptr);
  compile_by_key<cuda::std::int64_t, float, lightscan::util::no_init>(nullptr, nullptr);
  compile_by_key<key_of_32_bytes, float, lightscan::util::no_init>(nullptr, nullptr);
  compile_by_key<int, int, lightscan::util::no_init, cuda::std::int64_t>(nullptr, nullptr);
  compile_by_key<cuda::std::int64_t, double, lightscan::util::no_init, float>(nullptr, nullptr);
  compile_by_key<int, cuda::std::int64_t, lightscan::util::no_init, int>(nullptr, nullptr);
  compile_by_key<cuda::std::int64_t, int, lightscan::util::no_init, double>(nullptr, nullptr);
  compile_others(nullptr);
  compile_whole_rows();
  compile_segments(nullptr);
  compile_batches();
  compile_emissions(nullptr, nullptr, nullptr, nullptr);
  compile_functions(nullptr, nullptr, nullptr, nullptr, nullptr);
  compile_lookups(nullptr, nullptr, nullptr, nullptr, nullptr);

  compile_transport<carry::atomic_transport>();
  compile_transport<carry::cg_transport>();
}
