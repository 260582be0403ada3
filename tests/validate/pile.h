/* What is measured of a conical pile at rest (Moreau 2001, sec. 3.5; Sanni et al. 2009, sec. 6.2).
 *
 * Of a cone of radius R and height H the mean distance from the axis is R / 2 and the mean height
 * H / 4: both are taken from the grains, and so is the slope H / R. Surfaces in it:
 *   ring       of the floor, a fifth of R wide: load against the weight of what stands on it
 *   bank       eight disks of radius R / 5 round the axis, parallel to the slope, at R / 2 and half
 *              of the height there: the force on what lies below, off the vertical; outward > 0.
 *              -slope would be along the normal, as in a liquid
 *   cylinder   coaxial, at a part of R: the force on the core, below the horizontal on its way
 *              inward where the bank pulls down, > 0 where the core leans on the bank
 * Errors of a single pile are those of eight sectors, by leaving out one at a time. */
#ifndef DELASSUS_TESTS_PILE_H
#define DELASSUS_TESTS_PILE_H

#include "post/cut.h"
#include "post/floor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PILE_RINGS = 5, PILE_SECTORS = 8, PILE_CYLINDERS = 3 };
static const double pile_cylinder[PILE_CYLINDERS] = {0.25, 0.5, 0.75}; /* of R */

typedef struct {
  double value, error; /* of a single pile: from its sectors */
} PileMean;

typedef struct {
  int grains;
  double weight, moving; /* N: sum of m g, of m |a| */
  double axis[3];        /* m */
  double radius, height, slope;
  double load[PILE_RINGS], above[PILE_RINGS], load_error[PILE_RINGS]; /* N */
  int contacts[PILE_RINGS];
  PileMean bank;                     /* degrees off the vertical */
  PileMean cylinder[PILE_CYLINDERS]; /* degrees from the horizontal */
  PileMean carried[PILE_CYLINDERS];  /* share of the core's weight that the bank bears */
  double balance;                    /* N: worst error of load + bank = weight + m a of a core */
} Pile;

static inline double pile_degrees(double radians) { return radians * 180 / acos(-1); }

/* The statistic `f` of sums over sectors: of all, and its error. */
static inline PileMean pile_sectors(double (*f)(const double sum[3]),
                                    double part[PILE_SECTORS][3]) {
  PileMean out;
  double all[3] = {0}, left[PILE_SECTORS], mean = 0, squares = 0;
  for (int s = 0; s < PILE_SECTORS; s++)
    for (int k = 0; k < 3; k++) all[k] += part[s][k];
  for (int s = 0; s < PILE_SECTORS; s++) {
    double rest[3];
    for (int k = 0; k < 3; k++) rest[k] = all[k] - part[s][k];
    left[s] = f(rest);
    mean += left[s] / PILE_SECTORS;
  }
  for (int s = 0; s < PILE_SECTORS; s++) squares += pow(left[s] - mean, 2);
  out.value = f(all);
  out.error = sqrt(squares * (PILE_SECTORS - 1) / PILE_SECTORS);
  return out;
}

/* sum: outward part, upward part of the force on what lies below. */
static inline double pile_off_vertical(const double sum[3]) {
  return pile_degrees(atan2(sum[0], -sum[1]));
}

/* sum: normal part (pressure < 0), upward part of the force on the core, its weight. */
static inline double pile_off_level(const double sum[3]) {
  return pile_degrees(atan2(sum[1], -sum[0]));
}
static inline double pile_carried(const double sum[3]) { return sum[1] / sum[2]; }

static inline int pile_sector(const Pile *pile, const double x[3]) {
  const double turn = atan2(x[1] - pile->axis[1], x[0] - pile->axis[0]) / (2 * acos(-1)) + 0.5;
  return (int)(turn * PILE_SECTORS) % PILE_SECTORS;
}

static inline double pile_distance(const Pile *pile, const double x[3]) {
  return hypot(x[0] - pile->axis[0], x[1] - pile->axis[1]);
}

static inline void pile_shape(const DlsPacking *g, Pile *pile) {
  double height = 0, away = 0;
  for (int i = 0; i < g->grains; i++) {
    const double own = -g->mass[i] * g->gravity[2], *r = g->resultant[i];
    pile->grains++;
    pile->weight += own;
    pile->moving += sqrt(r[0] * r[0] + r[1] * r[1] + (r[2] - own) * (r[2] - own));
    for (int k = 0; k < 2; k++) pile->axis[k] += own * g->centre[i][k];
    height += own * g->centre[i][2];
  }
  for (int k = 0; k < 2; k++) pile->axis[k] /= pile->weight;
  for (int i = 0; i < g->grains; i++)
    away -= g->mass[i] * g->gravity[2] * pile_distance(pile, g->centre[i]);
  pile->radius = 2 * away / pile->weight;
  pile->height = 4 * height / pile->weight;
  pile->slope = pile->height / pile->radius;
}

static inline void pile_floor(const DlsPacking *g, Pile *pile) {
  const DlsProbe all = {.kind = DLS_PROBE_ALL};
  DlsFloorPart ring[PILE_RINGS];
  DlsFloorGrid grid;
  if (dls_floor_grid(g, &all, 'r', PILE_RINGS, pile->axis, &grid) != DLS_OK) exit(1);
  grid.low = 0, grid.high = pile->radius;
  dls_floor(g, &grid, ring);
  for (int n = 0; n < PILE_RINGS; n++) {
    pile->load[n] = ring[n].pressure * ring[n].area;
    pile->load_error[n] = ring[n].error * ring[n].area;
    pile->contacts[n] = ring[n].contacts;
  }
  for (int i = 0; i < g->grains; i++) {
    const double n = pile_distance(pile, g->centre[i]) / pile->radius * PILE_RINGS;
    if (n < PILE_RINGS) pile->above[(int)n] -= g->mass[i] * g->gravity[2];
  }
}

static inline void pile_bank(const DlsPacking *g, Pile *pile) {
  double part[PILE_SECTORS][3] = {{0}};
  const double angle = atan(pile->slope);
  for (int s = 0; s < PILE_SECTORS; s++) {
    const double turn = 2 * acos(-1) * (s + 0.5) / PILE_SECTORS, out[2] = {cos(turn), sin(turn)};
    const DlsCut disk = {.kind = DLS_CUT_DISK,
                         .centre = {pile->axis[0] + pile->radius / 2 * out[0],
                                    pile->axis[1] + pile->radius / 2 * out[1], pile->height / 4},
                         .normal = {sin(angle) * out[0], sin(angle) * out[1], cos(angle)},
                         .radius = pile->radius / 5};
    DlsCutForce f;
    dls_cut(g, &disk, &f);
    part[s][0] = f.force[0] * out[0] + f.force[1] * out[1];
    part[s][1] = f.force[2];
  }
  pile->bank = pile_sectors(pile_off_vertical, part);
}

/* The core within radius r: forces of one sector after the other, those of the others put aside. */
static inline void pile_core(DlsPacking *g, Pile *pile, int k) {
  const double r = pile_cylinder[k] * pile->radius;
  const DlsCut cylinder = {.kind = DLS_CUT_CYLINDER,
                           .centre = {pile->axis[0], pile->axis[1], 0},
                           .normal = {0, 0, 1},
                           .radius = r,
                           .length = 8 * pile->height};
  double part[PILE_SECTORS][3] = {{0}}, (*force)[3] = g->force, floor = 0, pushed = 0, axial = 0;
  g->force = malloc(sizeof *force * (size_t)g->contacts);
  for (int s = 0; s < PILE_SECTORS; s++) {
    DlsCutForce f;
    for (int c = 0; c < g->contacts; c++)
      for (int i = 0; i < 3; i++)
        g->force[c][i] = pile_sector(pile, g->point[c]) == s ? force[c][i] : 0;
    dls_cut(g, &cylinder, &f);
    part[s][0] = f.normal_force, part[s][1] = f.axial_force;
    axial += f.axial_force;
  }
  free(g->force);
  g->force = force;
  for (int i = 0; i < g->grains; i++) {
    if (pile_distance(pile, g->centre[i]) >= r) continue;
    part[pile_sector(pile, g->centre[i])][2] -= g->mass[i] * g->gravity[2];
    pushed += g->resultant[i][2];
  }
  for (int c = 0; c < g->contacts; c++)
    if (g->antagonist[c] < 0 && pile_distance(pile, g->centre[g->candidate[c]]) < r)
      floor += g->force[c][2];
  pile->balance = fmax(pile->balance, fabs(floor + axial - pushed));
  pile->cylinder[k] = pile_sectors(pile_off_level, part);
  pile->carried[k] = pile_sectors(pile_carried, part);
}

static inline Pile pile_measure(DlsPacking *g) {
  Pile pile = {0};
  pile_shape(g, &pile);
  pile_floor(g, &pile);
  pile_bank(g, &pile);
  for (int k = 0; k < PILE_CYLINDERS; k++) pile_core(g, &pile, k);
  return pile;
}

static inline void pile_print(const char *name, const Pile *p) {
  printf("%s: %d grains, R %.3f m, H %.3f m, slope %.1f degrees, m |a| %.2g of the weight, balance "
         "%.1g\n",
         name, p->grains, p->radius, p->height, pile_degrees(atan(p->slope)), p->moving / p->weight,
         p->balance / p->weight);
  for (int n = 0; n < PILE_RINGS; n++) {
    const double area = acos(-1) * (2 * n + 1) * pow(p->radius / PILE_RINGS, 2);
    const double mean = p->weight / (acos(-1) * pow(p->radius, 2));
    printf("  r/R %.1f: pressure %.3f +- %.3f, of the height %.3f (of the mean), %d contacts\n",
           (n + 0.5) / PILE_RINGS, p->load[n] / area / mean, p->load_error[n] / area / mean,
           p->above[n] / area / mean, p->contacts[n]);
  }
  printf("  bank: %.1f +- %.1f degrees off the vertical\n", p->bank.value, p->bank.error);
  for (int k = 0; k < PILE_CYLINDERS; k++)
    printf("  cylinder %.2f R: %.1f +- %.1f degrees off the horizontal, carries %.3f +- %.3f of "
           "the core\n",
           pile_cylinder[k], p->cylinder[k].value, p->cylinder[k].error, p->carried[k].value,
           p->carried[k].error);
}

#endif
