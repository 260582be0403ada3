/* Tensors of order two, row-major [9], and what is read off a stress. One convention for all of the
 * program:
 *
 *   t = sigma n is the force per area that the side n points to exerts on the other one: TENSION IS
 *       POSITIVE,
 *   compression negative, and div sigma + rho g = rho a.
 *
 * The pressure is positive in compression: p = -tr(sigma) / dim. In 2-D rows and columns of z are
 * zero, and stresses are forces per length and per metre of depth, Pa. */
#ifndef DELASSUS_POST_TENSOR_H
#define DELASSUS_POST_TENSOR_H

#include <delassus/status.h>

typedef struct {
  double pressure; /* Pa */
  /* Pa. 3-D: von Mises, sqrt(3/2 s : s), s the deviatoric part; 2-D: half the difference of the
   * principal values, the radius of Mohr's circle. */
  double deviator;
  double ratio;        /* deviator / pressure; 0 where the pressure is 0 */
  double principal[3]; /* Pa, ascending: the strongest compression first; in 2-D two, then 0 */
  double axis[3][3];   /* unit, of each; right-handed */
} DlsStressState;

/* Of the symmetric part. */
void dls_stress_state(int dim, const double stress[9], DlsStressState *out);

/* Parts of a tensor; the antisymmetric one as the vector w with A x = w x x. out may be the
 * tensor. */
void dls_tensor_symmetric(const double tensor[9], double out[9]);
void dls_tensor_axial(const double tensor[9], double out[3]);

/* sum += factor a (x) b. */
static inline void dls_tensor_add(double factor, const double a[3], const double b[3],
                                  double sum[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum[3 * i + j] += factor * a[i] * b[j];
}

#endif
