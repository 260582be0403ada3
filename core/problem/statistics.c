/* Statistics of a problem, from its assembled W and, where it knows them, its bodies. */
#include <delassus/statistics.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/islands.h>

#include "base/memory.h"
#include "problem/operator/block_rows.h"
#include "problem/operator/operator_impl.h"
#include "problem/rank.h"

static void measure_relations(const DlsProblem *problem, DlsStatistics *out) {
  bool any = false;
  for (int i = 0; i < out->contacts; i++) {
    const DlsRelation *relation = dls_problem_relation(problem, i);
    out->cones[relation->cone]++;
    if (relation->cone != DLS_CONE_COULOMB && relation->cone != DLS_CONE_ROLLING) continue;
    const bool two = relation->cone == DLS_CONE_COULOMB && out->block > 2;
    const double mu1 = relation->mu[DLS_MU_1], mu2 = two ? relation->mu[DLS_MU_2] : mu1;
    out->mu_min = any ? fmin(out->mu_min, fmin(mu1, mu2)) : fmin(mu1, mu2);
    out->mu_max = any ? fmax(out->mu_max, fmax(mu1, mu2)) : fmax(mu1, mu2);
    any = true;
  }
}

/* Contacts per body, and the degrees of freedom of the bodies of each island. */
static DlsStatus measure_bodies(const DlsOperator *W, const DlsPattern *s, const int *island,
                                int *freedom, DlsStatistics *out) {
  int *touches = NULL;
  long supports = 0;
  DLS_NEW(touches, s->parts);
  for (int i = 0; i < s->contacts; i++)
    for (int k = s->start[i]; k < s->start[i + 1]; k++) {
      int *count = &touches[s->part[k]];
      if (s->fixed && s->fixed[k]) continue;
      if ((*count)++ == 0) {
        DlsTouch touch;
        W->does->touch(W, i, k - s->start[i], &touch);
        out->bodies++;
        out->freedom += touch.dof;
        freedom[island[i]] += touch.dof;
      }
      if (*count > out->contacts_per_body_max) out->contacts_per_body_max = *count;
      supports++;
    }
  out->contacts_per_body = out->bodies ? (double)supports / out->bodies : 0;
  free(touches);
  return DLS_OK;
}

static void measure_matrix(const DlsBlockRows *W, DlsStatistics *out) {
  double largest, apart;
  dls_block_rows_asymmetry(W, &apart, &largest);
  for (int i = 0; i < W->contacts; i++) {
    const int row = W->start[i + 1] - W->start[i];
    if (row > out->blocks_per_row_max) out->blocks_per_row_max = row;
  }
  const double blocks = W->start[W->contacts], n = W->contacts;
  out->blocks_per_row = n > 0 ? blocks / n : 0;
  out->density = n > 0 ? blocks / (n * n) : 0;
  out->asymmetry = largest > 0 ? apart / largest : 0;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static DlsStatus measure_scaling(const DlsBlockRows *W, DlsStatistics *out) {
  const int n = W->contacts;
  double *w = NULL;
  if (n == 0) return DLS_OK;
  DLS_NEW(w, n);
  for (int i = 0; i < n; i++)
    w[i] = W->value[(size_t)W->diagonal[i] * (size_t)(W->block * W->block)];
  qsort(w, (size_t)n, sizeof *w, ascending);
  out->w_min = w[0];
  out->w_median = 0.5 * (w[(n - 1) / 2] + w[n / 2]);
  out->w_max = w[n - 1];
  free(w);
  return DLS_OK;
}

static DlsStatus largest_of(const int *island, DlsStatistics *out) {
  int *size = NULL;
  DLS_NEW(size, out->islands);
  for (int i = 0; i < out->contacts; i++)
    if (++size[island[i]] > out->largest_island) out->largest_island = size[island[i]];
  free(size);
  return DLS_OK;
}

/* Islands, and the bodies where the operator `given` tells them apart; else the islands that W,
 * which is `given` itself where it has rows, shows. */
static DlsStatus measure_parts(const DlsOperator *given, const DlsOperator *assembled, int *island,
                               int **freedom, DlsStatistics *out) {
  const bool parts = dls_operator_has_parts(given);
  DLS_TRY(dls_islands_find(parts || !assembled ? given : assembled, island, &out->islands));
  DLS_TRY(largest_of(island, out));
  if (!parts) {
    out->freedom = dls_operator_freedom(given);
    return DLS_OK;
  }
  DlsPattern pattern;
  DLS_NEW(*freedom, out->islands);
  DLS_TRY(dls_operator_pattern(given, &pattern));
  const DlsStatus status = measure_bodies(given, &pattern, island, *freedom, out);
  dls_pattern_clear(&pattern);
  return status;
}

static DlsStatus measure_operator(const DlsBlockRows *W, const int *island, const int *freedom,
                                  DlsStatistics *out) {
  DlsRank rank;
  measure_matrix(W, out);
  DLS_TRY(measure_scaling(W, out));
  DLS_TRY(dls_rank_measure(W, island, out->islands, freedom, &rank));
  out->rank = rank.rank;
  out->rank_is_bound = rank.bounded > 0;
  out->rank_bounded = rank.bounded;
  out->condition_rows = rank.pivoted;
  out->condition = rank.condition;
  return DLS_OK;
}

DlsStatus dls_statistics_measure(const DlsProblem *problem, DlsStatistics *out) {
  const DlsOperator *W = dls_problem_operator(problem);
  DlsOperator *assembled = NULL;
  DlsBlockRows rows = {0};
  int *island = NULL, *freedom = NULL;
  memset(out, 0, sizeof *out);
  out->contacts = dls_problem_contacts(problem);
  out->block = dls_problem_block(problem);
  out->dim = dls_problem_dim(problem);
  out->form = dls_operator_form(W);
  out->rows = out->contacts * out->block;
  measure_relations(problem, out);
  DLS_NEW(island, out->contacts);
  DlsStatus status = dls_operator_rows(W, &assembled, &rows);
  if (status == DLS_OK) status = measure_parts(W, assembled, island, &freedom, out);
  if (status == DLS_OK) status = measure_operator(&rows, island, freedom, out);
  dls_operator_destroy(&assembled);
  free(island);
  free(freedom);
  return status;
}

const char *dls_statistics_rank_kind(const DlsStatistics *s) {
  return s->rank_is_bound ? "upper bound" : "counted";
}

const char *dls_statistics_condition_kind(const DlsStatistics *s) {
  if (!(s->condition > 0)) return "not computed";
  return s->condition_rows < s->rows ? "lower bound of small islands" : "lower bound";
}
