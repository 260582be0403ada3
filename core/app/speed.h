/* How fast this machine is, for `delassus doctor`. */
#ifndef DELASSUS_APP_SPEED_H
#define DELASSUS_APP_SPEED_H

#include <delassus/status.h>

/* GB/s of a[i] = b[i] + s c[i] on 24 million doubles, the best of a few runs; 0 without memory. */
double app_speed_triad(void);

/* Nanoseconds per contact and iteration of nsgs on a sample, error measures included. */
DlsStatus app_speed_sweep(const char *sample, int size, int assembled, double *ns);

#endif
