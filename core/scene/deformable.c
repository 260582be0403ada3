/* A deformable body of the deck: its mesh is made or read, groups are found, and all becomes the
 * setup of a body of finite elements. */
#include "scene/deformable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "bulk/bulk.h"
#include "fem/body.h"
#include "fem/body_mesh.h"
#include "mesh/grid.h"
#include "scene/scene_impl.h"
#include "world/deformable.h"

/* Where a mistake is, for its sentence. */
typedef struct {
  const DlsDeckNode *node;
  const char *key;
} Fault;

typedef struct {
  const DlsSceneDeformable *s;
  int dim;
  double density; /* kg/m3, of the material of the body */
  Fault fault;
  DlsBodyMesh mesh;
  DlsBodySetup setup;
  /* What the setup lends: */
  DlsBodyMaterial *material;
  int *material_of, *contact;
  unsigned char *held;
  DlsBodyDrive *drive;
  DlsBodyPressure *pressure;
  DlsBodyTraction *traction;
  DlsBodySpring *spring;
  DlsBodySide *side;
  DlsBodyForce force[3];
} Maker;

static void clear(Maker *w) {
  dls_body_mesh_clear(&w->mesh);
  free(w->material), free(w->material_of), free(w->contact), free(w->held), free(w->drive);
  free(w->pressure), free(w->traction), free(w->spring), free(w->side);
}

/* The mistakes that are found next are at this key. */
static void at(Maker *w, const DlsDeckNode *node, const char *key) {
  w->fault = (Fault){node, key};
}

/* ---- Functions of time, by number: four for each item of a list, eight of `prescribed` ---- */

static int driven_function(int item, bool displaces, int axis) {
  return 8 * item + 4 * displaces + axis;
}
static int load_function(const DlsSceneDeformable *s, int item, int which) {
  return 4 * (2 * s->prescribed.count + item) + which; /* 3: the pressure */
}
static int force_function(const DlsSceneDeformable *s, int axis) {
  return 4 * (2 * s->prescribed.count + s->loads.count) + axis;
}

static DlsExpression *expression_of(const DlsSceneDeformable *s, int function) {
  const int item = function / 4 - 2 * s->prescribed.count, which = function % 4;
  const DlsSceneDriven *driven = s->prescribed.items;
  const DlsSceneSideLoad *loads = s->loads.items;
  if (item < 0) {
    const DlsSceneDriven *one = &driven[function / 8];
    return function / 4 % 2 ? one->displacement[which] : one->velocity[which];
  }
  if (item >= s->loads.count) return s->force[which];
  const DlsSceneSideLoad *load = &loads[item];
  return which == 3 ? load->pressure : load->traction[which];
}

static double value_at(const void *context, int function, double t) {
  return dls_expression_value(expression_of(context, function), t);
}

/* A constant costs nothing. */
static DlsBodyAmount amount_of(DlsExpression *expression, int function) {
  return dls_expression_is_constant(expression)
             ? (DlsBodyAmount){dls_expression_value(expression, 0), -1}
             : (DlsBodyAmount){1, function};
}

/* ---- Mesh ---- */

static DlsCellKind element_of(const DlsSceneMesh *s, int dim) {
  static const DlsCellKind cells[] = {
      DLS_CELL_TRIANGLE,    DLS_CELL_TRIANGLE6,     DLS_CELL_QUAD,       DLS_CELL_QUAD8,
      DLS_CELL_TETRAHEDRON, DLS_CELL_TETRAHEDRON10, DLS_CELL_HEXAHEDRON, DLS_CELL_WEDGE};
  if (s->element >= 0) return cells[s->element];
  return dim == 2 ? DLS_CELL_QUAD : DLS_CELL_HEXAHEDRON;
}

static DlsStatus make_mesh(Maker *w) {
  const DlsSceneMesh *s = &w->s->mesh;
  DlsMesh mesh;
  at(w, s->node, s->file ? "file" : "kind");
  DLS_CHECK(!s->file || s->kind < 0, DLS_ERR_ARGUMENT,
            "the mesh has a file and a kind; take one of them away");
  DLS_CHECK(s->file || s->kind >= 0, DLS_ERR_ARGUMENT,
            "the mesh has neither a file nor a kind; give one, such as kind: block");
  if (s->file) {
    DLS_TRY(dls_mesh_read(s->file, &mesh));
  } else {
    DlsGrid grid = {.kind = (DlsGridKind)s->kind,
                    .dim = w->dim,
                    .radius = s->radius,
                    .inner = s->inner,
                    .height = s->height,
                    .cell = element_of(s, w->dim)};
    memcpy(grid.size, s->size, sizeof grid.size);
    memcpy(grid.cells, s->cells, sizeof grid.cells);
    DLS_TRY(dls_mesh_grid(&grid, &mesh));
  }
  const DlsStatus status = dls_body_mesh_create(&mesh, s->file ? s->file : "the mesh", w->dim,
                                                s->file ? s->scale : 1, &w->mesh);
  dls_mesh_clear(&mesh);
  return status;
}

/* A group by its name, with the nearest where there is none. */
static DlsStatus group_of(Maker *w, const DlsDeckNode *node, const char *key, const char *name,
                          const DlsBodyGroup **out) {
  enum { SHOWN = 12 };
  const char *names[SHOWN];
  char list[SHOWN * (DLS_MESH_NAME + 2)] = "";
  const int count = w->mesh.groups < SHOWN ? w->mesh.groups : SHOWN;
  at(w, node, key);
  *out = dls_body_mesh_group(&w->mesh, name);
  if (*out) return DLS_OK;
  for (int k = 0; k < count; k++) { /* the last ones: skin among them */
    names[k] = w->mesh.group[w->mesh.groups - count + k].name;
    const size_t length = strlen(list);
    snprintf(list + length, sizeof list - length, "%s%s", k ? ", " : "", names[k]);
  }
  const char *near = dls_nearest(name, names, count);
  return near ? dls_fail(DLS_ERR_ARGUMENT, "the mesh has no group '%s'; did you mean '%s'?", name,
                         near)
              : dls_fail(DLS_ERR_ARGUMENT, "the mesh has no group '%s'; there are: %s", name, list);
}

/* ---- Materials ---- */

static DlsStatus take_cells(Maker *w, const DlsSceneBulk *bulk, int number) {
  const DlsBodyGroup *group;
  if (!bulk->group) {
    for (int c = 0; c < w->mesh.cells; c++)
      if (w->material_of[c] < 0) w->material_of[c] = number;
    return DLS_OK;
  }
  DLS_TRY(group_of(w, bulk->node, "group", bulk->group, &group));
  DLS_CHECK(group->cells > 0, DLS_ERR_ARGUMENT,
            "the group '%s' has no cells of %d-D, of which the body could be", bulk->group, w->dim);
  for (int k = 0; k < group->cells; k++) w->material_of[group->cell[k]] = number;
  return DLS_OK;
}

static DlsStatus make_materials(Maker *w) {
  const DlsSceneBulk *items = w->s->bulk.items;
  const int count = w->s->bulk.count;
  DLS_NEW(w->material, count);
  DLS_NEW(w->material_of, w->mesh.cells);
  for (int c = 0; c < w->mesh.cells; c++) w->material_of[c] = -1;
  for (int pass = 0; pass < 2; pass++) /* those with a group first */
    for (int k = 0; k < count; k++)
      if ((items[k].group == NULL) == (pass == 1)) DLS_TRY(take_cells(w, &items[k], k));
  for (int c = 0; c < w->mesh.cells; c++) {
    at(w, w->s->node, "bulk");
    DLS_CHECK(w->material_of[c] >= 0, DLS_ERR_ARGUMENT,
              "cell %d is in no group that is made of something; add a bulk without a group",
              c + 1);
  }
  for (int k = 0; k < count; k++) {
    at(w, items[k].node, "law");
    DLS_TRY(dls_bulk_find(items[k].law, &w->material[k].law));
    at(w, items[k].node, "parameters");
    DLS_TRY(dls_bulk_check_params(w->material[k].law, items[k].parameters.data));
    w->material[k].params = items[k].parameters.data;
    w->material[k].density = isnan(items[k].density) ? w->density : items[k].density;
  }
  w->setup.materials = count, w->setup.material = w->material;
  w->setup.material_of = w->material_of;
  return DLS_OK;
}

/* ---- What holds, drives and loads it ---- */

static bool has_axis(const DlsDeckStrings *axes, int axis) {
  for (int k = 0; k < axes->count; k++)
    if (axes->values[k][0] == "xyz"[axis]) return true;
  return false;
}

static DlsStatus hold(Maker *w) {
  const DlsSceneHeld *items = w->s->fixed.items;
  DLS_NEW(w->held, w->mesh.nodes);
  for (int k = 0; k < w->s->fixed.count; k++) {
    const DlsBodyGroup *group;
    DLS_TRY(group_of(w, items[k].node, "group", items[k].group, &group));
    for (int axis = 0; axis < w->dim; axis++)
      for (int n = 0; n < group->nodes && has_axis(&items[k].axes, axis); n++)
        w->held[group->node[n]] = (unsigned char)(w->held[group->node[n]] | (1u << axis));
  }
  w->setup.held = w->held;
  return DLS_OK;
}

static DlsStatus drive(Maker *w) {
  const DlsSceneDriven *items = w->s->prescribed.items;
  DLS_NEW(w->drive, (size_t)w->s->prescribed.count * (size_t)(w->mesh.nodes * w->dim) + 1);
  for (int k = 0; k < w->s->prescribed.count; k++) {
    const DlsBodyGroup *group;
    int axes = 0;
    DLS_TRY(group_of(w, items[k].node, "group", items[k].group, &group));
    for (int axis = 0; axis < w->dim; axis++) {
      const bool displaces = items[k].displacement[axis] != NULL;
      DlsExpression *given = displaces ? items[k].displacement[axis] : items[k].velocity[axis];
      static const char *const key[] = {"vx", "vy", "vz"};
      at(w, items[k].node, key[axis]);
      DLS_CHECK(!displaces || !items[k].velocity[axis], DLS_ERR_ARGUMENT,
                "%c has a displacement already; take one of the two away", "xyz"[axis]);
      if (!given) continue;
      axes++;
      for (int n = 0; n < group->nodes; n++) {
        const int node = group->node[n];
        /* What holds goes first, then the group that comes first. */
        if (w->held[node] >> axis & 1 || w->held[node] >> (3 + axis) & 1) continue;
        w->held[node] = (unsigned char)(w->held[node] | (8u << axis));
        w->drive[w->setup.drives++] = (DlsBodyDrive){
            node, axis, amount_of(given, driven_function(k, displaces, axis)), displaces};
      }
    }
    at(w, items[k].node, NULL);
    DLS_CHECK(axes > 0, DLS_ERR_ARGUMENT,
              "prescribes nothing; give x or y%s, m, or vx or vy%s, m/s",
              w->dim == 3 ? " or z" : "", w->dim == 3 ? " or vz" : "");
  }
  for (int n = 0; n < w->mesh.nodes; n++) w->held[n] &= 7;
  w->setup.drive = w->drive;
  return DLS_OK;
}

static DlsStatus sides_of(Maker *w, const DlsDeckNode *node, const char *key, const char *name,
                          const DlsBodyGroup **out) {
  DLS_TRY(group_of(w, node, key, name, out));
  DLS_CHECK((*out)->sides > 0, DLS_ERR_ARGUMENT,
            "the group '%s' has no sides, which are cells of %d-D on the outside", name,
            w->dim - 1);
  return DLS_OK;
}

static DlsStatus load_sides(Maker *w) {
  const DlsSceneSideLoad *items = w->s->loads.items;
  const int count = w->s->loads.count;
  const size_t sides = (size_t)w->mesh.cells * DLS_ELEMENT_SIDES;
  if (count == 0) return DLS_OK;
  DLS_NEW(w->pressure, (size_t)count * sides);
  DLS_NEW(w->traction, 3 * (size_t)count * sides);
  for (int k = 0; k < count; k++) {
    const DlsBodyGroup *group;
    DLS_TRY(sides_of(w, items[k].node, "group", items[k].group, &group));
    at(w, items[k].node, NULL);
    DLS_CHECK(items[k].pressure || items[k].traction[0], DLS_ERR_ARGUMENT,
              "loads nothing; give a pressure or a traction");
    for (int n = 0; n < group->sides; n++) {
      if (items[k].pressure)
        w->pressure[w->setup.pressures++] = (DlsBodyPressure){
            group->side[n], amount_of(items[k].pressure, load_function(w->s, k, 3))};
      for (int axis = 0; axis < w->dim && items[k].traction[0]; axis++)
        w->traction[w->setup.tractions++] = (DlsBodyTraction){
            group->side[n], axis, amount_of(items[k].traction[axis], load_function(w->s, k, axis))};
    }
  }
  w->setup.pressure = w->pressure, w->setup.traction = w->traction;
  return DLS_OK;
}

static void load_volume(Maker *w) {
  for (int axis = 0; axis < w->dim && w->s->force[0]; axis++)
    w->force[w->setup.forces++] =
        (DlsBodyForce){axis, amount_of(w->s->force[axis], force_function(w->s, axis))};
  w->setup.force = w->force;
}

/* m2 that each node of a side stands for. */
static int weights_of(const Maker *w, DlsBodySide at_side, int node[], double weight[]) {
  const DlsBodyMesh *b = &w->mesh;
  const DlsElementSide *side = &dls_element_kind((int)b->type[at_side.cell])->side[at_side.side];
  const DlsElementKind *kind = dls_element_kind((int)side->type);
  double X[DLS_ELEMENT_NODES][3], area[3];
  for (int k = 0; k < kind->nodes; k++) {
    node[k] = b->node[b->start[at_side.cell] + side->node[k]];
    memcpy(X[k], b->X[node[k]], sizeof X[k]);
  }
  dls_element_side_weights(kind, (const double(*)[3])X, weight, area);
  for (int k = 0; k < kind->nodes; k++) weight[k] *= w->dim == 2 ? w->s->thickness : 1;
  return kind->nodes;
}

static DlsStatus bed(Maker *w) {
  const DlsSceneBedding *items = w->s->springs.items;
  double *sum;
  if (w->s->springs.count == 0) return DLS_OK;
  DLS_NEW(sum, w->mesh.nodes);
  w->spring = dls_memory_array((size_t)w->s->springs.count * (size_t)(3 * w->mesh.nodes),
                               sizeof *w->spring);
  DlsStatus status = w->spring ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "out of memory for springs");
  for (int k = 0; k < w->s->springs.count && status == DLS_OK; k++) {
    const DlsBodyGroup *group = NULL;
    memset(sum, 0, (size_t)w->mesh.nodes * sizeof *sum);
    status = sides_of(w, items[k].node, "group", items[k].group, &group);
    for (int n = 0; status == DLS_OK && n < group->sides; n++) {
      int node[DLS_ELEMENT_NODES];
      double weight[DLS_ELEMENT_NODES];
      const int nodes = weights_of(w, group->side[n], node, weight);
      for (int a = 0; a < nodes; a++) sum[node[a]] += items[k].stiffness * weight[a];
    }
    for (int n = 0; n < w->mesh.nodes && status == DLS_OK; n++)
      for (int axis = 0; axis < w->dim; axis++)
        if (sum[n] > 0 && has_axis(&items[k].axes, axis))
          w->spring[w->setup.springs++] = (DlsBodySpring){n, axis, sum[n]};
  }
  free(sum);
  w->setup.spring = w->spring;
  return status;
}

/* ---- How it meets others ---- */

/* m: a thousandth of the mean length of sides, in 3-D of the root of their area. */
static double ball_radius(const Maker *w) {
  const DlsBodyGroup *skin = dls_body_mesh_group(&w->mesh, "skin");
  double sum = 0;
  for (int k = 0; k < skin->sides; k++) {
    int node[DLS_ELEMENT_NODES];
    double weight[DLS_ELEMENT_NODES], size = 0;
    const int nodes = weights_of(w, skin->side[k], node, weight);
    for (int a = 0; a < nodes; a++) size += weight[a];
    sum += w->dim == 2 ? size / w->s->thickness : sqrt(size);
  }
  return 1e-3 * sum / skin->sides;
}

static DlsStatus meet_by_sides(Maker *w) {
  const DlsSceneTouch *s = &w->s->contact;
  bool *in; /* each side once */
  DLS_NEW(w->side, (size_t)w->mesh.cells * DLS_ELEMENT_SIDES);
  DLS_NEW(in, (size_t)w->mesh.cells * DLS_ELEMENT_SIDES);
  DlsStatus status = DLS_OK;
  for (int k = 0; k < s->groups.count && status == DLS_OK; k++) {
    const DlsBodyGroup *group = NULL;
    status = sides_of(w, s->node, "groups", s->groups.values[k], &group);
    for (int n = 0; status == DLS_OK && n < group->sides; n++) {
      bool *here = &in[group->side[n].cell * DLS_ELEMENT_SIDES + group->side[n].side];
      if (!*here) w->side[w->setup.sides++] = group->side[n];
      *here = true;
    }
  }
  free(in);
  w->setup.side = w->side;
  w->setup.meet = (DlsMeetBy)s->points;
  w->setup.both = s->both, w->setup.self = s->self;
  return status;
}

static DlsStatus meet_by_balls(Maker *w) {
  const DlsSceneTouch *s = &w->s->contact;
  bool *in;
  at(w, s->node, s->both ? "both" : "self");
  DLS_CHECK(!s->both && !s->self, DLS_ERR_ARGUMENT,
            "is of surfaces; take it away, or points: balls");
  DLS_NEW(in, w->mesh.nodes);
  DlsStatus status = DLS_OK;
  for (int k = 0; k < s->groups.count && status == DLS_OK; k++) {
    const DlsBodyGroup *group = NULL;
    status = group_of(w, s->node, "groups", s->groups.values[k], &group);
    for (int n = 0; status == DLS_OK && n < group->nodes; n++) in[group->node[n]] = true;
  }
  w->contact = dls_memory_array((size_t)w->mesh.nodes, sizeof *w->contact);
  if (status == DLS_OK && !w->contact) status = dls_fail(DLS_ERR_MEMORY, "out of memory: contacts");
  for (int n = 0; n < w->mesh.nodes && status == DLS_OK; n++)
    if (in[n] && w->held[n] != (1 << w->dim) - 1) w->contact[w->setup.contacts++] = n;
  free(in);
  w->setup.contact = w->contact;
  w->setup.radius = s->radius > 0 ? s->radius : ball_radius(w);
  return status;
}

static DlsStatus touch(Maker *w) {
  const DlsSceneTouch *s = &w->s->contact;
  at(w, s->node, "radius");
  if (s->points == DLS_SCENE_AS_BALLS) return meet_by_balls(w);
  DLS_CHECK(!(s->radius > 0), DLS_ERR_ARGUMENT,
            "is of balls about nodes; take it away, or add points: balls");
  return meet_by_sides(w);
}

/* ---- All ---- */

/* About the middle of its box. */
static void scale(Maker *w, double span) {
  double low[3], high[3], most = 0;
  memcpy(low, w->mesh.X[0], sizeof low);
  memcpy(high, w->mesh.X[0], sizeof high);
  for (int n = 0; n < w->mesh.nodes; n++)
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], w->mesh.X[n][k]);
      high[k] = fmax(high[k], w->mesh.X[n][k]);
    }
  for (int n = 0; n < w->mesh.nodes; n++) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
      w->mesh.X[n][k] -= (low[k] + high[k]) / 2;
      square += w->mesh.X[n][k] * w->mesh.X[n][k];
    }
    most = fmax(most, square);
  }
  for (int n = 0; n < w->mesh.nodes; n++)
    for (int k = 0; k < 3; k++) w->mesh.X[n][k] *= span / sqrt(most);
}

static DlsStatus fill(Maker *w, double span) {
  DLS_TRY(make_mesh(w));
  if (span > 0) scale(w, span);
  const DlsSceneDeformable *s = w->s;
  w->setup = (DlsBodySetup){.dim = w->dim,
                            .nodes = w->mesh.nodes,
                            .cells = w->mesh.cells,
                            .X = (const double(*)[3])w->mesh.X,
                            .type = w->mesh.type,
                            .start = w->mesh.start,
                            .node = w->mesh.node,
                            .thickness = s->thickness,
                            .plane_stress = s->plane == 1,
                            .kinematics = (DlsKinematics)s->kinematics,
                            .mass = (DlsMassKind)s->mass,
                            .alpha = s->damping.mass,
                            .beta = s->damping.stiffness,
                            .functions = {s, value_at},
                            .tolerance = s->tolerance};
  DLS_TRY(make_materials(w));
  DLS_TRY(hold(w));
  DLS_TRY(drive(w));
  DLS_TRY(load_sides(w));
  load_volume(w);
  DLS_TRY(bed(w));
  DLS_TRY(touch(w));
  at(w, s->node, NULL);
  return DLS_OK;
}

void dls_scene_check_deformable(DlsDeck *deck, const DlsSceneDeformable *s, int dim,
                                double density) {
  Maker w = {.s = s, .dim = dim, .density = density};
  if (fill(&w, 0) != DLS_OK)
    dls_deck_problem(deck, w.fault.node, w.fault.key, "%s", dls_error_message());
  clear(&w);
}

/* Turned about its origin, then there. */
static void place(Maker *w, const double position[3], const double turn[4]) {
  for (int n = 0; n < w->mesh.nodes; n++) {
    double x[3];
    dls_rotation_apply(turn, w->mesh.X[n], x);
    for (int k = 0; k < 3; k++) w->mesh.X[n][k] = k < w->dim ? position[k] + x[k] : 0;
  }
}

static DlsStatus add(const Maker *w, void *model, int material, const double position[3],
                     const double velocity[6], DlsWorld *world) {
  const DlsDeformableOperations *kind = dls_body_kind(model);
  DlsDeformableSize size;
  double *state = NULL, *nodes = NULL, *speed = NULL;
  DlsShape shape = {0};
  kind->size(model, &size);
  DlsStatus status = dls_body_shape(model, &shape);
  state = dls_memory_array((size_t)size.states + 1, sizeof *state);
  speed = dls_memory_array((size_t)size.velocities + 1, sizeof *speed);
  nodes = dls_memory_array((size_t)(w->mesh.nodes * w->dim), sizeof *nodes);
  if (status == DLS_OK && (!state || !speed || !nodes))
    status = dls_fail(DLS_ERR_MEMORY, "out of memory for a body of %d nodes", w->mesh.nodes);
  if (status == DLS_OK) {
    dls_body_new_state(model, state);
    for (int n = 0; n < w->mesh.nodes; n++) {
      double lever[3], v[3];
      for (int k = 0; k < 3; k++) lever[k] = w->mesh.X[n][k] - (k < w->dim ? position[k] : 0);
      dls_vector_cross(velocity + 3, lever, v);
      for (int k = 0; k < w->dim; k++) nodes[n * w->dim + k] = velocity[k] + v[k];
    }
    dls_body_take_velocity(model, state, nodes, speed);
    const DlsBody body = {.shape = &shape, .material = material};
    status = dls_world_add_deformable(world, &body, kind, model, state, speed);
  }
  dls_shape_clear(&shape);
  free(state);
  free(speed);
  free(nodes);
  return status;
}

DlsStatus dls_scene_add_deformable(const DlsSceneDeformable *s, int material, double span,
                                   const double position[3], const double turn[4],
                                   const double velocity[6], DlsWorld *world) {
  Maker w = {.s = s, .dim = world->dim, .density = world->materials.item[material].density};
  void *model = NULL;
  DlsStatus status = fill(&w, span);
  if (status == DLS_OK) {
    place(&w, position, turn);
    status = dls_body_create(&w.setup, &model);
  }
  if (status == DLS_OK) {
    status = add(&w, model, material, position, velocity, world);
    if (status != DLS_OK) dls_body_destroy(model);
  }
  clear(&w);
  return status;
}
