# What the headers need: the CUDA toolkit's headers, and CCCL as a package.
#
# CCCL must come as CCCL::CCCL. A bare include path to another copy loses, without a word, to the one that nvcc brings,
# because nvcc's own path comes before -isystem ones; the package's targets see to the order.
find_package(CUDAToolkit REQUIRED)

if(NOT TARGET CCCL::CCCL)
  # CCCL_ROOT, CCCL_DIR and CMAKE_PREFIX_PATH come before the toolkit's own copy.
  find_package(CCCL CONFIG REQUIRED
    HINTS "${CUDAToolkit_LIBRARY_DIR}/cmake/cccl" "${CUDAToolkit_LIBRARY_ROOT}/lib/cmake/cccl")
  if(CCCL_VERSION VERSION_LESS 3.0)
    message(FATAL_ERROR
      "LightScan needs CCCL 3.0 or newer; ${CCCL_DIR} has ${CCCL_VERSION}. Set CCCL_ROOT to a newer one.")
  endif()
endif()
