/* Lorentz' cone L = {x_0 >= |x_1|} of d = 1, 2 or 3 components, and the scaling of Nesterov and
 * Todd of two points inside it: V maps both to one, λ = V z = V^-1 y, with V² z = y and
 *
 *   V² = β² (2 w w^T - J),   J = diag(1, -1, -1),   w·J w = 1
 *
 * whose eigenvalues are β² (w_0 ± |w_1|)² along (1, ± w_1 / |w_1|), and β² across. */
#ifndef DELASSUS_SOLVERS_KIT_CONE_SCALING_H
#define DELASSUS_SOLVERS_KIT_CONE_SCALING_H

typedef struct {
  double w[3], beta;
} DlsConeScaling;

/* x_0² - |x_1|² of a point inside, without cancellation; round-off leaves none at the boundary. */
double dls_cone_scaling_determinant(int d, const double *x);

void dls_cone_scaling_find(int d, const double *y, const double *z, DlsConeScaling *out);

/* out = V x (power 1), or V^-1 x (power -1). */
void dls_cone_scaling_apply(int d, const DlsConeScaling *scaling, int power, const double *x,
                            double *out);

/* F = V^-2, and (F + floor)^-1, both [3][3] with zeros beyond d. */
void dls_cone_scaling_write(int d, const DlsConeScaling *scaling, double floor, double F[3][3],
                            double inverse[3][3]);

/* λ \ R: the x with λ∘x = R, Jordan's product. */
void dls_cone_scaling_divide(int d, const double *lambda, const double *R, double *x);

/* The largest t <= 1 for which x + t dx stays in the cone. */
double dls_cone_scaling_room(int d, const double *x, const double *dx);

#endif
