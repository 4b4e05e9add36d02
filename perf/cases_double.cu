#include "calls.h"

const perf::element_type perf::double_elements = perf::calls<double>::described_as("double");
