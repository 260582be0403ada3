/* One body of LMGC90 as an item of a deck.
 *
 * LMGC90 tells a body by a node (`coo`), a displacement and the axes a, b, c of DOF.INI; vertices
 * and shifts are in body axes, from the node. So does a deck: `position`, `turn`, `points`. */
#include "import/lmgc90_shapes.h"

#include <math.h>
#include <stdlib.h>

#include "base/rotation.h"
#include "world/convex.h"
#include "world/shape.h"

/* How far the volume within the faces may be from that of the hull: numbers of seven digits; and
 * what is taken with a sentence. */
static const double same_volume = 1e-4, near_volume = 0.02;

static bool is(const DlsLmgc90Contactor *c, const char *kind) { return strcmp(c->kind, kind) == 0; }

/* The drive of a velocity or force component, from 1; the last one told. NULL: none. */
static const DlsLmgc90Drive *drive_of(const DlsLmgc90Body *body, int component, bool force) {
  for (int k = body->drives - 1; k >= 0; k--)
    if (body->drive[k].component == component && body->drive[k].force == force)
      return &body->drive[k];
  return NULL;
}

bool dls_lmgc90_is_held(const DlsLmgc90Body *body) {
  for (int k = 1; k <= (body->dim == 2 ? 3 : 6); k++)
    if (!drive_of(body, k, false)) return false;
  return true;
}

bool dls_lmgc90_is_boundary(const DlsLmgc90Body *body) {
  const DlsLmgc90Contactor *c = body->contactor;
  return body->contactors == 1 &&
         (is(c, "xKSID") || is(c, "DNLYC") || (is(c, "CYLND") && dls_lmgc90_is_held(body)));
}

/* The quaternion of axes given as rows. False where they are no rotation to the digits written. */
static bool rotation_of(const double axes[9], double q[4]) {
  double cross[3];
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++)
      if (!(fabs(dls_vector_dot(axes + 3 * i, axes + 3 * j) - (i == j)) < 1e-5)) return false;
  dls_vector_cross(axes, axes + 3, cross);
  if (dls_vector_dot(cross, axes + 6) < 0) return false;
  /* R_rc = axes[3 c + r]; the largest of 4 w^2, 4 x^2 ... leads. */
  const double r00 = axes[0], r11 = axes[4], r22 = axes[8];
  const double square[4] = {1 + r00 + r11 + r22, 1 + r00 - r11 - r22, 1 - r00 + r11 - r22,
                            1 - r00 - r11 + r22};
  int lead = 0;
  for (int k = 1; k < 4; k++)
    if (square[k] > square[lead]) lead = k;
  const double odd[3] = {axes[5] - axes[7], axes[6] - axes[2], axes[1] - axes[3]};
  const double even[3] = {axes[7] + axes[5], axes[2] + axes[6], axes[3] + axes[1]};
  q[lead] = square[lead];
  for (int k = 1; k < 4; k++) {
    if (lead == 0)
      q[k] = odd[k - 1];
    else if (k == lead)
      q[0] = odd[k - 1];
    else
      q[k] = even[3 - lead - k + 2]; /* of the axis that is neither */
  }
  dls_rotation_normalise(q);
  return true;
}

typedef struct {
  double position[3], q[4]; /* of the body, then of its contactor where that has its own */
} Place;

static DlsStatus place_of(const DlsLmgc90 *scene, const DlsLmgc90Body *body, Place *out) {
  *out = (Place){.q = {1, 0, 0, 0}};
  for (int k = 0; k < body->dim; k++)
    out->position[k] = body->coordinate[k] + body->displacement[k];
  if (body->dim == 2) {
    const double turn[3] = {0, 0, body->coordinate[2] + body->displacement[2]};
    dls_rotation_exp(turn, out->q);
  } else if (body->framed && !rotation_of(body->frame, out->q)) {
    return dls_fail(DLS_ERR_FORMAT,
                    "%s: the axes a, b, c of the body of line %d of BODIES.DAT are not three unit "
                    "vectors, right-handed",
                    scene->dof_ini, body->line);
  }
  return DLS_OK;
}

/* A contactor alone on its body may stand aside of the node and turned. */
static DlsStatus move_place(const DlsLmgc90 *scene, const DlsLmgc90Contactor *c, Place *place) {
  double shift[3], own[4], both[4];
  dls_rotation_apply(place->q, c->shift, shift);
  for (int k = 0; k < 3; k++) place->position[k] += shift[k];
  if (!c->framed) return DLS_OK;
  if (!rotation_of(c->frame, own))
    return dls_fail(DLS_ERR_FORMAT, "%s:%d: its axes are not three unit vectors, right-handed",
                    scene->bodies_dat, c->line);
  dls_rotation_multiply(place->q, own, both);
  memcpy(place->q, both, sizeof both);
  return DLS_OK;
}

static void put_vector(FILE *out, const char *key, int count, const double *x) {
  fprintf(out, "%s[", key);
  for (int k = 0; k < count; k++) {
    if (k) fputs(", ", out);
    dls_lmgc90_put(out, x[k]);
  }
  fputc(']', out);
}

/* The hull of the vertices, told where the faces (in 2-D the polygon) enclose less. */
static DlsStatus check_hull(DlsLmgc90 *scene, const DlsLmgc90Body *body,
                            const DlsLmgc90Contactor *c, DlsShape *shape, bool *good) {
  DlsConvexNumbers numbers = {0};
  double within = 0, middle[3] = {0};
  const int dim = body->dim;
  DlsStatus status = dls_convex_hull(dim, 0, c->vertices, (const double(*)[3])c->vertex, &numbers);
  const DlsShapePart part = {
      .kind = DLS_SHAPE_CONVEX, .count = numbers.count, .number = numbers.number};
  if (status == DLS_OK) status = dls_shape_compose(dim, 1, &part, shape);
  free(numbers.number);
  *good = status == DLS_OK;
  if (status == DLS_ERR_MEMORY) return status;
  if (!*good)
    return dls_import_note(&scene->notes, true, scene->bodies_dat, c->line,
                           "a %s is left out: %.300s", c->kind, dls_error_message());
  for (int v = 0; v < c->vertices; v++)
    for (int k = 0; k < 3; k++) middle[k] += c->vertex[v][k] / c->vertices;
  for (int f = 0; f < (dim == 2 ? c->vertices : c->faces); f++) {
    double corner[3][3], cross[3];
    for (int i = 0; i < (dim == 2 ? 2 : 3); i++)
      for (int k = 0; k < 3; k++)
        corner[i][k] =
            c->vertex[dim == 2 ? (f + i) % c->vertices : c->face[f][i] - 1][k] - middle[k];
    dls_vector_cross(corner[0], corner[1], cross);
    within += dim == 2 ? fabs(cross[2]) / 2 : fabs(dls_vector_dot(cross, corner[2])) / 6;
  }
  const double off = fabs(within / shape->volume - 1);
  if (off <= same_volume) return DLS_OK;
  const bool lost = !(off <= near_volume);
  *good = !lost;
  return dls_import_note(&scene->notes, lost, scene->bodies_dat, c->line,
                         "this %s is not convex: its sides enclose %.4g of its hull; %s", c->kind,
                         within / shape->volume,
                         lost ? "left out; split it into convex bodies" : "the hull is taken");
}

/* Solids that are one shape of a deck. *good false: nothing was written. */
static DlsStatus write_shape(DlsLmgc90 *scene, const DlsLmgc90Body *body,
                             const DlsLmgc90Contactor *c, FILE *out, DlsShape *shape, bool *good) {
  const int dim = body->dim;
  *good = true;
  if (is(c, "PLANx")) {
    const double lengths[3] = {2 * c->size[0], 2 * c->size[1], 2 * c->size[2]};
    put_vector(out, ", shape: {kind: box, lengths: ", 3, lengths);
    fputc('}', out);
  } else if (is(c, "JONCx")) { /* a rectangle with round ends */
    const double length = 2 * c->size[0];
    put_vector(out, ", shape: {kind: capsule, lengths: ", 1, &length);
    fputs(", radius: ", out);
    dls_lmgc90_put(out, c->size[1]);
    fputc('}', out);
  } else if (is(c, "POLYG") || is(c, "POLYR")) {
    DLS_TRY(check_hull(scene, body, c, shape, good));
    if (!*good) return DLS_OK;
    fputs(", shape: {kind: hull, points: [", out);
    for (int v = 0; v < c->vertices; v++)
      for (int k = 0; k < dim; k++) {
        if (v || k) fputs(k ? ", " : ",  ", out);
        dls_lmgc90_put(out, c->vertex[v][k]);
      }
    fputs("]}", out);
  } else {
    *good = false;
    return dls_import_note(&scene->notes, true, scene->bodies_dat, c->line,
                           "a %s that moves freely is left out: it is taken as a boundary, where "
                           "all of its velocities are prescribed",
                           c->kind);
  }
  return DLS_OK;
}

/* avrd: the radius of the ball (disk) of the same volume. */
static double mass_of(const DlsLmgc90Body *body, double density) {
  const double pi = acos(-1), r = body->avrd;
  return density * (body->dim == 2 ? pi * r * r : 4 * pi / 3 * r * r * r);
}

/* Inertia is that of the shape, scaled to the mass; told where the folder says another by 1 %. */
static DlsStatus tell_inertia(DlsLmgc90 *scene, const DlsLmgc90Body *body, const DlsShape *shape,
                              double density) {
  if (!(shape->volume > 0) || dls_lmgc90_is_held(body)) return DLS_OK;
  const double mass = body->avrd > 0 ? mass_of(body, density) : density * shape->volume;
  const double scale = mass / shape->volume;
  double given[3] = {body->inertia[0], body->inertia[1], body->inertia[2]};
  double own[3] = {shape->inertia[0], shape->inertia[1], shape->inertia[2]};
  if (body->dim == 2) {
    if (!(body->gyrd > 0)) return DLS_OK;
    given[0] = given[1] = own[0] = own[1] = 0;
    given[2] = mass * body->gyrd * body->gyrd;
  } else if (!(given[0] > 0 && given[1] > 0 && given[2] > 0)) {
    return DLS_OK;
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (double *x = i ? given : own; x; x = NULL)
        if (x[j] > x[j + 1]) {
          const double t = x[j];
          x[j] = x[j + 1];
          x[j + 1] = t;
        }
  for (int k = 0; k < 3; k++)
    if (given[k] > 0 && fabs(own[k] * scale / given[k] - 1) > 0.01)
      return dls_import_note(&scene->notes, false, scene->bodies_dat, body->line,
                             "inertia is given, and is not that of the shape; the deck has that of "
                             "the shape");
  return DLS_OK;
}

/* Components of a velocity that are zero at all times are fixed, others are a motion. In 3-D those
 * about axes are about the body's own there; about those of space here. */
static DlsStatus write_drives(DlsLmgc90 *scene, const DlsLmgc90Body *body, FILE *out) {
  static const char *const fixed[] = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};
  static const char *const motion[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  static const char *const load[] = {"force", "torque"};
  const int components = body->dim == 2 ? 3 : 6;
  int count = 0;
  for (int k = 1; k <= components; k++) {
    const DlsLmgc90Drive *d = drive_of(body, k, false);
    const int to = body->dim == 2 && k == 3 ? 5 : k - 1;
    if (d && dls_lmgc90_is_zero(d)) fprintf(out, "%s%s", count++ ? ", " : ", fixed: [", fixed[to]);
  }
  if (count) fputc(']', out);
  count = 0;
  for (int k = 1; k <= components; k++) {
    const DlsLmgc90Drive *d = drive_of(body, k, false);
    const int to = body->dim == 2 && k == 3 ? 5 : k - 1;
    if (!d || dls_lmgc90_is_zero(d)) continue;
    fprintf(out, "%s%s: ", count++ ? ", " : ", motion: {", motion[to]);
    dls_lmgc90_write_drive(out, d);
    if (body->dim == 3 && k > 3)
      DLS_TRY(dls_import_note(&scene->notes, false, scene->drive_dat, d->line,
                              "a spin about an axis of the body is taken about one of space"));
  }
  if (count) fputc('}', out);
  for (int of = 0; of < 2; of++) {
    bool any = false;
    for (int k = 0; k < 3; k++) {
      const int component = of == 0 ? k + 1 : body->dim == 2 ? (k == 2 ? 3 : 0) : k + 4;
      if (of == 0 && body->dim == 2 && k == 2) continue;
      const DlsLmgc90Drive *d = component ? drive_of(body, component, true) : NULL;
      any |= d && !dls_lmgc90_is_zero(d);
    }
    if (!any) continue;
    fprintf(out, ", %s: [", load[of]);
    for (int k = 0; k < (of == 0 ? body->dim : 3); k++) {
      const int component = of == 0 ? k + 1 : body->dim == 2 ? (k == 2 ? 3 : 0) : k + 4;
      const DlsLmgc90Drive *d = component ? drive_of(body, component, true) : NULL;
      if (k) fputs(", ", out);
      if (d)
        dls_lmgc90_write_drive(out, d);
      else
        fputc('0', out);
    }
    fputc(']', out);
  }
  return DLS_OK;
}

static void write_start(const DlsLmgc90Body *body, const Place *place, FILE *out) {
  double turn[3], spin[3] = {0};
  dls_rotation_log(place->q, turn);
  put_vector(out, ", position: ", body->dim, place->position);
  if (turn[0] != 0 || turn[1] != 0 || turn[2] != 0) {
    if (body->dim == 2)
      put_vector(out, ", turn: ", 1, turn + 2);
    else
      put_vector(out, ", turn: ", 3, turn);
  }
  bool moves = false;
  for (int k = 0; k < body->dim; k++) moves |= body->velocity[k] != 0;
  if (moves) put_vector(out, ", velocity: ", body->dim, body->velocity);
  if (body->dim == 2)
    spin[2] = body->velocity[2];
  else
    dls_rotation_apply(place->q, body->velocity + 3, spin); /* told in body axes */
  if (spin[0] != 0 || spin[1] != 0 || spin[2] != 0) put_vector(out, ", spin: ", 3, spin);
}

static bool all_balls(const DlsLmgc90Body *body) {
  for (int k = 0; k < body->contactors; k++)
    if (!is(&body->contactor[k], "SPHER") && !is(&body->contactor[k], "DISKx")) return false;
  return true;
}

static void write_balls(const DlsLmgc90Body *body, FILE *out) {
  const double *shift = body->contactor[0].shift;
  if (body->contactors == 1 && shift[0] == 0 && shift[1] == 0 && shift[2] == 0) {
    fputs(", radius: ", out);
    dls_lmgc90_put(out, body->contactor[0].size[0]);
    return;
  }
  for (int k = 0; k < body->contactors; k++) {
    put_vector(out, k ? ", {at: " : ", cluster: [{at: ", body->dim, body->contactor[k].shift);
    fputs(", radius: ", out);
    dls_lmgc90_put(out, body->contactor[k].size[0]);
    fputc('}', out);
  }
  fputc(']', out);
}

/* A boundary of the deck is a named section; its origin is the foot of a cylinder. */
static DlsStatus write_boundary(DlsLmgc90 *scene, int number, const char *material, FILE *out) {
  const DlsLmgc90Body *body = &scene->body[number];
  const DlsLmgc90Contactor *c = body->contactor;
  Place place;
  double axis[3] = {0, 0, 1};
  DLS_TRY(place_of(scene, body, &place));
  DLS_TRY(move_place(scene, c, &place));
  if (!dls_lmgc90_is_held(body))
    return dls_import_note(&scene->notes, true, scene->bodies_dat, c->line,
                           "a %s that moves freely is left out: as a boundary all of its "
                           "velocities are prescribed",
                           c->kind);
  dls_rotation_apply(place.q, axis, axis);
  fprintf(out, "  body-%d: {material: \"%s\"", number + 1, material);
  if (is(c, "xKSID")) {
    fputs(", shape: sphere, inside: true, radius: [", out);
    dls_lmgc90_put(out, c->size[0]);
  } else {
    const double length = 2 * c->size[0]; /* High is half of it */
    for (int k = 0; k < 3; k++) place.position[k] -= c->size[0] * axis[k];
    fprintf(out, ", shape: cylinder%s",
            is(c, "DNLYC") ? ", inside: true, open: [\"-z\", \"+z\"]" : "");
    put_vector(out, ", axis: ", 3, axis);
    put_vector(out, ", length: ", 1, &length);
    fputs(", radius: [", out);
    dls_lmgc90_put(out, c->size[1]);
  }
  fputc(']', out);
  put_vector(out, ", position: ", body->dim, place.position);
  for (int of = 0; of < 2; of++) { /* velocity, spin */
    const int count = of == 0 ? body->dim : 3;
    bool moves = false;
    for (int k = 0; k < count; k++) {
      const int component = of == 0 ? k + 1 : body->dim == 3 ? k + 4 : k == 2 ? 3 : 0;
      moves |= component && !dls_lmgc90_is_zero(drive_of(body, component, false));
    }
    if (!moves) continue;
    fprintf(out, ", %s: [", of == 0 ? "velocity" : "spin");
    for (int k = 0; k < count; k++) {
      const int component = of == 0 ? k + 1 : body->dim == 3 ? k + 4 : k == 2 ? 3 : 0;
      if (k) fputs(", ", out);
      if (component)
        dls_lmgc90_write_drive(out, drive_of(body, component, false));
      else
        fputc('0', out);
    }
    fputc(']', out);
  }
  fputs("}\n", out);
  return DLS_OK;
}

/* Into `out`, which the caller throws away where *good is false. */
static DlsStatus write_item(DlsLmgc90 *scene, int number, const char *material, double density,
                            FILE *out, DlsShape *shape, bool *good) {
  const DlsLmgc90Body *body = &scene->body[number];
  Place place;
  DLS_TRY(place_of(scene, body, &place));
  fprintf(out, "  - {name: body-%d, material: \"%s\"", number + 1, material);
  *good = true;
  if (all_balls(body)) {
    write_balls(body, out);
    if (body->contactors == 1)
      DLS_TRY(dls_shape_sphere(body->dim, body->contactor[0].size[0], shape));
  } else if (body->contactors > 1) {
    *good = false;
    return dls_import_note(&scene->notes, true, scene->bodies_dat, body->line,
                           "a body of several %s is left out: clusters are of balls alone",
                           body->contactor[0].kind);
  } else {
    const DlsLmgc90Contactor *c = body->contactor;
    DLS_TRY(write_shape(scene, body, c, out, shape, good));
    if (!*good) return DLS_OK;
    DLS_TRY(move_place(scene, c, &place));
    if (shape->volume > 0 && body->framed && !(body->avrd > 0) && fabs(fabs(place.q[0]) - 1) > 1e-9)
      DLS_TRY(
          dls_import_note(&scene->notes, false, scene->dof_ini, 0,
                          "axes of bodies whose inertia is computed (avrd= 0) turn the vertices "
                          "as given; LMGC90 turns the principal axes that it computes"));
  }
  if (body->avrd > 0) {
    fputs(", mass: ", out);
    dls_lmgc90_put(out, mass_of(body, density));
  }
  DLS_TRY(tell_inertia(scene, body, shape, density));
  write_start(body, &place, out);
  DLS_TRY(write_drives(scene, body, out));
  fputs("}\n", out);
  return DLS_OK;
}

DlsStatus dls_lmgc90_write_body(DlsLmgc90 *scene, int number, const char *material, double density,
                                FILE *out) {
  if (dls_lmgc90_is_boundary(&scene->body[number]))
    return write_boundary(scene, number, material, out);
  char *text = NULL;
  size_t bytes = 0;
  bool good = false;
  DlsShape shape = {0};
  FILE *aside = open_memstream(&text, &bytes);
  DLS_CHECK(aside, DLS_ERR_MEMORY, "out of memory for the deck");
  DlsStatus status = write_item(scene, number, material, density, aside, &shape, &good);
  dls_shape_clear(&shape);
  if (fclose(aside) != 0 && status == DLS_OK)
    status = dls_fail(DLS_ERR_MEMORY, "out of memory for the deck");
  if (status == DLS_OK && good) fputs(text, out);
  free(text);
  return status;
}
