# Chooses CMAKE_CUDA_ARCHITECTURES where the user has not: this machine's GPUs, or 90 where there are none. CMake's own
# "native" fails on a machine without a GPU, and its default is the oldest architecture that nvcc knows.
#
# LIGHTSCAN_FOR_GPUS: whether there is a GPU to build for, this machine's or one that the user named. Kept beside the architectures, which
# the next configuration finds chosen.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND "$ENV{CUDAARCHS}" STREQUAL "")
  find_program(LIGHTSCAN_NVIDIA_SMI nvidia-smi HINTS /usr/lib/wsl/lib)
  mark_as_advanced(LIGHTSCAN_NVIDIA_SMI)
  set(compute_capabilities "")
  set(for_gpus ON)
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
    message(STATUS "CUDA architectures: ${compute_capabilities}, this machine's")
  else()
    set(compute_capabilities 90)
    set(for_gpus OFF)
    message(STATUS "CUDA architectures: 90 (no GPU found here; set CMAKE_CUDA_ARCHITECTURES for another)")
  endif()
  set(CMAKE_CUDA_ARCHITECTURES "${compute_capabilities}" CACHE STRING "CUDA architectures")
  set(LIGHTSCAN_FOR_GPUS ${for_gpus} CACHE INTERNAL "")
elseif(NOT DEFINED LIGHTSCAN_FOR_GPUS)
  set(LIGHTSCAN_FOR_GPUS ON)
endif()
