#include "scan_case.h"

#include <algorithm>
#include <iterator>

namespace perf
{
std::vector<scan_case> all_cases()
{
  std::vector<scan_case> all;
  for (const auto of : {int8_sums,
                        int16_sums,
                        int32_sums,
                        float_sums,
                        int64_sums,
                        double_sums,
                        sums_by_key,
                        transformed_sums,
                        reversed_sums,
                        float_operators,
                        struct_operators,
                        converting_sums,
                        paper_cases})
  {
    std::vector<scan_case> some = of();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  const auto place = [](const scan_case& c) {
    return std::find(std::begin(groups), std::end(groups), c.group);
  };
  std::stable_sort(all.begin(), all.end(), [&](const scan_case& left, const scan_case& right) {
    return place(left) < place(right);
  });
  return all;
}
} // namespace perf
