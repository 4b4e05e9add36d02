/* The warps of one group of the bulk pipeline, tile after tile, as a Spin model: what they hand to each other through
 * shared memory.
 *
 *   model           source
 *   warp            bulk/group_scan.h: fold, called by bulk/block.h: scan_one
 *   total           bulk/group_scan.h: storage::warp_total, SETS of them, tile by tile
 *   synchronize     bulk/group_scan.h: synchronize, the group's named barrier
 *
 * Left out: the hand-over of the carry, which is in pipeline.pml, and the barriers after the fold that only some tiles
 * have. Without those a fast warp gets furthest ahead.
 *
 * A value is the number of the tile that it belongs to, plus one. Checked: every warp reads this tile's totals, and
 * nobody waits for ever. With one set, a fast writer overtakes a slow reader: planted by testing/model/CMakeLists.txt.
 */

#ifndef TILES
#define TILES 5
#endif
#ifndef WARPS
#define WARPS 2
#endif
#ifndef SETS
#define SETS 2
#endif

byte total[SETS * WARPS];
byte arrived;
byte phase;

/* A barrier; the last to arrive lets the others go. */
inline synchronize()
{
  atomic {
    my_phase = phase;
    arrived  = arrived + 1;
    if
    :: arrived == WARPS ->
       arrived = 0;
       phase   = 1 - phase
    :: else
    fi
  }
  (phase != my_phase)
}

proctype warp(byte w)
{
  byte k = 0;
  byte other, my_phase;
  do
  :: k < TILES ->
     total[(k % SETS) * WARPS + w] = k + 1;
     synchronize();
     for (other : 0 .. WARPS - 1) {
       assert(total[(k % SETS) * WARPS + other] == k + 1)
     }
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
