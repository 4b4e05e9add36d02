/// @file
/// Not a header of ours: check_documentation.cmake expects doxygen to name each gap here, and nothing internal.
#pragma once

/// @namespace lightscan
/// As in version.h.

#define LIGHTSCAN_gap_macro 1
#define LIGHTSCAN_DETAIL_internal_macro 1

LIGHTSCAN_NAMESPACE_BEGIN

class gap_class
{
public:
  /// @return one
  int get() const;
};

/// A class with a gap.
class documented
{
public:
  void gap_member_function();
  int gap_data_member;

private:
  int internal_private_member;
};

using gap_alias                   = int;
inline constexpr int gap_variable = 1;
enum class gap_enumeration
{
  one
};
LIGHTSCAN_HOST_DEVICE void gap_function();

/// A comment like this is not enough, as a parameter is not in it.
LIGHTSCAN_HOST_DEVICE void gap_parameter(int value);

/// Nor is it enough where some parameters are.
/// @param first is documented
void takes_two(int first, int gap_second_parameter);

/// The result is not documented, either.
int gap_result();

namespace entry
{
void internal_function();
struct internal_struct
{
  int internal_member;
};
} // namespace entry

/// @cond internal
void internal_by_condition();
/// @endcond

// An ordinary comment documents nothing.
void gap_below_an_ordinary_comment();

LIGHTSCAN_NAMESPACE_END
