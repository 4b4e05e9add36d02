# cmake -DSPIN=<spin> -DCC=<C compiler> -DMODEL=<file> -DWORK=<folder> -DEXPECT=holds|deadlock|assertion
#       "-DDEFINES=<NAME or NAME=value>;..." -P check_model.cmake
#
# Lets Spin search every state of a model. `holds`: nothing was found in a search that came to its end. `deadlock` and
# `assertion`: that, and nothing else, was found; a fault that is not found is a failure.
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
list(TRANSFORM DEFINES PREPEND -D)

function(run what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}"
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed (${result}): ${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run("Spin" "${SPIN}" ${DEFINES} -a "${MODEL}")
run("The C compiler" "${CC}" -O1 -w -DSAFETY -DMEMLIM=2000 -o search pan.c)
run("The search" "${WORK}/search" -m1000000 -n)

# The search says when it gave up, and then no count of errors is worth anything.
if(output MATCHES "Search not completed|max search depth too small|out of memory|memory exceeded")
  set(incomplete TRUE)
endif()
if(output MATCHES "invalid end state \\(at depth")
  set(found deadlock)
elseif(output MATCHES "assertion violated")
  set(found assertion)
elseif(output MATCHES "errors: 0" AND NOT incomplete)
  set(found holds)
else()
  set(found "nothing that is known")
endif()
if(NOT found STREQUAL EXPECT)
  message(FATAL_ERROR "expected: ${EXPECT}, found: ${found}\n${output}")
endif()
string(REGEX MATCH "[0-9]+ states, stored" states "${output}")
message(STATUS "${found} (${states})")
