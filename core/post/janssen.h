/* Janssen's law (1895): friction at the walls of a silo carries what goes beyond some depth.
 *
 *   p(z) = gradient length (1 - exp(-z / length)),   length = A / (P K mu):
 *                                                    D / (4 K mu) of a cylinder,
 *                                                    D / (2 K mu) between two walls
 * z is the depth below the surface, gradient the weight per volume, Pa/m, K the horizontal stress
 * over the vertical one, mu the friction at the wall that is mobilised, A and P the area and
 * perimeter of the cross-section. */
#ifndef DELASSUS_POST_JANSSEN_H
#define DELASSUS_POST_JANSSEN_H

#include <delassus/status.h>

typedef struct {
  double length;     /* m; HUGE_VAL: no bend is seen, the pressure grows as in a liquid */
  double saturation; /* Pa: gradient length */
  double residual;   /* root mean square of what the fit leaves, over `saturation`; 0 without one */
} DlsJanssen;

/* The pressure at a depth. */
double dls_janssen_pressure(double gradient, double length, double depth);

/* The length of the least squares of `count` pressures; depths below 0 count as 0.
 * DLS_ERR_ARGUMENT: no depth above 0, a gradient that is not positive, or no pressure above 0. */
DlsStatus dls_janssen_fit(int count, const double *depth, const double *pressure, double gradient,
                          DlsJanssen *out);

#endif
