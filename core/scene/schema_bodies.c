/* The keys of a deck that tell of bodies: how they are placed, come and go. */
#include "scene/scene_impl.h"

static const DlsDeckRow sizes_rows[] = {
    DLS_DECK_CHOICE_ROW(DlsSceneSizes, kind, DLS_CHOICES(DLS_SIZES_KINDS), "fixed",
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
    DLS_SCENE_SECTION(DlsSceneSizes, sizes_rows, "sizes", "how large grains are");

#define MOTION_ROW(key_, field, unit_, about)                                                      \
  {                                                                                                \
    .key = (key_), .kind = DLS_DECK_EXPRESSION, .offset = offsetof(DlsSceneMotion, field),         \
    .standard = DLS_DECK_OPTIONAL, .unit = (unit_), .meaning = (about)                             \
  }
static const DlsDeckRow motion_rows[] = {
    MOTION_ROW("x", displacement[0], "m", "displacement from its position, function of t"),
    MOTION_ROW("y", displacement[1], "m", "displacement"),
    MOTION_ROW("z", displacement[2], "m", "displacement"),
    MOTION_ROW("vx", velocity[0], "m/s", "velocity, in the place of a displacement"),
    MOTION_ROW("vy", velocity[1], "m/s", "velocity"),
    MOTION_ROW("vz", velocity[2], "m/s", "velocity"),
    MOTION_ROW("wx", spin[0], "rad/s", "spin"),
    MOTION_ROW("wy", spin[1], "rad/s", "spin"),
    MOTION_ROW("wz", spin[2], "rad/s", "spin"),
};
const DlsDeckSection dls_scene_motion_section =
    DLS_SCENE_SECTION(DlsSceneMotion, motion_rows, "motion",
                      "components of bodies that are prescribed; the others stay free");

static const DlsDeckRow element_rows[] = {
    DLS_DECK_VECTOR_ROW(DlsSceneElement, at, "m", "[0, 0, 0]", 2, 3, "centre"),
    DLS_DECK_REAL_ROW(DlsSceneElement, radius, "m", DLS_DECK_REQUIRED, DLS_DECK_POSITIVE,
                      DLS_DECK_FREE, "of the disk or sphere"),
};
static const DlsDeckSection element_section =
    DLS_SCENE_SECTION(DlsSceneElement, element_rows, "element", "one disk or sphere of a cluster");

static const DlsDeckRow shape_rows[] = {
    DLS_DECK_CHOICE_ROW(DlsSceneShape, kind, DLS_CHOICES(DLS_SCENE_SHAPES), DLS_DECK_REQUIRED,
                        "see docs/populations.md"),
    DLS_DECK_VECTOR_ROW(DlsSceneShape, lengths, "m", "[0, 0, 0]", 1, 3,
                        "box: its edges; capsule: of its axis"),
    DLS_DECK_REAL_ROW(
        DlsSceneShape, radius, "m", "0", 0, DLS_DECK_FREE,
        "regular: of the circle through its corners; capsule, cylinder, cone: its own; irregular: "
        "of the ball about its centre of mass that holds it (in grains: 0 is 1 m)"),
    DLS_DECK_INT_ROW(DlsSceneShape, corners, "6", 3, 256, "regular, irregular: how many"),
    DLS_DECK_INT_ROW(DlsSceneShape, sides, "24", 3, 120,
                     "cylinder, cone: of the polygon that stands for the circle"),
    DLS_DECK_INT_ROW(DlsSceneShape, most_corners, "0", 0, 256,
                     "irregular: their number is drawn from corners to this; 0: corners"),
    DLS_DECK_REAL_ROW(DlsSceneShape, irregularity, NULL, "0.5", 0, 1,
                      "irregular: 0 spaces the corners evenly, 1 as randomly as can be"),
    DLS_DECK_REAL_ROW(DlsSceneShape, elongation, NULL, "1", 0.05, 1,
                      "irregular: intermediate over longest axis; in 2-D shortest over longest"),
    DLS_DECK_REAL_ROW(DlsSceneShape, flatness, NULL, "1", 0.05, 1,
                      "irregular, 3-D: shortest over intermediate axis"),
    DLS_DECK_INT_ROW(DlsSceneShape, seed, "1", 0, 2147483647,
                     "irregular: of the random numbers; in grains together with theirs"),
    DLS_DECK_INT_ROW(DlsSceneShape, variants, "32", 1, 1000000,
                     "irregular, in grains: how many different solids they share"),
    {DLS_DECK_ROW(DlsSceneShape, points, DLS_DECK_REALS, DLS_DECK_OPTIONAL,
                  "polygon, prism: x, y of its corners, counter-clockwise; hull: x, y (3-D: x, y, "
                  "z) of points, one behind the other"),
     .unit = "m", .min = -DLS_DECK_FREE, .max = DLS_DECK_FREE, .most = 30000},
    DLS_DECK_REAL_ROW(DlsSceneShape, height, "m", "0", 0, DLS_DECK_FREE,
                      "prism, cylinder, cone: along z"),
    DLS_DECK_REAL_ROW(DlsSceneShape, rounding, "m", "0", 0, DLS_DECK_FREE,
                      "radius of its edges; box and regular keep their size, others grow by it"),
    DLS_DECK_PATH_ROW(DlsSceneShape, file, DLS_DECK_OPTIONAL,
                      "solid, parts: STL, OBJ or MSH; polygon, prism, hull: its points, CSV with "
                      "x, y (3-D: x, y, z); hull also of a mesh"),
    DLS_DECK_REAL_ROW(DlsSceneShape, scale, "m", "1", DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "what a length of 1 in the file is"),
    DLS_DECK_PLACE_ROW(DlsSceneShape, node),
};
static const DlsDeckSection shape_section =
    DLS_SCENE_SECTION(DlsSceneShape, shape_rows, "shape", "a body with corners");

/* Grains that are no balls: of populations and of sources. */
#define FORM_ROW(parent, key_, field, kind_, standard_, about)                                     \
  .key = (key_), .kind = (kind_), .offset = offsetof(parent, form.field), .standard = (standard_), \
  .meaning = (about)
#define FORM_ROWS(parent)                                                                          \
  {FORM_ROW(parent, "cluster", cluster, DLS_DECK_LIST, DLS_DECK_OPTIONAL,                          \
            "each grain is this cluster, scaled: its farthest point at the radius of the grain"),  \
   .section = &element_section, .most = 65536},                                                    \
      {FORM_ROW(parent, "shape", shape, DLS_DECK_POINTER, DLS_DECK_OPTIONAL,                       \
                "each grain is this solid, scaled: its farthest point at the radius of the "       \
                "grain"),                                                                          \
       .section = &shape_section},                                                                 \
      {FORM_ROW(parent, "deformable", deformable, DLS_DECK_POINTER, DLS_DECK_OPTIONAL,             \
                "each grain is this body of finite elements, scaled: its farthest node at the "    \
                "radius of the grain"),                                                            \
       .section = &dls_scene_deformable_section},                                                  \
  {                                                                                                \
    FORM_ROW(parent, "turns", turns, DLS_DECK_CHOICE, "random",                                    \
             "of clusters and solids at the start, from the seed"),                                \
        .choices = "random|none"                                                                   \
  }

static const DlsDeckRow grains_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneGrains, material, DLS_DECK_REQUIRED, "name of a material"),
    DLS_DECK_CHOICE_ROW(DlsSceneGrains, place, DLS_CHOICES(DLS_PLACE_LIST), DLS_DECK_REQUIRED,
                        "how they are placed, see docs/populations.md"),
    {DLS_DECK_ROW(DlsSceneGrains, region, DLS_DECK_SECTION, "", "where"),
     .section = &dls_scene_region_section},
    {DLS_DECK_ROW(DlsSceneGrains, sizes, DLS_DECK_SECTION, "", "how large"),
     .section = &sizes_section},
    FORM_ROWS(DlsSceneGrains),
    DLS_DECK_CHOICE_ROW(DlsSceneGrains, lattice, DLS_CHOICES(DLS_LATTICE_LIST), "cubic",
                        "kind of lattice; square and hexagonal in 2-D"),
    DLS_DECK_REAL_ROW(DlsSceneGrains, pitch, "m", "0", 0, DLS_DECK_FREE, "of the lattice"),
    DLS_DECK_REAL_ROW(DlsSceneGrains, jitter, "m", "0", 0, DLS_DECK_FREE, "of the lattice"),
    DLS_DECK_CHOICE_ROW(DlsSceneGrains, base, DLS_CHOICES(DLS_PYRAMID_LIST), "square",
                        "of a pyramid"),
    DLS_DECK_INT_ROW(DlsSceneGrains, layers, "1", 1, 1000, "of a pyramid"),
    DLS_DECK_REAL_ROW(DlsSceneGrains, gap, "m", "0", 0, DLS_DECK_FREE,
                      "between balls of a pyramid, or grains of rain"),
    DLS_DECK_VECTOR_ROW(DlsSceneGrains, foot, "m", "[0, 0, 0]", 2, 3,
                        "middle of the floor below a pyramid"),
    DLS_DECK_INT_ROW(DlsSceneGrains, count, "0", 0, 100000000, "how many; 0: all that fit"),
    DLS_DECK_REAL_ROW(DlsSceneGrains, fraction, NULL, "0", 0, 0.9,
                      "solid fraction to reach, in the place of count (random, packed)"),
    DLS_DECK_PATH_ROW(
        DlsSceneGrains, file, DLS_DECK_OPTIONAL,
        "place: file: CSV with x, y, z, r and more, a frame bodies_NNNNNN.vtu, or a checkpoint"),
    DLS_DECK_INT_ROW(DlsSceneGrains, seed, "1", 0, 2147483647, "of the random numbers"),
    DLS_DECK_REAL_ROW(DlsSceneGrains, mass, "kg", "0", 0, DLS_DECK_FREE,
                      "of each, whatever its size; 0: from the density of the material"),
    DLS_DECK_VECTOR_ROW(DlsSceneGrains, velocity, "m/s", "[0, 0, 0]", 2, 3, "at the start"),
    DLS_DECK_VECTOR_ROW(DlsSceneGrains, spin, "rad/s", "[0, 0, 0]", 3, 3, "at the start"),
    DLS_DECK_STRING_ROW(DlsSceneGrains, name, DLS_DECK_OPTIONAL,
                        "for columns of history.csv, where they are driven or held"),
    {DLS_DECK_ROW(DlsSceneGrains, fixed, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "components of the velocity that stay as they are, of each grain"),
     .choices = "x|y|z|turn_x|turn_y|turn_z|all", .most = 7},
    {DLS_DECK_ROW(DlsSceneGrains, motion, DLS_DECK_SECTION, "",
                  "components that are prescribed, alike for all: grains of a rough wall"),
     .section = &dls_scene_motion_section},
    DLS_DECK_REAL_ROW(DlsSceneGrains, from, "s", "0", 0, DLS_DECK_FREE,
                      "when it comes into the world"),
    DLS_DECK_REAL_ROW(DlsSceneGrains, until, "s", DLS_DECK_OPTIONAL, 0, DLS_DECK_FREE,
                      "when it goes again; not given: never"),
    DLS_DECK_PLACE_ROW(DlsSceneGrains, node),
};
const DlsDeckSection dls_scene_grains_section = DLS_SCENE_SECTION(
    DlsSceneGrains, grains_rows, "grains", "a population of disks, spheres, clusters or solids");

static const DlsDeckRow body_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneBody, material, DLS_DECK_REQUIRED, "name of a material"),
    DLS_DECK_REAL_ROW(DlsSceneBody, radius, "m", "0", 0, DLS_DECK_FREE, "of a disk or sphere"),
    {DLS_DECK_ROW(DlsSceneBody, cluster, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                  "disks or spheres that move as one, in the place of radius"),
     .section = &element_section, .most = 65536},
    {DLS_DECK_ROW(DlsSceneBody, shape, DLS_DECK_POINTER, DLS_DECK_OPTIONAL,
                  "a body with corners, in the place of radius"),
     .section = &shape_section},
    {DLS_DECK_ROW(DlsSceneBody, deformable, DLS_DECK_POINTER, DLS_DECK_OPTIONAL,
                  "a body of finite elements, in the place of radius; see docs/deformable.md"),
     .section = &dls_scene_deformable_section},
    DLS_DECK_VECTOR_ROW(DlsSceneBody, turn, "rad", "[0, 0, 0]", 1, 3,
                        "at the start: about x, y, z as one rotation vector; in 2-D one angle"),
    DLS_DECK_REAL_ROW(DlsSceneBody, mass, "kg", "0", 0, DLS_DECK_FREE,
                      "0: from the density of the material"),
    DLS_DECK_VECTOR_ROW(DlsSceneBody, position, "m", DLS_DECK_REQUIRED, 2, 3,
                        "of the centre; of a cluster: of its origin"),
    DLS_DECK_VECTOR_ROW(DlsSceneBody, velocity, "m/s", "[0, 0, 0]", 2, 3, "at the start"),
    DLS_DECK_VECTOR_ROW(DlsSceneBody, spin, "rad/s", "[0, 0, 0]", 3, 3, "at the start"),
    {DLS_DECK_ROW(DlsSceneBody, fixed, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "components of the velocity that stay as they are"),
     .choices = "x|y|z|turn_x|turn_y|turn_z|all", .most = 7},
    DLS_DECK_STRING_ROW(DlsSceneBody, name, DLS_DECK_OPTIONAL, "for springs to refer to"),
    DLS_DECK_REAL_ROW(DlsSceneBody, from, "s", "0", 0, DLS_DECK_FREE,
                      "when it comes into the world"),
    DLS_DECK_REAL_ROW(DlsSceneBody, until, "s", DLS_DECK_OPTIONAL, 0, DLS_DECK_FREE,
                      "when it goes again; not given: never"),
    {DLS_DECK_ROW(DlsSceneBody, motion, DLS_DECK_SECTION, "", "components that are prescribed"),
     .section = &dls_scene_motion_section},
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneBody, force, "N", DLS_DECK_OPTIONAL, 2, 3,
                             "at the centre of mass, along the axes of space; functions of t"),
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneBody, torque, "N m", DLS_DECK_OPTIONAL, 3, 3,
                             "about the axes of space; functions of t"),
    DLS_DECK_PLACE_ROW(DlsSceneBody, node),
};
const DlsDeckSection dls_scene_body_section =
    DLS_SCENE_SECTION(DlsSceneBody, body_rows, "body", "one body, rigid or deformable");

static const DlsDeckRow chain_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneChain, name, DLS_DECK_OPTIONAL,
                        "NAME stands for all beads, NAME.1 for the first, in springs and bends"),
    DLS_DECK_STRING_ROW(DlsSceneChain, material, DLS_DECK_REQUIRED, "name of a material"),
    DLS_DECK_INT_ROW(DlsSceneChain, count, DLS_DECK_REQUIRED, 2, 1000000, "of beads"),
    DLS_DECK_REAL_ROW(DlsSceneChain, radius, "m", DLS_DECK_REQUIRED, DLS_DECK_POSITIVE,
                      DLS_DECK_FREE, "of a bead"),
    DLS_DECK_REAL_ROW(DlsSceneChain, mass, "kg", "0", 0, DLS_DECK_FREE,
                      "of a bead; 0: from the density of the material"),
    DLS_DECK_VECTOR_ROW(DlsSceneChain, start, "m", DLS_DECK_REQUIRED, 2, 3, "centre of the first"),
    DLS_DECK_VECTOR_ROW(DlsSceneChain, end, "m", DLS_DECK_REQUIRED, 2, 3, "centre of the last"),
    DLS_DECK_VECTOR_ROW(DlsSceneChain, velocity, "m/s", "[0, 0, 0]", 2, 3, "at the start"),
    DLS_DECK_REAL_ROW(DlsSceneChain, stiffness, "N/m", "0", 0, DLS_DECK_FREE,
                      "of the spring between neighbours; 0: none"),
    DLS_DECK_REAL_ROW(DlsSceneChain, damping, "N s/m", "0", 0, DLS_DECK_FREE,
                      "of the damper beside each spring"),
    DLS_DECK_REAL_ROW(DlsSceneChain, rest_length, "m", DLS_DECK_OPTIONAL, 0, DLS_DECK_FREE,
                      "of each spring; not given: the distance of neighbours at the start"),
    DLS_DECK_REAL_ROW(DlsSceneChain, bending, "N m", "0", 0, DLS_DECK_FREE,
                      "stiffness of the bending springs; 0: none"),
    DLS_DECK_REAL_ROW(DlsSceneChain, rest_angle, "rad", "0", 0, 0,
                      "by which the chain turns at each bead at rest; 0: straight"),
    DLS_DECK_EXPRESSION_ROW(DlsSceneChain, pressure, "Pa", DLS_DECK_OPTIONAL,
                            "2-D: of a fluid on the left of the chain, seen from start to end: a "
                            "membrane; function of t"),
    {DLS_DECK_ROW(DlsSceneChain, fixed, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "ends that stay where they are"),
     .choices = "first|last", .most = 2},
    DLS_DECK_REAL_ROW(DlsSceneChain, from, "s", "0", 0, DLS_DECK_FREE,
                      "when it comes into the world"),
    DLS_DECK_REAL_ROW(DlsSceneChain, until, "s", DLS_DECK_OPTIONAL, 0, DLS_DECK_FREE,
                      "when it goes again; not given: never"),
    DLS_DECK_PLACE_ROW(DlsSceneChain, node),
};
const DlsDeckSection dls_scene_chain_section = DLS_SCENE_SECTION(
    DlsSceneChain, chain_rows, "chain", "disks or spheres in a row, joined by springs");

static const DlsDeckRow source_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneSource, material, DLS_DECK_REQUIRED, "name of a material"),
    {DLS_DECK_ROW(DlsSceneSource, region, DLS_DECK_SECTION, "", "where they come in"),
     .section = &dls_scene_region_section},
    {DLS_DECK_ROW(DlsSceneSource, sizes, DLS_DECK_SECTION, "", "how large"),
     .section = &sizes_section},
    FORM_ROWS(DlsSceneSource),
    DLS_DECK_REAL_ROW(DlsSceneSource, rate, "1/s", "0", 0, DLS_DECK_FREE, "grains a second"),
    DLS_DECK_REAL_ROW(DlsSceneSource, mass_rate, "kg/s", "0", 0, DLS_DECK_FREE,
                      "in the place of rate"),
    DLS_DECK_REAL_ROW(DlsSceneSource, from, "s", "0", 0, DLS_DECK_FREE, "when it begins"),
    DLS_DECK_REAL_ROW(
        DlsSceneSource, until, "s", DLS_DECK_OPTIONAL, 0, DLS_DECK_FREE,
        "no grain is due from then on; those due before that found no room still come"),
    DLS_DECK_INT_ROW(DlsSceneSource, limit, "0", 0, 2147483647, "of grains; 0: none"),
    DLS_DECK_VECTOR_ROW(DlsSceneSource, velocity, "m/s", "[0, 0, 0]", 2, 3, "of a new grain"),
    DLS_DECK_REAL_ROW(DlsSceneSource, spread, "m/s", "0", 0, DLS_DECK_FREE,
                      "each component varies by up to so much"),
    DLS_DECK_INT_ROW(DlsSceneSource, seed, "1", 0, 2147483647, "of the random numbers"),
    DLS_DECK_PLACE_ROW(DlsSceneSource, node),
};
const DlsDeckSection dls_scene_source_section =
    DLS_SCENE_SECTION(DlsSceneSource, source_rows, "source", "pours grains at a rate");

static const DlsDeckRow sink_rows[] = {
    {DLS_DECK_ROW(DlsSceneSink, region, DLS_DECK_SECTION, "", "a body whose centre is in it goes"),
     .section = &dls_scene_region_section},
    DLS_DECK_BOOL_ROW(DlsSceneSink, outside, "false", "takes what has left the region"),
    DLS_DECK_REAL_ROW(DlsSceneSink, from, "s", "0", 0, DLS_DECK_FREE, "when it begins"),
    DLS_DECK_REAL_ROW(DlsSceneSink, until, "s", DLS_DECK_OPTIONAL, 0, DLS_DECK_FREE,
                      "when it ends; not given: never"),
    DLS_DECK_PLACE_ROW(DlsSceneSink, node),
};
const DlsDeckSection dls_scene_sink_section =
    DLS_SCENE_SECTION(DlsSceneSink, sink_rows, "sink", "removes bodies; those that are fixed stay");
