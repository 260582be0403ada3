/* The cases of one island of a few contacts: each contact is open, or closed with every group of
 * its friction (tangents, rolling, torsion) sticking or sliding. A case is a system of equations in
 * r, in scaled variables,
 *
 *   open   r = 0
 *   closed u_N = 0 (where contacts dilate: u_N + associated Σ mu_g u_g·r_g / |r_g| = 0 over the
 * groups that slide, for |u_g| = -u_g·r_g / |r_g| there);  a group sticks: u_g = 0;  a group of one
 * component slides: r_g = ± mu_g r_N;
 *          one of two slides: |r_g| = mu_g r_N and u_g × r_g = 0
 *
 * linear but for the last, which Newton's method solves from many directions of slip. What a case
 * gives is a solution when the natural map says so. */
#ifndef DELASSUS_SOLVERS_KIT_STATUS_CASES_H
#define DELASSUS_SOLVERS_KIT_STATUS_CASES_H

#include <stdbool.h>

#include "solvers/kit/scaled_problem.h"

enum {
  DLS_STATUS_CASES_CONTACTS = 10,
  DLS_STATUS_CASES_ROWS = DLS_STATUS_CASES_CONTACTS * DLS_MAX_BLOCK
};

typedef struct {
  const DlsScaled *scaled;
  int contacts, rows;
  int number[DLS_STATUS_CASES_CONTACTS]; /* of each contact in the problem */
  int states[DLS_STATUS_CASES_CONTACTS]; /* how many states each contact has */
  double W[DLS_STATUS_CASES_ROWS * DLS_STATUS_CASES_ROWS],
      q[DLS_STATUS_CASES_ROWS]; /* W' and q' of the island, dense */
  double scale;                 /* of r: |q'| */
  int starts; /* directions of slip that are tried, for each sliding group of two components */
} DlsStatusCases;

/* Counts the states of the contacts; numbers, W and q are there. */
void dls_status_cases_count(DlsStatusCases *cases);

/* The state of each contact that the pair (u, r) is nearest to. */
void dls_status_cases_guess(const DlsStatusCases *cases, const double *r, int *state);

/* Solves the case `state` [contacts]; guess [rows] gives directions and, where a case has many
 * solutions, the one nearby. r receives the best that was found; returns its relative error. Stops
 * at the first below `enough`. */
double dls_status_cases_solve(const DlsStatusCases *cases, const int *state, const double *guess,
                              double enough, double *r);

#endif
