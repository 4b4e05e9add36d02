/* The warps of one group, tile after tile, as a Spin model: what they hand to each other through shared memory.
 *
 *   model           source
 *   warp            tile/group_scan.h: fold, then kernel/bulk_scan.h: scan_one; with PLAIN kernel/plain_scan.h: scan
 *   total           tile/group_scan.h: storage::warp_total, SETS of them in turn
 *   communicator    with PLAIN, kernel/plain_scan.h: communicate; the bulk pipeline's is in pipeline.pml
 *   carry_of        with PLAIN, kernel/plain_scan.h: shared_state::carry, CARRIES of them in turn
 *   synchronize     the group's named barrier;  meet  that of the group and the communicator
 *
 * A value is the number of the tile that it belongs to, plus one. Checked: every warp reads this tile's totals and this
 * tile's carry, and nobody waits for ever. With one set, or one carry, a fast writer overtakes a slow reader: planted by
 * testing/model/CMakeLists.txt.
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
#ifndef CARRIES
#define CARRIES 2
#endif

byte total[SETS * WARPS];
byte carry_of[CARRIES];
byte arrived[2];
byte phase[2];

/* A named barrier; the last to arrive lets the others go. */
inline barrier(which, count)
{
  atomic {
    my_phase       = phase[which];
    arrived[which] = arrived[which] + 1;
    if
    :: arrived[which] == count ->
       arrived[which] = 0;
       phase[which]   = 1 - phase[which]
    :: else
    fi
  }
  (phase[which] != my_phase)
}
#define synchronize() barrier(0, WARPS)
#define meet() barrier(1, WARPS + 1)

proctype warp(byte w)
{
  byte k = 0;
  byte other, my_phase;
  do
  :: k < TILES ->
#if defined(PLAIN)
     synchronize(); /* the tile is loaded */
#endif
     total[(k % SETS) * WARPS + w] = k + 1;
     synchronize();
     for (other : 0 .. WARPS - 1) {
       assert(total[(k % SETS) * WARPS + other] == k + 1)
     }
#if defined(PLAIN)
     meet();
     assert(carry_of[k % CARRIES] == k + 1);
     synchronize(); /* the tile is scanned */
     synchronize(); /* and stored */
#endif
     k++
  :: else -> break
  od
}

#if defined(PLAIN)
active proctype communicator()
{
  byte k = 0;
  byte my_phase;
  do
  :: k < TILES ->
     carry_of[k % CARRIES] = k + 1;
     meet();
     k++
  :: else -> break
  od
}
#endif

init
{
  byte w;
  atomic {
    for (w : 0 .. WARPS - 1) {
      run warp(w)
    }
  }
}
