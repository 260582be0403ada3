#include "post/cut.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Side of a plane: 1 where the normal points to. Points of the plane itself belong to the other
 * side. */
static int side_of(const DlsCut *cut, const double x[3]) {
  double height = 0;
  for (int k = 0; k < 3; k++) height += cut->normal[k] * (x[k] - cut->centre[k]);
  return height > 0;
}

/* +1 where the way from a to b crosses the portion towards the normal, -1 against it, else 0. */
static int cross_plane(const DlsCut *cut, const double a[3], const double b[3]) {
  const int from = side_of(cut, a), to = side_of(cut, b);
  double away = 0, along = 0, square = 0;
  if (from == to) return 0;
  if (cut->kind == DLS_CUT_PLANE) return to - from;
  for (int k = 0; k < 3; k++) {
    away += cut->normal[k] * (cut->centre[k] - a[k]);
    along += cut->normal[k] * (b[k] - a[k]);
  }
  for (int k = 0; k < 3; k++) {
    const double x = a[k] + away / along * (b[k] - a[k]) - cut->centre[k];
    square += x * x;
  }
  return square <= cut->radius * cut->radius ? to - from : 0;
}

/* The way from a to b against the mantle of a cylinder: the crossings out less those in, and the
 * outward direction at the last one. */
static int cross_cylinder(const DlsCut *cut, const double a[3], const double b[3],
                          double outward[3]) {
  double p[3], d[3], along = 0, way = 0;
  int sum = 0;
  for (int k = 0; k < 3; k++) {
    p[k] = a[k] - cut->centre[k];
    d[k] = b[k] - a[k];
    along += p[k] * cut->normal[k];
    way += d[k] * cut->normal[k];
  }
  for (int k = 0; k < 3; k++) {
    p[k] -= along * cut->normal[k];
    d[k] -= way * cut->normal[k];
  }
  const double A = dls_vector_dot(d, d), B = dls_vector_dot(p, d);
  const double C = dls_vector_dot(p, p) - cut->radius * cut->radius, square = B * B - A * C;
  if (A == 0 || square <= 0) return 0;
  for (int root = 0; root < 2; root++) { /* in, then out */
    const double t = (-B + (root ? sqrt(square) : -sqrt(square))) / A;
    if (t < 0 || t >= 1 || fabs(along + t * way) > cut->length / 2) continue;
    sum += root ? 1 : -1;
    for (int k = 0; k < 3; k++) outward[k] = (p[k] + t * d[k]) / cut->radius;
  }
  return sum;
}

/* One arm, from the centre x of a grain to the contact point, with the force f on the grain. A
 * force on the inner side comes through the cut from the outer one: crossing outwards it counts as
 * it is, inwards reversed. */
static void add_arm(const DlsCut *cut, const double x[3], const double point[3], double sign,
                    const double f[3], DlsCutForce *out, int *crossed) {
  double outward[3] = {0};
  const int times = cut->kind == DLS_CUT_CYLINDER ? cross_cylinder(cut, x, point, outward)
                                                  : cross_plane(cut, x, point);
  if (times == 0) return;
  *crossed += times * (int)sign;
  for (int k = 0; k < 3; k++) {
    out->force[k] += times * sign * f[k];
    out->normal_force += times * sign * f[k] * outward[k];
  }
}

static double area_of(const DlsCut *cut, int dim) {
  if (cut->kind == DLS_CUT_PLANE) return 0;
  if (cut->kind == DLS_CUT_CYLINDER) return 2 * pi * cut->radius * cut->length;
  return dim == 3 ? pi * cut->radius * cut->radius : 2 * cut->radius;
}

void dls_cut(const DlsPacking *packing, const DlsCut *cut, DlsCutForce *out) {
  const DlsPacking *g = dls_packing_fine(packing);
  memset(out, 0, sizeof *out);
  out->area = area_of(cut, g->dim);
  for (int c = 0; c < g->contacts; c++) {
    int crossed = 0;
    if (!dls_packing_active(g, c)) continue;
    add_arm(cut, g->centre[g->candidate[c]], g->point[c], 1, g->force[c], out, &crossed);
    double point[3];
    dls_packing_point(g, c, 1, point);
    if (g->antagonist[c] >= 0)
      add_arm(cut, g->centre[g->antagonist[c]], point, -1, g->force[c], out, &crossed);
    out->contacts += crossed != 0;
  }
  for (int k = 0; k < 3; k++) {
    if (out->area > 0) out->traction[k] = out->force[k] / out->area;
    out->axial_force += cut->kind == DLS_CUT_CYLINDER ? out->force[k] * cut->normal[k] : 0;
  }
}

static DlsStatus read_segment(const char *text, const DlsProbeText *parts, int dim, DlsCut *out) {
  const double *a = parts->value[0], *b = parts->value[1];
  DLS_CHECK(dim == 2 && parts->groups == 2 && parts->count[0] == 2 && parts->count[1] == 2,
            DLS_ERR_ARGUMENT,
            "%s: is written segment:AX,AY:BX,BY, and is of 2-D; in 3-D take a disk", text);
  out->kind = DLS_CUT_SEGMENT;
  for (int k = 0; k < 2; k++) out->centre[k] = 0.5 * (a[k] + b[k]);
  out->normal[0] = a[1] - b[1];
  out->normal[1] = b[0] - a[0];
  out->radius = 0.5 * dls_vector_norm(out->normal);
  return dls_probe_unit(text, out->normal);
}

DlsStatus dls_cut_read(const char *text, int dim, DlsCut *out) {
  static const char *const words[] = {
      [DLS_CUT_PLANE] = "plane", [DLS_CUT_DISK] = "disk", [DLS_CUT_CYLINDER] = "cylinder"};
  static const int groups[] = {[DLS_CUT_PLANE] = 2, [DLS_CUT_DISK] = 3, [DLS_CUT_CYLINDER] = 4};
  DlsProbeText parts;
  memset(out, 0, sizeof *out);
  DLS_TRY(dls_probe_split(text, &parts));
  if (strcmp(parts.word, "segment") == 0) return read_segment(text, &parts, dim, out);
  for (int k = 0; k < DLS_COUNT(words); k++) {
    if (!words[k] || strcmp(parts.word, words[k]) != 0) continue;
    out->kind = (DlsCutKind)k;
    bool good = parts.groups == groups[k] && parts.count[0] == dim && parts.count[1] == dim;
    for (int n = 2; n < groups[k]; n++) good = good && parts.count[n] == 1 && parts.value[n][0] > 0;
    DLS_CHECK(good && (k != DLS_CUT_CYLINDER || dim == 3), DLS_ERR_ARGUMENT,
              "%s: is written plane:POINT:NORMAL, disk:CENTRE:NORMAL:RADIUS or, in 3-D, "
              "cylinder:CENTRE:AXIS:RADIUS:LENGTH, points with %d numbers such as %s",
              text, dim, dim == 3 ? "0,0,1" : "0,1");
    memcpy(out->centre, parts.value[0], sizeof out->centre);
    memcpy(out->normal, parts.value[1], sizeof out->normal);
    out->radius = parts.value[2][0];
    out->length = parts.value[3][0];
    return dls_probe_unit(text, out->normal);
  }
  return dls_fail(DLS_ERR_ARGUMENT,
                  "%s: no cut is called %s; there are plane, disk, segment, cylinder", text,
                  parts.word);
}
