#include "scan_case.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace perf
{
std::vector<scan_case> all_cases()
{
  std::vector<std::vector<scan_case> (*)()> kinds{sums_of<std::int8_t>,
                                                  sums_of<std::int16_t>,
                                                  sums_of<std::int32_t>,
                                                  sums_of<float>,
                                                  sums_of<std::int64_t>,
                                                  sums_of<double>,
                                                  sums_by_key,
                                                  transformed_sums,
                                                  reversed_sums,
                                                  float_operators,
                                                  struct_operators};
#if !defined(LIGHTSCAN_PERF_FEW_GROUPS)
  kinds.insert(kinds.end(),
               {converting_sums,
                sums_by_computed_key,
                sums_of_zips,
                sums_to_iterators,
                sums_of_computed,
                sums_of_long_functions,
                wide_struct_scans,
                selections,
                partitions,
                uniques,
                reductions_by_key,
                run_lengths,
                selections_of_iterators,
                selections_of_zips,
                lookups,
                segments,
                batches,
                paper_cases});
#endif
  std::vector<scan_case> all;
  for (const auto of : kinds)
  {
    std::vector<scan_case> some = of();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  const auto position = [](const scan_case& c) {
    return std::find(std::begin(groups), std::end(groups), c.group);
  };
  std::stable_sort(all.begin(), all.end(), [&](const scan_case& left, const scan_case& right) {
    return position(left) < position(right);
  });
  return all;
}
} // namespace perf
