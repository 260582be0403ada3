/* Farkas' alternative for rows a_i (norm 1, or 0) and numbers q_i: either some v has a_i·v + q_i >=
 * 0 for every i (= 0 where the row is an equation), or some λ separates:
 *
 *   Σ λ_i a_i = 0,   Σ λ_i q_i < 0,   λ_i >= 0 (any sign where the row is an equation)
 *
 * which proves that no such v exists. Dense, for up to some hundred rows. */
#ifndef DELASSUS_PROBLEM_SEPARATE_H
#define DELASSUS_PROBLEM_SEPARATE_H

#include <stdbool.h>
#include <stdint.h>

#include <delassus/status.h>

typedef struct {
  int rows, columns;
  const double *A;         /* row-major [rows][columns] */
  const double *q;         /* [rows] */
  const double *size;      /* [rows]: of the numbers that q was made of, at least |q| */
  const uint8_t *equation; /* [rows]: 1 where a_i·v + q_i = 0 is asked for */
  double exact;            /* relative; rows are known to this */
} DlsSystem;

/* lambda [rows] receives what may separate, made as exact as double numbers allow; *found: whether
 * there is any. It is a candidate: dls_separate_proves() judges. `start` [rows] stands for q while
 * λ is sought (some a_i·v + q_i, nearer to 0 than q): λ·start = λ·q, and small differences are not
 * lost. */
DlsStatus dls_separate(const DlsSystem *system, const double *start, double *lambda, bool *found);

/* Whether λ proves it beyond round-off. With η = Σ λ_i a_i, d the least pivot of the rows that λ is
 * made of, and eps = 2.2e-16:
 *
 *   |η| <= exact |λ|   and   -λ·q > 1e-10 Σ |λ_i| size_i + 10 (4 eps + |η| / |λ|) / d |λ| |q|
 *
 * The first: a change of the rows by `exact` makes η zero. The second: the last term is by how much
 * λ·q may be wrong, because rows known to eps know their λ to eps / d. */
DlsStatus dls_separate_proves(const DlsSystem *system, const double *lambda, bool *proves);

#endif
