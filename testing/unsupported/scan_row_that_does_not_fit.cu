// error: lightscan: a row of LIGHTSCAN_BULK_ROWS does not fit its GPU: threads, shared memory, or numbers that make no sense
#define LIGHTSCAN_BULK_ROWS {86, memory, 1, in_place, 4, 0, 6, 128, 208, 3, 7, 2, 1, 163},
#include <lightscan/scan.h>
