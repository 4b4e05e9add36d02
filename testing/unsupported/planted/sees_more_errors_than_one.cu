// error: static assertion failed
static_assert(false, "one; with a semicolon");
static_assert(false, "and another one");
