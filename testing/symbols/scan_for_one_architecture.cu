// Compiled twice, for two architectures, as two libraries of one program would be. LIBRARY is the function's name. No
// type of Thrust's is part of the kernels' names: its namespace tells architectures apart, which is ours to do.
#include <lightscan/scan.h>

#include <thrust/scan.h>

void LIBRARY(int* result, int n)
{
  thrust::inclusive_scan(lightscan::par, result, result + n, result);
}
