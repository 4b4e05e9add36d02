/* A resident block of the plain kernel, tile after tile, as a Spin model: what its warps and the lookahead warp hand to
 * each other through shared memory.
 *
 *   model           source
 *   warp            plain/kernel.h: scan_one; one process for all lanes of a warp that has items
 *   lookahead_warp  plain/kernel.h: look_ahead; the polling of other blocks' slots is in slots.pml
 *   folded, before  plain/kernel.h: shared_state
 *   meet            plain/kernel.h: meet, a barrier of all the block's warps
 *
 * Left out: that the range's last tile may be short. Its warps without items meet like the others, but nobody uses what
 * they write or read.
 *
 * A value is the number of the tile that it belongs to, plus one. Checked: the lookahead warp reads this tile's folds,
 * every warp reads what lies before it in this tile, and nobody waits for ever. One set of each will do because either
 * meeting serves twice:
 *
 *   the first       this tile's folds are written; what lay before the warps in the tile before has been read
 *   the second      what lies before the warps is written; this tile's folds have been read
 *
 * The faults planted by testing/model/CMakeLists.txt leave a meeting out (the first half of its line no longer holds),
 * or let one side write ahead of it (the second half).
 */

#ifndef TILES
#define TILES 5
#endif
#ifndef WARPS
#define WARPS 2 /* that have items */
#endif

byte folded[WARPS];
byte before[WARPS];
byte arrived;
byte phase;

/* A barrier; the last to arrive lets the others go. */
inline meet()
{
  atomic {
    my_phase = phase;
    arrived  = arrived + 1;
    if
    :: arrived == WARPS + 1 ->
       arrived = 0;
       phase   = 1 - phase
    :: else
    fi
  }
  (phase != my_phase)
}

#if defined(FIRST_MEETING_LEFT_OUT)
#define meet_with_folds()
#else
#define meet_with_folds() meet()
#endif
#if defined(SECOND_MEETING_LEFT_OUT)
#define meet_with_what_lies_before()
#else
#define meet_with_what_lies_before() meet()
#endif

proctype warp(byte w)
{
  byte k = 0;
  byte my_phase;
  do
  :: k < TILES ->
     folded[w] = k + 1;
     meet_with_folds();
#if defined(FOLDED_AHEAD)
     folded[w] = k + 2; /* the next tile's, while the lookahead warp looks ahead */
#endif
     meet_with_what_lies_before();
     assert(before[w] == k + 1);
     k++
  :: else -> break
  od
}

active proctype lookahead_warp()
{
  byte k = 0;
  byte w, my_phase;
  do
  :: k < TILES ->
#if defined(CARRY_AHEAD)
     before[0] = k + 1; /* the carry alone, while the warps load and fold */
#endif
     meet_with_folds();
     for (w : 0 .. WARPS - 1) {
       assert(folded[w] == k + 1)
     }
     for (w : 0 .. WARPS - 1) {
       before[w] = k + 1
     }
     meet_with_what_lies_before();
     k++
  :: else -> break
  od
}

init
{
  byte w;
  atomic {
    for (w : 0 .. WARPS - 1) {
      run warp(w)
    }
  }
}
