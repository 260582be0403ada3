/* The keys of a deck. */
#include "step/scene.h"

#include "world/population.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sections made from the tables of laws and solvers live with them, for the life of the process. One is known by
 * what it was made of: a law, a list of laws, a solver. */
typedef struct Made {
  const void *of[DLS_MAX_LAWS];
  DlsDeckSection section;
  struct Made *next;
} Made;
static Made *made;

static const DlsDeckSection *made_of(const void *const of[DLS_MAX_LAWS]) {
  for (const Made *m = made; m; m = m->next)
    if (memcmp(m->of, of, sizeof m->of) == 0) return &m->section;
  return NULL;
}

static DlsStatus make_section(const void *const of[DLS_MAX_LAWS], const char *name, int count,
                              size_t bytes, DlsDeckRow **rows, const DlsDeckSection **out) {
  Made *m = calloc(1, sizeof *m);
  *rows = calloc((size_t)count + 1, sizeof **rows);
  if (!m || !*rows) {
    free(m);
    free(*rows);
    dls_fail(DLS_ERR_MEMORY, "out of memory for the options of %s", name);
    return DLS_ERR_MEMORY;
  }
  memcpy(m->of, of, sizeof m->of);
  m->section = (DlsDeckSection){
      .name = name, .meaning = "", .rows = *rows, .count = count, .bytes = bytes ? bytes : 1};
  m->next = made;
  made = m;
  *out = &m->section;
  return DLS_OK;
}

/* "0.3" for a row; kept for the life of the process. */
static const char *number_text(double value) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  char *kept = strdup(text);
  return kept ? kept : "0";
}

/* The parameters of a law as a section: reals with the law's own units, defaults and bounds. */
static DlsStatus law_section_of(const DlsLaw *law, const DlsDeckSection **out) {
  const void *const of[DLS_MAX_LAWS] = {law};
  *out = made_of(of);
  if (*out) return DLS_OK;
  DlsDeckRow *rows;
  DLS_TRY(make_section(of, law->name, law->nparams, DLS_MAX_PARAMS * sizeof(double), &rows, out));
  for (int k = 0; k < law->nparams; k++) {
    const DlsParam *p = &law->params[k];
    rows[k] = (DlsDeckRow){.key = p->name,
                           .kind = DLS_DECK_REAL,
                           .offset = (size_t)k * sizeof(double),
                           .standard = number_text(p->value),
                           .unit = p->unit,
                           .min = p->min,
                           .max = p->max,
                           .meaning = p->meaning};
  }
  return DLS_OK;
}

/* Of one law its parameters; of a list a section for each law, under its name. */
static DlsStatus choose_parameters(const void *data, const DlsDeckSection **out) {
  const DlsSceneLaw *scene = data;
  const int count = scene->law.count;
  const DlsDeckSection *sections[DLS_MAX_LAWS];
  const void *of[DLS_MAX_LAWS] = {NULL};
  if (count == 0 || count > DLS_MAX_LAWS) return DLS_OK;
  for (int n = 0; n < count; n++) {
    const DlsLaw *law;
    DLS_TRY(dls_law_find(scene->law.values[n], &law));
    DLS_TRY(law_section_of(law, &sections[n]));
    of[n] = law;
  }
  *out = count == 1 ? sections[0] : made_of(of);
  if (*out) return DLS_OK;
  DlsDeckRow *rows;
  const size_t bytes = DLS_MAX_PARAMS * sizeof(double);
  DLS_TRY(make_section(of, "list of laws", count, (size_t)count * bytes, &rows, out));
  for (int n = 0; n < count; n++)
    rows[n] = (DlsDeckRow){.key = sections[n]->name,
                           .kind = DLS_DECK_SECTION,
                           .offset = (size_t)n * bytes,
                           .standard = "",
                           .section = sections[n],
                           .meaning = ""};
  return DLS_OK;
}

static DlsStatus choose_options(const void *data, const DlsDeckSection **out) {
  const DlsSceneSolver *scene = data;
  const DlsSolver *solver = NULL;
  if (!scene->name) return DLS_OK;
  DLS_TRY(dls_solver_find(scene->name, &solver));
  const void *const of[DLS_MAX_LAWS] = {solver};
  *out = made_of(of);
  if (*out) return DLS_OK;
  DlsDeckRow *rows;
  DLS_TRY(make_section(of, solver->name, solver->noptions, solver->option_bytes, &rows, out));
  for (int k = 0; k < solver->noptions; k++) {
    const DlsOption *o = &solver->options[k];
    rows[k] = (DlsDeckRow){.key = o->name,
                           .kind = o->kind == DLS_OPTION_REAL  ? DLS_DECK_REAL
                                   : o->kind == DLS_OPTION_INT ? DLS_DECK_INT
                                                               : DLS_DECK_CHOICE,
                           .offset = o->offset,
                           .min = o->min,
                           .max = o->max,
                           .choices = o->choices,
                           .meaning = o->meaning};
    if (o->kind != DLS_OPTION_CHOICE) {
      rows[k].standard = number_text(o->value);
      continue;
    }
    const char *name = o->choices;
    for (int skip = (int)o->value; skip > 0; skip--) name = strchr(name, '|') + 1;
    char *copy = strndup(name, strcspn(name, "|"));
    rows[k].standard = copy ? copy : "";
  }
  return DLS_OK;
}

#define SECTION(struct_name, rows_, name_, meaning_)                                               \
  {                                                                                                \
    .name = (name_), .meaning = (meaning_), .rows = (rows_), .count = DLS_COUNT(rows_),            \
    .bytes = sizeof(struct_name)                                                                   \
  }
static const DlsDeckRow time_rows[] = {
    DLS_DECK_REAL_ROW(DlsSceneTime, step, "s", "1e-3", DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "length of a time-step"),
    DLS_DECK_REAL_ROW(DlsSceneTime, end, "s", DLS_DECK_REQUIRED, 0, DLS_DECK_FREE,
                      "when the run ends"),
    DLS_DECK_CHOICE_ROW(DlsSceneTime, scheme, "moreau|euler|first-order", "moreau",
                        "midpoint, implicit with gaps, or motion without inertia"),
    DLS_DECK_REAL_ROW(DlsSceneTime, alert, "m", "0", 0, DLS_DECK_FREE,
                      "gaps up to this are looked at, beyond what speed demands"),
    DLS_DECK_BOOL_ROW(DlsSceneTime, signed_gap, "false",
                      "euler: g/h, which pushes overlaps apart, in the place of g+/h"),
};
static const DlsDeckSection time_section =
    SECTION(DlsSceneTime, time_rows, "time", "steps and scheme");

static const DlsDeckRow material_rows[] = {
    DLS_DECK_NAME_ROW(DlsSceneMaterial, name),
    DLS_DECK_REAL_ROW(DlsSceneMaterial, density, "kg/m3", "2500", DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "of grains made of it"),
};
static const DlsDeckSection material_section =
    SECTION(DlsSceneMaterial, material_rows, "material", "what bodies and boundaries are made of");

static const DlsDeckRow law_rows[] = {
    {DLS_DECK_ROW(DlsSceneLaw, between, DLS_DECK_STRINGS, "[*, *]",
                  "the two materials; * stands for all; later laws win"),
     .least = 2, .most = 2},
    {DLS_DECK_ROW(
         DlsSceneLaw, law, DLS_DECK_STRINGS, DLS_DECK_REQUIRED,
         "name or path, see delassus law list; or a list of laws, each adding to the first"),
     .least = 1, .most = DLS_MAX_LAWS},
    {DLS_DECK_ROW(DlsSceneLaw, parameters, DLS_DECK_VARIANT, DLS_DECK_OPTIONAL,
                  "of the law, see delassus law show NAME; of a list: a section for each law"),
     .choose = choose_parameters, .chosen_by = "law"},
    DLS_DECK_PLACE_ROW(DlsSceneLaw, place),
};
static const DlsDeckSection law_section =
    SECTION(DlsSceneLaw, law_rows, "law", "a contact law between two materials");

static const DlsDeckRow region_rows[] = {
    DLS_DECK_CHOICE_ROW(DlsSceneRegion, shape, "box|cylinder|sphere|frustum", "box",
                        "cylinder and frustum stand upright"),
    DLS_DECK_VECTOR_ROW(DlsSceneRegion, low, "m", "[0, 0, 0]", 2, 3, "corner of a box"),
    DLS_DECK_VECTOR_ROW(DlsSceneRegion, high, "m", "[0, 0, 0]", 2, 3, "opposite corner of a box"),
    DLS_DECK_VECTOR_ROW(DlsSceneRegion, centre, "m", "[0, 0, 0]", 2, 3,
                        "of a sphere, or of the bottom of a cylinder or frustum"),
    DLS_DECK_REAL_ROW(DlsSceneRegion, radius, "m", "0", 0, DLS_DECK_FREE, "of a frustum: below"),
    DLS_DECK_REAL_ROW(DlsSceneRegion, radius_top, "m", "0", 0, DLS_DECK_FREE, "of a frustum"),
    DLS_DECK_REAL_ROW(DlsSceneRegion, height, "m", "0", 0, DLS_DECK_FREE, "of cylinder, frustum"),
};
static const DlsDeckSection region_section =
    SECTION(DlsSceneRegion, region_rows, "region", "where grains are put");

static const DlsDeckRow sizes_rows[] = {
    DLS_DECK_CHOICE_ROW(DlsSceneSizes, kind, "fixed|uniform|lognormal|shares|power|list", "fixed",
                        "distribution of the radii"),
    DLS_DECK_REAL_ROW(DlsSceneSizes, radius, "m", "0", 0, DLS_DECK_FREE,
                      "fixed: the radius; lognormal: the median"),
    DLS_DECK_REAL_ROW(DlsSceneSizes, min, "m", "0", 0, DLS_DECK_FREE, "smallest radius"),
    DLS_DECK_REAL_ROW(DlsSceneSizes, max, "m", "0", 0, DLS_DECK_FREE, "largest radius"),
    DLS_DECK_REAL_ROW(DlsSceneSizes, sigma, NULL, "0", 0, DLS_DECK_FREE, "lognormal: of ln r"),
    DLS_DECK_REAL_ROW(DlsSceneSizes, exponent, NULL, "0", -10, 10, "power law, by volume"),
    {DLS_DECK_ROW(DlsSceneSizes, values, DLS_DECK_REALS, DLS_DECK_OPTIONAL,
                  "shares, list: the radii"),
     .unit = "m", .min = DLS_DECK_POSITIVE, .max = DLS_DECK_FREE, .most = 100000},
    {DLS_DECK_ROW(DlsSceneSizes, shares, DLS_DECK_REALS, DLS_DECK_OPTIONAL,
                  "one for each of the values"),
     .min = 0, .max = DLS_DECK_FREE, .most = 100000},
    DLS_DECK_CHOICE_ROW(DlsSceneSizes, by, "number|volume", "number", "what shares are of"),
};
static const DlsDeckSection sizes_section =
    SECTION(DlsSceneSizes, sizes_rows, "sizes", "how large grains are");

static const DlsDeckRow grains_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneGrains, material, DLS_DECK_REQUIRED, "name of a material"),
    DLS_DECK_CHOICE_ROW(DlsSceneGrains, place, "lattice|pyramid|random|packed|rain|deposit|file",
                        DLS_DECK_REQUIRED, "how they are placed, see docs/populations.md"),
    {DLS_DECK_ROW(DlsSceneGrains, region, DLS_DECK_SECTION, "", "where"),
     .section = &region_section},
    {DLS_DECK_ROW(DlsSceneGrains, sizes, DLS_DECK_SECTION, "", "how large"),
     .section = &sizes_section},
    DLS_DECK_CHOICE_ROW(DlsSceneGrains, lattice, "square|hexagonal|cubic|fcc|hcp", "cubic",
                        "kind of lattice; square and hexagonal in 2-D"),
    DLS_DECK_REAL_ROW(DlsSceneGrains, pitch, "m", "0", 0, DLS_DECK_FREE, "of the lattice"),
    DLS_DECK_REAL_ROW(DlsSceneGrains, jitter, "m", "0", 0, DLS_DECK_FREE, "of the lattice"),
    DLS_DECK_CHOICE_ROW(DlsSceneGrains, base, "square|triangular", "square", "of a pyramid"),
    DLS_DECK_INT_ROW(DlsSceneGrains, layers, "1", 1, 1000, "of a pyramid"),
    DLS_DECK_REAL_ROW(DlsSceneGrains, gap, "m", "0", 0, DLS_DECK_FREE,
                      "between balls of a pyramid, or grains of rain"),
    DLS_DECK_VECTOR_ROW(DlsSceneGrains, foot, "m", "[0, 0, 0]", 2, 3,
                        "middle of the floor below a pyramid"),
    DLS_DECK_INT_ROW(DlsSceneGrains, count, "0", 0, 100000000, "how many; 0: all that fit"),
    DLS_DECK_REAL_ROW(DlsSceneGrains, fraction, NULL, "0", 0, 0.9,
                      "solid fraction to reach, in the place of count (random, packed)"),
    DLS_DECK_PATH_ROW(DlsSceneGrains, file, DLS_DECK_OPTIONAL, "CSV with x, y, z, r"),
    DLS_DECK_INT_ROW(DlsSceneGrains, seed, "1", 0, 2147483647, "of the random numbers"),
    DLS_DECK_VECTOR_ROW(DlsSceneGrains, velocity, "m/s", "[0, 0, 0]", 2, 3, "at the start"),
    DLS_DECK_VECTOR_ROW(DlsSceneGrains, spin, "rad/s", "[0, 0, 0]", 3, 3, "at the start"),
    DLS_DECK_PLACE_ROW(DlsSceneGrains, node),
};
static const DlsDeckSection grains_section =
    SECTION(DlsSceneGrains, grains_rows, "grains", "a population of disks or spheres");

static const DlsDeckRow element_rows[] = {
    DLS_DECK_VECTOR_ROW(DlsSceneElement, at, "m", "[0, 0, 0]", 2, 3, "centre"),
    DLS_DECK_REAL_ROW(DlsSceneElement, radius, "m", DLS_DECK_REQUIRED, DLS_DECK_POSITIVE,
                      DLS_DECK_FREE, "of the disk or sphere"),
};
static const DlsDeckSection element_section =
    SECTION(DlsSceneElement, element_rows, "element", "one disk or sphere of a cluster");

static const DlsDeckRow body_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneBody, material, DLS_DECK_REQUIRED, "name of a material"),
    DLS_DECK_REAL_ROW(DlsSceneBody, radius, "m", "0", 0, DLS_DECK_FREE, "of a disk or sphere"),
    {DLS_DECK_ROW(DlsSceneBody, cluster, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                  "disks or spheres that move as one, in the place of radius"),
     .section = &element_section, .most = 65536},
    DLS_DECK_REAL_ROW(DlsSceneBody, mass, "kg", "0", 0, DLS_DECK_FREE,
                      "0: from the density of the material"),
    DLS_DECK_VECTOR_ROW(DlsSceneBody, position, "m", DLS_DECK_REQUIRED, 2, 3,
                        "of the centre; of a cluster: of its origin"),
    DLS_DECK_VECTOR_ROW(DlsSceneBody, velocity, "m/s", "[0, 0, 0]", 2, 3, "at the start"),
    DLS_DECK_VECTOR_ROW(DlsSceneBody, spin, "rad/s", "[0, 0, 0]", 3, 3, "at the start"),
    {DLS_DECK_ROW(DlsSceneBody, fixed, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "components of the velocity that stay as they are"),
     .choices = "x|y|z|turn_x|turn_y|turn_z|all", .most = 7},
    DLS_DECK_PLACE_ROW(DlsSceneBody, node),
};
static const DlsDeckSection body_section =
    SECTION(DlsSceneBody, body_rows, "body", "one rigid body");

static const DlsDeckRow boundary_rows[] = {
    DLS_DECK_NAME_ROW(DlsSceneBoundary, name),
    DLS_DECK_STRING_ROW(DlsSceneBoundary, material, DLS_DECK_REQUIRED, "name of a material"),
    DLS_DECK_CHOICE_ROW(DlsSceneBoundary, shape, "plane|segment|box|cylinder|frustum|plate|sphere",
                        DLS_DECK_REQUIRED, "plane is a half-plane in 2-D"),
    DLS_DECK_BOOL_ROW(DlsSceneBoundary, inside, "false", "grains are inside of it"),
    {DLS_DECK_ROW(DlsSceneBoundary, open, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "faces of a box, caps of a cylinder or frustum, that are not there"),
     .choices = "-x|+x|-y|+y|-z|+z", .most = 6},
    DLS_DECK_VECTOR_ROW(DlsSceneBoundary, length, "m", "[0, 0, 0]", 1, 3,
                        "edges of a box; first: of segment, cylinder, frustum along the axis"),
    DLS_DECK_VECTOR_ROW(DlsSceneBoundary, radius, "m", "[0, 0]", 1, 2,
                        "frustum: at the foot and the end of the axis; plate: hole and rim"),
    DLS_DECK_REAL_ROW(DlsSceneBoundary, rounding, "m", "0", 0, DLS_DECK_FREE,
                      "thickness added to every surface"),
    DLS_DECK_REAL_ROW(DlsSceneBoundary, depth, "m", "0", 0, DLS_DECK_FREE,
                      "thin walls: a centre so far behind still counts as come through"),
    DLS_DECK_VECTOR_ROW(DlsSceneBoundary, position, "m", "[0, 0, 0]", 2, 3, "of its origin"),
    DLS_DECK_VECTOR_ROW(DlsSceneBoundary, axis, NULL, "[0, 0, 0]", 2, 3,
                        "normal of a plane or plate, axis of the round ones, direction of a "
                        "segment; zero: upward, of a segment along x"),
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneBoundary, displacement, "m", DLS_DECK_OPTIONAL, 2, 3,
                             "from its position, functions of t"),
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneBoundary, velocity, "m/s", DLS_DECK_OPTIONAL, 2, 3,
                             "functions of t, in the place of displacement"),
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneBoundary, spin, "rad/s", DLS_DECK_OPTIONAL, 3, 3,
                             "functions of t"),
    DLS_DECK_PLACE_ROW(DlsSceneBoundary, node),
};
static const DlsDeckSection boundary_section =
    SECTION(DlsSceneBoundary, boundary_rows, "boundary", "what bodies meet and no impulse moves");

static const DlsDeckRow solver_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneSolver, name, "nsgs", "see delassus solver list"),
    DLS_DECK_REAL_ROW(DlsSceneSolver, tolerance, NULL, "1e-4", 1e-15, 1, "of the error"),
    DLS_DECK_CHOICE_ROW(DlsSceneSolver, measure, "natural|scaled", "scaled",
                        "which error, see docs/theory.md"),
    DLS_DECK_INT_ROW(DlsSceneSolver, max_iterations, "1000", 1, 2147483647, "of one step"),
    {DLS_DECK_ROW(DlsSceneSolver, options, DLS_DECK_VARIANT, DLS_DECK_OPTIONAL,
                  "of the solver, see delassus solver show NAME"),
     .choose = choose_options, .chosen_by = "name"},
};
static const DlsDeckSection solver_section =
    SECTION(DlsSceneSolver, solver_rows, "solver", "how each step is solved");

static const DlsDeckRow output_rows[] = {
    DLS_DECK_REAL_ROW(DlsSceneOutput, every, "s", "0", 0, DLS_DECK_FREE,
                      "between two frames for ParaView; 0: the last one alone"),
    DLS_DECK_REAL_ROW(DlsSceneOutput, checkpoint, "s", "0", 0, DLS_DECK_FREE,
                      "between two checkpoints; 0: at the end alone"),
    DLS_DECK_BOOL_ROW(DlsSceneOutput, compress, "true", "VTU files by zlib"),
};
static const DlsDeckSection output_section =
    SECTION(DlsSceneOutput, output_rows, "output", "what is written");

static const DlsDeckRow scene_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneData, title, "untitled", "what it is, in a line"),
    DLS_DECK_INT_ROW(DlsSceneData, dimension, "3", 2, 3, "of space"),
    {DLS_DECK_ROW(DlsSceneData, time, DLS_DECK_SECTION, DLS_DECK_REQUIRED, "steps and scheme"),
     .section = &time_section},
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneData, gravity, "m/s2", "[0, 0, 0]", 2, 3, "functions of t"),
    DLS_DECK_REAL_ROW(DlsSceneData, drag, "1/s", "0", 0, DLS_DECK_FREE,
                      "force -drag m v on every body"),
    DLS_DECK_SECTION_ROW(DlsSceneData, materials, DLS_DECK_MAP, DLS_DECK_OPTIONAL,
                         &material_section, "by name"),
    DLS_DECK_SECTION_ROW(DlsSceneData, laws, DLS_DECK_LIST, DLS_DECK_OPTIONAL, &law_section,
                         "between materials"),
    DLS_DECK_SECTION_ROW(DlsSceneData, grains, DLS_DECK_LIST, DLS_DECK_OPTIONAL, &grains_section,
                         "populations"),
    DLS_DECK_SECTION_ROW(DlsSceneData, bodies, DLS_DECK_LIST, DLS_DECK_OPTIONAL, &body_section,
                         "single bodies"),
    DLS_DECK_SECTION_ROW(DlsSceneData, boundaries, DLS_DECK_MAP, DLS_DECK_OPTIONAL,
                         &boundary_section, "by name"),
    {DLS_DECK_ROW(DlsSceneData, solver, DLS_DECK_SECTION, "", "how each step is solved"),
     .section = &solver_section},
    {DLS_DECK_ROW(DlsSceneData, output, DLS_DECK_SECTION, "", "what is written"),
     .section = &output_section},
};
static const DlsDeckSection scene_section =
    SECTION(DlsSceneData, scene_rows, "deck", "a simulation of rigid grains");

const DlsDeckSection *dls_scene_section(void) { return &scene_section; }
