/* From contacts to a Problem; formulas in assemble.h. */
#include "assemble/support.h"

#include "base/memory.h"

#include <stdbool.h>

#include <stdlib.h>
#include <string.h>

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
  free(a->range);
  free(a->relation);
  free(a->kinematics);
  free(a->use);
  free(a->custom);
  free(a->mass);
  free(a->sphere);
  free(a->scale);
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

/* Bodies laid to touch do touch, round-off or not. */
static bool is_open(const DlsContactSet *set, int c) {
  const double closed = 1e-10; /* of the radius */
  return set->gap[c] > closed * set->radius[c];
}

/* All that a law is told of a contact but velocities and mass. */
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
  k->gap_rate = step->gap_term == DLS_GAP_NONE && !is_open(set, c) ? 0
                : step->gap_term == DLS_GAP_POSITIVE && rate < 0   ? 0
                                                                   : rate;
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

static int material_of(const DlsWorld *world, int who) {
  return who >= 0 ? world->material[who] : world->boundary[-1 - who].material;
}

/* Guess and state of a contact: those of the same contact a step ago, or of a new one. */
static DlsStatus recall(DlsAssembly *a, int previous, const double *r_before,
                        const double *state_before, int i) {
  const size_t block = (size_t)a->block, states = (size_t)a->states;
  double *r = a->r + (size_t)i * block, *state = a->state + (size_t)i * states;
  memset(r, 0, block * sizeof *r);
  if (previous >= 0 && r_before) memcpy(r, r_before + (size_t)previous * block, block * sizeof *r);
  if (states == 0) return DLS_OK;
  if (previous >= 0 && state_before) {
    memcpy(state, state_before + (size_t)previous * states, states * sizeof *state);
    return DLS_OK;
  }
  memset(state, 0, states * sizeof *state);
  return dls_law_begin(&a->use[i], state);
}

/* The laws of contact i of the assembly, its kinematics complete. */
static DlsStatus prepare_law(DlsAssembly *a, const DlsInteractions *laws, int previous,
                             const double *r_before, const double *state_before, int i) {
  DlsLawUse *use = &a->use[i];
  *use = dls_interaction_use(&laws->item[a->interaction[i]], i, &a->kinematics[i],
                             a->state + (size_t)i * (size_t)a->states);
  DLS_TRY(recall(a, previous, r_before, state_before, i));
  DLS_TRY(dls_law_prepare(use, &a->relation[i]));
  if (a->relation[i].cone == DLS_CONE_CUSTOM) DLS_TRY(dls_law_custom(use, &a->custom[i]));
  return DLS_OK;
}

/* Turns the frame of contact c of the set, number i of the assembly, where its law wants it. */
static DlsStatus orient(DlsAssembly *a, const DlsWorld *world, const DlsInteractions *laws,
                        DlsContactSet *set, const DlsAssembleStep *step, int c, int i) {
  const DlsLawUse use =
      dls_interaction_use(&laws->item[a->interaction[i]], i, &a->kinematics[i], NULL);
  double wanted[3];
  fill_kinematics(a, world, set, step, c, i);
  DLS_TRY(dls_law_orient(&use, wanted));
  dls_contact_turn(wanted, set->frame[c]);
  return DLS_OK;
}

static bool turns_frames(const DlsInteraction *item) {
  if (item->law->orient) return true;
  for (int k = 0; item->then[k]; k++)
    if (item->then[k]->orient) return true;
  return false;
}

/* How far each interaction acts. */
static DlsStatus fill_ranges(DlsAssembly *a, const DlsInteractions *laws) {
  double farthest;
  if (laws->count > a->range_capacity) {
    free(a->range);
    a->range = NULL;
    a->range_capacity = laws->count;
    DLS_NEW(a->range, a->range_capacity);
  }
  return dls_interactions_range(laws, a->range, &farthest);
}

static DlsStatus choose_contacts(DlsAssembly *a, const DlsWorld *world, const DlsInteractions *laws,
                                 DlsContactSet *set, const DlsAssembleStep *step) {
  a->count = 0;
  for (int c = 0; c < set->count; c++) {
    const int first = material_of(world, set->candidate[c]);
    const int second = material_of(world, set->antagonist[c]);
    const int interaction = laws->pair[first * laws->materials + second];
    if (step->only_closed && is_open(set, c) &&
        (interaction < 0 || set->gap[c] > a->range[interaction]))
      continue;
    DLS_CHECK(interaction >= 0, DLS_ERR_ARGUMENT,
              "no law is given for the materials '%s' and '%s'; add one, or a default",
              world->materials.item[first].name, world->materials.item[second].name);
    a->source[a->count] = c;
    a->interaction[a->count] = interaction;
    if (world->dim == 3 && turns_frames(&laws->item[interaction]))
      DLS_TRY(orient(a, world, laws, set, step, c, a->count));
    dls_support_fill(a, world, set, step->free_velocity, c, a->count++);
  }
  return DLS_OK;
}

DlsStatus dls_assemble(DlsAssembly *a, const DlsWorld *world, const DlsInteractions *laws,
                       DlsContactSet *set, const DlsAssembleStep *step, const double *r_before,
                       const double *state_before) {
  int block;
  DLS_TRY(dls_interactions_block(laws, world->dim, &block));
  const int dof = world->dim == 2 ? 3 : 6, states = dls_interactions_states(laws);
  if (block != a->block || dof != a->dof || states != a->states) dls_assembly_clear(a);
  a->block = block;
  a->dof = dof;
  a->states = states;
  dls_problem_destroy(&a->problem);
  DLS_TRY(make_room(a, set->count));
  DLS_TRY(dls_support_begin(a, world));
  DLS_TRY(fill_ranges(a, laws));
  DLS_TRY(choose_contacts(a, world, laws, set, step));
  int custom = 0;
  for (int i = 0; i < a->count; i++) {
    fill_kinematics(a, world, set, step, a->source[i], i);
    memcpy(a->kinematics[i].u_before, a->u_before + (size_t)i * (size_t)block,
           (size_t)block * sizeof *a->u_before);
    a->kinematics[i].mass = dls_support_mass(a, world, i);
    DLS_TRY(prepare_law(a, laws, set->previous[a->source[i]], r_before, state_before, i));
    custom |= a->relation[i].cone == DLS_CONE_CUSTOM;
  }
  DlsOperator *W = NULL;
  DLS_TRY(dls_support_operator(a, world, &W));
  return dls_problem_create_lent(world->dim, &W, a->q, a->relation, custom ? a->custom : NULL,
                                 &a->problem);
}

DlsStatus dls_assemble_commit(DlsAssembly *a) {
  for (int i = 0; i < a->count; i++) {
    const size_t e = (size_t)i * (size_t)a->block;
    DLS_TRY(
        dls_law_commit(&a->use[i], a->u + e, a->r + e, a->state + (size_t)i * (size_t)a->states));
  }
  return DLS_OK;
}
