#include "cccl_in_use.cpp"
