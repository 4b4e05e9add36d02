// Structs of 48 to 256 bytes with an operator of their own, which does not commute.
#include "tree_work.h"

#include <algorithm>
#include <cstdint>

namespace perf
{
namespace
{
// Sums of a series, and its latest entry.
template <int Bytes>
struct record
{
  static constexpr int sums = Bytes / 8 - 1;

  std::uint64_t sum[sums];
  std::uint64_t latest;
};

struct joined
{
  template <int Bytes>
  __host__ __device__ record<Bytes> operator()(const record<Bytes>& left, const record<Bytes>& right) const
  {
    record<Bytes> both;
    for (int s = 0; s < record<Bytes>::sums; ++s)
    {
      both.sum[s] = left.sum[s] + right.sum[s];
    }
    both.latest = right.latest;
    return both;
  }
};

template <int Bytes>
struct of_records : scan_of<of_records<Bytes>>, moves<Bytes, Bytes>
{
  using element = record<Bytes>;
  using combine = joined;
  static_assert(sizeof(element) == Bytes);

  static constexpr const char* op   = Bytes == 48  ? "inclusive_scan_struct48"
                                    : Bytes == 64  ? "inclusive_scan_struct64"
                                    : Bytes == 128 ? "inclusive_scan_struct128"
                                                   : "inclusive_scan_struct256";
  static constexpr const char* type = Bytes == 48  ? "struct48"
                                    : Bytes == 64  ? "struct64"
                                    : Bytes == 128 ? "struct128"
                                                   : "struct256";

  static auto first(const arrays& a)
  {
    return a.template in<element>();
  }
  static auto result(const arrays& a)
  {
    return a.template out<element>();
  }
  static __device__ std::uint64_t entry(std::int64_t i, int s)
  {
    return random_bits(i * (element::sums + 1) + s);
  }
  static __device__ void write(const arrays& a, std::int64_t i)
  {
    element& written = a.template in<element>()[i];
    for (int s = 0; s < element::sums; ++s)
    {
      written.sum[s] = entry(i, s);
    }
    written.latest = entry(i, element::sums);
  }
  static __device__ bool right(const arrays& a, std::int64_t i)
  {
    const element* const result = a.template out<element>();
    bool same                   = result[i].latest == entry(i, element::sums);
    for (int s = 0; s < element::sums; ++s)
    {
      same = same && result[i].sum[s] == (i == 0 ? 0 : result[i - 1].sum[s]) + entry(i, s);
    }
    return same;
  }
};

template <int Bytes>
void add_records(std::vector<scan_case>& cases)
{
  constexpr std::int64_t largest = (std::int64_t{2} << 30) / Bytes;
  for (const std::int64_t count : {std::int64_t{1} << 16, std::int64_t{1} << 20, std::int64_t{1} << 24})
  {
    if (count < largest)
    {
      cases.push_back(make_tree_case<of_records<Bytes>>(count));
    }
  }
  cases.push_back(make_tree_case<of_records<Bytes>>(largest));
}
} // namespace

std::vector<scan_case> wide_struct_scans()
{
  std::vector<scan_case> cases;
  add_records<48>(cases);
  add_records<64>(cases);
  add_records<128>(cases);
  add_records<256>(cases);
  return cases;
}
} // namespace perf
