/* Motion of the ground from a record of its acceleration, straight lines between the rows:
 *   a(t) = scale (a_i + (a_i+1 - a_i) s / D),   s = t - t_i,  D = t_i+1 - t_i
 *   v(t) = v_i + a_i s + (a_i+1 - a_i) s^2 / 2D
 *   d(t) = d_i + v_i s + a_i s^2 / 2 + (a_i+1 - a_i) s^3 / 6D
 * exactly. Records drift: with a baseline, c_0 + c_1 t is taken off the acceleration,
 *   c_1 = 6 V / T^2 - 12 D / T^3,   c_0 = 6 D / T^2 - 2 V / T,
 * where V and D are velocity and displacement of the raw record at its end T: the corrected ones
 * end at 0. At rest before the first row; after the last row without acceleration. */
#ifndef DELASSUS_SCENE_GROUND_H
#define DELASSUS_SCENE_GROUND_H

#include <stdbool.h>

#include <delassus/status.h>

typedef struct {
  int rows;
  bool moves[3];      /* along x, y, z */
  double *time;       /* [rows], s */
  double (*state)[9]; /* [rows]: a, v, d along x, y, z; m/s2, m/s, m */
} DlsGround;

/* acceleration[k] is NULL, or [rows] of axis k; `rows` >= 2 and times ascending; all copied. The
 * record begins at `from`, whatever its first time is. */
DlsStatus dls_ground_create(int rows, const double *time, const double *const acceleration[3],
                            double scale, bool baseline, double from, DlsGround *out);
void dls_ground_clear(DlsGround *ground); /* a zeroed one is fine */

/* Acceleration, velocity and displacement (three numbers each) at time t. */
void dls_ground_at(const DlsGround *ground, double t, double out[9]);

#endif
