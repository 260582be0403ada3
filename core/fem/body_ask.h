/* What the law of a point of a body says of a step, in its own measure, from strains of the body's;
 * in plane stress with the strain across that leaves no stress there. */
#ifndef DELASSUS_FEM_BODY_ASK_H
#define DELASSUS_FEM_BODY_ASK_H

#include "fem/body_impl.h"

/* A law asked at a point, in its own measure, from the strain of the body's. */
typedef struct {
  const DlsBodyModel *m;
  const DlsBodyMatter *matter;
  DlsBulkPoint point;
  double across;       /* plane stress: zz of the law's strain before */
  const double *state; /* of the law */
  int cell;
} DlsBodyAsked;

typedef struct {
  double strain[6];                     /* of the body's measure, at the end */
  double stress[6], D[36];              /* at the end, of the body's measure */
  double energy, lost;                  /* J/m3, stored at the end; dissipated in the step */
  double across, next[DLS_BODY_STATES]; /* at the end */
} DlsBodyEnd;

/* Of strains at the start and the end of the step, small or Green's. */
DlsStatus dls_body_ask(const DlsBodyAsked *asked, const double *start, const double *end,
                       bool energy, DlsBodyEnd *out);

#endif
