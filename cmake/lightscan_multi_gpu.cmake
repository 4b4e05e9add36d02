# The component multi_gpu, for scans across GPUs (lightscan/multi_gpu.h): the target lightscan::multi_gpu, which is
# lightscan::lightscan with NCCL, where there is one. The project includes this file, and so does the package that it installs.
#
# NCCL is looked for in NCCL_ROOT (a variable of CMake's or of the environment), in the toolkit, in Python's wheel
# nvidia-nccl-cu13 or nvidia-nccl-cu12, and among the system's libraries; its header and its library in the same place, so that
# they are of one version. The wheel has no libnccl.so, only libnccl.so.2.
function(lightscan_find_nccl_in root)
  find_path(lightscan_nccl_include nccl.h PATHS "${root}/include" NO_CACHE NO_DEFAULT_PATH)
  find_library(lightscan_nccl_library NAMES nccl libnccl.so.2
    PATHS "${root}/lib" "${root}/lib64" "${root}/lib/x86_64-linux-gnu" "${root}/lib/aarch64-linux-gnu"
    NO_CACHE NO_DEFAULT_PATH)
  if(lightscan_nccl_include AND lightscan_nccl_library)
    set(lightscan_nccl_include "${lightscan_nccl_include}" PARENT_SCOPE)
    set(lightscan_nccl_library "${lightscan_nccl_library}" PARENT_SCOPE)
  endif()
endfunction()

function(lightscan_find_nccl)
  set(roots "${NCCL_ROOT}" "$ENV{NCCL_ROOT}" "${CUDAToolkit_LIBRARY_ROOT}" "${CUDAToolkit_TARGET_DIR}")
  if(CUDAToolkit_BIN_DIR)
    cmake_path(GET CUDAToolkit_BIN_DIR PARENT_PATH toolkit)
    list(APPEND roots "${toolkit}")
  endif()
  list(APPEND roots wheel /usr /usr/local)
  foreach(root IN LISTS roots)
    if(root STREQUAL "wheel")
      execute_process(
        COMMAND python3 -c "import nvidia.nccl; print(list(nvidia.nccl.__path__)[0])"
        OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    if(root)
      lightscan_find_nccl_in("${root}")
      if(lightscan_nccl_library)
        break()
      endif()
    endif()
  endforeach()
  set(lightscan_nccl_include "${lightscan_nccl_include}" PARENT_SCOPE)
  set(lightscan_nccl_library "${lightscan_nccl_library}" PARENT_SCOPE)
endfunction()

if(NOT TARGET lightscan::multi_gpu)
  lightscan_find_nccl()
  if(lightscan_nccl_library)
    # Imported, so that CMake lets programs find the library where it lies; not as a system's, so that its header comes before one
    # of another version that the toolkit may have.
    add_library(lightscan::nccl SHARED IMPORTED GLOBAL)
    set_target_properties(lightscan::nccl PROPERTIES
      IMPORTED_LOCATION "${lightscan_nccl_library}"
      IMPORTED_NO_SYSTEM ON
      INTERFACE_INCLUDE_DIRECTORIES "${lightscan_nccl_include}")
    add_library(lightscan::multi_gpu INTERFACE IMPORTED GLOBAL)
    target_link_libraries(lightscan::multi_gpu INTERFACE lightscan::nccl lightscan::lightscan)
  endif()
endif()
