/* The exchange of totals between ranks through mailboxes in each other's memory, over successive calls, as a Spin model.
 *
 * What each part stands for:
 *
 *   model        source
 *   rank         ranks/kernels.h: exchange_in_mailboxes, one warp a GPU; calls of a group run one after the other there
 *   AFTER        ranks/exchange.h: number_after
 *   PLACE        ranks/exchange.h: place_in_mailbox
 *   send         ranks/exchange.h: send; its lanes store in any order, and so does what lies between the GPUs:
 *   on_its_way   a store that has been made and not arrived; those to one word arrive in their order (coherence)
 *   receive      ranks/exchange.h: arriving::read
 *
 * A payload is the number of its call, counted without end, so that a reader can tell whether it took the right one. A word itself,
 * number and payload, is stored and loaded whole.
 *
 * A poll that fails changes nothing, so waiting is modelled as being blocked until the word has its number: ranks that would wait for
 * ever are an invalid end state. What the model leaves out: patience, and the fold (testing/ranks runs the real one).
 *
 * The faults (ONE_SET and so on) are what testing/model/CMakeLists.txt plants, to see each of them found.
 */

#ifndef RANKS
#define RANKS 2
#endif
#ifndef CALLS
#define CALLS 4
#endif
#ifndef WORDS
#define WORDS 1 /* of a message */
#endif
#ifndef LAST_NUMBER
#define LAST_NUMBER 101 /* for 2^32 - 1: odd, too, and no less than 5, or a number comes back to a place where its last one lies */
#endif

/* Past the last comes one of the other parity: 0 is that of a mailbox that was never written. */
#ifdef WRAPS_TO_ONE
#define AFTER(number) (number == LAST_NUMBER -> 1 : number + 1)
#else
#define AFTER(number) (number == LAST_NUMBER -> 2 : number + 1)
#endif

#ifdef ONE_SET
#define SET(number) 0
#else
#define SET(number) (number % 2)
#endif

#define PLACE(to, number, from, w) (((to * 2 + SET(number)) * RANKS + from) * WORDS + w)
#define PLACES (RANKS * 2 * RANKS * WORDS)

byte number_in[PLACES];
byte payload_in[PLACES];
chan on_its_way[PLACES] = [2] of { byte, byte }

active [PLACES] proctype memory()
{
  byte number, payload;
end:
  do
  :: d_step {
       on_its_way[_pid]?number, payload;
       number_in[_pid] = number;
       payload_in[_pid] = payload;
       number = 0;
       payload = 0
     }
  od
}

proctype rank(byte me)
{
  byte call, number, other, w;
  do
  :: call < CALLS ->
     d_step {
       call++;
       number = AFTER(number);
       other = 0
     }
     do
     :: other < RANKS ->
        w = 0;
        do
        :: w < WORDS ->
           atomic {
             on_its_way[PLACE(other, number, me, w)]!number, call;
             w++
           }
        :: else -> break
        od;
        other++
     :: else -> break
     od;
     other = 0;
     do
#ifdef LOWER_ONLY
     :: other < me ->
#else
     :: other < RANKS ->
#endif
        w = 0;
        do
        :: w < WORDS ->
           atomic {
#ifdef FIRST_WORD_CHECKED
             w > 0 || number_in[PLACE(me, number, other, w)] == number;
#elif defined(ANY_NUMBER)
             number_in[PLACE(me, number, other, w)] > 0;
#else
             number_in[PLACE(me, number, other, w)] == number;
#endif
             assert(payload_in[PLACE(me, number, other, w)] == call);
             w++
           }
        :: else -> break
        od;
        other++
     :: else -> break
     od
  :: else -> break
  od
}

init
{
  atomic {
    byte r = 0;
#ifdef NOT_CLEARED
    number_in[0] = 1;
    number_in[PLACE(0, 1, 0, 0)] = 1;
#endif
    do
    :: r < RANKS ->
       run rank(r);
       r++
    :: else -> break
    od
  }
}
