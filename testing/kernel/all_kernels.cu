// Every kind of kernel, to be compiled for every architecture that we name: see registers.cmake for what is asked of
// the result. Never run.
#include <lightscan/carry/exchange.h>
#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/problem.h>

#include <thrust/iterator/reverse_iterator.h>

#include <cuda/std/cstdint>
#include <cuda/std/functional>

namespace carry    = lightscan::carry;
namespace dispatch = lightscan::dispatch;

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

template <class T, class Op, class Init, bool Inclusive, class Exchange = carry::default_exchange>
void compile(T* memory)
{
  using problem = dispatch::problem<T, const T*, T*, Op, Init, Inclusive>;
  problem p{memory, memory, 0, Op{}, {}};
  (void) dispatch::launcher<problem, Exchange>(p, nullptr).run();
}

template <class T, class Op>
void compile_both()
{
  compile<T, Op, carry::no_init, true>(nullptr);
  compile<T, Op, T, false>(nullptr);
}

// A column that is not stored as it is accumulated.
template <class From, class To>
void compile_converting(From* from, To* to)
{
  using problem = dispatch::problem<To, const From*, To*, cuda::std::plus<To>, To, false>;
  (void) dispatch::launcher<problem>(problem{from, to, 0, {}, To{}}, nullptr).run();
}

template <class Key, class Value, class Init>
void compile_by_key(Key* keys, Value* values)
{
  using problem =
    dispatch::keyed_problem<Key, Value, Key*, Value*, Value*, cuda::std::equal_to<Key>, cuda::std::plus<Value>, Init>;
  (void) dispatch::launcher<problem>(problem{keys, values, values, 0, {}, {}, {}}, nullptr).run();
}

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
  using reversed  = dispatch::problem<int, backwards, backwards, cuda::std::plus<int>, carry::no_init, true>;
  (void) dispatch::launcher<reversed>(reversed{backwards(memory), backwards(memory), 0, {}, {}}, nullptr).run();
  using turned = dispatch::problem<int, backwards, int*, cuda::std::plus<int>, carry::no_init, true>;
  (void) dispatch::launcher<turned>(turned{backwards(memory), memory, 0, {}, {}}, nullptr).run();
  using counted = dispatch::problem<int, int*, int*, cuda::std::plus<int>, on_device, false, on_device>;
  (void) dispatch::launcher<counted>(counted{memory, memory, {memory}, {}, {memory}}, nullptr).run();
}

template <carry::protocol Protocol, class Transport>
void compile_exchange()
{
  using exchange = carry::exchange<Protocol, Transport>;
  compile<int, cuda::std::plus<int>, carry::no_init, true, exchange>(nullptr);
  compile<int, cuda::std::plus<int>, int, false, exchange>(nullptr);
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

  compile_converting<cuda::std::uint8_t, int>(nullptr, nullptr);
  compile_converting<int, cuda::std::int64_t>(nullptr, nullptr);
  compile_converting<cuda::std::uint8_t, cuda::std::int64_t>(nullptr, nullptr);
  compile_converting<cuda::std::int64_t, int>(nullptr, nullptr);
  compile_converting<cuda::std::int64_t, cuda::std::uint8_t>(nullptr, nullptr);
  compile_by_key<int, float, carry::no_init>(nullptr, nullptr);
  compile_by_key<int, float, float>(nullptr, nullptr);
  compile_by_key<cuda::std::int64_t, double, carry::no_init>(nullptr, nullptr);
  compile_by_key<cuda::std::int64_t, double, double>(nullptr, nullptr);
  compile_others(nullptr);

  compile_exchange<carry::protocol::look_across, carry::atomic_transport>();
  compile_exchange<carry::protocol::look_across, carry::cg_transport>();
  compile_exchange<carry::protocol::chain, carry::atomic_transport>();
  compile_exchange<carry::protocol::chain, carry::cg_transport>();
}
