/* The path along which one contact is driven: at each time, for each component, a velocity or a
 * force.
 *
 * A CSV file has the column t (s) and any of u_N, u_T1, u_T2 ... (m/s, rad/s) and f_N, f_T1 ... (N,
 * N m); a row holds for the step that ends at its t; the first row only says when the path begins.
 * A YAML file gives expressions of t:
 *   step: 1 ms
 *   end: 2 s
 *   u: {T1: "0.1*sin(2*pi*t)"}
 *   f: {N: -10}
 * Components that are not named do not move. */
#ifndef DELASSUS_LAW_BENCH_PATH_H
#define DELASSUS_LAW_BENCH_PATH_H

#include "law_bench/point.h"

typedef struct {
  int block, count; /* components; steps */
  double begin;     /* s */
  double *time;     /* [count]: the end of each step */
  DlsDrive *drive;  /* [count][block] */
} DlsPath;

/* By the ending of the name: .csv, or .yaml and .yml. DLS_ERR_FILE or DLS_ERR_FORMAT with file and
 * line. Ended with dls_path_clear(). */
DlsStatus dls_path_read(const char *file, int dim, int block, DlsPath *out);
void dls_path_clear(DlsPath *path);

#endif
