// The words of a text as a shell splits it, where "two words" in quotes are one: a state machine, in parallel. What a
// character does to the state is a small table; following one table by another is associative, though not commutative.
// So one scan over characters gives the state after each of them, and a second one numbers the words.
#include "example.h"

#include <lightscan/lightscan.h>

#include <thrust/device_vector.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

enum state : unsigned char
{
  between,
  in_word,
  in_quotes
};

// Two bits for each state that it may come from: the state that it leads to.
struct transition
{
  unsigned char table;

  __host__ __device__ state from(state s) const
  {
    return static_cast<state>(table >> (2 * s) & 3);
  }
};

__host__ __device__ transition make_transition(state after_between, state after_word, state after_quotes)
{
  return {static_cast<unsigned char>(after_between | after_word << 2 | after_quotes << 4)};
}

struct transition_of
{
  __host__ __device__ transition operator()(char c) const
  {
    return c == '"'              ? make_transition(in_quotes, in_quotes, in_word)
         : c == ' ' || c == '\n' ? make_transition(between, between, in_quotes)
                                 : make_transition(in_word, in_word, in_quotes);
  }
};

struct then
{
  __host__ __device__ transition operator()(transition first, transition second) const
  {
    return make_transition(
      second.from(first.from(between)), second.from(first.from(in_word)), second.from(first.from(in_quotes)));
  }
};

// 1 where a word begins: here it is within one, and just before it was not.
__global__ void mark_words(const transition* up_to, int n, int* begins)
{
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
  {
    const bool before = i > 0 && up_to[i - 1].from(between) != between;
    begins[i]         = up_to[i].from(between) != between && !before ? 1 : 0;
  }
}

// Where the number of words goes up, a word begins.
__global__ void list_words(const int* numbers, int n, int* words)
{
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && numbers[i] > (i > 0 ? numbers[i - 1] : 0))
  {
    words[numbers[i] - 1] = i;
  }
}

std::string random_text(int length)
{
  const char* const pieces[] = {"scan", " ", "  ", "\"", "prefix sums", "\n", "a", "tile "};
  std::mt19937 generator(5);
  std::uniform_int_distribution<int> any(0, 7);
  std::string text = "cp \"my first file\" back\"up\"/ --";
  while (static_cast<int>(text.size()) < length)
  {
    text += pieces[any(generator)];
  }
  return text;
}

int main()
{
  int exit_code = 0;
  if (example::gpu_is_missing(exit_code))
  {
    return exit_code;
  }

  const std::string text = random_text(10000000);
  const int n            = static_cast<int>(text.size());
  const thrust::device_vector<char> characters(text.begin(), text.end());

  const auto transitions = thrust::make_transform_iterator(characters.begin(), transition_of{});
  thrust::device_vector<transition> up_to(text.size());
  thrust::inclusive_scan(lightscan::par, transitions, transitions + n, up_to.begin(), then{});

  const int threads = 256;
  const int blocks  = (n + threads - 1) / threads;
  thrust::device_vector<int> numbers(text.size());
  mark_words<<<blocks, threads>>>(thrust::raw_pointer_cast(up_to.data()), n, thrust::raw_pointer_cast(numbers.data()));
  example::check(cudaGetLastError());
  thrust::inclusive_scan(lightscan::par, numbers.begin(), numbers.end(), numbers.begin());

  thrust::device_vector<int> begins(static_cast<std::size_t>(numbers.back()));
  list_words<<<blocks, threads>>>(thrust::raw_pointer_cast(numbers.data()), n, thrust::raw_pointer_cast(begins.data()));
  example::check(cudaDeviceSynchronize());

  std::vector<int> words(begins.size());
  thrust::copy(begins.begin(), begins.end(), words.begin());
  std::printf("%zu words in %d characters; the first three begin at %d, %d and %d\n",
              words.size(),
              n,
              words[0],
              words[1],
              words[2]);

  std::vector<int> expected;
  state s = between;
  for (int i = 0; i < n; ++i)
  {
    const char c       = text[static_cast<std::size_t>(i)];
    const state before = s;
    if (c == '"')
    {
      s = s == in_quotes ? in_word : in_quotes;
    }
    else if (s != in_quotes)
    {
      s = c == ' ' || c == '\n' ? between : in_word;
    }
    if (before == between && s != between)
    {
      expected.push_back(i);
    }
  }
  return example::compare("beginnings of words", words, expected);
}
