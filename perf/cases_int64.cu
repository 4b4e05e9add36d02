#include "calls.h"

const perf::element_type perf::int64_elements = perf::calls<std::int64_t>::described_as("int64");
