#include "calls.h"

const perf::element_type perf::int32_elements = perf::calls<std::int32_t>::described_as("int32");
