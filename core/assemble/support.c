/* Supports of contacts; formulas in assemble.h. */
#include "assemble/support.h"
#include "assemble/coupling.h"

#include "problem/operator/spheres.h"

#include "base/memory.h"
#include "world/layout.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SUPPORTS = 3 }; /* of a contact, at most: two bodies, and edges of the cell */

/* Row `axis` of the velocity of a body at a lever: v . axis + w . (lever x axis); or of its
 * spin. */
static void fill_row(const DlsWorld *world, int body, double sign, const double *axis,
                     const double *lever, double *row) {
  const uint8_t fixed = world->fixed[body];
  double turn[3] = {axis[0], axis[1], axis[2]};
  if (lever) dls_vector_cross(lever, axis, turn);
  if (world->dim == 2) {
    row[0] = lever && !(fixed & DLS_FIXED_X) ? sign * axis[0] : 0;
    row[1] = lever && !(fixed & DLS_FIXED_Y) ? sign * axis[1] : 0;
    row[2] = fixed & DLS_FIXED_TURN_Z ? 0 : sign * turn[2];
    return;
  }
  for (int k = 0; k < 3; k++) {
    row[k] = lever && !(fixed & (DLS_FIXED_X << k)) ? sign * axis[k] : 0;
    row[3 + k] = fixed & (DLS_FIXED_TURN_X << k) ? 0 : sign * turn[k];
  }
}

/* The axis of component k of a block, and whether it is a velocity (true) or a spin. */
const double *dls_support_axis(int dim, int k, const double *frame, bool *is_velocity) {
  static const double z[3] = {0, 0, 1};
  *is_velocity = k < dim;
  if (k < dim) return frame + 3 * k;
  if (dim == 2) return z;
  return k == 5 ? frame : frame + 3 * (k - 2); /* rolling about t1, t2; torsion about n */
}

static void fill_support(const DlsAssembly *a, const DlsWorld *world, int body, double sign,
                         const double *point, const double *frame, double *H) {
  const double *x = world->position[body];
  const double lever[3] = {point[0] - x[0], point[1] - x[1], point[2] - x[2]};
  for (int k = 0; k < a->run.block; k++) {
    bool is_velocity;
    const double *axis = dls_support_axis(world->dim, k, frame, &is_velocity);
    fill_row(world, body, sign, axis, is_velocity ? lever : NULL, H + k * a->run.dof);
  }
}

/* Adds -T v_boundary(p) to w, and the spin of the boundary in the rows of spins: the candidate may
 * have put there what prescribes its own motion. */
void dls_support_boundary(const DlsAssembly *a, const DlsWorld *world, int boundary,
                          const double *point, const double *frame, double *w) {
  const DlsBoundary *b = &world->boundary[boundary];
  double velocity[3];
  dls_boundary_velocity(b, point, velocity);
  for (int k = 0; k < a->run.block; k++) {
    bool is_velocity;
    const double *axis = dls_support_axis(world->dim, k, frame, &is_velocity);
    w[k] -= dls_vector_dot(axis, is_velocity ? velocity : b->velocity + 3);
  }
}

/* The velocities of a body in the order of its columns of H. */
void dls_support_columns(int dim, const double *velocity, double *out) {
  if (dim == 2) {
    out[0] = velocity[0];
    out[1] = velocity[1];
    out[2] = velocity[5];
  } else {
    memcpy(out, velocity, 6 * sizeof *out);
  }
}

/* A component that is fixed has no column in H, but its velocity counts: it goes into w. */
static void add_fixed(const DlsAssembly *a, const DlsWorld *world, int body, double sign,
                      const double *point, const double *frame, double *w) {
  if (!world->fixed[body]) return;
  const double *x = world->position[body], *velocity = world->velocity[body];
  const double lever[3] = {point[0] - x[0], point[1] - x[1], point[2] - x[2]};
  double fixed_part[6] = {0}, turned[3];
  for (int k = 0; k < 6; k++)
    if (world->fixed[body] & (1 << k)) fixed_part[k] = velocity[k];
  dls_vector_cross(fixed_part + 3, lever, turned);
  for (int k = 0; k < 3; k++) turned[k] += fixed_part[k];
  for (int k = 0; k < a->run.block; k++) {
    bool is_velocity;
    const double *axis = dls_support_axis(world->dim, k, frame, &is_velocity);
    w[k] += sign * dls_vector_dot(axis, is_velocity ? turned : fixed_part + 3);
  }
}

void dls_support_side(const DlsAssembly *a, const DlsWorld *world, int body, double sign,
                      const double *point, const double *frame, double *H, double *w) {
  fill_support(a, world, body, sign, point, frame, H);
  add_fixed(a, world, body, sign, point, frame, w);
}

/* The row of the normal of a boundary that swells: its surface moves by (e . n) n for each unit of
 * the carrier's first velocity. */
static void fill_swell(const DlsAssembly *a, const DlsWorld *world, int boundary,
                       const double *point, const double *frame, double *H) {
  memset(H, 0, (size_t)(a->run.block * a->run.dof) * sizeof *H);
  H[0] = -dls_boundary_outward(world->dim, &world->boundary[boundary], point, frame);
}

void dls_support_carrier(const DlsAssembly *a, const DlsWorld *world, int boundary,
                         const double *point, const double *frame, double *H, double *w) {
  if (world->boundary[boundary].flags & DLS_BOUNDARY_SWELLS)
    fill_swell(a, world, boundary, point, frame, H);
  else
    dls_support_side(a, world, dls_world_carrier(world, boundary), -1, point, frame, H, w);
}

/* Where contact c is on the antagonist itself, whose copy is met. */
static void own_point(const DlsContactSet *set, int c, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = set->point[c][k] - set->shift[c][k];
}

/* Edges of the cell that contacts drive. */
static unsigned driven_axes(const DlsWorld *world) { return world->cell.axes & world->drive.axes; }

/* How many driven edges k the copy of the antagonist is away. */
static double edges_away(const DlsWorld *world, const DlsContactSet *set, int c, int k) {
  if (!(driven_axes(world) & (1u << k))) return 0;
  return rint(set->shift[c][k] / world->cell.edge[k][k]);
}

static bool reaches_across(const DlsWorld *world, const DlsContactSet *set, int c) {
  bool any = false;
  for (int k = 0; k < world->dim && set->antagonist[c] >= 0; k++)
    any |= edges_away(world, set, c, k) != 0;
  return any;
}

/* Adds -T v of a copy that moves beside its antagonist, by edges that are not driven. */
static void add_copy(const DlsWorld *world, const DlsContactSet *set, int c, double *w) {
  double v[3];
  for (int k = 0; k < 3; k++)
    v[k] = set->shift[c][3 + k] - edges_away(world, set, c, k) * world->cell.rate[k][k];
  for (int k = 0; k < world->dim; k++) w[k] -= dls_vector_dot(set->frame[c] + 3 * k, v);
}

/* The rest of that velocity, whose columns are the rates of driven edges. */
static void fill_edges(const DlsAssembly *a, const DlsWorld *world, const DlsContactSet *set, int c,
                       double *H) {
  memset(H, 0, (size_t)(a->run.block * a->run.dof) * sizeof *H);
  for (int row = 0; row < world->dim; row++)
    for (int k = 0; k < world->dim; k++)
      H[row * a->run.dof + k] = -set->frame[c][3 * row + k] * edges_away(world, set, c, k);
}

/* Rates of the driven edges before the step, and without contacts after it. */
static void edge_rates(const DlsWorld *world, double h, double before[6], double free_rate[6]) {
  for (int k = 0; k < 6; k++) before[k] = free_rate[k] = 0;
  for (int k = 0; k < 3; k++) {
    if (!(driven_axes(world) & (1u << k))) continue;
    before[k] = world->cell.rate[k][k];
    free_rate[k] = before[k] + h * world->drive.force[k] / world->drive.mass[k];
  }
}

/* Supports and w of contact c of the set, as number i of the assembly. */
static void fill_contact(DlsAssembly *a, const DlsWorld *world, const DlsContactSet *set, int c,
                         int i) {
  const double *point = set->point[c], *frame = set->frame[c];
  const int candidate = set->candidate[c], antagonist = set->antagonist[c];
  double *w = a->step.w + (size_t)i * (size_t)a->run.block;
  const size_t size = (size_t)(a->run.block * a->run.dof);
  int s = a->step.start[i];
  memset(w, 0, (size_t)a->run.block * sizeof *w);
  a->step.body[s] = candidate;
  dls_support_side(a, world, candidate, 1, point, frame, a->step.H + (size_t)s++ * size, w);
  if (antagonist >= 0) {
    double own[3];
    own_point(set, c, own);
    a->step.body[s] = antagonist;
    dls_support_side(a, world, antagonist, -1, own, frame, a->step.H + (size_t)s++ * size, w);
    if (world->cell.axes) add_copy(world, set, c, w);
    if (reaches_across(world, set, c)) {
      a->step.body[s] = world->count;
      fill_edges(a, world, set, c, a->step.H + (size_t)s++ * size);
    }
  } else {
    const int carrier = dls_world_carrier(world, -1 - antagonist);
    if (carrier < 0) {
      dls_support_boundary(a, world, -1 - antagonist, point, frame, w);
    } else { /* its velocity is that of the boundary */
      a->step.body[s] = carrier;
      double *H = a->step.H + (size_t)s++ * size;
      dls_support_carrier(a, world, -1 - antagonist, point, frame, H, w);
      if (a->step.asked.ways) memset(H, 0, size * sizeof *H);
    }
  }
}

/* out = H v + w of contact i; v of the edges of the cell, which stand behind the bodies, is that of
 * `edges`. */
static void contact_velocity(const DlsAssembly *a, const DlsWorld *world, int i,
                             const double (*velocity)[6], const double *edges, double *out) {
  const size_t size = (size_t)(a->run.block * a->run.dof);
  memcpy(out, a->step.w + (size_t)i * (size_t)a->run.block, (size_t)a->run.block * sizeof *out);
  for (int s = a->step.start[i]; s < a->step.start[i + 1]; s++) {
    double v[6];
    const int body = a->step.body[s];
    dls_support_columns(world->dim, body < world->count ? velocity[body] : edges, v);
    for (int k = 0; k < a->run.block; k++)
      for (int c = 0; c < a->run.dof; c++)
        out[k] += a->step.H[(size_t)s * size + (size_t)(k * a->run.dof + c)] * v[c];
  }
}

/* Fixed components move apart from the free ones: no coupling, and any mass will do. */
static void uncouple_fixed(int dim, int dof, uint8_t fixed, double *M) {
  for (int k = 0; k < dof; k++) {
    if (!(fixed & (1 << (dim == 2 && k == 2 ? 5 : k)))) continue;
    for (int j = 0; j < dof; j++) M[k * dof + j] = M[j * dof + k] = 0;
    M[k * (dof + 1)] = 1;
  }
}

void dls_support_body_mass(const DlsWorld *world, int b, double *M) {
  const int dof = world->dim == 2 ? 3 : 6;
  double J[9];
  memset(M, 0, (size_t)(dof * dof) * sizeof *M);
  for (int k = 0; k < world->dim; k++) M[k * (dof + 1)] = world->mass[b];
  if (world->dim == 2) {
    M[8] = world->inertia[b][2];
  } else if (world->isotropic[b]) {
    for (int k = 3; k < 6; k++) M[k * 7] = world->inertia[b][0];
  } else {
    dls_world_inertia(world, b, NULL, J);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) M[(3 + i) * 6 + 3 + j] = J[3 * i + j];
  }
  if (world->fixed[b]) uncouple_fixed(world->dim, dof, world->fixed[b], M);
}

static DlsStatus fill_masses(DlsAssembly *a, const DlsWorld *world) {
  const int dof = a->run.dof;
  const size_t size = (size_t)(dof * dof);
  if (world->count >= a->run.mass_capacity) {
    free(a->run.mass);
    a->run.mass = NULL;
    a->run.mass_capacity = world->count + world->count / 4 + 16;
    DLS_NEW(a->run.mass, (size_t)a->run.mass_capacity * size);
  }
  for (int b = 0; b < world->count; b++)
    dls_support_body_mass(world, b, a->run.mass + (size_t)b * size);
  double *edges = a->run.mass + (size_t)world->count * size;
  memset(edges, 0, size * sizeof *edges);
  for (int k = 0; k < dof; k++)
    edges[k * (dof + 1)] =
        k < 3 && driven_axes(world) & (1u << k) ? world->drive.mass[k] : 1; /* not moved at all */
  return DLS_OK;
}

/* The lever of a sphere lies along n: only its length counts. A fixed body moves by w alone. */
static void fill_sphere_side(DlsAssembly *a, const DlsWorld *world, int body, int side,
                             const double *point, const double *free_velocity, int i) {
  DlsSphereContact *s = &a->step.sphere[i];
  const double *x = world->position[body], *n = s->frame, *t1 = n + 3, *t2 = n + 6;
  const double sign = side == 0 ? 1 : -1;
  const double length =
      sign * ((point[0] - x[0]) * n[0] + (point[1] - x[1]) * n[1] + (point[2] - x[2]) * n[2]);
  s->body[side] = body;
  s->move[side] = sign * a->run.scale[body][0];
  s->turn[side] = length * a->run.scale[body][1];
  if (world->fixed[body]) return;
  const double *const velocity[2] = {world->velocity[body], free_velocity};
  double *const out[2] = {a->step.u_before + 3 * (size_t)i, a->step.q + 3 * (size_t)i};
  for (int k = 0; k < 2; k++) {
    const double *v = velocity[k], *spin = v + 3;
    out[k][0] += sign * dls_vector_dot(n, v);
    out[k][1] += sign * dls_vector_dot(t1, v) + length * dls_vector_dot(t2, spin);
    out[k][2] += sign * dls_vector_dot(t2, v) - length * dls_vector_dot(t1, spin);
  }
}

static void fill_sphere(DlsAssembly *a, const DlsWorld *world, const DlsContactSet *set,
                        const double (*free_velocity)[6], int c, int i) {
  const double *point = set->point[c], *frame = set->frame[c];
  const int candidate = set->candidate[c], antagonist = set->antagonist[c];
  DlsSphereContact *s = &a->step.sphere[i];
  double *w = a->step.w + 3 * (size_t)i;
  memset(w, 0, 3 * sizeof *w);
  memcpy(s->frame, frame, sizeof s->frame);
  add_fixed(a, world, candidate, 1, point, frame, w);
  double own[3];
  own_point(set, c, own);
  if (antagonist >= 0)
    add_fixed(a, world, antagonist, -1, own, frame, w);
  else
    dls_support_boundary(a, world, -1 - antagonist, point, frame, w);
  if (world->cell.axes) add_copy(world, set, c, w);
  memcpy(a->step.u_before + 3 * (size_t)i, w, 3 * sizeof *w);
  memcpy(a->step.q + 3 * (size_t)i, w, 3 * sizeof *w);
  fill_sphere_side(a, world, candidate, 0, point, free_velocity[candidate], i);
  if (antagonist >= 0) {
    fill_sphere_side(a, world, antagonist, 1, own, free_velocity[antagonist], i);
  } else {
    s->body[1] = world->count;
    s->move[1] = s->turn[1] = 0;
  }
}

static bool is_sphere(const DlsWorld *world, int body) {
  const int e = world->first[body];
  const double *offset = world->element[e].offset;
  return dls_world_is_ball(world, e) && world->isotropic[body] && world->first[body + 1] == e + 1 &&
         offset[0] == 0 && offset[1] == 0 && offset[2] == 0 &&
         (world->fixed[body] == 0 || world->fixed[body] == DLS_FIXED_ALL);
}

static DlsStatus fill_scales(DlsAssembly *a, const DlsWorld *world) {
  if (world->count > a->run.scale_capacity) {
    free(a->run.scale);
    a->run.scale = NULL;
    a->run.scale_capacity = world->count + world->count / 8 + 16;
    DLS_NEW(a->run.scale, a->run.scale_capacity);
  }
  for (int b = 0; b < world->count; b++) {
    const bool fixed = world->fixed[b] != 0;
    a->run.scale[b][0] = fixed ? 0 : 1 / sqrt(world->mass[b]);
    a->run.scale[b][1] = fixed ? 0 : 1 / sqrt(world->inertia[b][0]);
  }
  return DLS_OK;
}

DlsStatus dls_support_begin(DlsAssembly *a, const DlsWorld *world) {
  const DlsLinks *links = a->step.asked.links; /* which may begin anywhere on a body */
  a->step.coupled = world->deformable.count > 0;
  a->step.spheres = !a->step.coupled && world->dim == 3 && a->run.block == 3 &&
                    !(links && links->count > 0) && !driven_axes(world);
  DLS_CHECK(!(a->step.coupled && driven_axes(world)), DLS_ERR_UNSUPPORTED,
            "a cell that a stress drives holds rigid bodies alone");
  if (a->step.coupled) return dls_coupling_begin(a, world);
  for (int b = 0; b < world->count && a->step.spheres; b++) a->step.spheres = is_sphere(world, b);
  for (int b = 0; b < world->boundary_count && a->step.spheres; b++)
    a->step.spheres = dls_world_carrier(world, b) < 0; /* the lever of a carrier is any */
  if (a->step.spheres) {
    if (!a->step.sphere) DLS_NEW(a->step.sphere, a->run.capacity);
    return fill_scales(a, world);
  }
  if (!a->step.H) {
    DLS_NEW(a->step.start, a->run.capacity + 1);
    DLS_NEW(a->step.body, SUPPORTS * (size_t)a->run.capacity);
    DLS_NEW(a->step.H, SUPPORTS * (size_t)a->run.capacity * (size_t)(a->run.block * a->run.dof));
  }
  return fill_masses(a, world);
}

void dls_support_begin_contacts(DlsAssembly *a, const DlsWorld *world, const DlsContactSet *set) {
  if (a->step.spheres || a->step.coupled) return;
  a->step.start[0] = 0;
  for (int i = 0; i < a->step.count; i++) {
    const int who = set->antagonist[a->step.in_set[i]];
    const bool two = who >= 0 || dls_world_carrier(world, -1 - who) >= 0;
    const bool across = driven_axes(world) && reaches_across(world, set, a->step.in_set[i]);
    a->step.start[i + 1] = a->step.start[i] + (two ? 2 : 1) + across;
  }
}

void dls_support_fill(DlsAssembly *a, const DlsWorld *world, const DlsContactSet *set,
                      const double *free_velocity, int c, int i) {
  const size_t e = (size_t)i * (size_t)a->run.block;
  if (a->step.spheres) {
    fill_sphere(a, world, set, dls_layout_six(free_velocity), c, i);
    return;
  }
  if (a->step.coupled) {
    dls_coupling_fill(a, world, set, free_velocity, c, i);
    return;
  }
  fill_contact(a, world, set, c, i);
  double before[6], after[6];
  edge_rates(world, a->step.asked.h, before, after);
  contact_velocity(a, world, i, (const double(*)[6])world->velocity, before, a->step.u_before + e);
  contact_velocity(a, world, i, dls_layout_six(free_velocity), after, a->step.q + e);
}

double dls_support_mass(const DlsAssembly *a, const DlsWorld *world, int i) {
  const size_t size = (size_t)(a->run.block * a->run.dof);
  double W = 0;
  if (a->step.spheres) {
    const double *move = a->step.sphere[i].move;
    W = move[0] * move[0] + move[1] * move[1];
    return W > 0 ? 1 / W : 0;
  }
  if (a->step.coupled) return dls_coupling_mass(a, i);
  for (int s = a->step.start[i]; s < a->step.start[i + 1]; s++) {
    const double *row = a->step.H + (size_t)s * size;
    double inverse[3], inertia[9], turn[3] = {0};
    if (a->step.body[s] == world->count) {
      for (int k = 0; k < world->dim; k++)
        if (row[k] != 0) W += row[k] * row[k] / world->drive.mass[k];
      continue;
    }
    dls_world_inverse_mass(world, a->step.body[s], NULL, inverse, inertia);
    for (int k = 0; k < world->dim; k++) W += inverse[k] * row[k] * row[k];
    memcpy(world->dim == 2 ? turn + 2 : turn, row + world->dim,
           (size_t)(a->run.dof - world->dim) * sizeof *turn);
    for (int k = 0; k < 3; k++) W += turn[k] * dls_vector_dot(inertia + 3 * k, turn);
  }
  return W > 0 ? 1 / W : 0;
}

DlsStatus dls_support_operator(const DlsAssembly *a, const DlsWorld *world, DlsOperator **out) {
  if (a->step.spheres)
    return dls_operator_create_spheres(a->step.count, world->count, a->step.sphere,
                                       (const double(*)[2])a->run.scale, DLS_USE, out);
  if (a->step.coupled) return dls_coupling_operator(a, out);
  const int parts = world->count + (driven_axes(world) != 0); /* the edges stand last */
  return dls_operator_create_factored(a->step.count, a->run.block, parts, a->run.dof, a->step.start,
                                      a->step.body, a->step.H, a->run.mass, out);
}

bool dls_assemble_cell(const DlsAssembly *a, const DlsWorld *world, double rate[3], double *work) {
  const size_t size = (size_t)(a->run.block * a->run.dof);
  double before[6], after[6];
  *work = 0;
  if (!driven_axes(world)) return false;
  edge_rates(world, a->step.asked.h, before, after);
  for (int k = 0; k < world->dim; k++) {
    double push = 0; /* N s, of the contacts on the edge */
    for (int i = 0; i < a->step.count; i++)
      for (int s = a->step.start[i]; s < a->step.start[i + 1]; s++)
        for (int row = 0; row < a->run.block && a->step.body[s] == world->count; row++)
          push += a->step.H[(size_t)s * size + (size_t)(row * a->run.dof + k)] *
                  a->solve.r[(size_t)i * (size_t)a->run.block + (size_t)row];
    rate[k] = world->cell.rate[k][k];
    if (!(driven_axes(world) & (1u << k))) continue;
    rate[k] = after[k] + push / world->drive.mass[k];
    *work -= push * 0.5 * (before[k] + rate[k]);
  }
  return true;
}

/* The operator knows one part more than there are bodies. */
static DlsStatus velocity_beside_edges(const DlsAssembly *a, const DlsWorld *world,
                                       const double *free_velocity, double *velocity) {
  const int dof = a->run.dof;
  DlsStatus status = DLS_OK;
  double *change;
  DLS_NEW(change, (size_t)((world->count + 1) * dof));
  if (a->step.count > 0)
    status = dls_operator_velocity(dls_problem_operator(a->solve.problem), a->solve.r, change);
  memcpy(velocity, free_velocity, dls_layout_size(world) * sizeof *velocity);
  for (int b = 0; b < world->count; b++)
    for (int k = 0; k < dof; k++)
      velocity[6 * (size_t)b + (size_t)(dof == 3 && k == 2 ? 5 : k)] += change[b * dof + k];
  free(change);
  return status;
}

DlsStatus dls_assemble_velocity(const DlsAssembly *a, const DlsWorld *world,
                                const double *free_velocity, double *velocity) {
  if (a->step.coupled) return dls_coupling_velocity(a, world, free_velocity, velocity);
  if (driven_axes(world)) return velocity_beside_edges(a, world, free_velocity, velocity);
  const int dof = a->run.dof;
  const double *change = velocity;
  memset(velocity, 0, dls_layout_size(world) * sizeof *velocity);
  if (a->step.count > 0)
    DLS_TRY(dls_operator_velocity(dls_problem_operator(a->solve.problem), a->solve.r, velocity));
  /* From the last body on: in 2-D three numbers of each become six, in the same array. */
  for (int b = world->count - 1; b >= 0; b--) {
    double dv[6] = {0};
    for (int k = 0; k < dof; k++) dv[dof == 3 && k == 2 ? 5 : k] = change[(size_t)(b * dof + k)];
    for (size_t k = 0; k < 6; k++)
      velocity[6 * (size_t)b + k] = free_velocity[6 * (size_t)b + k] + dv[k];
  }
  return DLS_OK;
}
