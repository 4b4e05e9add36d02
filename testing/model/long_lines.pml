/* The pipeline of long lines, in one of the resident blocks, as a Spin model: roles, stages, barriers, and who waits for which tile.
 *
 *   model                     source
 *   barrier, wait             bulk/ring.h, as in pipeline.pml; those that several roles arrive at count them
 *   loader, storer            batched/pipeline.h: load, with its pacing by loads_ahead; store. A copy is there at once: pipeline.pml is
 *                             about those that are under way
 *   group                     scan_tiles: one process for all threads of a group
 *   of_tiles, of_stretches    bring: what a tile needs of its own stretch, and of those above it. The two warps that share out
 *                             a stretch's tiles are one process
 *   publisher                 publish_stretches
 *   others                    the other blocks: their tiles in order, each as soon as its loader may begin with it, or later
 *   total_there, stretch_there  slots; slots.pml is about how words like theirs are read
 *
 * With IN_BANDS: one band of a wide layer, which these blocks have together. A tile is a stretch of its own, which the group publishes, and
 * of_stretches stands for all bringers.
 *
 * Checked: a stage has the tile, and its record the parts, that each role came for; a stretch is published from its own
 * tiles; and nobody waits for ever. The faults are planted by testing/model/CMakeLists.txt.
 */

#ifndef BLOCKS
#define BLOCKS 2
#endif
#ifndef TILES
#define TILES 10 /* of all blocks, a multiple of their number */
#endif
#ifndef STRETCH
#define STRETCH 3
#endif
#ifndef STAGES
#define STAGES 3
#endif
#ifndef GROUPS
#define GROUPS 2
#endif
#ifndef AHEAD
#define AHEAD 2
#endif

#ifndef BLOCK
#define BLOCK 0 /* the one that is modelled */
#endif

#define OWN (TILES / BLOCKS)
#define TILE(k) (BLOCK + (k) * BLOCKS)
#define STAGE(k) ((k) % STAGES)
#define PARITY(k) (((k) / STAGES) % 2)
#define ENDS_STRETCH(t) ((t) % STRETCH == STRETCH - 1)

#define FULL(k) (STAGE(k) * 5)
#define FOLDED(k) (STAGE(k) * 5 + 1)
#define CARRIED(k) (STAGE(k) * 5 + 2)
#define SCANNED(k) (STAGE(k) * 5 + 3)
#define EMPTY(k) (STAGE(k) * 5 + 4)

byte phase[5 * STAGES]; /* the parity of the phase under way */
bool one_came[5 * STAGES];

#define wait(barrier, parity) (phase[barrier] != (parity))

inline arrive(barrier)
{
  phase[barrier] = 1 - phase[barrier]
}

/* Two roles arrive for each phase. */
inline arrive_of_two(barrier)
{
  d_step {
    if
    :: one_came[barrier] ->
       one_came[barrier] = false;
       phase[barrier]    = 1 - phase[barrier]
    :: else -> one_came[barrier] = true
    fi
  }
}

#if defined(IN_BANDS)
#define arrive_carried(k) arrive(CARRIED(k))
#define whole_stretches(t) 0
#define first_of_stretch(t) 0 /* the tiles that are waited for one by one */
#else
#define arrive_carried(k) arrive_of_two(CARRIED(k))
#define whole_stretches(t) ((t) / STRETCH)
#define first_of_stretch(t) ((t) / STRETCH * STRETCH)
#endif

#if defined(STAGE_EMPTIED_BY_THE_STORER) || defined(IN_BANDS)
#define arrive_empty_by_publisher(k) skip
#define arrive_empty_by_storer(k) arrive(EMPTY(k))
#else
#define arrive_empty_by_publisher(k) arrive_of_two(EMPTY(k))
#define arrive_empty_by_storer(k) arrive_of_two(EMPTY(k))
#endif

/* What lies in a stage: nothing yet, or tile k as loaded (2k + 1) or scanned (2k + 2); and in its record. */
#define LOADED(k) (2 * (k) + 1)
#define DONE(k) (2 * (k) + 2)
byte content[STAGES];
byte of_tiles_for[STAGES]     = 255; /* the tile whose part of the carries this is */
byte of_stretches_for[STAGES] = 255;
byte total_of[STAGES]         = 255;

bool total_there[TILES];
bool stretch_there[TILES];

active proctype loader()
{
  byte k = 0;
  do
  :: k < OWN ->
     if
     :: k >= AHEAD -> wait(CARRIED(k - AHEAD), PARITY(k - AHEAD))
     :: else
     fi;
     atomic {
       wait(EMPTY(k), 1 - PARITY(k));
       content[STAGE(k)] = LOADED(k);
       arrive(FULL(k))
     }
     k++
  :: else -> break
  od
}

proctype group(byte g)
{
  byte k = g;
  do
  :: k < OWN ->
     atomic {
       wait(FULL(k), PARITY(k));
       assert(content[STAGE(k)] == LOADED(k))
     }
#if defined(IN_BANDS)
#if !defined(NEVER_PUBLISHED)
     total_there[TILE(k)] = true;
#endif
#else
     total_of[STAGE(k)] = k;
     if
     :: ENDS_STRETCH(TILE(k))
     :: else -> total_there[TILE(k)] = true
     fi;
     arrive_of_two(FOLDED(k));
#endif
     atomic {
       wait(CARRIED(k), PARITY(k));
#if !defined(IN_BANDS)
       assert(of_tiles_for[STAGE(k)] == k);
#endif
       assert(of_stretches_for[STAGE(k)] == k);
       assert(content[STAGE(k)] == LOADED(k));
       content[STAGE(k)] = DONE(k)
     }
     arrive(SCANNED(k));
     k = k + GROUPS
  :: else -> break
  od
}

#if !defined(IN_BANDS)
active proctype of_tiles()
{
  byte k = 0, t;
  do
  :: k < OWN ->
     t = TILE(k) / STRETCH * STRETCH;
     do
     :: t < TILE(k) -> total_there[t]; t++
     :: else -> break
     od;
     t = 0;
#if !defined(FULL_NOT_AWAITED)
     wait(FULL(k), PARITY(k));
#endif
     of_tiles_for[STAGE(k)] = k;
     arrive_of_two(FOLDED(k));
     arrive_carried(k);
     k++
  :: else -> break
  od
}
#endif

active proctype of_stretches()
{
  byte k = 0, t;
  do
  :: k < OWN ->
     t = 0;
     do
#if defined(IN_BANDS)
     :: t < TILE(k) -> total_there[t]; t++
#else
     :: t < TILE(k) / STRETCH -> stretch_there[t]; t++
#endif
     :: else -> break
     od;
     t = 0;
     wait(FULL(k), PARITY(k));
     of_stretches_for[STAGE(k)] = k;
     arrive_carried(k);
     k++
  :: else -> break
  od
}

#if !defined(IN_BANDS)
active proctype publisher()
{
  byte k = 0;
  do
  :: k < OWN ->
     wait(FOLDED(k), PARITY(k));
     if
     :: ENDS_STRETCH(TILE(k)) ->
        assert(total_of[STAGE(k)] == k && of_tiles_for[STAGE(k)] == k);
#if !defined(NEVER_PUBLISHED)
        stretch_there[TILE(k) / STRETCH] = true
#endif
     :: else
     fi;
     arrive_empty_by_publisher(k);
     k++
  :: else -> break
  od
}
#endif

active proctype storer()
{
  byte k = 0;
  do
  :: k < OWN ->
     atomic {
       wait(SCANNED(k), PARITY(k));
       assert(content[STAGE(k)] == DONE(k))
     }
     arrive_empty_by_storer(k);
     k++
  :: else -> break
  od
}

/* Every block's tile waits for the carry of that block's tile AHEAD earlier. */
active proctype others()
{
  byte t = 0, before;
  do
  :: t < TILES ->
     if
     :: t % BLOCKS == BLOCK
     :: else ->
        if
        :: t >= AHEAD * BLOCKS ->
           before = 0;
           do
           :: before < whole_stretches(t - AHEAD * BLOCKS) -> stretch_there[before]; before++
           :: else -> break
           od;
           before = first_of_stretch(t - AHEAD * BLOCKS);
           do
           :: before < t - AHEAD * BLOCKS -> total_there[before]; before++
           :: else -> break
           od
        :: else
        fi;
        if
#if !defined(IN_BANDS)
        :: ENDS_STRETCH(t) ->
           before = t / STRETCH * STRETCH;
           do
           :: before < t -> total_there[before]; before++
           :: else -> break
           od;
           stretch_there[t / STRETCH] = true
#endif
        :: else -> total_there[t] = true
        fi;
        before = 0
     fi;
     t++
  :: else -> break
  od
}

init
{
  byte g;
  atomic {
    for (g : 0 .. GROUPS - 1) {
      run group(g)
    }
  }
}
