/* Small random problems with a solution planted in them: (u, r) is drawn in the relation of each
 * contact, W is drawn, and q = u - W r. 2-D and 3-D, elliptic, rolling, torsion, without friction,
 * all cones mixed, a law of its own; W definite, singular or unsymmetric; one contact may be there
 * twice. */
#ifndef DELASSUS_SOLVER_BENCH_PLANTED_H
#define DELASSUS_SOLVER_BENCH_PLANTED_H

#include <delassus/solver.h>

#include "base/random.h"

enum { BENCH_CONTACTS = 4, BENCH_ROWS = BENCH_CONTACTS * DLS_MAX_BLOCK };

/* Definite: condition below 10. Worst: rank deficient and, half of them, unsymmetric. */
typedef enum { BENCH_DEFINITE, BENCH_SINGULAR, BENCH_UNSYMMETRIC, BENCH_WORST } BenchMatrix;

typedef struct {
  int dim, block;
  DlsCone cone; /* COUNT: all mixed */
} BenchShape;

enum { BENCH_SHAPES = 8 };
extern const BenchShape bench_shapes[BENCH_SHAPES];

/* What is drawn. */
typedef struct {
  BenchMatrix matrix;
  double mu_most;         /* mu is from 0 to this, another for each contact */
  int frictionless;       /* half of the contacts Signorini's */
  int contacts;           /* 0: any number */
  int still;              /* nothing slides */
  int twins;              /* the second contact is the first once more */
  int dilatant;           /* associated is 0, 0.3 or 1, another for each contact; else 0 */
  double associated;      /* of all contacts, where they are not dilatant */
  const BenchShape *only; /* NULL: any */
} BenchKind;

typedef struct {
  BenchShape shape;
  int contacts, rows;
  double W[BENCH_ROWS * BENCH_ROWS], q[BENCH_ROWS], u[BENCH_ROWS],
      r[BENCH_ROWS]; /* (u, r): planted */
  DlsRelation relations[BENCH_CONTACTS];
  double viscosity; /* kg, of the law `film` of contact 0; 0: not there */
} BenchPlanted;

/* A pair (u, r) in the relation. What is open and still moves apart faster than friction asks. */
void bench_plant(DlsRandom *random, const BenchKind *kind, const BenchShape *shape,
                 const DlsRelation *relation, double *u, double *r);

/* q = u - W r. */
void bench_find_q(BenchPlanted *p);

BenchPlanted bench_draw_planted(DlsRandom *random, const BenchKind *kind);

/* Masses times `mass`, velocities times `speed`. */
void bench_scale_planted(BenchPlanted *p, double mass, double speed);

/* Contact 0 gets a law of its own, `film`: Signorini's in the normal, r_T = -k u_T in the others, k
 * the viscosity in kg. */
void bench_plant_film(DlsRandom *random, BenchPlanted *p);

/* The problem; *p is lent to it. */
DlsStatus bench_make_planted(BenchPlanted *p, DlsProblem **out);

#endif
