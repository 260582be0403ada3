/* The set of reactions that answer as well as a given one: edges of cones as unknowns >= 0, the
 * equations of equations.h as rows, and a pair of linear programmes for each contact. */
#include <delassus/indeterminacy.h>

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "problem/forces/equations.h"
#include "problem/forces/linear_program.h"
#include "problem/rank.h"

enum { MOST_ROWS = 3000 }; /* of the rank */

/* Edges: unknown j adds x_j direction[j][block] to the reaction of contact of[j]. */
typedef struct {
  int block, edges;
  int *begin; /* [contacts + 1]: the edges of a contact */
  int *of;    /* [edges] */
  double *direction, *low;
} Edges;

/* A basis of what a contact may carry: the span of its edges. */
typedef struct {
  int count;
  double axis[3][3];
} Span;

static void edges_clear(Edges *e) {
  free(e->begin);
  free(e->of);
  free(e->direction);
  free(e->low);
  *e = (Edges){0};
}

static double *next_edge(Edges *e, int contact, double low) {
  e->of[e->edges] = contact;
  e->low[e->edges] = low;
  return e->direction + (size_t)e->block * (size_t)e->edges++;
}

/* Of a contact that sticks: the edges of its cone. `reach`: 1 for corners on the circle of
 * friction, more for sides that touch it. */
static void add_cone(Edges *e, int contact, const DlsRelation *relation, int sides, double reach) {
  const double mu1 = relation->mu[DLS_MU_1], mu2 = relation->mu[DLS_MU_2];
  if (relation->cone == DLS_CONE_BILATERAL) {
    for (int k = 0; k < e->block; k++) next_edge(e, contact, -INFINITY)[k] = 1;
  } else if (relation->cone == DLS_CONE_SLIDER) {
    next_edge(e, contact, -INFINITY)[0] = 1;
  } else if (relation->cone == DLS_CONE_SIGNORINI || e->block == 1 || !(mu1 > 0)) {
    next_edge(e, contact, 0)[0] = 1;
  } else if (e->block == 2) {
    for (int side = -1; side <= 1; side += 2) {
      double *d = next_edge(e, contact, 0);
      d[0] = 1, d[1] = side * mu1;
    }
  } else {
    for (int k = 0; k < sides; k++) {
      double *d = next_edge(e, contact, 0);
      const double angle = 2 * 3.14159265358979323846 * k / sides;
      d[0] = 1, d[1] = reach * mu1 * cos(angle), d[2] = reach * mu2 * sin(angle);
    }
  }
}

static Span span_of(const Edges *e, int contact) {
  Span span = {0};
  const int first = e->begin[contact], count = e->begin[contact + 1] - first;
  for (int k = 0; k < count && k < 1; k++, span.count++)
    for (int c = 0; c < e->block; c++)
      span.axis[0][c] = e->direction[(size_t)(first + k) * (size_t)e->block + (size_t)c];
  if (count <= 1) return span;
  span = (Span){.count = e->block};
  for (int c = 0; c < e->block; c++) span.axis[c][c] = 1;
  return span;
}

/* The given answer in standard form, with what its contacts do, and m/s below which they rest. */
typedef struct {
  const double *r_hat, *u_hat;
  const DlsContactStatus *status;
  double still;
} Answer;

static double slides(const Answer *answer, const double *u, int block) {
  double sum = 0;
  for (int k = 1; k < block; k++) sum += u[k] * u[k];
  return sqrt(sum) > answer->still ? sqrt(sum) : 0;
}

/* A contact without a reaction may carry in another answer where it does not part: against its
 * sliding, or anywhere in its cone. */
static void add_contact(Edges *e, const DlsProblem *problem, const Answer *answer, int i, int sides,
                        double reach) {
  const DlsRelation *relation = dls_problem_relation(problem, i);
  const double *r = answer->r_hat + (size_t)i * (size_t)e->block,
               *u = answer->u_hat + (size_t)i * (size_t)e->block;
  const double speed = slides(answer, u, e->block);
  if (relation->cone == DLS_CONE_FREE) return;
  if (answer->status[i] == DLS_OPEN && u[0] > answer->still) return;
  if (answer->status[i] == DLS_OPEN && speed > 0 && relation->cone == DLS_CONE_COULOMB) {
    double *d = next_edge(e, i, 0);
    d[0] = 1;
    for (int k = 1; k < e->block; k++) d[k] = -relation->mu[k - 1] * u[k] / speed;
  } else if (answer->status[i] == DLS_SLIP && r[0] > 0) {
    double *d = next_edge(e, i, 0);
    for (int k = 0; k < e->block; k++) d[k] = r[k] / r[0];
  } else {
    add_cone(e, i, relation, sides, reach);
  }
}

static DlsStatus find_edges(const DlsProblem *problem, const Answer *answer, int sides,
                            double reach, Edges *e) {
  const int contacts = dls_problem_contacts(problem), block = dls_problem_block(problem);
  const size_t most = (size_t)contacts * (size_t)sides;
  *e = (Edges){.block = block};
  DLS_NEW(e->begin, contacts + 1);
  DLS_NEW(e->of, most);
  DLS_NEW(e->low, most);
  DLS_NEW(e->direction, most * (size_t)block);
  for (int i = 0; i < contacts; i++) {
    add_contact(e, problem, answer, i, sides, reach);
    e->begin[i + 1] = e->edges;
  }
  return DLS_OK;
}

/* A = C^T C with columns of unit length, and behind it room for its rank. */
static DlsStatus multiply(const DlsEquations *C, double **A) {
  const size_t n = (size_t)C->columns;
  double *column;
  DLS_NEW(*A, n * (2 * n + 1));
  DLS_NEW(column, C->rows);
  for (size_t j = 0; j < n; j++) {
    double norm = 0;
    for (int k = C->start[j]; k < C->start[j + 1]; k++) norm += C->value[k] * C->value[k];
    norm = norm > 0 ? sqrt(norm) : 1;
    for (int k = C->start[j]; k < C->start[j + 1]; k++) C->value[k] /= norm;
  }
  for (size_t j = 0; j < n; j++) {
    for (int k = C->start[j]; k < C->start[j + 1]; k++) column[C->row[k]] = C->value[k];
    for (size_t i = 0; i < n; i++)
      for (int k = C->start[i]; k < C->start[i + 1]; k++)
        (*A)[i * n + j] += C->value[k] * column[C->row[k]];
    for (int k = C->start[j]; k < C->start[j + 1]; k++) column[C->row[k]] = 0;
  }
  free(column);
  return DLS_OK;
}

/* The number of equations that differ for what carries: the rank of E between the spans of
 * contacts, that of the symmetric A = (E B)^T (E B). */
static DlsStatus count_self_stress(const DlsEquations *equations, const Edges *e, int contacts,
                                   DlsIndeterminacy *out) {
  DlsEquations spanned = {0};
  int *of;
  double *axis, *A = NULL;
  DLS_NEW(of, contacts * e->block);
  axis = dls_memory_array((size_t)(contacts * e->block) * (size_t)e->block, sizeof *axis);
  DlsStatus status =
      axis ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "out of memory for %d axes", contacts);
  int n = 0;
  for (int i = 0; status == DLS_OK && i < contacts; i++) {
    const Span span = span_of(e, i);
    for (int k = 0; k < span.count && k < 3; k++, n++) {
      of[n] = i;
      for (int c = 0; c < e->block && c < 3; c++) axis[n * e->block + c] = span.axis[k][c];
    }
  }
  out->unknowns = n;
  out->rank = out->self_stress = -1;
  if (status == DLS_OK && n <= MOST_ROWS) {
    status = dls_equations_combine(equations, e->block, of, axis, n, &spanned);
    if (status == DLS_OK) status = multiply(&spanned, &A);
    if (status == DLS_OK) {
      out->rank = dls_rank_dense(A, (size_t)n, A + (size_t)n * (size_t)n);
      out->self_stress = n - out->rank;
    }
  }
  dls_equations_clear(&spanned);
  free(A);
  free(axis);
  free(of);
  return status;
}

/* The programme of one form of the edges, in units of the mean reaction. */
typedef struct {
  Edges edges;
  DlsLinearProgram *program;
  double *c; /* [edges] */
} Bounds;

static void close_bounds(Bounds *b) {
  dls_linear_program_close(&b->program);
  edges_clear(&b->edges);
  free(b->c);
}

static DlsStatus open_program(const DlsEquations *equations, const double *r_hat, double unit,
                              Bounds *b) {
  DlsEquations a = {0};
  double *load;
  DLS_NEW(b->c, b->edges.edges);
  DLS_NEW(load, equations->rows);
  dls_equations_apply(equations, r_hat, load);
  for (int i = 0; i < equations->rows; i++) load[i] /= unit;
  DlsStatus status = dls_equations_combine(equations, b->edges.block, b->edges.of,
                                           b->edges.direction, b->edges.edges, &a);
  if (status == DLS_OK)
    status = dls_linear_program_open(a.rows, a.columns, a.start, a.row, a.value, load, b->edges.low,
                                     &b->program);
  dls_equations_clear(&a);
  free(load);
  return status;
}

/* The least and the largest normal reaction of a contact, N s. */
static DlsStatus bound(Bounds *b, int contact, double unit, double *low, double *high) {
  *low = *high = 0;
  const int first = b->edges.begin[contact], end = b->edges.begin[contact + 1];
  if (first == end) return DLS_OK;
  for (int j = first; j < end; j++)
    b->c[j] = b->edges.direction[(size_t)j * (size_t)b->edges.block];
  for (int sense = 1; sense >= -1; sense -= 2) {
    DlsProgramOutcome outcome;
    double value = 0;
    DLS_TRY(dls_linear_program_solve(b->program, b->c, sense, &outcome, &value, NULL));
    DLS_CHECK(outcome != DLS_PROGRAM_EMPTY, DLS_ERR_SOLVER,
              "no reactions within the cones answer as the given ones do, to 1e-9 of the mean "
              "reaction: they are not converged enough; solve to a smaller tolerance");
    *(sense > 0 ? low : high) = outcome == DLS_PROGRAM_UNLIMITED ? -sense * HUGE_VAL : value * unit;
  }
  for (int j = first; j < end; j++) b->c[j] = 0;
  return DLS_OK;
}

/* `most` of the contacts, without order, or all. */
static DlsStatus draw(int contacts, const DlsIndeterminacyOptions *options, int **chosen,
                      int *count) {
  DlsRandom random;
  DLS_NEW(*chosen, contacts);
  for (int i = 0; i < contacts; i++) (*chosen)[i] = i;
  *count = contacts < options->most ? contacts : options->most;
  dls_random_seed(&random, options->seed);
  for (int i = 0; *count < contacts && i < *count; i++) {
    const int j = i + dls_random_below(&random, contacts - i), t = (*chosen)[i];
    (*chosen)[i] = (*chosen)[j];
    (*chosen)[j] = t;
  }
  return DLS_OK;
}

static bool is_round(const DlsProblem *problem) {
  if (dls_problem_dim(problem) < 3) return false;
  for (int i = 0; i < dls_problem_contacts(problem); i++)
    if (dls_problem_relation(problem, i)->cone == DLS_CONE_COULOMB &&
        dls_problem_relation(problem, i)->mu[DLS_MU_1] > 0)
      return true;
  return false;
}

static void count_intervals(const DlsForceInterval *interval, const int *chosen, int count,
                            double unit, DlsIndeterminacy *out) {
  const double same = 1e-5; /* of the mean reaction */
  int limited = 0, outer = 0;
  for (int k = 0; k < count; k++) {
    const DlsForceInterval *v = &interval[chosen[k]];
    out->bounded++;
    out->decided += v->high - v->low <= same * unit;
    out->unlimited += isinf(v->high);
    if (isfinite(v->high - v->low)) limited++, out->width += v->high - v->low;
    if (isfinite(v->outer_high - v->outer_low))
      outer++, out->outer_width += v->outer_high - v->outer_low;
  }
  out->width = limited && out->mean > 0 ? out->width / limited / out->mean : 0;
  out->outer_width = outer && out->mean > 0 ? out->outer_width / outer / out->mean : 0;
}

static DlsStatus find_intervals(const DlsProblem *problem, const DlsEquations *equations,
                                const Answer *answer, const DlsIndeterminacyOptions *options,
                                DlsIndeterminacy *out, DlsForceInterval *interval) {
  const double unit = out->mean > 0 ? out->mean : 1;
  const bool round = is_round(problem);
  const double reach[2] = {1, 1 / cos(3.14159265358979323846 / options->edges)};
  Bounds b = {0};
  int *chosen = NULL, count = 0;
  DlsStatus result = draw(out->contacts, options, &chosen, &count);
  for (int outer = 0; result == DLS_OK && outer <= round; outer++) {
    result = find_edges(problem, answer, options->edges, reach[outer], &b.edges);
    if (result == DLS_OK && outer == 0)
      result = count_self_stress(equations, &b.edges, out->contacts, out);
    if (result == DLS_OK) result = open_program(equations, answer->r_hat, unit, &b);
    for (int k = 0; result == DLS_OK && k < count; k++) {
      DlsForceInterval *v = &interval[chosen[k]];
      if (outer == 0) {
        result = bound(&b, chosen[k], unit, &v->low, &v->high);
        v->outer_low = v->low, v->outer_high = v->high;
      } else {
        result = bound(&b, chosen[k], unit, &v->outer_low, &v->outer_high);
      }
    }
    close_bounds(&b);
    b = (Bounds){0};
  }
  if (result == DLS_OK) count_intervals(interval, chosen, count, unit, out);
  free(chosen);
  return result;
}

DlsIndeterminacyOptions dls_indeterminacy_options_default(void) {
  return (DlsIndeterminacyOptions){.edges = 16, .most = 100, .seed = 1};
}

static DlsStatus check(const DlsProblem *problem, const DlsIndeterminacyOptions *o) {
  const int dim = dls_problem_dim(problem), block = dls_problem_block(problem);
  DLS_CHECK(o->edges >= 4 && o->edges <= 64, DLS_ERR_ARGUMENT,
            "indeterminacy: %d edges of a cone; let them be 4 to 64", o->edges);
  DLS_CHECK(o->most >= 1, DLS_ERR_ARGUMENT, "indeterminacy: intervals of %d contacts; ask for one",
            o->most);
  DLS_CHECK(block <= dim, DLS_ERR_UNSUPPORTED,
            "indeterminacy: %s has contacts with torques (%d components in %d-D), whose cones are "
            "not looked at",
            dls_problem_name(problem), block, dim);
  DLS_CHECK(!dls_problem_has(problem, DLS_CONE_CUSTOM), DLS_ERR_UNSUPPORTED,
            "indeterminacy: %s has contacts with a custom law, whose reactions form no cone",
            dls_problem_name(problem));
  return DLS_OK;
}

/* A millionth of what the mean reaction, or the load, does to the velocity of a contact. */
static DlsStatus find_still(const DlsProblem *problem, double mean, double *still) {
  const size_t b = (size_t)dls_problem_block(problem);
  const size_t contacts = (size_t)dls_problem_contacts(problem);
  const double *q = dls_problem_standard_q(problem);
  double moved = 0, loaded = 0, *D;
  DLS_NEW(D, contacts * b * b);
  dls_problem_standard_diagonal(problem, D);
  for (size_t i = 0; i < contacts; i++) {
    moved += D[i * b * b] * fabs(mean) / (double)contacts;
    for (size_t k = 0; k < b; k++) loaded = fmax(loaded, fabs(q[i * b + k]));
  }
  free(D);
  *still = 1e-6 * fmax(moved, loaded);
  return DLS_OK;
}

static DlsStatus measure(const DlsProblem *problem, double *r_hat, double *u_hat,
                         DlsContactStatus *status, const DlsIndeterminacyOptions *options,
                         DlsIndeterminacy *out, DlsForceInterval *interval) {
  const int contacts = dls_problem_contacts(problem), block = dls_problem_block(problem);
  DlsEquations equations = {0};
  double still = 0;
  dls_problem_to_standard(problem, r_hat);
  dls_problem_standard_velocity(problem, r_hat, u_hat);
  dls_errors_status(problem, r_hat, u_hat, status);
  *out = (DlsIndeterminacy){.contacts = contacts, .rank = -1, .self_stress = -1};
  for (int i = 0; i < contacts; i++) {
    interval[i] = (DlsForceInterval){NAN, NAN, NAN, NAN};
    out->open += status[i] == DLS_OPEN;
    out->slip += status[i] == DLS_SLIP;
    if (status[i] != DLS_OPEN) out->mean += r_hat[(size_t)i * (size_t)block];
  }
  out->stick = contacts - out->open - out->slip;
  out->mean /= contacts > out->open ? contacts - out->open : 1;
  DlsStatus result = find_still(problem, out->mean, &still);
  if (result == DLS_OK) result = dls_equations_make(problem, &equations);
  if (result == DLS_OK) {
    const Answer answer = {r_hat, u_hat, status, still};
    result = find_intervals(problem, &equations, &answer, options, out, interval);
  }
  dls_equations_clear(&equations);
  return result;
}

DlsStatus dls_indeterminacy_measure(const DlsProblem *problem, const double *r,
                                    const DlsIndeterminacyOptions *options, DlsIndeterminacy *out,
                                    DlsForceInterval *interval, DlsContactStatus *status) {
  const DlsIndeterminacyOptions plain = dls_indeterminacy_options_default();
  const size_t contacts = (size_t)dls_problem_contacts(problem);
  const size_t n = contacts * (size_t)dls_problem_block(problem);
  double *room;
  DLS_TRY(check(problem, options ? options : &plain));
  DLS_NEW(room, 2 * n);
  DlsContactStatus *own = dls_memory_array(contacts, sizeof *own);
  DlsStatus result = DLS_ERR_MEMORY;
  dls_memory_copy(room, r, n, sizeof *room);
  if (own)
    result = measure(problem, room, room + n, own, options ? options : &plain, out, interval);
  else
    (void)dls_fail(result, "out of memory for %zu contacts", contacts);
  if (own && status) dls_memory_copy(status, own, contacts, sizeof *own);
  free(own);
  free(room);
  return result;
}
