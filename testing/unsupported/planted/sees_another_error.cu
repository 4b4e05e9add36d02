// error: the sentence
static_assert(false, "another sentence");
