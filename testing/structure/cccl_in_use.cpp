#include <lightscan/version.h>

static_assert(CCCL_MAJOR_VERSION == FOUND_CCCL_MAJOR && CCCL_MINOR_VERSION == FOUND_CCCL_MINOR,
              "another CCCL than the one that CMake found comes first in the include paths");
