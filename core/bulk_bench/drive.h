/* One material point driven step by step: each of its six components by a strain or by a stress.
 * The strains of those driven by stresses follow by Newton's method with the law's own tangent. */
#ifndef DELASSUS_BULK_BENCH_DRIVE_H
#define DELASSUS_BULK_BENCH_DRIVE_H

#include "bench/path.h"
#include "bulk/bulk.h"

/* xx yy zz xy yz xz */
extern const char *const dls_bulk_component[6];

/* What components are that a path does not name. FREE: without stress; HELD: without strain; PLANE
 * STRAIN: zz, yz, xz without strain, the others free; PLANE STRESS: zz, yz, xz without stress, the
 * others free; UNIAXIAL: all but xx without stress. The last three refuse what would contradict. */
typedef enum {
  DLS_BULK_FREE,
  DLS_BULK_HELD,
  DLS_BULK_PLANE_STRAIN,
  DLS_BULK_PLANE_STRESS,
  DLS_BULK_UNIAXIAL
} DlsBulkMode;

/* "free|held|plane-strain|plane-stress|uniaxial" */
#define DLS_BULK_MODES "free|held|plane-strain|plane-stress|uniaxial"

/* The path of a file, as bench/path.h says, with columns strain_xx ... and stress_xx ..., sections
 * strain and stress, expressions at the ends of steps; components that are not named by the
 * mode. */
DlsStatus dls_bulk_path_read(const char *file, DlsBulkMode mode, DlsPath *out);

typedef struct {
  const DlsBulk *law;
  double params[DLS_MAX_PARAMS], state[DLS_MAX_PARAMS];
  DlsBulkPoint point; /* of the next step */
  double strain[6], stress[6];
  double stored, dissipated, work; /* J/m3: now; since the beginning; done since the beginning */
} DlsBulkDrive;

/* A new point; measure 0: the first that the law takes of small, log and green. */
DlsStatus dls_bulk_drive_begin(const DlsBulk *law, const double *params, int measure, double size,
                               DlsBulkDrive *out);

/* One step of h seconds, drive [6]; DLS_ERR_LAW where the law fails, or no strain has that
 * stress. */
DlsStatus dls_bulk_drive_step(DlsBulkDrive *d, double h, const DlsDrive *drive);

#endif
