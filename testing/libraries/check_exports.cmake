# That a shared library shows nothing to others that is LightScan's own: what stands in its hidden namespaces (build_...
# and host_pool, see lightscan/version.h) has local symbols only, and there are some.
#   cmake -DNM=<nm> -DLIBRARY=<file> -P check_exports.cmake
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND "${NM}" "${LIBRARY}" OUTPUT_VARIABLE symbols RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${NM} ${LIBRARY} failed")
endif()
string(REGEX MATCHALL "[^\n]*9lightscan[0-9]+v_[A-Za-z0-9_]*[0-9](build_|host_pool)[^\n]*" ours "${symbols}")
# nm's letter: lower case for local ones, but u is unique in the process, v and w are weak.
set(shown "${ours}")
list(FILTER shown INCLUDE REGEX "^[0-9a-f ]* [A-Zuvw] ")
list(LENGTH ours our_count)
list(LENGTH shown shown_count)
message(STATUS "${our_count} symbols of LightScan's own, ${shown_count} shown to others")
if(our_count EQUAL 0)
  message(FATAL_ERROR "LightScan is not in ${LIBRARY}, or is not found")
elseif(shown_count GREATER 0)
  list(JOIN shown "\n" shown)
  message(FATAL_ERROR "others see:\n${shown}")
endif()
