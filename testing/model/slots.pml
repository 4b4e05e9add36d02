/* The protocol between blocks, over successive launches on one or two streams, as a Spin model.
 *
 * What each part stands for:
 *
 *   model               source
 *   taken_tags          runtime/workspace.h: take_tags (a stream's workspace), allocate_for_one_launch (EACH_CLEARED)
 *   stream              the host and the stream: launches run one after the other
 *   places              blocks that can be resident; a cooperative launch takes all of its places at once, the blocks of
 *                       an ordinary one (ORDINARY) each take one, in the order of their index
 *   lookahead_warp      bulk/block.h and plain/kernel.h: look_ahead
 *   poll                carry/lookahead.h: read_on and append_run
 *   group               bulk/block.h: scan, one process a group (emit: as twice the groups); none with PLAIN (GROUPS 1), where
 *                       plain/kernel.h: look_ahead publishes too, and plain_block.pml is about the warps
 *   publish             carry/slot.h: slot_ring::publish; called by publish_aggregate
 *   SLOT, TAG           carry/slot.h: slot_ring::first_word, slot_ring::tag
 *
 * A payload is the number of the launch and tile that it belongs to, so that a reader can tell whether it took its own.
 *
 * Relaxed accesses: a slot's words are stored in any order, and the words of all slots that one poll covers are loaded
 * in any order. A word itself, tag and payload, is stored and loaded whole. What the model leaves out: a load that
 * returns an older value than the latest (it has an older tag, so the reader polls again), that a poll which fails loads all of a
 * lane's slots again, and the fold itself (testing/carry runs the real one).
 *
 * A poll that fails changes nothing, so waiting is modelled as being blocked until the word has its tag: a scan that
 * would wait for ever is then an invalid end state, which Spin reports.
 *
 * Copies of the ring: who publishes writes all, a reader polls one, so one stands for them.
 *
 * The faults (NO_TAG_CHECK and so on) are what testing/model/CMakeLists.txt plants, to see each of them found.
 */

#ifndef BLOCKS
#define BLOCKS 2 /* of the grid */
#endif
#ifndef GROUPS
#define GROUPS 1
#endif
#ifndef TILES
#define TILES 6
#endif
#ifndef LAUNCHES
#define LAUNCHES 2 /* on each stream */
#endif
#ifndef STREAMS
#define STREAMS 1
#endif
#ifndef WORDS
#define WORDS 1 /* of a slot, 1 or 2 */
#endif
#ifndef PLACES
#define PLACES (STREAMS * BLOCKS)
#endif
#ifndef LAST_TAG
#define LAST_TAG 100 /* for 2^31 - 1 */
#endif

#ifndef RUN
#define RUN 1 /* slots of a lane */
#endif

#define WINDOW (2 * RUN) /* tiles: two lanes, for 32 of five slots */
#if WINDOW * WORDS > 4
#error "poll loads four words"
#endif

/* dispatch/plan.h: log2_ring_windows_for, without rounding up to a power of two: the least it promises to need. */
#ifndef RING
#define RING (((2 * GROUPS + 2) * BLOCKS + WINDOW - 1) / WINDOW)
#endif

#define WINDOWS ((TILES + WINDOW - 1) / WINDOW)
#define ROUNDS ((WINDOWS - 1) / RING + 1) /* plan.h: tags_for */

#if defined(SHARED_WORKSPACE)
#define MEMORY(s) 0
#define MEMORIES 1
#else
#define MEMORY(s) (s)
#define MEMORIES STREAMS
#endif

#define SLOT_WORDS (RING * WINDOW * WORDS)
#define SLOT(s, tile, w) \
  (MEMORY(s) * SLOT_WORDS + ((((tile) / WINDOW) % RING) * WINDOW + (tile) % WINDOW) * WORDS + (w))
#define TAG(s, tile) (first_tag[s] + ((tile) / WINDOW) / RING)
#define PAYLOAD(s, tile) (((s) * LAUNCHES + launch) * TILES + (tile) + 1)

#define BLOCK (s * BLOCKS + b)

/* Memory of the GPU. Its first contents are anything: here, what would look like a value. */
byte tag_of[MEMORIES * SLOT_WORDS]     = 1;
byte payload_of[MEMORIES * SLOT_WORDS] = 255;

/* The host's record of a workspace. */
byte next_tag[MEMORIES] = 0; /* 0: not cleared yet */

byte first_tag[STREAMS];         /* of the launch under way */
byte started[STREAMS];           /* launches */
byte ended[STREAMS];             /* blocks, of all launches */
byte places = PLACES;
#if defined(ORDINARY)
byte begun[STREAMS]; /* blocks, of the launch under way */
#endif
bool resident[STREAMS * BLOCKS];
byte carried[STREAMS * BLOCKS];   /* tiles of the block whose carry has been handed over, in this launch */
byte groups_done[STREAMS * BLOCKS];

inline clear(s)
{
  for (i : 0 .. SLOT_WORDS - 1) {
    tag_of[MEMORY(s) * SLOT_WORDS + i]     = 0;
    payload_of[MEMORY(s) * SLOT_WORDS + i] = 0;
  }
}

#if defined(NOT_CLEARED)
#define CLEAR(first)
#elif defined(CLEARED_ONCE)
#define CLEAR(first) \
  if \
  :: first -> clear(s) \
  :: else \
  fi;
#else
#define CLEAR(first) clear(s);
#endif

inline take_tags(s)
{
#if defined(EACH_CLEARED)
  /* A captured graph's own workspace: cleared in each replay, under the same tags. */
  CLEAR(launch == 0)
  first_tag[s] = 1;
#else
  if
  :: next_tag[MEMORY(s)] == 0 || ROUNDS > LAST_TAG - next_tag[MEMORY(s)] ->
     CLEAR(next_tag[MEMORY(s)] == 0)
     next_tag[MEMORY(s)] = 1
  :: else
  fi;
  first_tag[s] = next_tag[MEMORY(s)];
#if !defined(TAGS_USED_AGAIN)
  next_tag[MEMORY(s)] = next_tag[MEMORY(s)] + ROUNDS
#endif
#endif
}

proctype stream(byte s)
{
  byte launch = 0;
  byte i;
  do
  :: launch < LAUNCHES ->
     atomic {
#if defined(ORDINARY)
       begun[s] = 0;
#else
       places >= BLOCKS -> places = places - BLOCKS;
#endif
       take_tags(s);
       for (i : 0 .. BLOCKS - 1) {
         carried[s * BLOCKS + i]     = 0;
         groups_done[s * BLOCKS + i] = 0
       }
       started[s] = started[s] + 1
     }
     (ended[s] == BLOCKS * (launch + 1));
     launch++
  :: else -> break
  od
}

/* Whether a block may begin. */
#if defined(IN_ANY_ORDER)
#define IN_ORDER true
#else
#define IN_ORDER (begun[s] == b)
#endif

/* Whether a word that is waited for may be taken. */
#if defined(NO_TAG_CHECK)
#define TAKEN(tile, w) true
#elif defined(FIRST_WORD_CHECKED)
#define TAKEN(tile, w) ((w) > 0 || tag_of[SLOT(s, tile, w)] == TAG(s, tile))
#else
#define TAKEN(tile, w) (tag_of[SLOT(s, tile, w)] == TAG(s, tile))
#endif

/* The i-th word of those that the poll covers: [from, end) tiles of WORDS words. */
#define LOAD(i) \
  :: atomic { \
       (unread & (1 << i)) && TAKEN((from) + i / WORDS, i % WORDS) -> \
       assert(payload_of[SLOT(s, (from) + i / WORDS, i % WORDS)] == PAYLOAD(s, (from) + i / WORDS)); \
       unread = unread & ~(1 << i) \
     }

inline poll(from, end)
{
  unread = (1 << (((end) - (from)) * WORDS)) - 1;
  do
  LOAD(0)
  LOAD(1)
#if WINDOW * WORDS > 2
  LOAD(2)
  LOAD(3)
#endif
  :: unread == 0 -> break
  od
}

inline store(w)
{
#if defined(TAG_BEFORE_PAYLOAD)
  tag_of[SLOT(s, tile, w)]     = TAG(s, tile);
  payload_of[SLOT(s, tile, w)] = PAYLOAD(s, tile)
#else
  d_step {
    tag_of[SLOT(s, tile, w)]     = TAG(s, tile);
    payload_of[SLOT(s, tile, w)] = PAYLOAD(s, tile)
  }
#endif
}

inline publish()
{
#if WORDS == 1
  store(0)
#else
  if
  :: store(0); store(1)
  :: store(1); store(0)
  fi
#endif
}

proctype lookahead_warp(byte s; byte b)
{
  byte launch = 0;
  byte tile, done, from, end;
  byte unread;
  do
  :: launch < LAUNCHES ->
     (started[s] > launch);
#if defined(ORDINARY)
     atomic {
       places > 0 && IN_ORDER ->
       places--;
       begun[s] = begun[s] + 1
     }
#endif
     resident[BLOCK] = true;
     tile            = b;
     done            = 0;
     do
     :: tile < TILES ->
#if defined(PLAIN)
        publish(); /* publish_aggregate */
#endif
        /* carry_before(tile) */
        do
        :: done < tile ->
           from = done - done % RUN; /* a lane reads its run from the beginning, each time */
           end  = (tile - from < WINDOW -> tile : from + WINDOW); /* and none reads slots of two windows at once */
           poll(from, end);
           done = end
        :: else -> break
        od;
        carried[BLOCK] = carried[BLOCK] + 1;
        tile = tile + BLOCKS
     :: else -> break
     od;
     atomic {
#if !defined(PLAIN)
       groups_done[BLOCK] == GROUPS ->
#endif
       resident[BLOCK] = false;
       places++;
       ended[s] = ended[s] + 1
     }
     launch++
  :: else -> break
  od
}

proctype group(byte s; byte b; byte g)
{
  byte launch = 0;
  byte tile, round;
  do
  :: launch < LAUNCHES ->
     (started[s] > launch && resident[BLOCK]);
     round = g;
     tile = b + g * BLOCKS;
     do
     :: tile < TILES ->
        publish(); /* publish_aggregate */
        (carried[BLOCK] > round);
        round = round + GROUPS;
        tile = tile + GROUPS * BLOCKS
     :: else -> break
     od;
     atomic {
       launch++;
       groups_done[BLOCK] = groups_done[BLOCK] + 1
     }
  :: else -> break
  od
}

init
{
  byte s, b, g;
  atomic {
    for (s : 0 .. STREAMS - 1) {
      run stream(s);
      for (b : 0 .. BLOCKS - 1) {
        run lookahead_warp(s, b);
#if !defined(PLAIN)
        for (g : 0 .. GROUPS - 1) {
          run group(s, b, g)
        }
#endif
      }
    }
  }
}
