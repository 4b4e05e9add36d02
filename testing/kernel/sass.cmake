# cmake -DSASS=<file> -DCOPIES=<at least so many> [-DCUBIN=<file> -DNVDISASM=<program>] -P sass.cmake
# Fails where code for older GPUs, compiled for sm_90 by the ptxas at hand, has an asynchronous copy with a uniform register in its address
# in shared memory: an illegal instruction there, which ptxas 13.0 makes (bulk/movers.h). SASS is written from CUBIN, if that is given.
cmake_minimum_required(VERSION 3.25)
if(CUBIN)
  execute_process(COMMAND "${NVDISASM}" -c "${CUBIN}" OUTPUT_FILE "${SASS}" COMMAND_ERROR_IS_FATAL ANY)
endif()
file(STRINGS "${SASS}" copies REGEX "LDGSTS\\.E")
file(STRINGS "${SASS}" wrong_ones REGEX "LDGSTS\\.E[^[]*\\[[^]]*UR")
list(LENGTH copies count)
list(LENGTH wrong_ones wrong)
if(count LESS COPIES)
  message(FATAL_ERROR "${count} asynchronous copies, expected ${COPIES} or more:\n  ${SASS}")
endif()
if(wrong GREATER 0)
  list(GET wrong_ones 0 first)
  message(FATAL_ERROR "${wrong} of ${count} asynchronous copies have a uniform register in their address:\n  ${first}")
endif()
message(STATUS "${count} asynchronous copies")
