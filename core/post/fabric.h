/* The texture of a packing: how contacts are directed and loaded. Of contacts with a force, their
 * point in the probe; of grains that are not held, their centre in it.
 *
 *   F = mean of n (x) n                                     fabric tensor, trace 1
 *   E(theta) = (1 + sum a_k cos k theta + b_k sin k theta) / (2 pi), k = 2, 4, 6
 *       2-D: density of directions
 *   a_k = 2 mean cos k theta, b_k = 2 mean sin k theta      (Moreau 2001, sec. 3.3)
 *
 * A normal counts in both senses. */
#ifndef DELASSUS_POST_FABRIC_H
#define DELASSUS_POST_FABRIC_H

#include "post/probe.h"
#include "post/tensor.h"

enum {
  DLS_ROSE_SECTORS = 24, /* of the full circle in x, y; in 3-D of the azimuth */
  DLS_ROSE_BANDS = 10,   /* 3-D: of equal area, from z = -1 to z = 1 */
  DLS_FORCE_BINS = 40    /* of f / mean f, 0 to 8; what is above counts in `beyond` */
};

typedef struct {
  int grains, contacts;
  int rattlers;         /* grains with fewer than two contacts that carry a force */
  double coordination;  /* contacts with a force per grain */
  double backbone;      /* the same without rattlers */
  double neighbours;    /* bodies and boundaries in contact with a force per grain */
  double fabric[9];     /* trace 1; zero where there is no contact */
  DlsStressState state; /* of -fabric, so that the first axis is the most frequent direction */
  double anisotropy; /* 2-D: 2 (F1 - F2), the amplitude of the second harmonic; 3-D: 15/2 (F1 - F3)
                        / 2 */
  double mean_force; /* N, normal force of those that push */
  double mobilised;  /* mean of |f_T| / (mu f_N), where there is friction */
  double slipping;   /* share of contacts that slip */
} DlsFabric;

typedef struct {
  double count[DLS_ROSE_BANDS][DLS_ROSE_SECTORS]; /* 2-D: band 0; both senses of each normal */
  double force[DLS_ROSE_BANDS][DLS_ROSE_SECTORS]; /* N, mean normal force of each bin */
  double total;                                   /* 2 contacts */
  double a[3], b[3];                              /* 2-D: harmonics 2, 4, 6 */
} DlsRose;

typedef struct {
  double mean; /* N */
  int contacts, beyond;
  double density[DLS_FORCE_BINS]; /* P(f / mean), integral 1 with what is beyond */
  double width;                   /* of a bin */
  double decay; /* of the tail P ~ exp(-decay f / mean), f above the mean: most likely value */
} DlsForces;

DlsStatus dls_fabric(const DlsPacking *packing, const DlsProbe *probe, DlsFabric *out);
void dls_rose(const DlsPacking *packing, const DlsProbe *probe, DlsRose *out);

/* Of normal forces that push, or of tangential ones. */
void dls_forces(const DlsPacking *packing, const DlsProbe *probe, int tangential, DlsForces *out);

/* The fit of the rose at an angle; its integral over the circle is 1. */
double dls_rose_fit(const DlsRose *rose, double theta);

/* Contacts with a force and fabric of each grain: coordination [grains], fabric [grains][9]; either
 * may be NULL. */
void dls_fabric_grains(const DlsPacking *packing, int32_t *coordination, double (*fabric)[9]);

/* Bodies and boundaries that each grain has a contact with that carries a force, [grains]: faces
 * that meet at several points count once. */
DlsStatus dls_fabric_neighbours(const DlsPacking *packing, int32_t *neighbours);

#endif
