#include "calls.h"

const perf::element_type perf::int16_elements = perf::calls<std::int16_t>::described_as("int16");
