// What the check must reject: a function that other libraries see, with LightScan's hidden namespace in its name.
#include <lightscan/util/words.h>

__attribute__((visibility("default"))) int take(lightscan::util::no_init)
{
  return 0;
}
