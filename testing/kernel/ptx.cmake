# cmake -DPTX=<file> -DKERNELS=<at least so many> [-DONLY_LOCAL=ON] -P ptx.cmake
# Fails where a kernel's PTX lacks a memory operation that the headers speak of, or has one that they rule out:
#
#   carry/slot.h         atomic_transport reaches slots by relaxed 64-bit accesses at GPU scope, and nothing is fenced;
#                        cg_transport by 64-bit .cg accesses
#   bulk/kernel.h        tiles come and go by bulk copies
#   ARCHITECTURE.md      who does what is known in advance: no atomic read-modify-write anywhere
#   batched/pipeline.h   the same, or in bands by tensor copies; batched/kernel.h's tiles, too, where bulk copies bring them, but nobody
#                        waits for another there
#   batched/walk.h       nobody waits for another, and nothing goes through shared memory
#   carry/slot.h         nothing asks in which memory an address lies
#   bulk/thread_items.h  a tile stays in shared memory and registers: no local memory (what ptxas spills: registers.cmake). With
#   carry/lookahead.h    ONLY_LOCAL, all that is looked for: nvcc has two compilers, one from sm_100 on, which keep different loops
#                        rolled, and an array that such a loop walks is not in registers (perf/NOTES.md, "Arrays in registers")
cmake_minimum_required(VERSION 3.25)
file(READ "${PTX}" text)
string(REPLACE ";" " " text "${text}") # CMake would take it for the end of a list's element
string(REGEX MATCHALL
  "\\.entry [A-Za-z0-9_$]+|[ \t](ld|st|atom|red|cp|fence|membar|isspacep)\\.[A-Za-z0-9_.:]+[a-z0-9]|__local_depot|\\.local [^\n]*" words "${text}")

set(slots_atomic ld.relaxed.gpu.b64 st.relaxed.gpu.b64)
set(slots_cg ld.global.cg.u64 st.global.cg.u64)
set(bulk_load cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint)
set(bulk_store cp.async.bulk.global.shared::cta.bulk_group)
set(tensor_load cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint)
set(tensor_store cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group)

set(kernels 0)
set(findings "")
set(never "^(ld|st)\\.local|^__local_depot|^\\.local")
if(NOT ONLY_LOCAL)
  string(APPEND never "|^isspacep|^atom|^red")
endif()
macro(finish_kernel)
  foreach(operation IN LISTS needed)
    string(APPEND findings "\n  ${kernel}: no ${operation}")
  endforeach()
endmacro()

set(needed "")
set(allowed "")
set(ruled_out "^$")
foreach(word IN LISTS words)
  string(STRIP "${word}" word)
  if(word MATCHES "^\\.entry (.*)")
    set(next "${CMAKE_MATCH_1}")
    finish_kernel()
    set(kernel "${next}")
    set(needed "")
    set(ruled_out "^$")
    if(kernel MATCHES "11EmptyKernel")
      # CUB's own, which is never launched: Thrust's headers bring it.
      set(allowed "")
      continue()
    endif()
    math(EXPR kernels "${kernels} + 1")
    if(ONLY_LOCAL)
      set(allowed "")
      continue()
    endif()
    if(kernel MATCHES "atomic_transport")
      set(needed ${slots_atomic})
      # Besides those, no access that is strong or goes past a cache, and no fence between threads.
      set(ruled_out "^(ld|st)\\.(relaxed|acquire|release|volatile|mmio|global\\.c[gvs])|^membar|^fence\\.(sc|acq_rel|acquire|release)")
    elseif(kernel MATCHES "cg_transport")
      set(needed ${slots_cg})
      set(ruled_out "^(ld|st)\\.(relaxed|acquire|release|volatile|mmio|global\\.c[gvs])|^membar\\.(gl|sys)|^fence\\.(sc|acq_rel|acquire|release)")
    elseif(kernel MATCHES "batched_walk")
      # Nobody waits for another: no slots, and nothing in shared memory.
      set(needed "")
      set(ruled_out "^(ld|st)\\.(relaxed|acquire|release|volatile|mmio|global\\.c[gvs]|shared)|^membar|^fence|^cp")
    elseif(kernel MATCHES "scan_rows")
      # Nor does any block here; warps hand each other folds in shared memory.
      set(needed "")
      set(ruled_out "^(ld|st)\\.(relaxed|acquire|release|volatile|mmio|global\\.c[gvs])|^membar|^fence|^cp")
    else()
      set(needed "")
      set(ruled_out ".")
      string(APPEND findings "\n  ${kernel}: by which transport?")
    endif()
    if(kernel MATCHES "plain_scan.*select_kind.*(run_testI.*is_same_there|if_testI.*ELb1EEELb0EEE)")
      # An equality of the user's may not look at the item, nor does a test of a stencil: a fence says that it has been read
      # (plain/emission.h).
      list(APPEND needed membar.gl)
    endif()
    if(kernel MATCHES "batched_block.*accessE2") # access::bulk
      list(REMOVE_ITEM needed ${slots_atomic} ${slots_cg}) # lines as a whole
    endif()
    set(allowed ${needed})
    if(kernel MATCHES "bulk_scan.*(selection|reduction)_items")
      list(APPEND needed ${bulk_load}) # groups store what is emitted
    elseif(kernel MATCHES "line_pipeline.*accessE4") # access::bands
      list(APPEND needed ${tensor_load} ${tensor_store})
    elseif(kernel MATCHES "bulk_scan|line_pipeline|batched_block.*accessE2")
      list(APPEND needed ${bulk_load} ${bulk_store})
    endif()
  elseif(NOT word IN_LIST allowed
         AND NOT word STREQUAL "atom.shared.cta.add.u32" # evaluators of one block divide its tiles so
         AND word MATCHES "${ruled_out}|${never}")
    string(APPEND findings "\n  ${kernel}: ${word}")
  else()
    list(REMOVE_ITEM needed "${word}")
  endif()
endforeach()
finish_kernel()

if(kernels LESS KERNELS)
  message(FATAL_ERROR "${kernels} kernels in ${PTX}, expected ${KERNELS} or more")
endif()
if(findings)
  message(FATAL_ERROR "Kernels whose PTX is not as documented (c++filt reads the names):${findings}")
endif()
message(STATUS "${kernels} kernels")
