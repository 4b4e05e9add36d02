# What the headers need: the CUDA toolkit's headers, and CCCL as a package. The project includes this file, and so does
# the package that it installs. There, lightscan_missing says what is not to be had, for find_package(lightscan) to
# report; in the project that is an error.
#
# CCCL must come as CCCL::CCCL: its target puts the copy that was found before the one that nvcc brings by itself.
# testing/structure checks that the copy found is the one that is compiled.
set(lightscan_missing "")
set(lightscan_quiet "")
if(CMAKE_FIND_PACKAGE_NAME STREQUAL "lightscan" AND lightscan_FIND_QUIETLY)
  set(lightscan_quiet QUIET)
endif()

find_package(CUDAToolkit ${lightscan_quiet})
if(NOT CUDAToolkit_FOUND)
  set(lightscan_missing "LightScan needs the CUDA toolkit. Put nvcc into PATH, or set CUDAToolkit_ROOT.")
elseif(NOT TARGET CCCL::CCCL)
  # CCCL_ROOT, CCCL_DIR and CMAKE_PREFIX_PATH come before the toolkit's own copy.
  find_package(CCCL CONFIG ${lightscan_quiet}
    HINTS "${CUDAToolkit_LIBRARY_DIR}/cmake/cccl" "${CUDAToolkit_LIBRARY_ROOT}/lib/cmake/cccl")
  if(NOT CCCL_FOUND)
    set(lightscan_missing "LightScan needs CCCL 3.0 or newer, as CMake package. Set CCCL_ROOT.")
  elseif(CCCL_VERSION VERSION_LESS 3.0)
    set(lightscan_missing
      "LightScan needs CCCL 3.0 or newer; ${CCCL_DIR} has ${CCCL_VERSION}. Set CCCL_ROOT to a newer one.")
  endif()
endif()

if(lightscan_missing AND NOT CMAKE_FIND_PACKAGE_NAME STREQUAL "lightscan")
  message(FATAL_ERROR "${lightscan_missing}")
endif()
