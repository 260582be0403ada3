/* Springs between centres of bodies, and bending springs over three of them (Maury, slide 30):
 *
 *   V = k/2 (|d| - l)^2                      d from the first to the second
 *   V = k_a/2 (1 - cos(theta - theta_0))     theta: by how much the chain turns at the middle body
 *
 * With theta_0 = 0 the second is k_a/2 e+ . e- but for a constant, e+ and e- the unit vectors from
 * the middle body to its neighbours. In 2-D theta has a sign, to the left it is positive; in 3-D it
 * has none. Both are conservative; a damper c along the spring may stand beside the first. */
#ifndef DELASSUS_SCENE_SPRINGS_H
#define DELASSUS_SCENE_SPRINGS_H

#include "scene/roster.h"

typedef struct {
  DlsMember end[2];
  double stiffness, damping, length; /* N/m, N s/m, m */
} DlsSpring;

typedef struct {
  DlsMember body[3];
  double stiffness, angle; /* N m, rad */
} DlsBend;

typedef struct {
  int springs, bends;
  DlsSpring *spring;
  DlsBend *bend;
} DlsSprings;

DlsStatus dls_springs_add(DlsSprings *springs, const DlsSpring *spring);
DlsStatus dls_springs_add_bend(DlsSprings *springs, const DlsBend *bend);
void dls_springs_clear(DlsSprings *springs);

/* Adds the forces, N, to force [bodies][6]. One whose bodies are not all in the world does
 * nothing. */
void dls_springs_force(const DlsSprings *springs, const DlsRoster *roster, const DlsWorld *world,
                       double (*force)[6]);

/* J, stored now. */
double dls_springs_energy(const DlsSprings *springs, const DlsRoster *roster,
                          const DlsWorld *world);

/* A bound from above (Gershgorin) of the highest angular frequency, rad/s, of the bodies that are
 * in the world now; explicit steps need h omega < 2. */
DlsStatus dls_springs_frequency(const DlsSprings *springs, const DlsRoster *roster,
                                const DlsWorld *world, double *out);

#endif
