/* Coarse-grained fields on a grid (Goldhirsch 2010; boundaries as Weinhart et al. 2012), of grains
 * that are not held:
 *
 *   rho(x)    = sum m phi(x - x_i)                         rho v = sum m v_i phi
 *   sigma(x)  = sum over arms f (x) l int_0^1 phi(x - x_i - s l) ds
 *   kinetic   = -sum m (v_i - v)(x)(v_i - v) phi
 *   t(x)      = sum over contacts with what is outside of f phi(x - point)      force of the walls
 *   fabric    = sum n (x) n phi(x - point) / sum phi       of contacts with a force
 *
 * so that div sigma + rho g + t = 0 at rest, at every point and whatever the width. Near walls a
 * part of the kernel lies where no grain can be: with `walls` all sums are divided by the part that
 * does not. The integral along an arm is exact for top-hat, and by Gauss's rule with 2 points and
 * more else. */
#ifndef DELASSUS_POST_FIELD_FIELD_H
#define DELASSUS_POST_FIELD_FIELD_H

#include "post/grain_stress.h"
#include "post/kernel.h"

enum { DLS_FIELD_MOST = 50000000 }; /* points of a grid */

typedef struct {
  int points[3];          /* along x, y, z; in 2-D z has 1 */
  double low[3], high[3]; /* m: where the first and the last points are */
} DlsFieldGrid;

typedef struct {
  int dim, nodes; /* x runs fastest */
  DlsFieldGrid grid;
  DlsKernel kernel;
  double *density, *solid;            /* kg/m3; volume of grains over volume */
  double *contacts;                   /* 1/m3 */
  double (*velocity)[3];              /* m/s; 0 where there is no mass */
  double (*stress)[9], (*kinetic)[9]; /* Pa */
  double (*fabric)[9];                /* trace 1, or 0 */
  double (*wall_force)[3];            /* N/m3 */
} DlsField;

/* *out is zeroed, ended with dls_field_clear(). `walls`: 1 corrects at walls as
 * post/field/walls.h says; behind them all is zero. */
DlsStatus dls_field(const DlsPacking *packing, const DlsFieldGrid *grid, const DlsKernel *kernel,
                    int walls, DlsField *out);
void dls_field_clear(DlsField *field);

/* How well the field is in equilibrium: root mean square of div sigma + rho g (+ t), by central
 * differences, over the largest rho g; without gravity over the mean pressure per width. Inner
 * nodes alone; of a field made without `walls`. */
typedef struct {
  double everywhere; /* with t, at all inner nodes */
  double bulk;       /* without t, where grains are in reach and no wall is */
  int nodes, bulk_nodes;
} DlsFieldBalance;
DlsFieldBalance dls_field_balance(const DlsField *field, const double gravity[3]);

/* The place of a node. */
static inline void dls_field_place(const DlsFieldGrid *grid, int node, double x[3]) {
  const int *n = grid->points;
  const int at[3] = {node % n[0], node / n[0] % n[1], node / n[0] / n[1]};
  for (int k = 0; k < 3; k++)
    x[k] = grid->low[k] + (n[k] > 1 ? at[k] * (grid->high[k] - grid->low[k]) / (n[k] - 1) : 0);
}

#endif
