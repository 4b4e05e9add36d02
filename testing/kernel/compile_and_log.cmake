# cmake -DLOG=<file> -P compile_and_log.cmake -- <command>...
# Runs a compiler and keeps what it says in LOG; shows it only if the compiler fails.
set(command "")
set(found_separator FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(found_separator)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(found_separator TRUE)
  endif()
endforeach()

execute_process(COMMAND ${command} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${output}\nfailed: ${command}")
endif()
file(WRITE "${LOG}" "${output}")
