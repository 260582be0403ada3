/* Curves of a figure, each with the mean over its runs and the standard error of the mean,
 *
 *   error = s / sqrt(n),   s^2 = sum (y - mean)^2 / (n - 1),
 *
 * NaN where one run is all there is. Of tables within runs the curve of each run is taken at common
 * places of x, equally spaced over the range that all runs of the curve have, on the lines between
 * its rows. */
#ifndef DELASSUS_STUDY_CURVES_H
#define DELASSUS_STUDY_CURVES_H

#include "study/study_impl.h"

enum { DLS_STUDY_LABEL = 160 };

typedef struct {
  char label[DLS_STUDY_LABEL]; /* "mu = 0.3"; "" where nothing varies */
  int count;
  double *x, *y, *error; /* [count] */
  int *runs;             /* [count], in the mean */
} DlsStudyCurve;

typedef struct {
  DlsStudyCurve *curve;
  int count;
  char x_label[DLS_STUDY_LABEL], y_label[DLS_STUDY_LABEL];
} DlsStudyCurves;

/* Of a figure, from the files of the study's folder. Runs without results are left out. Ended with
 * dls_study_curves_clear(). */
DlsStatus dls_study_curves(const DlsStudy *study, const DlsStudyFigure *figure,
                           DlsStudyCurves *out);
void dls_study_curves_clear(DlsStudyCurves *curves);

/* Mean and standard error of `count` numbers; NaNs are left out. Returns how many there were. */
int dls_study_mean(const double *values, int count, double *mean, double *error);

#endif
