/* Clusters of one colour side by side, one in each lane of a vector: contact n of all of them at a
 * time, each cluster in its own order. They share no body that moves, so that this is the sweep
 * that goes through one after the other; every lane rounds as every other, and as those of the
 * narrower kind: the bits are those of any number of lanes. */
#ifndef DELASSUS_SOLVERS_KIT_SWEEP_LANES_H
#define DELASSUS_SOLVERS_KIT_SWEEP_LANES_H

#include "solvers/kit/sweep.h"

/* What goes side by side, `count` clusters, as many as there are lanes or fewer; it tells their
 * counts. The status of the first that failed. */
typedef struct {
  const DlsSweep *sweep;
  const int *cluster;
  int count;
  bool backwards;
  double *r;
} DlsSweepPack;

typedef DlsStatus (*DlsSweepPackPass)(const DlsSweepPack *pack);

/* Between spheres: for any machine, for AVX2 with FMA (x86-64-v3), for AVX-512 (x86-64-v4). The
 * first rounds products before it adds them, the other two do not. */
enum { DLS_LANES_PLAIN = 4, DLS_LANES_AVX2 = 4, DLS_LANES_AVX512 = 8 };
DlsStatus dls_sweep_pack_plain(const DlsSweepPack *pack);
DlsStatus dls_sweep_pack_avx2(const DlsSweepPack *pack);
DlsStatus dls_sweep_pack_avx512(const DlsSweepPack *pack);

/* Clusters of one colour, as many side by side as the machine can. */
DlsStatus dls_sweep_in_lanes(const DlsSweep *sweep, const int *cluster, int count, bool backwards,
                             double *r);

/* How many the machine can do; no more than `most` from now on, 0: no limit. For tests. */
int dls_sweep_lanes(void);
void dls_sweep_lanes_limit(int most);

/* The update of a contact between spheres that is not plain friction, where it stands with all
 * reactions at velocity u. */
void dls_sweep_sphere_other(DlsSweep *part, int i, const double *u, double *r);

#endif
