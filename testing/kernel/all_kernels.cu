// Every kind of kernel, to be compiled for every architecture that we name: see registers.cmake for what is asked of
// the result. Never run.
#include <lightscan/carry/exchange.h>
#include <lightscan/dispatch/launch.h>
#include <lightscan/dispatch/problem.h>

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

  compile_exchange<carry::protocol::look_across, carry::atomic_transport>();
  compile_exchange<carry::protocol::look_across, carry::cg_transport>();
  compile_exchange<carry::protocol::chain, carry::atomic_transport>();
  compile_exchange<carry::protocol::chain, carry::cg_transport>();
}
