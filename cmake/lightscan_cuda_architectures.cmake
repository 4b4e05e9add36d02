# Chooses CMAKE_CUDA_ARCHITECTURES where the user has not: this machine's GPUs, or 90 where there are none. CMake's own
# "native" fails on a machine without a GPU, and its default is the oldest architecture that nvcc knows.
#
# LIGHTSCAN_FOR_GPUS: whether there is a GPU to build for, this machine's or one that the user named. In the cache, as the
# architectures are: the next configuration finds those there, and could not tell who chose them.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND "$ENV{CUDAARCHS}" STREQUAL "")
  find_program(LIGHTSCAN_NVIDIA_SMI nvidia-smi HINTS /usr/lib/wsl/lib)
  mark_as_advanced(LIGHTSCAN_NVIDIA_SMI)
  set(compute_capabilities "")
  if(LIGHTSCAN_NVIDIA_SMI)
    execute_process(
      COMMAND "${LIGHTSCAN_NVIDIA_SMI}" --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE compute_capabilities
      OUTPUT_STRIP_TRAILING_WHITESPACE
      ERROR_QUIET
      TIMEOUT 60)
  endif()
  # One line for each GPU; whatever else a driver in trouble prints must not become an architecture.
  string(REGEX REPLACE "\r?\n" ";" compute_capabilities "${compute_capabilities}")
  list(FILTER compute_capabilities INCLUDE REGEX "^ *[0-9]+\\.[0-9] *$")
  list(TRANSFORM compute_capabilities REPLACE "[. ]" "")
  list(REMOVE_DUPLICATES compute_capabilities)
  if(compute_capabilities)
    set(LIGHTSCAN_FOR_GPUS ON CACHE INTERNAL "")
    message(STATUS "CUDA architectures: ${compute_capabilities}, this machine's")
  else()
    set(compute_capabilities 90)
    set(LIGHTSCAN_FOR_GPUS OFF CACHE INTERNAL "")
    message(STATUS "CUDA architectures: 90 (no GPU found here; set CMAKE_CUDA_ARCHITECTURES for another)")
  endif()
  set(CMAKE_CUDA_ARCHITECTURES "${compute_capabilities}" CACHE STRING "CUDA architectures")
elseif(NOT DEFINED LIGHTSCAN_FOR_GPUS)
  set(LIGHTSCAN_FOR_GPUS ON)
endif()
