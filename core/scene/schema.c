/* The keys of a deck. */
#include "scene/scene_impl.h"

#include "post/observable.h"
#include "post/quantity.h"
#include "world/boundary/list.h"

static const DlsDeckRow time_rows[] = {
    DLS_DECK_REAL_ROW(DlsSceneTime, step, "s", "1e-3", DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "length of a time-step"),
    DLS_DECK_REAL_ROW(DlsSceneTime, end, "s", DLS_DECK_REQUIRED, 0, DLS_DECK_FREE,
                      "when the run ends"),
    DLS_DECK_CHOICE_ROW(DlsSceneTime, scheme, DLS_SCHEME_NAMES, "moreau", DLS_SCHEME_SUMMARIES),
    DLS_DECK_REAL_ROW(DlsSceneTime, theta, "1", "0.5", 0, 1,
                      "moreau: share of the step that bodies move with the velocity after it"),
    DLS_DECK_CHOICE_ROW(DlsSceneTime, control, DLS_CHOICES(DLS_CONTROL_LIST), "none",
                        "where a body would cross more than `fraction` of its radius in a step: go "
                        "on, stop, or take the step in parts"),
    DLS_DECK_REAL_ROW(DlsSceneTime, fraction, "1", "0.1", DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "of a body's radius, of a deformable one's mean side, for control"),
    DLS_DECK_REAL_ROW(DlsSceneTime, alert, "m", "0", 0, DLS_DECK_FREE,
                      "gaps up to this are looked at, beyond what speed demands"),
    DLS_DECK_BOOL_ROW(DlsSceneTime, signed_gap, "false",
                      "euler: g/h, which pushes overlaps apart, in the place of g+/h"),
    DLS_DECK_CHOICE_ROW(DlsSceneTime, correction, DLS_CHOICES(DLS_CORRECTION_LIST), "none",
                        "euler: after the step, move bodies apart by the least way, weighed by "
                        "mass, that leaves no deeper overlap; velocities stay"),
    DLS_DECK_REAL_ROW(DlsSceneTime, overlap, "1", "1e-4", DLS_DECK_POSITIVE, 1,
                      "of the smallest radius, for correction: overlaps up to this are left"),
};
static const DlsDeckSection time_section =
    DLS_SCENE_SECTION(DlsSceneTime, time_rows, "time", "steps and scheme");

static const DlsDeckRow cell_rows[] = {
    DLS_DECK_VECTOR_ROW(DlsSceneCell, low, "m", DLS_DECK_REQUIRED, 2, 3,
                        "its low corner; axes that are not periodic do not count"),
    DLS_DECK_VECTOR_ROW(DlsSceneCell, high, "m", DLS_DECK_REQUIRED, 2, 3, "its high corner"),
    {DLS_DECK_ROW(DlsSceneCell, periodic, DLS_DECK_STRINGS, DLS_DECK_REQUIRED,
                  "axes along which what leaves on one side comes back on the other"),
     .choices = "x|y|z", .least = 1, .most = 3},
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneCell, stretch, "1/s", DLS_DECK_OPTIONAL, 2, 3,
                             "rate of strain of the edges along x, y, z, functions of t; below 0 "
                             "the cell shrinks"),
    DLS_DECK_EXPRESSION_ROW(DlsSceneCell, shear, "1/s", DLS_DECK_OPTIONAL,
                            "dv_x/dy of the cell (Lees and Edwards): the copies above move along "
                            "x; function of t"),
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneCell, stress, "Pa", DLS_DECK_OPTIONAL, 2, 3,
                             "in the place of stretch and shear: stress along x, y, z that drives "
                             "the edges, pressure below 0; functions of t"),
    DLS_DECK_REAL_ROW(DlsSceneCell, mass, "kg", "0", 0, DLS_DECK_FREE,
                      "of an edge that a stress drives: mass dv/dt = area (stress of the grains' "
                      "pushes) - damping v, v its growth in m/s"),
    DLS_DECK_REAL_ROW(DlsSceneCell, damping, "kg/s", "0", 0, DLS_DECK_FREE,
                      "force against that growth"),
    DLS_DECK_PLACE_ROW(DlsSceneCell, node),
};
static const DlsDeckSection cell_section =
    DLS_SCENE_SECTION(DlsSceneCell, cell_rows, "cell", "a periodic cell");

static const DlsDeckRow material_rows[] = {
    DLS_DECK_NAME_ROW(DlsSceneMaterial, name),
    DLS_DECK_REAL_ROW(DlsSceneMaterial, density, "kg/m3", "2500", DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "of grains made of it"),
};
static const DlsDeckSection material_section = DLS_SCENE_SECTION(
    DlsSceneMaterial, material_rows, "material", "what bodies and boundaries are made of");

static const DlsDeckRow spring_rows[] = {
    {DLS_DECK_ROW(DlsSceneSpring, between, DLS_DECK_STRINGS, DLS_DECK_REQUIRED,
                  "names of bodies or chains; a spring between each and the next"),
     .least = 1, .most = 100000},
    DLS_DECK_REAL_ROW(DlsSceneSpring, stiffness, "N/m", DLS_DECK_REQUIRED, 0, DLS_DECK_FREE, "k"),
    DLS_DECK_REAL_ROW(DlsSceneSpring, damping, "N s/m", "0", 0, DLS_DECK_FREE,
                      "of the damper beside it"),
    DLS_DECK_REAL_ROW(DlsSceneSpring, rest_length, "m", DLS_DECK_OPTIONAL, 0, DLS_DECK_FREE,
                      "not given: the distance of the centres at the start"),
    DLS_DECK_PLACE_ROW(DlsSceneSpring, node),
};
static const DlsDeckSection spring_section = DLS_SCENE_SECTION(
    DlsSceneSpring, spring_rows, "spring", "springs between the centres of bodies");

static const DlsDeckRow bend_rows[] = {
    {DLS_DECK_ROW(DlsSceneBend, along, DLS_DECK_STRINGS, DLS_DECK_REQUIRED,
                  "names of bodies or chains; a bending spring over each three in a row"),
     .least = 1, .most = 100000},
    DLS_DECK_REAL_ROW(DlsSceneBend, stiffness, "N m", DLS_DECK_REQUIRED, 0, DLS_DECK_FREE, "k_a"),
    DLS_DECK_REAL_ROW(DlsSceneBend, rest_angle, "rad", "0", 0, 0,
                      "by which the row turns at the middle body at rest; 0: straight"),
    DLS_DECK_PLACE_ROW(DlsSceneBend, node),
};
static const DlsDeckSection bend_section =
    DLS_SCENE_SECTION(DlsSceneBend, bend_rows, "bend", "bending springs along a row of bodies");

static const DlsDeckRow link_rows[] = {
    DLS_DECK_CHOICE_ROW(DlsSceneLink, kind, "wire|rod|hinge|slider", "wire",
                        "wire: the points go no farther apart than `length`; rod: nor nearer; "
                        "hinge: they stay one; slider: `at` stays in a plane fixed to `to`. The "
                        "law says how firmly"),
    DLS_DECK_STRING_ROW(DlsSceneLink, body, DLS_DECK_REQUIRED,
                        "name of a body, or NAME.1 of a "
                        "chain"),
    DLS_DECK_STRING_ROW(DlsSceneLink, to, DLS_DECK_REQUIRED,
                        "name of another body or of a boundary"),
    DLS_DECK_STRING_ROW(DlsSceneLink, material, DLS_DECK_REQUIRED,
                        "whose law between itself and itself acts in the link"),
    {DLS_DECK_ROW(DlsSceneLink, at, DLS_DECK_REALS, DLS_DECK_OPTIONAL,
                  "the point of `body`, in space, at the start; not given: its centre"),
     .unit = "m", .min = -DLS_DECK_FREE, .max = DLS_DECK_FREE, .least = 2, .most = 3},
    {DLS_DECK_ROW(DlsSceneLink, to_at, DLS_DECK_REALS, DLS_DECK_OPTIONAL,
                  "the point of `to`, likewise; not given: its centre, of hinges and sliders `at`"),
     .unit = "m", .min = -DLS_DECK_FREE, .max = DLS_DECK_FREE, .least = 2, .most = 3},
    DLS_DECK_VECTOR_ROW(DlsSceneLink, normal, NULL, "[0, 0, 0]", 2, 3,
                        "slider: of the plane, at the start; in 2-D of the line"),
    DLS_DECK_REAL_ROW(DlsSceneLink, length, "m", DLS_DECK_OPTIONAL, 0, DLS_DECK_FREE,
                      "wire, rod: not given: the distance at the start"),
    DLS_DECK_PLACE_ROW(DlsSceneLink, node),
};
static const DlsDeckSection link_section =
    DLS_SCENE_SECTION(DlsSceneLink, link_rows, "link", "two points tied by a law");

static const DlsDeckRow random_rows[] = {
    DLS_DECK_REAL_ROW(DlsSceneRandom, variance, "m2/s3", "0", 0, DLS_DECK_FREE,
                      "that each component of a free velocity gains in a second"),
    DLS_DECK_REAL_ROW(DlsSceneRandom, diffusion, "m2/s", "0", 0, DLS_DECK_FREE,
                      "first-order: coefficient of the random walk"),
    DLS_DECK_INT_ROW(DlsSceneRandom, seed, "1", 0, 2147483647, "of the random numbers"),
};
static const DlsDeckSection random_section =
    DLS_SCENE_SECTION(DlsSceneRandom, random_rows, "random", "random forcing of every body");

static const DlsDeckRow desired_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneDesired, material, DLS_DECK_OPTIONAL,
                        "of those who want it; not given: all"),
    DLS_DECK_VECTOR_ROW(DlsSceneDesired, towards, "m", DLS_DECK_OPTIONAL, 2, 3,
                        "the point they go to, straight"),
    DLS_DECK_REAL_ROW(DlsSceneDesired, speed, "m/s", "0", 0, DLS_DECK_FREE, "on the way there"),
    {DLS_DECK_ROW(DlsSceneDesired, velocity, DLS_DECK_EXPRESSIONS, DLS_DECK_OPTIONAL,
                  "functions of t, x, y, z, in the place of towards"),
     .unit = "m/s", .least = 2, .most = 3, .choices = "t|x|y|z"},
    DLS_DECK_PLACE_ROW(DlsSceneDesired, node),
};
static const DlsDeckSection desired_section = DLS_SCENE_SECTION(
    DlsSceneDesired, desired_rows, "desired", "the velocity that bodies want; later ones win");

static const DlsDeckRow servo_rows[] = {
    DLS_DECK_EXPRESSION_ROW(DlsSceneServo, pressure, "Pa", DLS_DECK_OPTIONAL,
                            "of a plane, along its normal; of a cylinder (in 2-D a ring) or "
                            "sphere, which drives its radius; function of t"),
    DLS_DECK_REAL_ROW(DlsSceneServo, area, "m2", "0", 0, DLS_DECK_FREE,
                      "that the pressure acts on; in 2-D the length times 1 m"),
    {DLS_DECK_ROW(DlsSceneServo, across, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "two planes (in 3-D two pairs), whose distance makes the area; of a cylinder "
                  "the planes at its ends; of a plane that closes a cylinder, that one"),
     .most = 4},
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneServo, force, "N", DLS_DECK_OPTIONAL, 2, 3,
                             "in the place of pressure: along one axis, functions of t"),
    DLS_DECK_REAL_ROW(DlsSceneServo, mass, "kg", DLS_DECK_REQUIRED, DLS_DECK_POSITIVE,
                      DLS_DECK_FREE, "of the wall"),
    DLS_DECK_REAL_ROW(DlsSceneServo, damping, "kg/s", "0", 0, DLS_DECK_FREE,
                      "force against its velocity"),
    DLS_DECK_PLACE_ROW(DlsSceneServo, node),
};
static const DlsDeckSection servo_section = DLS_SCENE_SECTION(
    DlsSceneServo, servo_rows, "servo",
    "a boundary that a force drives along one axis, or a radius that a pressure drives");

#define DLS_BOUNDARY_WORD(code, name) "|" #name
#define DLS_BOUNDARY_CHOICES          (&(DLS_BOUNDARY_LIST(DLS_BOUNDARY_WORD))[1])

static const DlsDeckRow boundary_rows[] = {
    DLS_DECK_NAME_ROW(DlsSceneBoundary, name),
    DLS_DECK_STRING_ROW(DlsSceneBoundary, material, DLS_DECK_REQUIRED, "name of a material"),
    DLS_DECK_CHOICE_ROW(DlsSceneBoundary, shape, DLS_BOUNDARY_CHOICES, DLS_DECK_REQUIRED,
                        "plane is a half-plane in 2-D"),
    DLS_DECK_BOOL_ROW(DlsSceneBoundary, inside, "false", "grains are inside of it"),
    {DLS_DECK_ROW(DlsSceneBoundary, open, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "faces of a box, caps of a cylinder or frustum, that are not there"),
     .choices = "-x|+x|-y|+y|-z|+z", .most = 6},
    DLS_DECK_CHOICE_ROW(DlsSceneBoundary, around, DLS_CHOICES(DLS_AROUND_LIST), "nothing",
                        "deposit: a box whose length and position follow from the count and radius "
                        "of the grains with place: deposit"),
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
    DLS_DECK_VECTOR_ROW(DlsSceneBoundary, turn, "rad", "[0, 0, 0]", 1, 3,
                        "about x, y, z as one rotation vector, after its axis; in 2-D one angle"),
    DLS_DECK_PATH_ROW(DlsSceneBoundary, file, DLS_DECK_OPTIONAL,
                      "mesh: STL, OBJ or MSH; polyline: CSV with x, y"),
    {DLS_DECK_ROW(DlsSceneBoundary, groups, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "named groups of the file to take; not given: all of it"),
     .most = 1000},
    {DLS_DECK_ROW(DlsSceneBoundary, points, DLS_DECK_REALS, DLS_DECK_OPTIONAL,
                  "polyline: x, y of its points, one behind the other"),
     .unit = "m", .min = -DLS_DECK_FREE, .max = DLS_DECK_FREE, .most = 200000},
    DLS_DECK_BOOL_ROW(
        DlsSceneBoundary, closed, "false",
        "polyline: a segment leads from the last point to the first; mesh: refused where it "
        "is open"),
    DLS_DECK_REAL_ROW(DlsSceneBoundary, scale, "m", "1", DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "what a length of 1 in the file is"),
    DLS_DECK_CHOICE_ROW(DlsSceneBoundary, side, "front|back|both", "front",
                        "where grains are; the front of a triangle is where its corners go round "
                        "counter-clockwise, that of a polyline is its left"),
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneBoundary, displacement, "m", DLS_DECK_OPTIONAL, 2, 3,
                             "from its position, functions of t"),
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneBoundary, velocity, "m/s", DLS_DECK_OPTIONAL, 2, 3,
                             "functions of t, in the place of displacement"),
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneBoundary, spin, "rad/s", DLS_DECK_OPTIONAL, 3, 3,
                             "functions of t"),
    DLS_DECK_REAL_ROW(DlsSceneBoundary, from, "s", "0", 0, DLS_DECK_FREE,
                      "when it begins to be met"),
    DLS_DECK_REAL_ROW(DlsSceneBoundary, until, "s", DLS_DECK_OPTIONAL, 0, DLS_DECK_FREE,
                      "when it ends; not given: never"),
    {DLS_DECK_ROW(DlsSceneBoundary, servo, DLS_DECK_POINTER, DLS_DECK_OPTIONAL,
                  "driven by a pressure or a force"),
     .section = &servo_section},
    DLS_DECK_PLACE_ROW(DlsSceneBoundary, node),
};
static const DlsDeckSection boundary_section = DLS_SCENE_SECTION(
    DlsSceneBoundary, boundary_rows, "boundary", "what bodies meet and no impulse moves");

static const DlsDeckRow surface_rows[] = {
    DLS_DECK_INT_ROW(DlsSceneSurfaces, directions, "100", 2, DLS_PATCH_MOST_CELLS,
                     "patches of a ball or disk: cells of direction of equal size"),
    DLS_DECK_REAL_ROW(DlsSceneSurfaces, cell, "m", "0.01", DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "patches of a boundary: the grid in its own axes"),
};
static const DlsDeckSection surfaces_section =
    DLS_SCENE_SECTION(DlsSceneSurfaces, surface_rows, "surfaces",
                      "patches, for laws that remember what was done to them");

static const DlsDeckRow solver_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneSolver, name, "auto", "see delassus solver list"),
    DLS_DECK_REAL_ROW(DlsSceneSolver, tolerance, NULL, "1e-4", 1e-15, 1, "of the error"),
    DLS_DECK_CHOICE_ROW(DlsSceneSolver, measure, DLS_CHOICES(DLS_MEASURE_LIST), "scaled",
                        "which error, see docs/theory.md"),
    DLS_DECK_INT_ROW(DlsSceneSolver, max_iterations, "1000", 1, 2147483647, "of one step"),
    DLS_DECK_CHOICE_ROW(DlsSceneSolver, no_solution, DLS_CHOICES(DLS_IMPOSSIBLE_LIST), "stop",
                        "what happens when no motion is possible, see docs/run.md"),
    {DLS_DECK_ROW(DlsSceneSolver, options, DLS_DECK_VARIANT, DLS_DECK_OPTIONAL,
                  "of the solver, see delassus solver show NAME"),
     .choose = dls_scene_choose_options, .chosen_by = "name"},
};
static const DlsDeckSection solver_section =
    DLS_SCENE_SECTION(DlsSceneSolver, solver_rows, "solver", "how each step is solved");

static const DlsDeckRow average_rows[] = {
    DLS_DECK_NAME_ROW(DlsSceneAverage, name),
    DLS_DECK_CHOICE_ROW(DlsSceneAverage, of, DLS_CHOICES(DLS_OBSERVABLE_LIST), DLS_DECK_REQUIRED,
                        "what is averaged, see docs/stress.md"),
    {DLS_DECK_ROW(DlsSceneAverage, region, DLS_DECK_STRING, DLS_DECK_OPTIONAL,
                  "such as box:0,0,0:1,1,1 or sphere:0,0,0:1, or the section "
                  "that grains have; not given: all"),
     .section = &dls_scene_region_section, .spell = dls_scene_spell_region},
    DLS_DECK_STRING_ROW(DlsSceneAverage, along, DLS_DECK_OPTIONAL,
                        "profile: axis and layers, such as z:20; floor: x, y or r (rings)"),
    DLS_DECK_STRING_ROW(DlsSceneAverage, grid, DLS_DECK_OPTIONAL, "field: points, such as 40x40"),
    DLS_DECK_STRING_ROW(DlsSceneAverage, kernel, DLS_DECK_OPTIONAL,
                        "field: gauss, lucy or top-hat and its width, such as gauss:1.5d"),
    {DLS_DECK_ROW(DlsSceneAverage, cuts, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "cut: such as plane:0,0,0.1:0,0,1"),
     .least = 1, .most = 64},
    DLS_DECK_CHOICE_ROW(DlsSceneAverage, by, DLS_CHOICES(DLS_AVERAGE_LIST), DLS_DECK_OPTIONAL,
                        "what a region cuts; not given: lines for profiles, else centres"),
    DLS_DECK_BOOL_ROW(DlsSceneAverage, walls, "true", "field: corrected at walls"),
    DLS_DECK_VECTOR_ROW(DlsSceneAverage, centre, "m", DLS_DECK_OPTIONAL, 2, 2,
                        "floor: of the rings; not given: that of the mass"),
    DLS_DECK_REAL_ROW(DlsSceneAverage, from, "s", "0", 0, DLS_DECK_FREE, "when it begins"),
    DLS_DECK_REAL_ROW(DlsSceneAverage, to, "s", DLS_DECK_OPTIONAL, 0, DLS_DECK_FREE,
                      "when it ends; not given: with the run"),
    DLS_DECK_REAL_ROW(DlsSceneAverage, every, "s", "0", 0, DLS_DECK_FREE,
                      "between two instants; 0: every step"),
    DLS_DECK_REAL_ROW(DlsSceneAverage, period, "s", "0", 0, DLS_DECK_FREE,
                      "means by the phase of this period, counted from t = 0; 0: over all"),
    DLS_DECK_INT_ROW(DlsSceneAverage, bins, "12", 1, 100000, "of the period"),
    DLS_DECK_INT_ROW(DlsSceneAverage, blocks, "10", 2, 1000000,
                     "parts of the time for the standard error; with a period: each is one"),
    DLS_DECK_PLACE_ROW(DlsSceneAverage, node),
};
static const DlsDeckSection average_section =
    DLS_SCENE_SECTION(DlsSceneAverage, average_rows, "average", "a mean over time");

static const DlsDeckRow output_rows[] = {
    DLS_DECK_REAL_ROW(DlsSceneOutput, every, "s", "0", 0, DLS_DECK_FREE,
                      "between two frames for ParaView; 0: the last one alone"),
    DLS_DECK_REAL_ROW(DlsSceneOutput, checkpoint, "s", "0", 0, DLS_DECK_FREE,
                      "between two checkpoints; 0: at the end alone"),
    DLS_DECK_REAL_ROW(DlsSceneOutput, from, "s", "0", 0, DLS_DECK_FREE,
                      "no frames before this time"),
    DLS_DECK_REAL_ROW(DlsSceneOutput, to, "s", DLS_DECK_OPTIONAL, 0, DLS_DECK_FREE,
                      "no frames after this time; not given: the end of the run"),
    DLS_DECK_BOOL_ROW(DlsSceneOutput, compress, "true", "VTU files by zlib"),
    DLS_DECK_CHOICE_ROW(DlsSceneOutput, precision, "float64|float32", "float64",
                        "of positions and arrays in frames"),
    {DLS_DECK_ROW(DlsSceneOutput, arrays, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "names of those that frames hold, see docs/run.md; not given: all"),
     .least = 1, .most = 200},
    DLS_DECK_BOOL_ROW(DlsSceneOutput, csv, "false",
                      "frames of bodies and contacts as CSV besides, a row for each"),
    DLS_DECK_INT_ROW(
        DlsSceneOutput, pieces, "1", 1, 99,
        "that frames of rows, such as bodies and contacts, are cut into, for readers in "
        "parallel"),
    DLS_DECK_BOOL_ROW(DlsSceneOutput, walls, "false",
                      "boundaries as surfaces besides, in walls.pvd; 3-D"),
    DLS_DECK_BOOL_ROW(DlsSceneOutput, gauss, "false",
                      "points of integration of deformable bodies besides, in gauss.pvd"),
    {DLS_DECK_ROW(DlsSceneOutput, post, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL,
                  "what the frames of bodies hold besides, see docs/stress.md"),
     .choices = DLS_CHOICES(DLS_QUANTITY_LIST), .most = DLS_QUANTITY_COUNT},
    DLS_DECK_SECTION_ROW(DlsSceneOutput, averages, DLS_DECK_MAP, DLS_DECK_OPTIONAL,
                         &average_section, "means over time or phases, by name"),
};
static const DlsDeckSection output_section =
    DLS_SCENE_SECTION(DlsSceneOutput, output_rows, "output", "what is written");

static const DlsDeckRow scene_rows[] = {
    DLS_DECK_STRING_ROW(DlsSceneData, title, "untitled", "what it is, in a line"),
    DLS_DECK_INT_ROW(DlsSceneData, dimension, "3", 2, 3, "of space"),
    {DLS_DECK_ROW(DlsSceneData, time, DLS_DECK_SECTION, DLS_DECK_REQUIRED, "steps and scheme"),
     .section = &time_section},
    DLS_DECK_EXPRESSIONS_ROW(DlsSceneData, gravity, "m/s2", "[0, 0, 0]", 2, 3, "functions of t"),
    DLS_DECK_REAL_ROW(DlsSceneData, drag, "1/s", "0", 0, DLS_DECK_FREE,
                      "force -drag m v on every body"),
    {DLS_DECK_ROW(DlsSceneData, cell, DLS_DECK_POINTER, DLS_DECK_OPTIONAL,
                  "periodic along chosen axes, at rest or deforming"),
     .section = &cell_section},
    DLS_DECK_SECTION_ROW(DlsSceneData, materials, DLS_DECK_MAP, DLS_DECK_OPTIONAL,
                         &material_section, "by name"),
    DLS_DECK_SECTION_ROW(DlsSceneData, laws, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                         &dls_scene_law_section, "between materials, or at boundaries"),
    {DLS_DECK_ROW(DlsSceneData, fields, DLS_DECK_VARIANT, DLS_DECK_OPTIONAL,
                  "numbers of places that laws ask for, by name: temperature ...; a list for each"),
     .choose = dls_scene_choose_fields},
    DLS_DECK_SECTION_ROW(DlsSceneData, grains, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                         &dls_scene_grains_section, "populations"),
    DLS_DECK_SECTION_ROW(DlsSceneData, bodies, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                         &dls_scene_body_section, "single bodies"),
    DLS_DECK_SECTION_ROW(DlsSceneData, chains, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                         &dls_scene_chain_section, "rows of bodies joined by springs"),
    DLS_DECK_SECTION_ROW(DlsSceneData, blocks, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                         &dls_scene_blocks_section, "walls, arches and other structures of blocks"),
    DLS_DECK_SECTION_ROW(DlsSceneData, springs, DLS_DECK_LIST, DLS_DECK_OPTIONAL, &spring_section,
                         "between named bodies"),
    DLS_DECK_SECTION_ROW(DlsSceneData, bends, DLS_DECK_LIST, DLS_DECK_OPTIONAL, &bend_section,
                         "bending springs over named bodies"),
    DLS_DECK_SECTION_ROW(DlsSceneData, links, DLS_DECK_LIST, DLS_DECK_OPTIONAL, &link_section,
                         "wires, rods, hinges and sliders between chosen points"),
    DLS_DECK_SECTION_ROW(DlsSceneData, sources, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                         &dls_scene_source_section, "of grains"),
    DLS_DECK_SECTION_ROW(DlsSceneData, sinks, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                         &dls_scene_sink_section, "of bodies"),
    {DLS_DECK_ROW(DlsSceneData, random, DLS_DECK_SECTION, "", "random forcing"),
     .section = &random_section},
    DLS_DECK_SECTION_ROW(DlsSceneData, desired, DLS_DECK_LIST, DLS_DECK_OPTIONAL, &desired_section,
                         "velocities of first-order motion"),
    DLS_DECK_SECTION_ROW(DlsSceneData, loads, DLS_DECK_LIST, DLS_DECK_OPTIONAL,
                         &dls_scene_load_section, "forces on bodies, a wheel along a row of them"),
    {DLS_DECK_ROW(DlsSceneData, ground, DLS_DECK_POINTER, DLS_DECK_OPTIONAL,
                  "motion of boundaries and held bodies by a record of accelerations"),
     .section = &dls_scene_ground_section},
    DLS_DECK_SECTION_ROW(DlsSceneData, boundaries, DLS_DECK_MAP, DLS_DECK_OPTIONAL,
                         &boundary_section, "by name"),
    {DLS_DECK_ROW(DlsSceneData, surfaces, DLS_DECK_SECTION, "",
                  "patches, for laws that remember what was done to them"),
     .section = &surfaces_section},
    {DLS_DECK_ROW(DlsSceneData, solver, DLS_DECK_SECTION, "", "how each step is solved"),
     .section = &solver_section},
    {DLS_DECK_ROW(DlsSceneData, output, DLS_DECK_SECTION, "", "what is written"),
     .section = &output_section},
};
static const DlsDeckSection scene_section =
    DLS_SCENE_SECTION(DlsSceneData, scene_rows, "deck", "a simulation of rigid grains");

const DlsDeckSection *dls_scene_section(void) { return &scene_section; }
