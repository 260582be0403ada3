#include "record/frames/frames_post.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "post/chains.h"
#include "post/fabric.h"
#include "post/grain_stress.h"
#include "post/quantity.h"

typedef struct {
  const DlsPacking *packing;
  const int *grain;
  int elements;
  DlsPostArrays *out;
} Making;

/* A new array of reals, zeroed. */
static DlsStatus add(const Making *m, const char *name, int components, DlsVtuRole role,
                     double **values) {
  DlsPostArrays *out = m->out;
  DLS_CHECK(out->count < DLS_POST_ARRAYS, DLS_ERR_ARGUMENT, "too many arrays for a frame");
  DLS_NEW(*values, (size_t)m->elements * (size_t)components);
  out->owned[out->count] = *values;
  out->array[out->count++] = (DlsVtuArray){.name = name,
                                           .values = *values,
                                           .type = DLS_VTU_FLOAT64,
                                           .components = components,
                                           .role = role};
  return DLS_OK;
}

/* Copies values [grains][components] that lie `stride` bytes apart. */
static DlsStatus spread(const Making *m, const char *name, int components, DlsVtuRole role,
                        const void *values, size_t stride) {
  double *to;
  DLS_TRY(add(m, name, components, role, &to));
  for (int e = 0; e < m->elements; e++)
    memcpy(to + (size_t)e * (size_t)components, (const char *)values + (size_t)m->grain[e] * stride,
           (size_t)components * sizeof *to);
  return DLS_OK;
}

static DlsStatus add_numbers(const Making *m, const char *name, const int32_t *values) {
  DlsPostArrays *out = m->out;
  int32_t *to;
  DLS_CHECK(out->count < DLS_POST_ARRAYS, DLS_ERR_ARGUMENT, "too many arrays for a frame");
  DLS_NEW(to, m->elements);
  for (int e = 0; e < m->elements; e++) to[e] = values[m->grain[e]];
  out->owned[out->count] = to;
  out->array[out->count++] =
      (DlsVtuArray){.name = name, .values = to, .type = DLS_VTU_INT32, .components = 1};
  return DLS_OK;
}

static bool all_round(const Making *m) {
  const DlsPacking *g = m->packing;
  bool round = m->elements == g->grains;
  for (int i = 0; i < g->grains && round; i++) round = !(g->low[i][0] < g->high[i][0]);
  return round;
}

static DlsStatus add_basics(const Making *m) {
  const DlsPacking *g = m->packing;
  DLS_TRY(spread(m, "mass", 1, DLS_VTU_PLAIN, g->mass, sizeof *g->mass));
  DLS_TRY(spread(m, "volume", 1, DLS_VTU_PLAIN, g->volume, sizeof *g->volume));
  DLS_TRY(spread(m, "contact_force", 3, DLS_VTU_PLAIN, g->resultant, sizeof *g->resultant));
  DLS_TRY(add_numbers(m, "held", g->held));
  if (all_round(m)) /* they have one moment of inertia, and their centre is their place */
    return spread(m, "inertia", 1, DLS_VTU_PLAIN, &g->inertia[0][8], sizeof *g->inertia);
  DLS_TRY(spread(m, "inertia", 9, DLS_VTU_PLAIN, g->inertia, sizeof *g->inertia));
  DLS_TRY(spread(m, "extent_low", 3, DLS_VTU_PLAIN, g->low, sizeof *g->low));
  DLS_TRY(spread(m, "extent_high", 3, DLS_VTU_PLAIN, g->high, sizeof *g->high));
  return spread(m, "mass_centre", 3, DLS_VTU_PLAIN, g->position, sizeof *g->position);
}

static const char *const principal_names[] = {"1", "2", "3"};

static DlsStatus add_stress(const Making *m, const DlsGrainStress *s) {
  const DlsStressState *state = s->state;
  const size_t stride = sizeof *state;
  double *skew;
  DLS_TRY(spread(m, "stress", 9, DLS_VTU_TENSORS, s->stress, sizeof *s->stress));
  DLS_TRY(spread(m, "pressure", 1, DLS_VTU_PLAIN, &state->pressure, stride));
  DLS_TRY(spread(m, "deviator", 1, DLS_VTU_PLAIN, &state->deviator, stride));
  DLS_TRY(spread(m, "stress_ratio", 1, DLS_VTU_PLAIN, &state->ratio, stride));
  DLS_TRY(spread(m, "principal_stress", 3, DLS_VTU_PLAIN, state->principal, stride));
  m->out->array[m->out->count - 1].component_names = principal_names;
  DLS_TRY(spread(m, "principal_direction", 3, DLS_VTU_PLAIN, state->axis, stride));
  DLS_TRY(add(m, "stress_skew", 3, DLS_VTU_PLAIN, &skew));
  for (int e = 0; e < m->elements; e++) dls_tensor_axial(s->stress[m->grain[e]], skew + 3 * e);
  return DLS_OK;
}

/* A part of the stress and what it leaves. */
static DlsStatus add_split(const Making *m, const DlsGrainStress *s, double (*part)[9],
                           const char *name, const char *rest) {
  double *to;
  DLS_TRY(spread(m, name, 9, DLS_VTU_PLAIN, part, sizeof *part));
  DLS_TRY(add(m, rest, 9, DLS_VTU_PLAIN, &to));
  for (int e = 0; e < m->elements; e++)
    for (int k = 0; k < 9; k++) to[9 * e + k] = s->stress[m->grain[e]][k] - part[m->grain[e]][k];
  return DLS_OK;
}

static DlsStatus add_kinetic(const Making *m, const DlsGrainStress *s) {
  double *spin;
  DLS_TRY(spread(m, "kinetic_stress", 9, DLS_VTU_PLAIN, s->kinetic, sizeof *s->kinetic));
  DLS_TRY(add(m, "spin_stress", 9, DLS_VTU_PLAIN, &spin));
  for (int e = 0; e < m->elements; e++) {
    const int grain = m->grain[e];
    dls_packing_spin_moment(m->packing, grain, spin + 9 * e);
    for (int k = 0; k < 9; k++) spin[9 * e + k] /= m->packing->volume[grain];
  }
  return DLS_OK;
}

static DlsStatus add_chains(const Making *m, const DlsGrainStress *s) {
  DlsChains chains = {0};
  DLS_TRY(dls_chains(m->packing, s, NULL, &chains));
  const DlsStatus status = add_numbers(m, "chain", chains.number);
  dls_chains_clear(&chains);
  return status;
}

static DlsStatus add_stresses(const Making *m, unsigned mask, DlsGrainStress *s) {
  const int splits = dls_quantity_in(mask, DLS_QUANTITY_SPLITS);
  DLS_TRY(dls_grain_stress(m->packing, splits, s));
  if (dls_quantity_in(mask, DLS_QUANTITY_STRESS)) DLS_TRY(add_stress(m, s));
  if (dls_quantity_in(mask, DLS_QUANTITY_KINETIC)) DLS_TRY(add_kinetic(m, s));
  if (dls_quantity_in(mask, DLS_QUANTITY_CHAINS)) DLS_TRY(add_chains(m, s));
  if (!splits) return DLS_OK;
  DLS_TRY(add_split(m, s, s->normal, "stress_normal", "stress_tangential"));
  return add_split(m, s, s->strong, "stress_strong", "stress_weak");
}

static DlsStatus add_fabric(const Making *m) {
  const DlsPacking *g = m->packing;
  double(*fabric)[9];
  DLS_NEW(fabric, g->grains);
  int32_t *rattler = dls_memory_array((size_t)g->grains, sizeof *rattler);
  DlsStatus status = DLS_ERR_MEMORY;
  if (rattler) {
    dls_fabric_grains(g, rattler, fabric);
    for (int i = 0; i < g->grains; i++) rattler[i] = !g->held[i] && rattler[i] < 2;
    status = spread(m, "fabric", 9, DLS_VTU_PLAIN, fabric, sizeof *fabric);
    if (status == DLS_OK) status = add_numbers(m, "rattler", rattler);
  }
  free(fabric);
  DLS_CHECK(rattler, DLS_ERR_MEMORY, "out of memory for the fabric of %d grains", g->grains);
  free(rattler);
  return status;
}

static DlsStatus make(const Making *m, unsigned mask) {
  const unsigned of_stress = ~(1u << DLS_QUANTITY_FABRIC);
  DLS_TRY(add_basics(m));
  if (mask & of_stress) {
    DlsGrainStress stress = {0};
    const DlsStatus status = add_stresses(m, mask, &stress);
    dls_grain_stress_clear(&stress);
    DLS_TRY(status);
  }
  return dls_quantity_in(mask, DLS_QUANTITY_FABRIC) ? add_fabric(m) : DLS_OK;
}

DlsStatus dls_post_arrays_make(const DlsPacking *packing, unsigned mask, const int *grain,
                               int elements, DlsPostArrays *out) {
  const Making making = {packing, grain, elements, out};
  const DlsStatus status = make(&making, mask);
  if (status != DLS_OK) dls_post_arrays_clear(out);
  return status;
}

void dls_post_arrays_clear(DlsPostArrays *arrays) {
  for (int k = 0; k < arrays->count; k++) free(arrays->owned[k]);
  arrays->count = 0;
}
