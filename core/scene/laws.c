/* The laws of a deck: between which materials and boundaries, with which parameters, and what the
 * fields are that they ask for. */
#include "scene/scene_impl.h"

#include "assemble/reach.h"
#include "assemble/restitution.h"
#include "base/memory.h"
#include "base/nearest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  DlsDeck *deck;
  const DlsSceneData *data;
  const DlsWorld *world;
  DlsInteractions *laws;
  DlsNames boundaries;
} Builder;

/* A failure of the library becomes a problem at the node. */
static bool ok(const Builder *b, const DlsDeckNode *node, const char *key, DlsStatus status) {
  if (status != DLS_OK) dls_deck_problem(b->deck, node, key, "%s", dls_error_message());
  return status == DLS_OK;
}

/* Who is named: a material, a boundary, or all (both -1). */
typedef struct {
  int material, boundary;
} Who;

/* A name that nobody has: the nearest one, or all there are. */
static void tell_unknown(const Builder *b, const DlsDeckNode *node, const char *key,
                         const char *name) {
  const DlsMaterials *materials = &b->world->materials;
  const DlsSceneBoundary *boundaries = b->data->boundaries.items;
  const int count = materials->count + b->data->boundaries.count;
  const char **names = dls_memory_array((size_t)count, sizeof *names);
  char list[400] = "";
  size_t length = 0;
  for (int k = 0; names && k < count; k++) {
    names[k] =
        k < materials->count ? materials->item[k].name : boundaries[k - materials->count].name;
    if (length < sizeof list)
      length +=
          (size_t)snprintf(list + length, sizeof list - length, "%s%s", k ? ", " : "", names[k]);
  }
  const char *nearest = names ? dls_nearest(name, names, count) : NULL;
  if (nearest)
    dls_deck_problem(b->deck, node, key,
                     "'%.60s' is neither a material nor a boundary; did you mean '%s'?", name,
                     nearest);
  else
    dls_deck_problem(b->deck, node, key,
                     "'%.60s' is neither a material nor a boundary; there are: %s", name, list);
  free(names);
}

/* Whether a boundary is all there can be of the material of its name: then both are the same. */
static bool is_alone(const Builder *b, const char *material, int boundary) {
  const DlsSceneData *data = b->data;
  const DlsSceneBoundary *boundaries = data->boundaries.items;
  const DlsSceneGrains *grains = data->grains.items;
  const DlsSceneBody *bodies = data->bodies.items;
  const DlsSceneChain *chains = data->chains.items;
  const DlsSceneBlocks *blocks = data->blocks.items;
  const DlsSceneSource *sources = data->sources.items;
  bool alone = strcmp(boundaries[boundary].material, material) == 0;
  for (int k = 0; k < data->boundaries.count; k++)
    alone &= k == boundary || strcmp(boundaries[k].material, material) != 0;
  for (int k = 0; k < data->grains.count; k++)
    alone &= strcmp(grains[k].material, material) != 0 && !grains[k].file;
  for (int k = 0; k < data->bodies.count; k++) alone &= strcmp(bodies[k].material, material) != 0;
  for (int k = 0; k < data->chains.count; k++) alone &= strcmp(chains[k].material, material) != 0;
  for (int k = 0; k < data->blocks.count; k++) alone &= strcmp(blocks[k].material, material) != 0;
  for (int k = 0; k < data->sources.count; k++) alone &= strcmp(sources[k].material, material) != 0;
  return alone;
}

/* False, with a problem at `key`, where it is nobody or two. */
static bool find(const Builder *b, const DlsDeckNode *node, const char *key, const char *name,
                 Who *out) {
  *out = (Who){-1, -1};
  if (strcmp(name, "*") == 0) return true;
  out->material = dls_materials_find(&b->world->materials, name);
  out->boundary = dls_names_find(&b->boundaries, name, strlen(name));
  if (out->material >= 0 && out->boundary >= 0) {
    const int boundary = out->boundary;
    out->boundary = -1;
    if (is_alone(b, name, boundary)) return true;
    dls_deck_problem(b->deck, node, key,
                     "'%s' is a material and a boundary; rename one of them, so that it is clear "
                     "which is meant",
                     name);
    return false;
  }
  if (out->material >= 0 || out->boundary >= 0) return true;
  tell_unknown(b, node, key, name);
  return false;
}

/* The parameters of a law of number n of its item, the first of which is number `first`. */
static DlsStatus set_parameters(const Builder *b, const DlsSceneLaw *s, int n, const DlsLaw *law,
                                int interaction, int first, double *params) {
  DlsExpression *const *given = s->parameters.data;
  if (!given) return DLS_OK;
  given += n * DLS_MAX_PARAMS;
  for (int k = 0; k < law->nparams; k++) {
    if (dls_expression_is_constant(given[k]))
      params[k] = dls_expression_value(given[k], 0);
    else
      DLS_TRY(dls_interactions_vary(b->laws, interaction, first + k, given[k]));
  }
  return DLS_OK;
}

static DlsStatus set_states(const Builder *b, const DlsSceneLaw *s, int n, const DlsLaw *law,
                            int interaction, int first) {
  const double *given = s->state.data;
  if (!given) return DLS_OK;
  given += n * DLS_MAX_PARAMS;
  for (int k = 0; k < law->nstates; k++)
    if (!isnan(given[k]))
      DLS_TRY(dls_interactions_start(b->laws, interaction, first + k, given[k]));
  return DLS_OK;
}

/* The laws of one item, with their parameters. */
static DlsStatus add_interaction(const Builder *b, const DlsSceneLaw *s, int *number) {
  int params = 0, states = 0, tables = 0;
  for (int n = 0; n < s->law.count; n++) {
    const DlsLaw *law;
    double *own;
    DLS_TRY(dls_law_find(s->law.values[n], &law));
    if (n == 0) {
      DLS_TRY(dls_interactions_add(b->laws, law, number));
      own = b->laws->item[*number].params;
    } else {
      DLS_TRY(dls_interactions_follow(b->laws, *number, law, &own));
    }
    DLS_TRY(set_parameters(b, s, n, law, *number, params, own));
    DLS_TRY(set_states(b, s, n, law, *number, states));
    params += law->nparams;
    DLS_TRY(dls_scene_set_tables(s, n, law, *number, tables, b->laws));
    states += law->nstates;
    tables += law->ntables;
  }
  b->laws->item[*number].frozen = s->points == 1;
  return DLS_OK;
}

static void give(const Builder *b, const DlsSceneLaw *s, int number) {
  Who who[2];
  for (int side = 0; side < 2; side++)
    if (!find(b, s->place, "between", s->between.values[side], &who[side])) return;
  const int wall = who[0].boundary >= 0 ? 0 : 1; /* the side that may be one */
  if (who[0].boundary >= 0 && who[1].boundary >= 0)
    dls_deck_problem(b->deck, s->place, "between",
                     "'%s' and '%s' are boundaries, which never meet; name a material and a "
                     "boundary",
                     s->between.values[0], s->between.values[1]);
  else if (who[wall].boundary >= 0)
    ok(b, s->place, "between",
       dls_interactions_give_boundary(b->laws, who[!wall].material, who[wall].boundary, number));
  else
    ok(b, s->place, NULL, dls_interactions_give(b->laws, who[0].material, who[1].material, number));
}

/* A body, or a chain, that is nobody else too. */
static bool is_body(const Builder *b, const DlsSceneField *s, const char *name) {
  if (!dls_scene_names_body(b->data, name)) return false;
  const bool material = dls_materials_find(&b->world->materials, name) >= 0;
  if (material || dls_names_find(&b->boundaries, name, strlen(name)) >= 0)
    dls_deck_problem(b->deck, s->place, "of",
                     "'%s' is a body and a %s; rename one of them, so that it is clear which is "
                     "meant",
                     name, material ? "material" : "boundary");
  return true;
}

/* What a field is of those who are named; of a material also where its boundaries are. */
static void set_field(const Builder *b, DlsContactField *field, const DlsSceneField *s) {
  for (int k = 0; k < s->of.count; k++) {
    Who who;
    if (is_body(b, s, s->of.values[k])) continue; /* told when it is here: fields.c */
    if (!find(b, s->place, "of", s->of.values[k], &who)) continue;
    for (int m = 0; m < b->laws->materials; m++)
      if (who.boundary < 0 && (who.material < 0 || who.material == m))
        field->of_material[m] = s->value;
    for (int n = 0; n < b->laws->boundaries; n++) {
      const bool all =
          who.boundary < 0 && (who.material < 0 || who.material == b->laws->boundary_material[n]);
      if (all || who.boundary == n) field->of_boundary[n] = s->value;
    }
  }
}

static void add_fields(const Builder *b) {
  const DlsDeckVariant *fields = &b->data->fields;
  const DlsDeckList *lists = fields->data;
  for (int k = 0; lists && k < fields->section->count; k++) {
    const DlsSceneField *items = lists[k].items;
    const int number = dls_interactions_find_field(b->laws, fields->section->rows[k].key);
    for (int n = 0; number >= 0 && n < lists[k].count; n++)
      set_field(b, &b->laws->field[number], &items[n]);
  }
}

/* The table knows the boundaries where the deck may name them. */
static DlsStatus open_table(Builder *b) {
  const DlsWorld *world = b->world;
  int *material = NULL;
  DLS_TRY(dls_scene_name_boundaries(b->data, &b->boundaries));
  DLS_TRY(dls_interactions_create(world->materials.count, b->laws));
  DLS_NEW(material, world->boundary_count + 1);
  for (int n = 0; n < world->boundary_count; n++) material[n] = world->boundary[n].material;
  const DlsStatus status = dls_interactions_know(b->laws, world->boundary_count, material);
  free(material);
  return status;
}

void dls_scene_add_laws(DlsDeck *deck, const DlsSceneData *data, const DlsWorld *world,
                        DlsInteractions *laws) {
  Builder b = {.deck = deck, .data = data, .world = world, .laws = laws};
  const DlsSceneLaw *items = data->laws.items;
  const DlsDeckNode *root = dls_deck_root(deck);
  if (ok(&b, root, NULL, open_table(&b))) {
    for (int k = 0; k < data->laws.count; k++) {
      int number = DLS_UNSEEN;
      if (dls_scene_law_is_none(&items[k]) ||
          ok(&b, items[k].place, "law", add_interaction(&b, &items[k], &number)))
        give(&b, &items[k], number);
    }
    add_fields(&b);
    int block;
    double farthest;
    ok(&b, root, "laws", dls_interactions_block(laws, world->dim, &block));
    ok(&b, root, "laws", dls_reach_bounds(laws, world, 0, NULL, &farthest));
    ok(&b, root, "laws", dls_restitution_check_all(world, laws));
  }
  dls_names_clear(&b.boundaries);
}
