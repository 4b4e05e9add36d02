// error: lightscan: a row of LIGHTSCAN_BULK_ROWS does not fit its GPU: no such architecture (75, 80, 86, 90 or 120), too many threads, too much shared memory, or numbers that make no sense
#define LIGHTSCAN_BULK_ROWS {80, memory, 1, in_place, 4, 0, 6, 128, 208, 3, 7, 2, 1, 227},
#include <lightscan/scan.h>
