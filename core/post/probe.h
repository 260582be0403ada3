/* Probes: the parts of space over which post-processing takes its averages. All are convex. */
#ifndef DELASSUS_POST_PROBE_H
#define DELASSUS_POST_PROBE_H

#include <stdbool.h>

#include "post/packing.h"

#define DLS_PROBE_LIST(X)                                                                          \
  X(ALL, "all")           /* all:                       everything */                              \
  X(SPHERE, "sphere")     /* sphere:CENTRE:RADIUS       in 2-D a disk */                           \
  X(BOX, "box")           /* box:LOW:HIGH */                                                       \
  X(CYLINDER, "cylinder") /* cylinder:CENTRE:AXIS:RADIUS:LENGTH  3-D */                            \
  X(HALF, "half")         /* half:POINT:NORMAL          the side that the normal points to */      \
  X(LAYER, "layer")       /* layer:POINT:NORMAL:THICKNESS  half of it on each side of the point */

typedef enum {
#define DLS_PROBE_ENUM(code, text) DLS_PROBE_##code,
  DLS_PROBE_LIST(DLS_PROBE_ENUM)
#undef DLS_PROBE_ENUM
      DLS_PROBE_KINDS
} DlsProbeKind;

typedef struct {
  DlsProbeKind kind;
  double centre[3], axis[3]; /* m; unit */
  double radius, length;     /* m; length: of a cylinder along its axis, or the thickness */
  double low[3], high[3];    /* m, of a box */
} DlsProbe;

/* From "sphere:0.1,0.1:0.05" and the like, as above; points and directions are `dim` numbers with
 * commas, in m. DLS_ERR_ARGUMENT says what is wrong and how it is written. */
DlsStatus dls_probe_read(const char *text, int dim, DlsProbe *out);

bool dls_probe_holds(const DlsProbe *probe, int dim, const double x[3]);

/* The share of the way from a to b that lies in the probe: 0 to 1. */
double dls_probe_share(const DlsProbe *probe, int dim, const double a[3], const double b[3]);

/* m3, in 2-D m2. Of what has no end, the part in the box around the grains; of all, the room of the
 * sample (post/packing.h). */
double dls_probe_volume(const DlsProbe *probe, const DlsPacking *packing);

/* For those who read the like: text of a word and up to `most` groups of numbers behind colons;
 * group k has count[k] numbers. DLS_ERR_ARGUMENT for what is no number. */
enum { DLS_PROBE_GROUPS = 4 };
typedef struct {
  char word[16];
  int groups, count[DLS_PROBE_GROUPS];
  double value[DLS_PROBE_GROUPS][3];
} DlsProbeText;
DlsStatus dls_probe_split(const char *text, DlsProbeText *out);

/* Scales to length 1; DLS_ERR_ARGUMENT with the name of the thing for the zero vector. */
DlsStatus dls_probe_unit(const char *name, double axis[3]);

#endif
