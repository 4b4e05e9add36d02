# lightscan_add_test(NAME <name> LABEL cpu|gpu SOURCES <file>... [TIMEOUT <seconds>] [PROCESSORS <number>]
#                    [LIBRARIES <target>...] [OPTIONS <flag>...])
#
# A GoogleTest program and its ctest entries.
#
#   cpu   one ctest entry for each TEST, found when ctest runs. With CCCL's own assertions on.
#   gpu   one ctest entry for the whole program: all its tests share one CUDA context, which takes longer to make than
#         most of them take, and the memory that the library keeps between calls is used again as in a real program.
#         testing/gpu_main.cpp ends it as "skipped" where there is no GPU; testing/not_built.cmake stands for one that was not built.
#
# GPU tests are compiled for the host with -O1: their host code only checks results, and takes a good part of the time of compiling them.
#
# TIMEOUT is for one ctest entry; PROCESSORS says how many it keeps busy. OPTIONS are for compiling and linking.
include(GoogleTest)

# Where no GPU can run them, programs of the gpu lane would be half of the time of building the tests. They are compiled as far as nvcc's
# front end, which reads host code, too, as device code is to see it, and instantiates what it calls. The rest of the way is seen where
# examples, tests of the cpu lane and the kernels of testing/kernel are compiled whole.
option(LIGHTSCAN_BUILD_GPU_TESTS "Build the programs of tests that need a GPU; OFF: see only whether they compile" ${LIGHTSCAN_FOR_GPUS})
if(NOT LIGHTSCAN_BUILD_GPU_TESTS)
  message(STATUS "Tests that need a GPU are only compiled, not built (LIGHTSCAN_BUILD_GPU_TESTS=ON builds them)")
endif()

# What testing/gpu_lane builds: every program that a test of the gpu lane runs.
add_custom_target(gpu_lane)

add_library(lightscan_gpu_main OBJECT "${LightScan_SOURCE_DIR}/testing/gpu_main.cpp")
target_link_libraries(lightscan_gpu_main PUBLIC GTest::gtest CUDA::cudart_static PRIVATE lightscan_test_warnings)
target_compile_features(lightscan_gpu_main PUBLIC cxx_std_17)

# lightscan_only_compile(<object library>): as far as nvcc's front end.
function(lightscan_only_compile target)
  set_target_properties(${target} PROPERTIES CUDA_PTX_COMPILATION ON CUDA_ARCHITECTURES 90-virtual)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13.0) # older ones go on to PTX
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-fdevice-syntax-only>)
  endif()
endfunction()

function(lightscan_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;LABEL;TIMEOUT;PROCESSORS" "SOURCES;LIBRARIES;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCES OR NOT arg_LABEL MATCHES "^(cpu|gpu)$")
    message(FATAL_ERROR "lightscan_add_test(${ARGV}): see cmake/lightscan_test.cmake for its arguments")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()

  set(target test_${arg_NAME})
  if(arg_LABEL STREQUAL "gpu" AND NOT LIGHTSCAN_BUILD_GPU_TESTS)
    add_library(${target} OBJECT ${arg_SOURCES})
    lightscan_only_compile(${target})
  else()
    add_executable(${target} ${arg_SOURCES})
  endif()
  target_link_libraries(${target} PRIVATE lightscan::lightscan ${arg_LIBRARIES})
  target_link_libraries(${target} PRIVATE lightscan_test_warnings)
  target_compile_options(${target} PRIVATE ${arg_OPTIONS})
  target_link_options(${target} PRIVATE ${arg_OPTIONS})

  if(arg_LABEL STREQUAL "cpu")
    target_compile_definitions(${target} PRIVATE CCCL_ENABLE_ASSERTIONS)
    target_link_libraries(${target} PRIVATE GTest::gtest_main)
    gtest_discover_tests(${target}
      TEST_PREFIX "${arg_NAME}."
      DISCOVERY_MODE PRE_TEST
      DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS cpu TIMEOUT ${arg_TIMEOUT} PROCESSORS ${arg_PROCESSORS})
  else()
    add_dependencies(gpu_lane ${target})
    if(LIGHTSCAN_BUILD_GPU_TESTS)
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-O1>)
      target_link_libraries(${target} PRIVATE lightscan_gpu_main)
      add_test(NAME ${arg_NAME} COMMAND ${target})
    else()
      target_link_libraries(${target} PRIVATE GTest::gtest)
      add_test(NAME ${arg_NAME}
        COMMAND "${CMAKE_COMMAND}" -DPROGRAM=${target} -P "${LightScan_SOURCE_DIR}/testing/not_built.cmake")
      set_tests_properties(${arg_NAME} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
    endif()
    # One program at a time: each may want much of the GPU's memory.
    set_tests_properties(${arg_NAME} PROPERTIES
      LABELS gpu TIMEOUT ${arg_TIMEOUT} PROCESSORS ${arg_PROCESSORS} SKIP_RETURN_CODE 77 RESOURCE_LOCK gpu)
  endif()
endfunction()

# lightscan_add_skipped_test(<name> <why>)
#
# In place of a test of the gpu lane for which something is missing: whoever runs the lane is told that it was skipped, and why.
function(lightscan_add_skipped_test name why)
  add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" -E echo "skipped: ${why}")
  set_tests_properties(${name} PROPERTIES LABELS gpu TIMEOUT 60 SKIP_REGULAR_EXPRESSION "^skipped: ")
endfunction()

# lightscan_plant_fault(<room> <name> <source> <what the test must say> <header below lightscan/> <text> <text in its place>
#                       [<argument of the test>...])
#
# A copy of a header with a fault in it, found before the header itself by one more build of a CPU test, which must fail for it. The
# copy is made anew whenever the header changes, and a text that is no longer there is an error: faults cannot go stale.
function(lightscan_plant_fault room name test finding header text replacement)
  set(source "${LightScan_SOURCE_DIR}/lightscan/${header}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  file(READ "${source}" content)
  string(FIND "${content}" "${text}" first)
  string(FIND "${content}" "${text}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "The fault ${name} is to be planted in ${header}, which must have, once:\n${text}")
  endif()
  string(REPLACE "${text}" "${replacement}" content "${content}")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/faults/${name}")
  file(CONFIGURE OUTPUT "${folder}/lightscan/${header}" CONTENT "@content@" @ONLY)

  set(target test_${room}_fault_${name})
  add_executable(${target} ${test})
  target_include_directories(${target} BEFORE PRIVATE "${folder}")
  target_link_libraries(${target} PRIVATE
    lightscan::lightscan lightscan_test_warnings GTest::gtest_main Threads::Threads)
  add_test(NAME ${room}_fault.${name} COMMAND ${target} ${ARGN})
  set_tests_properties(${room}_fault.${name} PROPERTIES
    LABELS cpu TIMEOUT 120 PASS_REGULAR_EXPRESSION "${finding}" ENVIRONMENT GTEST_FAIL_FAST=1)
endfunction()
