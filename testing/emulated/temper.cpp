// How the course of a launch is drawn: some block by block and warp by warp, some with everything at once; copies and stores that happen
// at once, soon, or when nothing else can.
#include "launch_state.h"

#include <initializer_list>

namespace emulated
{
temper any_temper()
{
  const auto one_of = [](std::initializer_list<unsigned> choices) {
    return choices.begin()[any_below(static_cast<unsigned>(choices.size()))];
  };
  temper drawn;
  drawn.one_in_moves   = one_of({16, 256, 256, 4096});
  drawn.one_in_yields  = one_of({0, 0, 256, 16});
  drawn.one_in_strays  = one_of({1, 8, 8, 64});
  drawn.tries          = one_of({0, 0, 3, 40});
  drawn.one_in_changes = one_of({0, 1000, 30000});
  drawn.most_delay     = one_of({0, 100, 3000, 50000, 1u << 30});
  drawn.late_stores    = any_below(2) == 0;
  return drawn;
}
} // namespace emulated
