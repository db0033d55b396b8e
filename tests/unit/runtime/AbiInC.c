/* The ABI in a C99 program: the header compiles there and the two languages agree on it. */
#include "ingot/runtime/Abi.h"

size_t abi_context_size_in_c(void);
size_t abi_context_size_in_c(void) { return sizeof(ingot_context); }
