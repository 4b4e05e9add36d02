/* The bulk pipeline inside one resident block, as a Spin model: roles, stages, barriers, the hand-over of carries.
 *
 *   model           source
 *   barrier, wait   bulk/ring.h: mbarrier objects; a wait for a parity lets pass whoever asks for the phase before
 *   STAGE, PARITY   bulk/ring.h: pipeline_state
 *   loader          bulk/block.h: load, with its pacing by loads_ahead and loads_at_once
 *   copy            a bulk copy that the loader has queued: it arrives later, the copies into different stages in any
 *                   order
 *   lookahead_warp  bulk/block.h: look_ahead
 *   group           bulk/block.h: scan and scan_one; one process for all threads of a group. With EMITS: emit and emit_one,
 *                   where a group stores a tile's results once it has put its next tile's into that one's stage
 *   storer          bulk/block.h: store
 *
 * The other blocks' aggregates are taken to be there already; slots.pml is about those. A carry needs the aggregate of
 * the block's own tile before.
 *
 * Checked: each role finds in a stage the tile that it came for, in the state that it expects, with that tile's carry;
 * and nobody waits for ever (no invalid end state). The faults are planted by testing/model/CMakeLists.txt.
 */

#ifndef TILES
#define TILES 8 /* of this block */
#endif
#ifndef STAGES
#define STAGES 4
#endif
#ifndef GROUPS
#define GROUPS 2
#endif
#ifndef AHEAD
#define AHEAD 3 /* Policy::loads_ahead */
#endif
#ifndef AT_ONCE
#define AT_ONCE 2 /* Policy::loads_at_once */
#endif

#define STAGE(k) ((k) % STAGES)
#define PARITY(k) (((k) / STAGES) % 2)

/* A stage's barriers. */
#define FULL(k) (STAGE(k) * 4)
#define CARRIED(k) (STAGE(k) * 4 + 1)
#define SCANNED(k) (STAGE(k) * 4 + 2)
#define EMPTY(k) (STAGE(k) * 4 + 3)

/* Two arrivals complete a phase of `full`, the loader's and the copy's; one that of another. */
byte phase[4 * STAGES];    /* the parity of the phase under way */
bool half_full[STAGES];

#define wait(barrier, parity) (phase[barrier] != (parity))

inline arrive(barrier)
{
  phase[barrier] = 1 - phase[barrier]
}

inline arrive_full(k)
{
  d_step {
    if
    :: half_full[STAGE(k)] ->
       half_full[STAGE(k)] = false;
       phase[FULL(k)]      = 1 - phase[FULL(k)]
    :: else -> half_full[STAGE(k)] = true
    fi
  }
}

/* What lies in a stage: nothing yet, or tile k as loaded (2k + 1) or scanned (2k + 2). */
#define LOADED(k) (2 * (k) + 1)
#define DONE(k) (2 * (k) + 2)
#define PUT(k) (100 + (k)) /* results that have been put side by side, and not yet stored */
byte content[STAGES];
byte carry_of[STAGES] = 255; /* the tile whose carry lies in the stage's record */
bool published[TILES];

byte copying[STAGES]; /* tile + 1 of the bulk copy under way into a stage, or 0 */
bool all_stored = false;

active proctype loader()
{
  byte k = 0;
  do
  :: k < TILES ->
     if
     :: k >= AT_ONCE -> wait(FULL(k - AT_ONCE), PARITY(k - AT_ONCE))
     :: else
     fi;
#if !defined(NOT_PACED)
     if
     :: k >= AHEAD -> wait(CARRIED(k - AHEAD), PARITY(k - AHEAD))
     :: else
     fi;
#endif
#if !defined(EMPTY_NOT_AWAITED)
     wait(EMPTY(k), 1 - PARITY(k));
#endif
     atomic {
       assert(copying[STAGE(k)] == 0);
       copying[STAGE(k)] = k + 1
     }
     arrive_full(k);
     k++
  :: else -> break
  od
}

proctype copy(byte stage)
{
  byte k;
  do
  :: atomic {
       copying[stage] > 0 ->
       k              = copying[stage] - 1;
       content[stage] = LOADED(k);
       copying[stage] = 0
     }
     arrive_full(k)
  :: all_stored -> break
  od
}

active proctype lookahead_warp()
{
  byte k = 0;
  do
  :: k < TILES ->
     if
     :: k > 0 -> published[k - 1] /* carry_before(k) */
     :: else
     fi;
#if !defined(FULL_NOT_AWAITED)
     wait(FULL(k), PARITY(k));
#endif
     carry_of[STAGE(k)] = k;
     arrive(CARRIED(k));
     k++
  :: else -> break
  od
}

#if defined(EMITS)
inline finish(k)
{
#if !defined(CARRY_NOT_AWAITED)
  wait(CARRIED(k), PARITY(k));
#endif
  assert(carry_of[STAGE(k)] == k);
  assert(content[STAGE(k)] == PUT(k));
  content[STAGE(k)] = DONE(k);
  arrive(SCANNED(k))
}

proctype group(byte g)
{
  byte k = g;
  do
  :: k < TILES ->
     wait(FULL(k), PARITY(k));
     assert(content[STAGE(k)] == LOADED(k));
     published[k]      = true;
     content[STAGE(k)] = PUT(k);
     if
     :: k >= GROUPS -> finish(k - GROUPS)
     :: else
     fi;
     k = k + GROUPS
  :: else ->
#if !defined(LAST_NOT_FINISHED)
     if
     :: g < TILES -> finish(k - GROUPS)
     :: else
     fi;
#endif
     break
  od
}
#else
proctype group(byte g)
{
  byte k = g;
  do
  :: k < TILES ->
     wait(FULL(k), PARITY(k));
     assert(content[STAGE(k)] == LOADED(k));
     published[k] = true;
     wait(CARRIED(k), PARITY(k));
     assert(carry_of[STAGE(k)] == k);
     assert(content[STAGE(k)] == LOADED(k));
     content[STAGE(k)] = DONE(k);
     arrive(SCANNED(k));
     k = k + GROUPS
  :: else -> break
  od
}
#endif

active proctype storer()
{
  byte k = 0;
  do
  :: k < TILES ->
#if !defined(SCANNED_NOT_AWAITED)
     wait(SCANNED(k), PARITY(k));
#endif
     assert(content[STAGE(k)] == DONE(k)); /* the copy begins to read the stage */
#if defined(READ_NOT_AWAITED)
     arrive(EMPTY(k));
     assert(content[STAGE(k)] == DONE(k));
#else
     assert(content[STAGE(k)] == DONE(k)); /* and has read it */
     arrive(EMPTY(k));
#endif
     k++
  :: else -> break
  od;
  all_stored = true
}

init
{
  byte g, stage;
  atomic {
    for (stage : 0 .. STAGES - 1) {
      run copy(stage)
    }
    for (g : 0 .. GROUPS - 1) {
      run group(g)
    }
  }
}
