// The words of a text as a shell splits it, where "two words" in quotes are one: a state machine, in parallel. What a
// character does to the state is a small table; following one table by another is associative, though not commutative.
// So one scan over characters gives the state before each of them, and a second one numbers the words.
#include "example.h"

#include <lightscan/lightscan.h>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scatter.h>
#include <thrust/transform.h>

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

// 1 where a character begins a word: after it we are within one, and before it we were not.
struct begins_word
{
  __host__ __device__ int operator()(transition up_to_here, transition here) const
  {
    const state before = up_to_here.from(between);
    return before == between && here.from(before) != between ? 1 : 0;
  }
};

template <template <class...> class Vector, class Policy>
thrust::host_vector<int> beginnings_of_words(Policy policy, const std::string& text)
{
  const Vector<char> characters(text.begin(), text.end());
  const auto transitions     = thrust::make_transform_iterator(characters.begin(), transition_of{});
  const auto end             = transitions + characters.size();
  const transition no_change = make_transition(between, in_word, in_quotes);

  Vector<transition> up_to(characters.size());
  thrust::exclusive_scan(policy, transitions, end, up_to.begin(), no_change, then{});
  Vector<int> flags(characters.size());
  thrust::transform(policy, up_to.begin(), up_to.end(), transitions, flags.begin(), begins_word{});

  Vector<int> numbers(characters.size());
  thrust::exclusive_scan(policy, flags.begin(), flags.end(), numbers.begin());
  Vector<int> words(static_cast<std::size_t>(numbers.back() + flags.back()));
  const thrust::counting_iterator<int> places(0);
  thrust::scatter_if(policy, places, places + characters.size(), numbers.begin(), flags.begin(), words.begin());
  return words;
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
  const std::string text               = random_text(10000000);
  const int n                          = static_cast<int>(text.size());
  const thrust::host_vector<int> words = example::on_gpu()
                                         ? beginnings_of_words<thrust::device_vector>(lightscan::par, text)
                                         : beginnings_of_words<thrust::host_vector>(lightscan::host, text);
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
