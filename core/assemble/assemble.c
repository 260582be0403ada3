/* From contacts to a Problem; formulas in assemble.h. */
#include "assemble/assemble.h"

#include "base/memory.h"

#include <stdbool.h>

#include <stdlib.h>
#include <string.h>

enum { SUPPORTS = 2 }; /* of a contact, at most */

void dls_assembly_clear(DlsAssembly *a) {
  dls_problem_destroy(&a->problem);
  free(a->source);
  free(a->start);
  free(a->body);
  free(a->H);
  free(a->w);
  free(a->q);
  free(a->u_before);
  free(a->r);
  free(a->u);
  free(a->state);
  free(a->interaction);
  free(a->relation);
  free(a->kinematics);
  free(a->use);
  free(a->custom);
  free(a->mass);
  *a = (DlsAssembly){0};
}

/* Room for `contacts`; what was there is dropped. */
static DlsStatus make_room(DlsAssembly *a, int contacts) {
  if (contacts <= a->capacity && a->source) return DLS_OK;
  const int block = a->block, dof = a->dof, states = a->states;
  dls_assembly_clear(a);
  a->block = block;
  a->dof = dof;
  a->states = states;
  const size_t n = (size_t)contacts + (size_t)contacts / 4 + 16, rows = n * (size_t)block;
  DLS_NEW(a->source, n);
  DLS_NEW(a->start, n + 1);
  DLS_NEW(a->body, SUPPORTS * n);
  DLS_NEW(a->H, SUPPORTS * rows * (size_t)dof);
  DLS_NEW(a->w, rows);
  DLS_NEW(a->q, rows);
  DLS_NEW(a->u_before, rows);
  DLS_NEW(a->r, rows);
  DLS_NEW(a->u, rows);
  DLS_NEW(a->state, n * (size_t)states);
  DLS_NEW(a->interaction, n);
  DLS_NEW(a->relation, n);
  DLS_NEW(a->kinematics, n);
  DLS_NEW(a->use, n);
  DLS_NEW(a->custom, n);
  a->capacity = (int)n;
  return DLS_OK;
}

/* Row `axis` of the velocity of a body at a lever: v . axis + w . (lever x axis); or of its spin. */
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
static const double *axis_of(int dim, int k, const double *frame, bool *is_velocity) {
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
  for (int k = 0; k < a->block; k++) {
    bool is_velocity;
    const double *axis = axis_of(world->dim, k, frame, &is_velocity);
    fill_row(world, body, sign, axis, is_velocity ? lever : NULL, H + k * a->dof);
  }
}

/* w = -T v_boundary(p), and the spin of the boundary in the rows of spins. */
static void fill_boundary(const DlsAssembly *a, const DlsWorld *world, int boundary,
                          const double *point, const double *frame, double *w) {
  const DlsBoundary *b = &world->boundary[boundary];
  double velocity[3];
  dls_boundary_velocity(b, point, velocity);
  for (int k = 0; k < a->block; k++) {
    bool is_velocity;
    const double *axis = axis_of(world->dim, k, frame, &is_velocity);
    w[k] = -dls_vector_dot(axis, is_velocity ? velocity : b->velocity + 3);
  }
}

/* The velocities of a body in the order of its columns of H. */
static void body_columns(int dim, const double *velocity, double *out) {
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
  for (int k = 0; k < a->block; k++) {
    bool is_velocity;
    const double *axis = axis_of(world->dim, k, frame, &is_velocity);
    w[k] += sign * dls_vector_dot(axis, is_velocity ? turned : fixed_part + 3);
  }
}

/* Supports and w of contact c of the set, as number i of the assembly. */
static void fill_contact(DlsAssembly *a, const DlsWorld *world, const DlsContactSet *set, int c,
                         int i) {
  const double *point = set->point[c], *frame = set->frame[c];
  const int candidate = set->candidate[c], antagonist = set->antagonist[c];
  double *w = a->w + (size_t)i * (size_t)a->block;
  const size_t size = (size_t)(a->block * a->dof);
  int s = a->start[i];
  memset(w, 0, (size_t)a->block * sizeof *w);
  a->body[s] = candidate;
  fill_support(a, world, candidate, 1, point, frame, a->H + (size_t)s++ * size);
  add_fixed(a, world, candidate, 1, point, frame, w);
  if (antagonist >= 0) {
    a->body[s] = antagonist;
    fill_support(a, world, antagonist, -1, point, frame, a->H + (size_t)s++ * size);
    add_fixed(a, world, antagonist, -1, point, frame, w);
  } else {
    const int carrier = dls_world_carrier(world, -1 - antagonist);
    if (carrier < 0) {
      fill_boundary(a, world, -1 - antagonist, point, frame, w);
    } else { /* its velocity is that of the boundary */
      a->body[s] = carrier;
      fill_support(a, world, carrier, -1, point, frame, a->H + (size_t)s++ * size);
      add_fixed(a, world, carrier, -1, point, frame, w);
    }
  }
  a->start[i + 1] = s;
}

/* out = H v + w of contact i. */
static void contact_velocity(const DlsAssembly *a, int dim, int i, const double (*velocity)[6],
                             double *out) {
  const size_t size = (size_t)(a->block * a->dof);
  memcpy(out, a->w + (size_t)i * (size_t)a->block, (size_t)a->block * sizeof *out);
  for (int s = a->start[i]; s < a->start[i + 1]; s++) {
    double v[6];
    body_columns(dim, velocity[a->body[s]], v);
    for (int k = 0; k < a->block; k++)
      for (int c = 0; c < a->dof; c++)
        out[k] += a->H[(size_t)s * size + (size_t)(k * a->dof + c)] * v[c];
  }
}

static void fill_kinematics(DlsAssembly *a, const DlsWorld *world, const DlsContactSet *set,
                            const DlsAssembleStep *step, int c, int i) {
  DlsContact *k = &a->kinematics[i];
  const double gap = set->gap[c], rate = gap / step->h;
  memset(k, 0, sizeof *k);
  k->dim = world->dim;
  k->block = a->block;
  k->time = step->time;
  k->h = step->h;
  k->gap = gap;
  k->gap_rate = step->gap_term == DLS_GAP_NONE                   ? 0
                : step->gap_term == DLS_GAP_POSITIVE && rate < 0 ? 0
                                                                 : rate;
  memcpy(k->u_before, a->u_before + (size_t)i * (size_t)a->block,
         (size_t)a->block * sizeof *k->u_before);
  k->radius = set->radius[c];
  memcpy(k->frame, set->frame[c], sizeof k->frame);
  const int pair[2] = {set->antagonist[c], set->candidate[c]};
  for (int side = 0; side < 2; side++) {
    double columns[9];
    dls_rotation_matrix(pair[side] >= 0 ? world->orientation[pair[side]]
                                        : world->boundary[-1 - pair[side]].orientation,
                        columns);
    for (int row = 0; row < 3; row++)
      for (int e = 0; e < 3; e++) k->axes[side][row][e] = columns[3 * e + row];
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

static DlsStatus fill_masses(DlsAssembly *a, const DlsWorld *world) {
  const int dof = a->dof;
  const size_t size = (size_t)(dof * dof);
  if (world->count > a->mass_capacity) {
    free(a->mass);
    a->mass = NULL;
    a->mass_capacity = world->count + world->count / 4 + 16;
    DLS_NEW(a->mass, (size_t)a->mass_capacity * size);
  }
  for (int b = 0; b < world->count; b++) {
    double *M = a->mass + (size_t)b * size, J[9];
    memset(M, 0, size * sizeof *M);
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
  return DLS_OK;
}

static int material_of(const DlsWorld *world, int who) {
  return who >= 0 ? world->material[who] : world->boundary[-1 - who].material;
}

/* Guess and state of a contact: those of the same contact a step ago, or of a new one. */
static void recall(DlsAssembly *a, const DlsLaw *law, int previous, const double *r_before,
                   const double *state_before, int i) {
  const size_t block = (size_t)a->block, states = (size_t)a->states;
  double *r = a->r + (size_t)i * block, *state = a->state + (size_t)i * states;
  memset(r, 0, block * sizeof *r);
  memset(state, 0, states * sizeof *state);
  if (previous >= 0 && r_before) memcpy(r, r_before + (size_t)previous * block, block * sizeof *r);
  if (previous >= 0 && state_before)
    memcpy(state, state_before + (size_t)previous * states, states * sizeof *state);
  else
    dls_law_new_state(law, state);
}

static DlsStatus prepare_law(DlsAssembly *a, const DlsInteractions *laws, int i) {
  const DlsInteraction *interaction = &laws->item[a->interaction[i]];
  DlsLawUse *use = &a->use[i];
  *use = (DlsLawUse){.law = interaction->law,
                     .contact = i,
                     .kinematics = &a->kinematics[i],
                     .params = interaction->params,
                     .state = a->state + (size_t)i * (size_t)a->states};
  DLS_TRY(dls_law_prepare(use, &a->relation[i]));
  if (a->relation[i].cone == DLS_CONE_CUSTOM) DLS_TRY(dls_law_custom(use, &a->custom[i]));
  return DLS_OK;
}

static DlsStatus choose_contacts(DlsAssembly *a, const DlsWorld *world, const DlsInteractions *laws,
                                 const DlsContactSet *set, const DlsAssembleStep *step) {
  const double closed = 1e-10; /* of the radius: bodies laid to touch do touch, round-off or not */
  a->count = 0;
  a->start[0] = 0;
  for (int c = 0; c < set->count; c++) {
    if (step->only_closed && set->gap[c] > closed * set->radius[c]) continue;
    const int first = material_of(world, set->candidate[c]);
    const int second = material_of(world, set->antagonist[c]);
    const int interaction = laws->pair[first * laws->materials + second];
    DLS_CHECK(interaction >= 0, DLS_ERR_ARGUMENT,
              "no law is given for the materials '%s' and '%s'; add one, or a default",
              world->materials.item[first].name, world->materials.item[second].name);
    a->source[a->count] = c;
    a->interaction[a->count] = interaction;
    fill_contact(a, world, set, c, a->count++);
  }
  return DLS_OK;
}

DlsStatus dls_assemble(DlsAssembly *a, const DlsWorld *world, const DlsInteractions *laws,
                       const DlsContactSet *set, const DlsAssembleStep *step,
                       const double *r_before, const double *state_before) {
  int block;
  DLS_TRY(dls_interactions_block(laws, world->dim, &block));
  const int dof = world->dim == 2 ? 3 : 6, states = dls_interactions_states(laws);
  if (block != a->block || dof != a->dof || states != a->states) dls_assembly_clear(a);
  a->block = block;
  a->dof = dof;
  a->states = states;
  dls_problem_destroy(&a->problem);
  DLS_TRY(make_room(a, set->count));
  DLS_TRY(choose_contacts(a, world, laws, set, step));
  int custom = 0;
  for (int i = 0; i < a->count; i++) {
    const size_t e = (size_t)i * (size_t)block;
    const double(*velocity)[6] = (const double(*)[6])world->velocity;
    contact_velocity(a, world->dim, i, velocity, a->u_before + e);
    contact_velocity(a, world->dim, i, step->free_velocity, a->q + e);
    fill_kinematics(a, world, set, step, a->source[i], i);
    recall(a, laws->item[a->interaction[i]].law, set->previous[a->source[i]], r_before,
           state_before, i);
    DLS_TRY(prepare_law(a, laws, i));
    custom |= a->relation[i].cone == DLS_CONE_CUSTOM;
  }
  DLS_TRY(fill_masses(a, world));
  DlsOperator *W = NULL;
  DLS_TRY(dls_operator_create_factored(a->count, block, world->count, dof, a->start, a->body, a->H,
                                       a->mass, &W));
  return dls_problem_create(world->dim, &W, a->q, a->relation, custom ? a->custom : NULL,
                            &a->problem);
}

void dls_assemble_velocity(const DlsAssembly *a, const DlsWorld *world,
                           const double (*free_velocity)[6], double (*velocity)[6]) {
  const size_t size = (size_t)(a->block * a->dof);
  const int dim = world->dim;
  memset(velocity, 0, (size_t)world->count * sizeof *velocity);
  /* Generalised impulses H^T r first, in the place of the velocities. */
  for (int i = 0; i < a->count; i++)
    for (int s = a->start[i]; s < a->start[i + 1]; s++) {
      double *p = velocity[a->body[s]];
      for (int k = 0; k < a->block; k++)
        for (int c = 0; c < a->dof; c++)
          p[dim == 2 && c == 2 ? 5 : c] += a->H[(size_t)s * size + (size_t)(k * a->dof + c)] *
                                           a->r[(size_t)i * (size_t)a->block + (size_t)k];
    }
  for (int b = 0; b < world->count; b++) {
    double *p = velocity[b], inverse[3], inertia[9], spin[3];
    dls_world_inverse_mass(world, b, NULL, inverse, inertia);
    for (int i = 0; i < 3; i++) spin[i] = dls_vector_dot(inertia + 3 * i, p + 3);
    for (int i = 0; i < 3; i++) {
      p[i] = free_velocity[b][i] + inverse[i] * p[i];
      p[3 + i] = free_velocity[b][3 + i] + spin[i];
    }
  }
}

DlsStatus dls_assemble_commit(DlsAssembly *a) {
  for (int i = 0; i < a->count; i++) {
    const size_t e = (size_t)i * (size_t)a->block;
    if (!a->use[i].law->commit) continue;
    DLS_TRY(
        dls_law_commit(&a->use[i], a->u + e, a->r + e, a->state + (size_t)i * (size_t)a->states));
  }
  return DLS_OK;
}
