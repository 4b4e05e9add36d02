#include "element_count.h"

#include <limits>

namespace perf
{
namespace
{
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

// Digits only: std::stoll would take signs, spaces and trailing text.
std::optional<std::int64_t> parse_digits(const std::string& text)
{
  if (text.empty())
  {
    return {};
  }
  std::int64_t value = 0;
  for (const char c : text)
  {
    if (c < '0' || c > '9' || value > (largest - (c - '0')) / 10)
    {
      return {};
    }
    value = 10 * value + (c - '0');
  }
  return value;
}
} // namespace

std::optional<std::int64_t> parse_count(const std::string& text)
{
  const std::size_t caret = text.find('^');
  if (caret == std::string::npos)
  {
    return parse_digits(text);
  }
  const std::optional<std::int64_t> base     = parse_digits(text.substr(0, caret));
  const std::optional<std::int64_t> exponent = parse_digits(text.substr(caret + 1));
  if (!base || !exponent)
  {
    return {};
  }
  if (*base < 2)
  {
    return *base == 1 || *exponent == 0 ? 1 : 0;
  }
  std::int64_t value = 1;
  for (std::int64_t i = 0; i < *exponent; ++i)
  {
    if (value > largest / *base)
    {
      return {};
    }
    value *= *base;
  }
  return value;
}

std::string count_text(std::int64_t count)
{
  for (int exponent = 10; exponent < 63; ++exponent)
  {
    if (count == std::int64_t{1} << exponent)
    {
      return "2^" + std::to_string(exponent);
    }
  }
  return std::to_string(count);
}
} // namespace perf
