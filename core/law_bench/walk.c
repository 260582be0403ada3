/* Paths: a contact through several steps, seen from frames of any choice. A frame is a matter of
 * description: what the laws answer, taken back to the base frame, must be the same.
 *
 *   u' = T u,  r' = T r,  D' = T D T^T,     T orthogonal, from the axes of both frames
 *   bodies change places: n' = -n, t1' = -t1, velocities of the other body against this one
 *
 * And both bodies may turn together, as one rigid body: what goes on between them is the same, so
 * that u and r are, by their components in axes that turn with them. */
#include "law_bench/law_bench_impl.h"

#include "base/rotation.h"
#include "law/turn.h"

void law_case_multiply(int n, const double *T, const double *x, double *y) {
  for (int i = 0; i < n; i++) y[i] = dls_small_dot(n, T + i * n, x);
}

static void multiply_transposed(int n, const double *T, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int k = 0; k < n; k++) y[i] += T[k * n + i] * x[k];
  }
}

void law_case_congruence(int n, const double *T, const double *D, double *out) {
  double TD[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  dls_small_multiply(n, T, D, TD);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) out[i * n + j] = dls_small_dot(n, TD + i * n, T + j * n);
}

/* The axis of component k: rows n, t1, t2 for velocities, then t1, t2, n for spins (z in 2-D). */
const double *law_case_axis(int dim, int k, const double (*frame)[3]) {
  if (k < dim) return frame[k];
  return dim == 2 ? frame[2] : k == 5 ? frame[0] : frame[k - 2];
}

void law_case_change(int dim, int block, const double (*from)[3], const double (*to)[3],
                     double sign, double *T) {
  for (int i = 0; i < block; i++)
    for (int j = 0; j < block; j++)
      T[i * block + j] = (i < dim) == (j < dim) ? sign * dls_small_dot(3, law_case_axis(dim, i, to),
                                                                       law_case_axis(dim, j, from))
                                                : 0;
}

/* rows <- rows Q^T: every axis turned by Q. */
static void turn_rows(const double Q[3][3], double rows[3][3]) {
  for (int i = 0; i < 3; i++) {
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = dls_small_dot(3, Q[k], rows[i]);
    memcpy(rows[i], x, sizeof x);
  }
}

static void turn_tangents(double angle, double frame[3][3]) {
  const double c = cos(angle), s = sin(angle);
  for (int k = 0; k < 3; k++) {
    const double t1 = frame[1][k], t2 = frame[2][k];
    frame[1][k] = c * t1 + s * t2;
    frame[2][k] = c * t2 - s * t1;
  }
}

/* `base` is the frame of the path in the space of the view; the contact gets the frame of step
 * k, and where it is. */
static void look(const LawCasePath *path, LawCaseView view, int k, double base[3][3],
                 DlsContact *c) {
  if (view.turn_space) {
    double point[3];
    turn_rows(path->turn, base);
    for (int side = 0; side < 2; side++) turn_rows(path->turn, c->axes[side]);
    for (int e = 0; e < 3; e++) point[e] = dls_small_dot(3, path->turn[e], c->point);
    memcpy(c->point, point, sizeof point);
  }
  memcpy(c->frame, base, sizeof c->frame);
  if (view.turn_tangents && c->dim == 3) turn_tangents(path->angle[k], c->frame);
  for (int e = 0; e < 3 && view.swap; e++) {
    c->frame[0][e] = -c->frame[0][e];
    c->frame[1][e] = -c->frame[1][e];
  }
}

/* About the normal, across it, or about any axis: the last by little, for the core follows that to
 * the third order of the angle only (law/turn.h). */
static void draw_turn_of_pair(DlsRandom *random, int dim, double rotation[3]) {
  const int kind = dls_random_below(random, 3);
  const double most = dim == 2 || kind < 2 ? 1.2 : 0.005;
  memset(rotation, 0, 3 * sizeof *rotation);
  for (int k = 0; k < 3; k++)
    if (dim == 2 ? k == 2 : kind == 2 || (kind == 0) == (k == 0))
      rotation[k] = most * dls_random_between(random, -1, 1);
}

void law_case_draw_path(LawCase *law_case, LawCaseCoupling coupling, bool forces,
                        LawCasePath *path) {
  DlsRandom *random = &law_case->bench.random;
  LawCaseStep *start = &path->start;
  memset(path, 0, sizeof *path);
  law_case_draw_laws(law_case, start);
  law_case_draw_contact(law_case, start);
  law_case_draw_matrix(law_case, start, coupling, 0);
  path->steps = 1 + dls_random_below(random, LAW_CASE_MAX_STEPS);
  path->gap_counts = dls_random_unit(random) < 0.3;
  double speed = 0;
  const DlsContact *c = &start->contact;
  for (int k = 0; k < c->dim; k++) speed = fmax(speed, fabs(c->u_before[k]));
  if (!(speed > 0)) speed = law_case_draw_speed(law_case);
  for (int k = 0; k < path->steps; k++) {
    path->angle[k] = dls_random_between(random, 0, 6.283185307179586);
    if (forces)
      law_case_draw_vector(random, c->dim, c->block, 0.5 * speed, c->radius, path->push[k]);
    if (forces && dls_random_unit(random) < 0.5) path->push[k][0] = -fabs(path->push[k][0]);
  }
  for (int k = 0; k < path->steps; k++) draw_turn_of_pair(random, c->dim, path->rotation[k]);
  if (c->dim == 3) {
    dls_bench_draw_rotation(random, path->turn);
    return;
  }
  const double angle = path->angle[0];
  path->turn[0][0] = path->turn[1][1] = cos(angle);
  path->turn[0][1] = -sin(angle);
  path->turn[1][0] = sin(angle);
  path->turn[2][2] = 1;
}

/* Impulse of a force law: r = h f(gap, u) with the velocity at the start, u = q + D r. */
static LawCaseOutcome push_by_force(LawCase *law_case, LawCaseStep *step) {
  const DlsContact *c = &step->contact;
  double f[DLS_MAX_BLOCK] = {0};
  const LawCaseOutcome outcome = law_case_push(law_case, step, c->u_before, f);
  if (outcome != LAW_CASE_OK) return outcome;
  for (int k = 0; k < c->block; k++) step->r[k] = c->h * f[k];
  dls_small_affine(c->block, step->D, step->r, step->q, step->u);
  law_case_say_step(law_case, "step", step);
  return LAW_CASE_OK;
}

/* Work of the impulse on the bodies, ½ r·(u + u⁻), and what the law says of energy. */
static LawCaseOutcome account(LawCase *law_case, LawCaseStep *step, LawCasePoint *point) {
  const DlsContact *c = &step->contact;
  point->work = 0;
  for (int k = 0; k < c->block; k++)
    point->work += 0.5 * step->r[k] * (step->u[k] + c->u_before[k]);
  if (step->parts > 1) return LAW_CASE_OK;
  step->use = (DlsLawUse){.law = step->part[0].law,
                          .kinematics = law_case_told(step, 0),
                          .params = step->part[0].params,
                          .state = step->part[0].state};
  const DlsStatus status =
      dls_law_energy(&step->use, step->u, step->r, &point->stored, &point->dissipated);
  if (status == DLS_OK) return LAW_CASE_OK;
  law_case_broken(law_case, "energy: %s", dls_error_message());
  return LAW_CASE_BROKEN;
}

/* A path ends where no solution was found: what follows is not the law's doing. */
static LawCaseOutcome require_solution(LawCase *law_case, const LawCaseStep *step) {
  if (step->outcome != DLS_LOCAL_NONE && step->outcome != DLS_LOCAL_FAILED) return LAW_CASE_OK;
  law_case->bench.result->unsolved++;
  law_case_say(law_case, "no solution was found: the path ends here\n");
  return LAW_CASE_UNSOLVED;
}

/* The pair's turn is told to laws that keep such vectors, as in simulations. */
static bool keeps_vectors(const LawCaseStep *step) {
  for (int k = 0; k < step->parts; k++) {
    const DlsLawUse alone = {.law = step->part[k].law};
    if (dls_law_keeps_vectors(&alone)) return true;
  }
  return false;
}

/* Vectors of the contact plane that the law keeps turn with the pair, from the frame of the last
 * step to that of this one. */
static void carry_states(LawCaseWalk *walk) {
  const DlsContact *c = &walk->step.contact;
  double now[9];
  memcpy(now, c->frame, sizeof now);
  for (int k = 0; k < walk->step.parts; k++) {
    LawCasePart *part = &walk->step.part[k];
    for (int i = 0; i + 1 < part->law->nstates; i++)
      if (part->law->states[i].kind != DLS_SCALAR) {
        dls_pair_carry(walk->seen, now, c->turn, part->state + i);
        i++;
      }
  }
}

/* The frame that the law asks for, and its state there. */
static LawCaseOutcome enter(LawCase *law_case, LawCaseWalk *walk) {
  const LawCaseOutcome outcome = law_case_orient(law_case, &walk->step);
  if (outcome != LAW_CASE_OK) return outcome;
  if (!walk->known) return law_case_begin(law_case, &walk->step);
  carry_states(walk);
  return LAW_CASE_OK;
}

/* Round-off of u = D r + q, of which nothing may be left where the contact sticks. */
static void shake(LawCase *law_case, LawCaseWalk *walk) {
  const DlsContact *c = &walk->step.contact;
  const double speed = walk->noise * law_case_speed(&walk->step);
  for (int k = 0; k < c->block; k++)
    walk->step.u[k] +=
        (k < c->dim ? speed : speed / c->radius) * dls_random_normal(&law_case->bench.random);
}

/* The step's own calls. */
static LawCaseOutcome take_step(LawCase *law_case, LawCaseWalk *walk, LawCasePoint *point) {
  LawCaseStep *step = &walk->step;
  LawCaseOutcome outcome = enter(law_case, walk);
  for (int k = 0; k < step->parts; k++) {
    memcpy(walk->state[k], step->part[k].state, sizeof walk->state[k]);
    memcpy(walk->surface[k], step->part[k].surface, sizeof walk->surface[k]);
  }
  if (outcome == LAW_CASE_OK)
    outcome = walk->by_force ? push_by_force(law_case, step) : law_case_answer(law_case, step);
  if (outcome == LAW_CASE_OK && !walk->by_force) outcome = require_solution(law_case, step);
  if (outcome == LAW_CASE_OK && walk->noise > 0) shake(law_case, walk);
  if (outcome == LAW_CASE_OK) outcome = account(law_case, step, point);
  if (outcome == LAW_CASE_OK) outcome = law_case_commit(law_case, step);
  walk->known = outcome == LAW_CASE_OK;
  memcpy(walk->seen, step->contact.frame, sizeof walk->seen);
  return outcome;
}

/* Contacts open beyond the range of their laws are not in the problem. */
static bool within_range(const LawCaseStep *step, bool gap_counts) {
  return gap_counts || step->contact.gap <= law_case_reach(step);
}

void law_case_walk_begin(const LawCasePath *path, LawCaseView view, bool by_force,
                         LawCaseWalk *walk) {
  const DlsContact *c = &path->start.contact;
  *walk = (LawCaseWalk){.path = path, .view = view, .by_force = by_force, .step = path->start};
  memcpy(walk->frame, c->frame, sizeof walk->frame);
  memcpy(walk->axes, c->axes, sizeof walk->axes);
  memcpy(walk->point, c->point, sizeof walk->point);
  memcpy(walk->u, c->u_before, sizeof walk->u);
  walk->gap = c->gap;
  walk->step.blind = view.blind;
  if (view.swap) law_case_swap_places(&walk->step);
}

/* The pair as it is in the next step, and the mean of both spins, along its axes. */
static void turn_pair(LawCaseWalk *walk, double mean[3]) {
  const double *rotation = walk->path->rotation[walk->done];
  double about[3] = {0}, q[4];
  memcpy(mean, walk->path->start.spin, 3 * sizeof *mean);
  if (!walk->view.turn_pair) return;
  for (int k = 0; k < 3; k++) mean[k] += rotation[k] / walk->step.contact.h;
  if (walk->done == 0) return; /* it comes so */
  for (int k = 0; k < 3; k++)
    for (int e = 0; e < 3; e++) about[e] += rotation[k] * walk->frame[k][e];
  dls_rotation_exp(about, q);
  for (int k = 0; k < 3; k++) {
    dls_rotation_apply(q, walk->frame[k], walk->frame[k]);
    for (int side = 0; side < 2; side++)
      dls_rotation_apply(q, walk->axes[side][k], walk->axes[side][k]);
  }
  dls_rotation_apply(q, walk->point, walk->point);
}

/* Kinematics of the next step, in its frame; `base` becomes the path's frame in the view's
 * space. */
static void set_scene(LawCaseWalk *walk, double base[3][3]) {
  const LawCasePath *path = walk->path;
  LawCaseStep *step = &walk->step;
  DlsContact *c = &step->contact;
  const int n = c->block, k = walk->done;
  double T[DLS_MAX_BLOCK * DLS_MAX_BLOCK], free_u[DLS_MAX_BLOCK], mean[3], both[3], now[9];
  *c = path->start.contact;
  turn_pair(walk, mean);
  memcpy(base, walk->frame, sizeof walk->frame);
  memcpy(c->axes, walk->axes, sizeof c->axes);
  memcpy(c->point, walk->point, sizeof c->point);
  look(path, walk->view, k, base, c);
  law_case_set_spins(c, mean, walk->u, (const double(*)[3])base);
  if (walk->view.swap) law_case_swap_bodies(c);
  law_case_change(c->dim, n, (const double(*)[3])base, (const double(*)[3])c->frame,
                  walk->view.swap ? -1 : 1, T);
  for (int i = 0; i < n; i++) free_u[i] = walk->u[i] + path->push[k][i];
  law_case_multiply(n, T, walk->u, c->u_before);
  law_case_multiply(n, T, free_u, step->q);
  law_case_congruence(n, T, path->start.D, step->D);
  c->gap = walk->gap;
  c->gap_rate = walk->gap > 0 || path->gap_counts ? walk->gap / c->h : 0;
  c->time = path->start.contact.time + k * c->h;
  if (!walk->known || !keeps_vectors(step)) return;
  for (int e = 0; e < 3; e++) both[e] = 0.5 * (c->spin[0][e] + c->spin[1][e]);
  memcpy(now, c->frame, sizeof now);
  dls_pair_turn(walk->seen, now, both, c->h, c->turn);
}

LawCaseOutcome law_case_walk_on(LawCase *law_case, LawCaseWalk *walk, LawCasePoint *point) {
  LawCaseStep *step = &walk->step;
  const DlsContact *c = &step->contact;
  double base[3][3], T[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  memset(point, 0, sizeof *point);
  set_scene(walk, base);
  point->called = within_range(step, walk->path->gap_counts);
  if (point->called) {
    const LawCaseOutcome outcome = take_step(law_case, walk, point);
    if (outcome != LAW_CASE_OK) return outcome;
  } else { /* gone, and its state with it */
    walk->known = false;
    memcpy(step->u, step->q, sizeof step->u);
    memset(step->r, 0, sizeof step->r);
  }
  law_case_change(c->dim, c->block, (const double(*)[3])base, (const double(*)[3])c->frame,
                  walk->view.swap ? -1 : 1, T);
  multiply_transposed(c->block, T, step->u, point->u);
  multiply_transposed(c->block, T, step->r, point->r);
  walk->speed = point->speed = fmax(walk->speed, law_case_speed(step));
  walk->impulse = point->impulse = fmax(walk->impulse, law_case_impulse(step));
  memcpy(walk->u, point->u, sizeof walk->u);
  /* What round-off leaves of a gap that closes is not a gap: schemes would differ over it. */
  const double travel = c->h * point->u[0], next = walk->gap + travel;
  walk->gap = fabs(next) > 1e-10 * (fabs(walk->gap) + c->h * point->speed) ? next : 0;
  point->gap = walk->gap;
  walk->done++;
  return LAW_CASE_OK;
}

LawCaseOutcome law_case_walk_arrive(LawCase *law_case, LawCaseWalk *walk) {
  LawCasePoint ignored;
  while (walk->done < walk->path->steps - 1) {
    const LawCaseOutcome outcome = law_case_walk_on(law_case, walk, &ignored);
    if (outcome != LAW_CASE_OK) return outcome;
  }
  return law_case_walk_arrive_at(law_case, walk);
}

LawCaseOutcome law_case_walk_arrive_at(LawCase *law_case, LawCaseWalk *walk) {
  double base[3][3];
  set_scene(walk, base);
  if (!within_range(&walk->step, walk->path->gap_counts)) return LAW_CASE_REFUSED;
  return enter(law_case, walk);
}

bool law_case_walk_solves(LawCaseWalk *walk, const double *r) {
  LawCaseStep *step = &walk->step;
  const DlsContact *c = &step->contact;
  double T[DLS_MAX_BLOCK * DLS_MAX_BLOCK], turned[DLS_MAX_BLOCK];
  if (walk->by_force || walk->view.swap || walk->view.turn_space || walk->view.turn_pair)
    return false;
  for (int k = 0; k < step->parts; k++) {
    memcpy(step->part[k].state, walk->state[k], sizeof walk->state[k]);
    memcpy(step->part[k].surface, walk->surface[k], sizeof walk->surface[k]);
  }
  law_case_change(c->dim, c->block, (const double(*)[3])walk->path->start.contact.frame,
                  (const double(*)[3])c->frame, 1, T);
  law_case_multiply(c->block, T, r, turned);
  step->use.state = step->part[step->parts - 1].state;
  return law_case_also_solves(step, turned);
}

LawCaseOutcome law_case_walk(LawCase *law_case, const LawCasePath *path, LawCaseView view,
                             bool by_force, LawCaseStep *last, LawCasePoint *points) {
  LawCaseWalk walk;
  LawCaseOutcome outcome = LAW_CASE_OK;
  law_case_walk_begin(path, view, by_force, &walk);
  for (int k = 0; k < path->steps && outcome == LAW_CASE_OK; k++)
    outcome = law_case_walk_on(law_case, &walk, &points[k]);
  *last = walk.step;
  return outcome;
}
