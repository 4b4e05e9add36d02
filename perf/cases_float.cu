#include "calls.h"

const perf::element_type perf::float_elements = perf::calls<float>::described_as("float");
