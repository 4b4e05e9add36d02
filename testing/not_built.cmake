# In place of PROGRAM, a test that needs a GPU and was not built (LIGHTSCAN_BUILD_GPU_TESTS): skipped, as it would skip itself without a
# GPU, and a failure where LIGHTSCAN_REQUIRE_GPU is set.
set(why "${PROGRAM} was not built (LIGHTSCAN_BUILD_GPU_TESTS is OFF)")
if(DEFINED ENV{LIGHTSCAN_REQUIRE_GPU})
  message(FATAL_ERROR "${why}")
endif()
message("skipped: ${why}")
