/* The keys of a deck that tell of deformable bodies. */
#include "fem/body.h"
#include "mesh/grid.h"
#include "scene/scene_impl.h"

static const DlsDeckRow mesh_rows[] = {
    DLS_DECK_PATH_ROW(DlsSceneMesh, file, DLS_DECK_OPTIONAL,
                      "MSH of Gmsh (2.2, 4.1), or VTU; its physical groups have names here"),
    DLS_DECK_REAL_ROW(DlsSceneMesh, scale, "m", "1", DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "what a length of 1 in the file is"),
    DLS_DECK_CHOICE_ROW(DlsSceneMesh, kind, DLS_CHOICES(DLS_GRID_LIST), DLS_DECK_OPTIONAL,
                        "in the place of a file: a mesh that is built in, about its middle"),
    DLS_DECK_VECTOR_ROW(DlsSceneMesh, size, "m", "[0, 0, 0]", 1, 3,
                        "block: along x, y, z; bar: length, which stands upright, then its sides; "
                        "beam: length, along x, then its sides"),
    DLS_DECK_REAL_ROW(DlsSceneMesh, radius, "m", "0", 0, DLS_DECK_FREE, "of round ones"),
    DLS_DECK_REAL_ROW(DlsSceneMesh, inner, "m", "0", 0, DLS_DECK_FREE,
                      "ring, tube: radius of the hole"),
    DLS_DECK_REAL_ROW(DlsSceneMesh, height, "m", "0", 0, DLS_DECK_FREE, "cylinder, tube: along z"),
    {DLS_DECK_ROW(DlsSceneMesh, cells, DLS_DECK_INTEGERS, "[1, 1, 1]",
                  "block, bar, beam: along each of size; disk, sphere: along a quarter of the rim; "
                  "cylinder: this, and along z; ring, tube: around, through, and along z"),
     .min = 0, .max = 100000, .least = 1, .most = 3},
    DLS_DECK_CHOICE_ROW(DlsSceneMesh, element, DLS_CHOICES(DLS_SCENE_ELEMENTS), DLS_DECK_OPTIONAL,
                        "of a mesh that is built in; not given: Q4, in 3-D HEX8"),
    DLS_DECK_PLACE_ROW(DlsSceneMesh, node),
};
static const DlsDeckSection mesh_section = DLS_SCENE_SECTION(
    DlsSceneMesh, mesh_rows, "mesh", "elements and named groups of a deformable body");

static const DlsDeckRow bulk_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneBulk, law, DLS_DECK_REQUIRED, "name or path of a bulk law"),
    {DLS_DECK_ROW(DlsSceneBulk, parameters, DLS_DECK_VARIANT, DLS_DECK_OPTIONAL, "of the law"),
     .choose = dls_scene_choose_bulk, .chosen_by = "law"},
    DLS_DECK_STRING_ROW(DlsSceneBulk, group, DLS_DECK_OPTIONAL,
                        "the cells that are made of it; not given: all that no other has"),
    DLS_DECK_REAL_ROW(DlsSceneBulk, density, "kg/m3", DLS_DECK_OPTIONAL, DLS_DECK_POSITIVE,
                      DLS_DECK_FREE, "not given: that of the material"),
    DLS_DECK_PLACE_ROW(DlsSceneBulk, node),
};
static const DlsDeckSection bulk_section =
    DLS_SCENE_SECTION(DlsSceneBulk, bulk_rows, "bulk", "what a body, or a part of it, is made of");

static const DlsDeckRow contact_rows[] = {
    {DLS_DECK_ROW(DlsSceneTouch, groups, DLS_DECK_STRINGS, "[skin]",
                  "of the mesh, by which the body meets others; skin: all of its outside"),
     .least = 1, .most = 1000},
    DLS_DECK_CHOICE_ROW(DlsSceneTouch, points, "nodes|quadrature|mortar|balls", "nodes",
                        "where two surfaces have contacts: at nodes of the finer one, at points of "
                        "integration, or as means over its nodes; balls: nodes alone, no surface"),
    DLS_DECK_REAL_ROW(DlsSceneTouch, radius, "m", "0", 0, DLS_DECK_FREE,
                      "of balls; 0: a thousandth of the mean side"),
    DLS_DECK_BOOL_ROW(DlsSceneTouch, both, "false",
                      "nodes, quadrature: each of two surfaces has points on the other"),
    DLS_DECK_BOOL_ROW(DlsSceneTouch, self, "false", "it meets itself too"),
    DLS_DECK_PLACE_ROW(DlsSceneTouch, node),
};
static const DlsDeckSection contact_section =
    DLS_SCENE_SECTION(DlsSceneTouch, contact_rows, "contact", "how a deformable body meets others");

#define AXES_ROW(parent, standard_, about)                                                         \
  {                                                                                                \
    DLS_DECK_ROW(parent, axes, DLS_DECK_STRINGS, standard_, about), .choices = "x|y|z",            \
                                                                    .least = 1, .most = 3          \
  }
static const DlsDeckRow held_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneHeld, group, DLS_DECK_REQUIRED, "of the mesh"),
    AXES_ROW(DlsSceneHeld, "[x, y, z]", "along which its nodes stay where they are"),
    DLS_DECK_PLACE_ROW(DlsSceneHeld, node),
};
static const DlsDeckSection held_section =
    DLS_SCENE_SECTION(DlsSceneHeld, held_rows, "fixed", "nodes that do not move");

#define SPEED_ROW(key_, axis)                                                                      \
  {                                                                                                \
    .key = (key_), .kind = DLS_DECK_EXPRESSION,                                                    \
    .offset = offsetof(DlsSceneDriven, velocity[axis]), .standard = DLS_DECK_OPTIONAL,             \
    .unit = "m/s", .meaning = "function of t; not given: free"                                     \
  }
#define SHIFT_ROW(key_, axis)                                                                      \
  {                                                                                                \
    .key = (key_), .kind = DLS_DECK_EXPRESSION,                                                    \
    .offset = offsetof(DlsSceneDriven, displacement[axis]), .standard = DLS_DECK_OPTIONAL,         \
    .unit = "m", .meaning = "moves by what this gains; in the place of a velocity"                 \
  }
static const DlsDeckRow driven_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneDriven, group, DLS_DECK_REQUIRED, "of the mesh"),
    SHIFT_ROW("x", 0),
    SHIFT_ROW("y", 1),
    SHIFT_ROW("z", 2),
    SPEED_ROW("vx", 0),
    SPEED_ROW("vy", 1),
    SPEED_ROW("vz", 2),
    DLS_DECK_PLACE_ROW(DlsSceneDriven, node),
};
static const DlsDeckSection driven_section =
    DLS_SCENE_SECTION(DlsSceneDriven, driven_rows, "prescribed", "nodes that move as is said");

static const DlsDeckRow load_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneSideLoad, group, DLS_DECK_REQUIRED, "of the mesh: sides"),
    DLS_DECK_EXPRESSION_ROW(DlsSceneSideLoad, pressure, "Pa", DLS_DECK_OPTIONAL,
                            "inwards; turns with the body, unless it is of small kinematics"),
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneSideLoad, traction, "Pa", DLS_DECK_OPTIONAL, 2, 3,
                             "along the axes of space, on the area as it was"),
    DLS_DECK_PLACE_ROW(DlsSceneSideLoad, node),
};
static const DlsDeckSection load_section = DLS_SCENE_SECTION(
    DlsSceneSideLoad, load_rows, "side load", "pressure and traction on sides, functions of t");

static const DlsDeckRow bedding_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneBedding, group, DLS_DECK_REQUIRED, "of the mesh: sides"),
    DLS_DECK_REAL_ROW(DlsSceneBedding, stiffness, "N/m3", DLS_DECK_REQUIRED, 0, DLS_DECK_FREE,
                      "pressure for each metre that the side is away from where it was"),
    AXES_ROW(DlsSceneBedding, "[x, y, z]", "along which it pulls"),
    DLS_DECK_PLACE_ROW(DlsSceneBedding, node),
};
static const DlsDeckSection bedding_section =
    DLS_SCENE_SECTION(DlsSceneBedding, bedding_rows, "bedding", "springs all over sides");

static const DlsDeckRow damping_rows[] = {
    DLS_DECK_REAL_ROW(DlsSceneDamping, mass, "1/s", "0", 0, DLS_DECK_FREE,
                      "times the masses: slow motions"),
    DLS_DECK_REAL_ROW(DlsSceneDamping, stiffness, "s", "0", 0, DLS_DECK_FREE,
                      "times the stiffness: fast ones"),
};
static const DlsDeckSection damping_section =
    DLS_SCENE_SECTION(DlsSceneDamping, damping_rows, "damping", "Rayleigh's, within the body");

static const DlsDeckRow deformable_rows[] = {
    {DLS_DECK_ROW(DlsSceneDeformable, mesh, DLS_DECK_SECTION, "", "its elements"),
     .section = &mesh_section},
    {DLS_DECK_ROW(DlsSceneDeformable, bulk, DLS_DECK_LIST, DLS_DECK_REQUIRED,
                  "what it is made of; several of them each with a group"),
     .section = &bulk_section, .least = 1, .most = 1000, .alone = true},
    DLS_DECK_CHOICE_ROW(DlsSceneDeformable, kinematics, DLS_CHOICES(DLS_KINEMATICS_LIST), "small",
                        "small strains and turns; small strains of a body that turns; both large"),
    DLS_DECK_CHOICE_ROW(DlsSceneDeformable, mass, DLS_CHOICES(DLS_MASS_LIST), "lumped",
                        "at nodes; massless-contact: none at nodes that meet others, so that an "
                        "impact loses no energy"),
    DLS_DECK_CHOICE_ROW(DlsSceneDeformable, plane, "strain|stress", "strain",
                        "2-D: what does not change across the plane"),
    DLS_DECK_REAL_ROW(DlsSceneDeformable, thickness, "m", "1", DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "2-D: across the plane"),
    {DLS_DECK_ROW(DlsSceneDeformable, damping, DLS_DECK_SECTION, "", "within the body"),
     .section = &damping_section},
    {DLS_DECK_ROW(DlsSceneDeformable, contact, DLS_DECK_SECTION, "", "how it meets others"),
     .section = &contact_section},
    {DLS_DECK_ROW(DlsSceneDeformable, fixed, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                  "groups of nodes that are held"),
     .section = &held_section, .alone = true},
    {DLS_DECK_ROW(DlsSceneDeformable, prescribed, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                  "groups of nodes whose displacement or velocity is given"),
     .section = &driven_section, .alone = true},
    {DLS_DECK_ROW(DlsSceneDeformable, loads, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                  "pressures and tractions on groups of sides"),
     .section = &load_section, .alone = true},
    {DLS_DECK_ROW(DlsSceneDeformable, springs, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                  "groups of sides on an elastic bedding"),
     .section = &bedding_section, .alone = true},
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneDeformable, force, "N/m3", DLS_DECK_OPTIONAL, 2, 3,
                             "on all of its volume besides gravity, functions of t"),
    DLS_DECK_REAL_ROW(DlsSceneDeformable, tolerance, NULL, "1e-8", 1e-14, 0.1,
                      "of the balance of forces, where Newton's method looks for it"),
    DLS_DECK_PLACE_ROW(DlsSceneDeformable, node),
};
const DlsDeckSection dls_scene_deformable_section = DLS_SCENE_SECTION(
    DlsSceneDeformable, deformable_rows, "deformable", "a body of finite elements");
