// Where the items of a tile come from.
#pragma once

#include <lightscan/version.h>

LIGHTSCAN_NAMESPACE_BEGIN
namespace bulk
{
// Where items come from, as far as it decides how a block works on them: all is memory, or costs next to nothing; so it is, and values
// that a function makes of it are kept beside it (kept_input.h); some is calculated; some is read by ordinary loads.
enum class source
{
  memory,
  kept,
  calculated,
  with_lookups, // memory, or calculated, and a test of the items (tile/select_kind.h) may read memory of its own
  gathered,
  searched, // keys alone are read by ordinary loads, each a function of the item's index, such as a search
  marked    // nothing but offsets, to mark where segments begin, is read by ordinary loads
};

// Whether items are read by ordinary loads, one by one.
LIGHTSCAN_HOST_DEVICE constexpr bool reads_items(source from)
{
  return from == source::gathered || from == source::searched;
}
} // namespace bulk
LIGHTSCAN_NAMESPACE_END
