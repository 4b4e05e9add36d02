/// @file
/// Scans by key with lightscan::host, which <lightscan/host.h> describes.
#pragma once

#include <lightscan/host.h>
