# Runs doxygen on ROOT's public headers as ROOT/Doxyfile says, with its output in WORK; fails on any warning.
#
# With PLANTED, a header: runs it on that one instead, and fails unless there is a warning for each name in it that
# contains "gap_", and none for a name that contains "internal_".
cmake_minimum_required(VERSION 3.25)

if(NOT DOXYGEN)
  message("doxygen was not found")
  return()
endif()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
if(PLANTED)
  file(COPY "${PLANTED}" DESTINATION "${WORK}/lightscan")
  set(root "${WORK}")
else()
  set(root "${ROOT}")
endif()

# Without `@file`, doxygen keeps quiet about a header's macros.
file(GLOB headers "${root}/lightscan/*.h")
if(NOT headers)
  message(FATAL_ERROR "there are no headers in ${root}/lightscan")
endif()
foreach(header IN LISTS headers)
  file(STRINGS "${header}" first_line LIMIT_COUNT 1)
  if(NOT first_line STREQUAL "/// @file")
    message(FATAL_ERROR "${header} does not begin with \"/// @file\"")
  endif()
endforeach()

file(WRITE "${WORK}/Doxyfile" "@INCLUDE = \"${ROOT}/Doxyfile\"\nOUTPUT_DIRECTORY = \"${WORK}\"\n")
execute_process(
  COMMAND "${DOXYGEN}" "${WORK}/Doxyfile"
  WORKING_DIRECTORY "${root}"
  RESULT_VARIABLE result
  OUTPUT_VARIABLE log
  ERROR_VARIABLE log)

if(NOT PLANTED)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "doxygen ended with ${result}:\n${log}")
  endif()
  if(NOT EXISTS "${WORK}/doc/index.html")
    message(FATAL_ERROR "doxygen wrote nothing to ${WORK}/doc:\n${log}")
  endif()
  return()
endif()

if(result EQUAL 0)
  message(FATAL_ERROR "doxygen passed ${PLANTED}:\n${log}")
endif()
file(READ "${PLANTED}" text)
string(REGEX MATCHALL "gap_[a-z_]+" gaps "${text}")
foreach(gap IN LISTS gaps)
  if(NOT log MATCHES "${gap}[^a-z_]")
    message(FATAL_ERROR "doxygen passed ${gap}; it said:\n${log}")
  endif()
endforeach()
list(LENGTH gaps count)
if(count EQUAL 0 OR log MATCHES "internal_")
  message(FATAL_ERROR "${count} gaps are planted; nothing internal should be named here:\n${log}")
endif()
