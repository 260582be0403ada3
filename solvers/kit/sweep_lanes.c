/* Which lanes the machine has, and how clusters are shared out to them. */
#include "solvers/kit/sweep_lanes.h"

#include <stdatomic.h>

typedef struct {
  int lanes;
  DlsSweepPackPass pass;
} Way;

/* Narrowest first; they round alike. */
typedef struct {
  Way way[2];
  int ways;
} Machine;

static atomic_int limit; /* 0: none */

static Machine find_machine(void) {
#ifdef DLS_LANES_X86
  if (__builtin_cpu_supports("x86-64-v4"))
    return (Machine){
        {{DLS_LANES_AVX2, dls_sweep_pack_avx2}, {DLS_LANES_AVX512, dls_sweep_pack_avx512}}, 2};
  if (__builtin_cpu_supports("x86-64-v3"))
    return (Machine){{{DLS_LANES_AVX2, dls_sweep_pack_avx2}}, 1};
#endif
  return (Machine){{{DLS_LANES_PLAIN, dls_sweep_pack_plain}}, 1};
}

static int usable(const Machine *machine) {
  const int most = atomic_load_explicit(&limit, memory_order_relaxed);
  int ways = machine->ways;
  while (most > 0 && ways > 1 && machine->way[ways - 1].lanes > most) ways--;
  return ways;
}

int dls_sweep_lanes(void) {
  const Machine machine = find_machine();
  return machine.way[usable(&machine) - 1].lanes;
}

void dls_sweep_lanes_limit(int most) { atomic_store(&limit, most); }

DlsStatus dls_sweep_in_lanes(const DlsSweep *sweep, const int *cluster, int count, bool backwards,
                             double *r) {
  const Machine machine = find_machine();
  const int ways = usable(&machine);
  while (count > 0) {
    int k = 0;
    while (k + 1 < ways && machine.way[k].lanes < count) k++;
    const Way *way = &machine.way[k];
    const DlsSweepPack pack = {sweep, cluster, count < way->lanes ? count : way->lanes, backwards,
                               r};
    DLS_TRY(way->pass(&pack));
    cluster += pack.count;
    count -= pack.count;
  }
  return DLS_OK;
}
