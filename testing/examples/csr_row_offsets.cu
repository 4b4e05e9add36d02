// From an edge list to compressed sparse rows: where each vertex's neighbours begin is the exclusive scan of the degrees.
//
// Degrees are 32-bit, offsets 64-bit: a graph may have more than 2^31 edges. The initial value's type is the one that is
// accumulated in.
#include "example.h"

#include <lightscan/lightscan.h>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

struct edge
{
  int from;
  int to;
};

// Random, and uneven as real graphs are: low-numbered vertices have most of the neighbours.
std::vector<edge> random_graph(int vertices, int edges)
{
  std::mt19937 generator(20161104);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::vector<edge> graph(static_cast<std::size_t>(edges));
  for (edge& e : graph)
  {
    const double u = uniform(generator);
    e              = {static_cast<int>(u * u * u * vertices), static_cast<int>(uniform(generator) * vertices)};
  }
  return graph;
}

// One degree more than there are vertices, so that the last offset is the number of edges.
template <template <class...> class Vector, class Policy>
thrust::host_vector<std::int64_t> row_offsets(Policy policy, const std::vector<int>& degrees)
{
  const Vector<int> input(degrees);
  Vector<std::int64_t> offsets(input.size());
  thrust::exclusive_scan(policy, input.begin(), input.end(), offsets.begin(), std::int64_t{0});
  return offsets;
}

int main()
{
  const int vertices            = 1000000;
  const std::vector<edge> graph = random_graph(vertices, 5000000);

  std::vector<int> degrees(vertices + 1, 0);
  for (const edge& e : graph)
  {
    ++degrees[static_cast<std::size_t>(e.from)];
  }

  const thrust::host_vector<std::int64_t> offsets = example::on_gpu()
                                                    ? row_offsets<thrust::device_vector>(lightscan::par, degrees)
                                                    : row_offsets<thrust::host_vector>(lightscan::host, degrees);
  for (std::size_t v : {std::size_t{0}, std::size_t{1}, std::size_t{vertices - 1}})
  {
    std::printf("vertex %zu: neighbours %lld to %lld\n",
                v,
                static_cast<long long>(offsets[v]),
                static_cast<long long>(offsets[v + 1]));
  }

  std::vector<std::int64_t> expected(1, 0);
  for (int v = 0; v < vertices; ++v)
  {
    expected.push_back(expected.back() + degrees[static_cast<std::size_t>(v)]);
  }
  if (offsets.back() != static_cast<std::int64_t>(graph.size()))
  {
    std::printf("the last offset is not the number of edges\n");
    return 1;
  }
  return example::compare("row offsets", offsets, expected);
}
