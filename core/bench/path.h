/* The path along which one point is driven: at each time, for each component, one of two numbers.
 * Of a contact these are a velocity or a force, of a material point a strain or a stress.
 *
 * A CSV file has the column t (s) and any of u_N, u_T1, f_N ...; a row holds for the step that ends
 * at its t; the first row only says when the path begins. A YAML file gives expressions of t:
 *   step: 1 ms
 *   end: 2 s
 *   u: {T1: "0.1*sin(2*pi*t)"}
 *   f: {N: -10}
 * Components that are not named are 0, of the first kind. */
#ifndef DELASSUS_BENCH_PATH_H
#define DELASSUS_BENCH_PATH_H

#include <stdbool.h>

#include <delassus/status.h>

typedef struct {
  bool force; /* the second number: a force, a stress; else a velocity, a strain */
  double value;
} DlsDrive;

enum { DLS_PATH_COMPONENTS = 8 };

/* How a path is written. */
typedef struct {
  int count;
  const char *name[DLS_PATH_COMPONENTS]; /* of components: N, T1 ... */
  const char *key[2];                    /* u, f: sections, and before the _ of a column */
  const char *meaning[2];
  double at; /* expressions of a step are taken there: 0.5 its middle, 1 its end */
} DlsPathKind;

typedef struct {
  int block, count; /* components; steps */
  bool given[DLS_PATH_COMPONENTS];
  double begin;    /* s */
  double *time;    /* [count]: the end of each step */
  DlsDrive *drive; /* [count][block] */
} DlsPath;

/* By the ending of the name: .csv, or .yaml and .yml. DLS_ERR_FILE or DLS_ERR_FORMAT with file and
 * line. Ended with dls_path_clear(). */
DlsStatus dls_path_read(const DlsPathKind *kind, const char *file, DlsPath *out);
void dls_path_clear(DlsPath *path);

#endif
