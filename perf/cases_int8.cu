#include "calls.h"

const perf::element_type perf::int8_elements = perf::calls<std::int8_t>::described_as("int8");
