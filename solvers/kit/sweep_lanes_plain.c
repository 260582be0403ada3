/* Lanes for any machine: the compiler makes of a vector what the machine has. */
#define LANES      4
#define LANES_PASS dls_sweep_pack_plain
#include "solvers/kit/sweep_lanes_impl.h"
