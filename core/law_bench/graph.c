/* The graphs of a law; what each is, in graph.h. */
#include "law_bench/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static void put(DlsCurve *curve, double x, double y) {
  if (curve->count == DLS_GRAPH_POINTS || !isfinite(x) || !isfinite(y)) return;
  curve->x[curve->count] = x;
  curve->y[curve->count++] = y;
}

static void name(DlsGraph *g, const char *title, const char *x, const char *y) {
  memset(g, 0, sizeof *g);
  snprintf(g->title, sizeof g->title, "%s", title);
  snprintf(g->x_label, sizeof g->x_label, "%s", x);
  snprintf(g->y_label, sizeof g->y_label, "%s", y);
}

/* A graph that is zero all along says nothing: it is dropped. */
static void drop_zeros(DlsGraph *g) {
  double largest = 0;
  for (int k = 0; k < g->curves; k++)
    for (int i = 0; i < g->curve[k].count; i++) largest = fmax(largest, fabs(g->curve[k].y[i]));
  if (!(largest > 0)) g->curves = 0;
}

/* So does a path that the law does not let go anywhere: a joint that is tied. */
static void drop_still(DlsGraph *g, double depth) {
  double widest = 0;
  for (int k = 0; k < g->curves; k++)
    for (int i = 0; i < g->curve[k].count; i++) widest = fmax(widest, fabs(g->curve[k].x[i]));
  if (!(widest > 1e-3 * depth)) g->curves = 0;
}

/* A law for the explicit scheme alone has no relation to be solved. */
static bool has_relation(const DlsPoint *point) {
  return point->law->prepare || point->law->residual || point->law->traction;
}

/* The relation of a contact that touches, at rest; false for a law that fails or has none. */
static bool relation_of(const DlsPoint *point, double h, DlsRelation *out) {
  DlsContact c = dls_point_contact(point);
  c.h = h;
  double state[DLS_MAX_PARAMS];
  memcpy(state, point->state, sizeof state);
  const DlsLawUse use = {
      .law = point->law, .kinematics = &c, .params = point->params, .state = state};
  if (point->law->begin && dls_law_begin(&use, state) != DLS_OK) return false;
  return point->law->prepare && dls_law_prepare(&use, out) == DLS_OK;
}

DlsGraphScale dls_graph_scale(const DlsPoint *point, DlsGraphScale wish) {
  DlsRelation relation = {0};
  DlsGraphScale s = wish;
  const DlsContact contact = dls_point_contact(point);
  const DlsPair pair = dls_law_pair(&contact);
  const DlsLawUse use = {.law = point->law, .params = point->params};
  double range;
  if (dls_law_range(&use, &pair, &range) != DLS_OK) range = 0; /* the graphs will tell */
  if (!(s.h > 0)) s.h = 1e-3;
  if (!(s.depth > 0)) s.depth = range > 0 ? 1.25 * range : 1e-4;
  if (s.speed > 0) return s;
  s.speed = 0.1;
  if (relation_of(point, s.h, &relation) && relation.a[0] > 0)
    s.speed = 4 * relation.a[0] / point->mass; /* the pull is a quarter of the picture */
  return s;
}

/* A copy whose machine, moving at `speed`, presses a rigid contact as hard as the graph of
 * velocities does, and does not yield to a soft one. */
static DlsPoint driven(const DlsPoint *point, const DlsGraphScale *s, double speed) {
  const double h = s->h;
  DlsPoint copy = *point;
  DlsRelation relation = {0};
  const bool soft = !has_relation(point) || (relation_of(point, h, &relation) && relation.C[0] > 0);
  copy.machine = soft ? 1e9 : s->speed / speed;
  return copy;
}

static DlsStatus born(DlsPoint *point, double h) {
  DlsContact c = dls_point_contact(point);
  c.h = h;
  const DlsLawUse use = {.law = point->law, .kinematics = &c, .params = point->params};
  return point->law->begin ? dls_law_begin(&use, point->state) : DLS_OK;
}

DlsStatus dls_graph_normal(const DlsPoint *start, const DlsGraphScale *s, DlsGraph *out) {
  name(out, "Normal: force against velocity, at zero gap", "u_N  [m/s]", "f_N  [N]");
  if (!has_relation(start)) return DLS_OK;
  DlsPoint point = *start;
  double q[DLS_MAX_BLOCK] = {0}, u[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK];
  DLS_TRY(born(&point, s->h));
  out->curves = 1;
  for (int i = 0; i < DLS_GRAPH_POINTS; i++) {
    q[0] = s->speed * (-1 + 2.0 * i / (DLS_GRAPH_POINTS - 1));
    DLS_TRY(dls_point_answer(&point, s->h, q, u, r));
    put(&out->curve[0], u[0], r[0] / s->h);
  }
  return DLS_OK;
}

DlsStatus dls_graph_tangential(const DlsPoint *start, const DlsGraphScale *s, DlsGraph *out) {
  name(out, "Tangential: friction against slip", "u_T  [m/s]", "f_T  [N]");
  if (!has_relation(start)) return DLS_OK;
  static const char *const labels[] = {"pressed", "twice"};
  DlsPoint point = *start;
  DlsRelation relation = {0};
  DLS_TRY(born(&point, s->h));
  relation_of(&point, s->h, &relation);
  const double widest = s->speed * (1 + 3 * fmin(fmax(relation.mu[0], 0.3), 3));
  out->curves = 2;
  for (int k = 0; k < out->curves; k++) {
    out->curve[k].label = labels[k];
    for (int i = 0; i < DLS_GRAPH_POINTS; i++) {
      double q[DLS_MAX_BLOCK] = {-(k + 1) * s->speed}, u[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK];
      q[1] = widest * (-1 + 2.0 * i / (DLS_GRAPH_POINTS - 1));
      DLS_TRY(dls_point_answer(&point, s->h, q, u, r));
      put(&out->curve[k], u[1], r[1] / s->h);
    }
  }
  drop_zeros(out);
  return DLS_OK;
}

DlsStatus dls_graph_section(const DlsPoint *start, const DlsGraphScale *s, DlsGraph *out) {
  name(out, "Section of the cone: all frictions of one pressure", "f_T1 / f_N", "f_T2 / f_N");
  if (!has_relation(start) || start->contact.dim != 3) return DLS_OK;
  DlsPoint point = *start;
  DLS_TRY(born(&point, s->h));
  out->equal = true;
  for (int i = 0; i < DLS_GRAPH_POINTS; i++) {
    const double turn = 2 * pi * i / (DLS_GRAPH_POINTS - 1);
    double q[DLS_MAX_BLOCK] = {-s->speed, 1e3 * s->speed * cos(turn), 1e3 * s->speed * sin(turn)};
    double u[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK];
    DLS_TRY(dls_point_answer(&point, s->h, q, u, r));
    if (r[0] > 0) put(&out->curve[0], r[1] / r[0], r[2] / r[0]);
  }
  double widest = 0;
  for (int i = 0; i < out->curve[0].count; i++)
    widest = fmax(widest, hypot(out->curve[0].x[i], out->curve[0].y[i]));
  out->curves = widest > 1e-9 && widest < 1e3; /* none without friction, or when tied */
  return DLS_OK;
}

/* Down to -depth and up to +depth in 2 x 200 steps, from a gap of +depth. `each` sees every
 * step. */
static DlsStatus close_and_open(const DlsPoint *start, const DlsGraphScale *s, void *context,
                                void (*each)(void *context, const DlsPoint *point, int step,
                                             double h)) {
  enum { STEPS = (DLS_GRAPH_POINTS - 1) / 2 };
  const double speed = 2 * s->depth / (STEPS * s->h);
  DlsPoint point = driven(start, s, speed);
  DlsDrive drive[DLS_MAX_BLOCK] = {0};
  point.contact.gap = s->depth;
  for (int i = 0; i < 2 * STEPS; i++) {
    drive[0].value = i < STEPS ? -speed : speed;
    DLS_TRY(dls_point_step(&point, s->h, drive));
    each(context, &point, i, s->h);
  }
  return DLS_OK;
}

static void keep_closing(void *context, const DlsPoint *point, int step, double h) {
  DlsGraph *g = context;
  DlsCurve *curve = &g->curve[step < (DLS_GRAPH_POINTS - 1) / 2 ? 0 : 1];
  put(curve, point->contact.gap, point->r[0] / h);
}

DlsStatus dls_graph_closing(const DlsPoint *start, const DlsGraphScale *s, DlsGraph *out) {
  name(out, "Closed and opened by a machine", "gap  [m]", "f_N  [N]");
  out->curves = 2;
  out->curve[0].label = "closing";
  out->curve[1].label = "opening";
  return close_and_open(start, s, out, keep_closing);
}

DlsStatus dls_graph_pulling(const DlsPoint *start, const DlsGraphScale *s, DlsGraph *out) {
  enum { STEPS = (DLS_GRAPH_POINTS - 1) / 2 };
  name(out, "From contact: opened and closed again", "gap  [m]", "f_N  [N]");
  DlsPoint point = *start;
  DlsDrive drive[DLS_MAX_BLOCK] = {0};
  double pull = 0;
  out->curves = 2;
  out->curve[0].label = "opening";
  out->curve[1].label = "closing";
  point.contact.gap = 0;
  for (int i = 0; i < 2 * STEPS; i++) {
    drive[0].value = (i < STEPS ? 1 : -1) * s->depth / (STEPS * s->h);
    DLS_TRY(dls_point_step(&point, s->h, drive));
    pull = fmin(pull, point.r[0]);
    if (i < STEPS || point.contact.gap > 0.5 * s->depth / STEPS)
      put(&out->curve[i < STEPS ? 0 : 1], point.contact.gap, point.r[0] / s->h);
  }
  if (!(pull < 0)) out->curves = 0;
  drop_still(out, s->depth);
  return DLS_OK;
}

static void keep_states(void *context, const DlsPoint *point, int step, double h) {
  DlsGraph *g = context;
  for (int k = 0; k < g->curves; k++) put(&g->curve[k], (step + 1) * h, point->state[k]);
}

DlsStatus dls_graph_states(const DlsPoint *start, const DlsGraphScale *s, DlsGraph *out) {
  const DlsLaw *law = start->law;
  name(out, "State while it is closed and opened", "t  [s]", "");
  out->curves = law->nstates < DLS_GRAPH_CURVES ? law->nstates : DLS_GRAPH_CURVES;
  for (int k = 0; k < out->curves; k++) out->curve[k].label = law->states[k].name;
  if (out->curves == 1)
    snprintf(out->y_label, sizeof out->y_label, "%s  [%s]", law->states[0].name,
             law->states[0].unit);
  if (out->curves) DLS_TRY(close_and_open(start, s, out, keep_states));
  bool moves = false;
  for (int k = 0; k < out->curves; k++)
    for (int i = 1; i < out->curve[k].count; i++) moves |= out->curve[k].y[i] != out->curve[k].y[0];
  if (!moves) out->curves = 0;
  return DLS_OK;
}

/* Pressed by a force, or held at a depth by a law that needs it, and dragged to and fro. */
DlsStatus dls_graph_slipping(const DlsPoint *start, const DlsGraphScale *s, DlsGraph *out) {
  name(out, "Dragged to and fro under one pressure", "slip  [m]", "f_T  [N]");
  DlsPoint point = driven(start, s, s->speed);
  DlsDrive drive[DLS_MAX_BLOCK] = {0};
  double slip = 0;
  out->curves = 1;
  if (has_relation(start)) {
    point.machine = 1e9;
    drive[0] = (DlsDrive){true, -start->mass * s->speed / s->h};
  } else {
    point.contact.gap = -s->depth;
  }
  const int steps = DLS_GRAPH_POINTS - 1;
  for (int i = 0; i < steps; i++) {
    const double phase = 2.25 * 2 * pi * (i + 0.5) / steps;
    drive[1].value = s->depth * 2.25 * 2 * pi / (steps * s->h) * cos(phase);
    DLS_TRY(dls_point_step(&point, s->h, drive));
    slip += s->h * point.u[1];
    put(&out->curve[0], slip, point.r[1] / s->h);
  }
  drop_zeros(out);
  drop_still(out, s->depth);
  return DLS_OK;
}
