/* Decks of simulations that are wrong: each mistake gets its own sentence with file, line and cure,
 * the exit status is 2, and no folder is made. A case is a good deck with one line replaced. */
#include <unistd.h>

#include "tests/io/app_run.h"

/* Line by line; a run of four steps. */
static const char *const space[] = {
    "title: Base",
    "dimension: 3",
    "time: {step: 1 ms, end: 4 ms}",
    "gravity: [0, 0, -9.81]",
    "materials:",
    "  rock: {density: 2500}",
    "  steel: {density: 7800}",
    "laws:",
    "  - {law: coulomb, parameters: {mu: 0.5}}",
    "grains:",
    ("  - {material: rock, place: lattice, region: {low: [0, 0, 1], "
     "high: [1, 1, 2]}, sizes: {radius: 5 cm}, pitch: 0.2}"),
    "bodies:",
    "  - {material: steel, radius: 0.1, position: [0, 0, 0.2]}",
    "boundaries:",
    "  floor: {shape: plane, material: rock}",
    "solver: {name: nsgs, tolerance: 1e-3}",
    "output: {every: 0}"};
static const char *const plane[] = {
    "title: Base",
    "dimension: 2",
    "time: {step: 1 ms, end: 4 ms}",
    "gravity: [0, -9.81]",
    "materials:",
    "  rock: {density: 2500}",
    "  steel: {density: 7800}",
    "laws:",
    "  - {law: coulomb, parameters: {mu: 0.5}}",
    "grains:",
    ("  - {material: rock, place: lattice, lattice: square, region: {low: [0, 1], high: [1, 2]}, "
     "sizes: {radius: 5 cm}, pitch: 0.2}"),
    "bodies:",
    "  - {material: steel, radius: 0.1, position: [0, 0.2]}",
    "boundaries:",
    "  floor: {shape: plane, material: rock}",
    "solver: {name: nsgs, tolerance: 1e-3}",
    "output: {every: 0}"};

typedef struct {
  int line;         /* that is replaced, from 1 */
  const char *with; /* the new line, or several */
  int at;           /* the line that the message names */
  const char *part; /* of what follows "deck.yaml:LINE:" */
} Mistake;

#define GRAINS(rest) "  - {material: rock, " rest "}"
#define BOX          "region: {low: [0, 0, 1], high: [1, 1, 2]}, "
#define BODY(rest)   "  - {material: steel, " rest "}"
#define WALL(rest)   "  floor: {material: rock, " rest "}"

static const Mistake in_space[] = {
    {1, "titel: Base", 1, "titel: unknown key; did you mean 'title'?"},
    {2, "dimension: 4", 2, "dimension: 4 is out of bounds; give a value from 2 to 3"},
    {2, "dimension: two", 2, "dimension: is a whole number, not 'two'; write a plain number"},
    {3, "time: {step: -1 ms, end: 4 ms}", 3,
     "time.step: -0.001 s is out of bounds; give a value above 0 s"},
    {3, "time: {step: 0, end: 4 ms}", 3, "time.step: 0 s is out of bounds; give a value above 0 s"},
    {3, "time: {step: 1 ms}", 3,
     "time.end: is missing; add it to the section: when the run ends (s)"},
    {3, "time: {step: 1 kg, end: 1}", 3,
     "time.step: '1 kg' is in kg, which is no s; give it in s or a unit that converts to it"},
    {3, "time: {step: 1 ms, end: 4 ms, scheme: verlet}", 3,
     "time.scheme: is one of moreau, euler, first-order, explicit, static, events, not 'verlet'"},
    {3, "time: {step: .nan, end: 4 ms}", 3, "time.step: '.nan' is no finite number; give a number"},
    {3, "time: {step: 1 s, end: 4 ms}", 3,
     "time.step: one step of 1 s is longer than the whole run of 0.004 s; shorten the step, or "
     "raise time.end"},
    {3, "tiem: {step: 1 ms}", 3, "tiem: unknown key; did you mean 'time'?"},
    {3, "time: {step: 1 ms, end: 4 ms, signed_gap: true}", 3,
     "time.signed_gap: moreau has no gap term; take it away, or set scheme: euler"},
    {4, "gravity: [0, 0, g]", 4,
     "gravity[2]: unknown name 'g' at character 1 of 'g'; there are t, pi, and functions such as "
     "sin,"},
    {4, "gravity: [0, 0, -9.81", 5,
     "did not find expected ',' or ']' while parsing a flow sequence that begins at line 4; "
     "separate the"},
    {4, "gravity: -9.81", 4,
     "gravity: is a list of 2 to 3 expressions, not '-9.81'; write [a, b, ...]"},
    {4, "gravity: [0, 0, 1/0]", 4,
     "gravity[2]: '1/0' is infinite at t = 0 s; guard it, such as 1/max(t,1e-6)"},
    {4, "gravity: [0, 0, sqrt(-1)]", 4,
     "gravity[2]: 'sqrt(-1)' is no number at t = 0 s; guard it, such as 1/max(t,1e-6)"},
    {4, "gravity: [0, 0, 'sin(t']", 4,
     "gravity[2]: a ')' is missing at character 6 of 'sin(t'; close the bracket"},
    {4, "gravity: [0, 0, -9.81]\ndrag: -1", 5,
     "drag: -1 1/s is out of bounds; give a value at least 0 1/s"},
    {6, "  rock: {density: -2500}", 6,
     "materials.rock.density: -2500 kg/m3 is out of bounds; give a value above 0 kg/m3"},
    {6, "  rock: {densty: 2500}", 6, "materials.rock.densty: unknown key; did you mean 'density'?"},
    {6, "  rock: {density: 0}", 6,
     "materials.rock.density: 0 kg/m3 is out of bounds; give a value above 0 kg/m3"},
    {6, "  rock: 2500", 6,
     "materials.rock: is a section, not a value; write its 'key: value' lines below it"},
    {7, "  rock: {density: 7800}", 7,
     "the key 'rock' stands here for the second time (first at line 6); remove one"},
    {9, "  - {law: culomb}", 9,
     "laws[0].law: contact law 'culomb' is not known; did you mean 'coulomb'?"},
    {9, "  - law: culomb\n    between: [rock, steel]\n    parameters: {mu: 1}", 9,
     "contact law 'culomb' is not known; did you mean 'coulomb'?"},
    {9, "  - {law: ./no.so}", 9,
     "laws[0].law: contact law ./no.so: No such file or directory; check the path"},
    {9, "  - {law: coulomb, parameters: {mu: -1}}", 9,
     "laws[0].parameters.mu: -1 is out of bounds; give a value at least 0"},
    {9, "  - {law: coulomb, parameters: {nu: 1}}", 9,
     "laws[0].parameters.nu: unknown key; did you mean 'mu'?"},
    {9, "  - {law: coulomb, parameters: {rho: 1.5}}", 9,
     "laws[0].parameters.rho: 1.5 is out of bounds; give a value from 0 to 1"},
    {9, "  - {law: coulomb, parameters: {mu: .inf}}", 9,
     "laws[0].parameters.mu: '.inf' is no finite number; give a number"},
    {9, "  - {law: coulomb, between: [rock]}", 9,
     "laws[0].between: has 1 item, needs 2 words; separate them by commas"},
    {9, "  - {law: coulomb, between: [rock, wood]}", 9,
     "laws[0].between: 'wood' is neither a material nor a boundary; there are: rock, steel, floor"},
    {9, "  - {law: coulomb, between: [rock, rock]}", 8,
     "laws: no law between rock and steel, which can meet; add one with between: [rock, steel], or "
     "one"},
    {9, "  - {parameters: {mu: 1}}", 9,
     "laws[0].law: is missing; add it to the section: name or path, see delassus law list"},
    {8, "laws: []\nx:", 9,
     "x: unknown key; there are: title, dimension, time, gravity, drag, cell, materials, laws, "
     "fields, "
     "grains, "
     "bodies,"},
    {11, GRAINS("place: lattice, " BOX "sizes: {radius: 5 cm}, pitch: 0.05"), 11,
     "grains[0].place: lattice: grains of radius 0.05 with jitter 0 need a pitch of 0.1, it is "
     "0.05:"},
    {11, GRAINS("place: lattice, " BOX "sizes: {radius: 5 cm}"), 11,
     "grains[0].place: lattice: the pitch is 0: it must be positive"},
    {11, GRAINS("place: lattice, " BOX "pitch: 0.2"), 11,
     "grains[0].sizes: the grains have no radius; give one, as in sizes: {radius: 5 mm}"},
    {11, GRAINS("place: lattice, " BOX "sizes: {radius: 5 cm}, pitch: 0.2, lattice: hexagonal"), 11,
     "grains[0].place: lattice: hexagonal is for 2-D, the region has 3 dimensions"},
    {11, GRAINS("place: lattice, sizes: {radius: 5 cm}, pitch: 0.2"), 11,
     "grains[0].place: region: the box goes from 0 to 0 along x: the first must be the smaller"},
    {11, GRAINS("place: heap"), 11,
     "grains[0].place: is one of lattice, pyramid, random, packed, rain, deposit, file, not "
     "'heap'"},
    {11, GRAINS(BOX "sizes: {radius: 5 cm}"), 11,
     "grains[0].place: is missing; add it to the section: how they are placed, see "
     "docs/populations.md"},
    {11, GRAINS("place: deposit, sizes: {radius: 5 mm}"), 11,
     "grains[0].count: deposit needs a number of grains; add count: 1000"},
    {11, GRAINS("place: random, " BOX "sizes: {radius: 5 cm}"), 11,
     "grains[0].count: random does not say how many grains; give count, or the solid fraction to "
     "reach"},
    {11, GRAINS("place: random, " BOX "sizes: {radius: 5 cm}, fraction: 0.8"), 11,
     "ask for less, or take the generator `packed`"},
    {11, GRAINS("place: random, " BOX "sizes: {radius: 5 cm}, count: 100000"), 11,
     "grains[0].place: random: 100000 grains fill 52.4, the region has 1: fewer or smaller grains"},
    {11, GRAINS("place: random, " BOX "sizes: {radius: 5 m}, count: 1"), 11,
     "grains[0].place: random: a grain of radius 5 has no place in the region: smaller grains or a "
     "larger region"},
    {11, GRAINS("place: random, " BOX "sizes: {radius: 5 cm}, count: -3"), 11,
     "grains[0].count: -3 is out of bounds; give a value from 0 to 100000000"},
    {11, GRAINS("place: random, " BOX "sizes: {kind: uniform, min: 3 cm, max: 2 cm}, count: 3"), 11,
     "grains[0].place: sizes: the largest radius of uniform is 0.02, the smallest 0.03: give min "
     "<= max"},
    {11,
     GRAINS("place: random, " BOX
            "sizes: {kind: shares, values: [1 cm, 2 cm], shares: [1]}, count: 3"),
     11, "grains[0].sizes.shares: 1 shares for 2 values; give one share for each value"},
    {11, GRAINS("place: random, " BOX "sizes: {kind: list}, count: 3"), 11,
     "grains[0].place: sizes: list has no values: give one at least"},
    {11, GRAINS("place: random, " BOX "sizes: {kind: lognormal, radius: 1 cm}, count: 3"), 11,
     "grains[0].place: sizes: sigma of lognormal is 0: it must be above 0 and at most 10"},
    {11,
     GRAINS("place: random, region: {shape: cylinder, radius: 1}, sizes: {radius: 5 cm}, count: 3"),
     11, "grains[0].place: region: the height of the cylinder is 0: it must be positive"},
    {11, GRAINS("place: rain, " BOX "sizes: {radius: 5 cm}"), 11,
     "grains[0].count: rain needs a number of grains; add count: 1000"},
    {11, GRAINS("place: file"), 11,
     "grains[0].file: place: file needs the path of a CSV file, a frame or a checkpoint; add it"},
    {11, GRAINS("place: file, file: no.csv"), 11,
     "no.csv' cannot be read; a relative path begins at the folder of "
     "the deck"},
    {11, GRAINS("place: pyramid, layers: 0, sizes: {radius: 5 cm}"), 11,
     "grains[0].layers: 0 is out of bounds; give a value from 1 to 1000"},
    {11, "  - {material: wood, place: pyramid, sizes: {radius: 5 cm}}", 11,
     "grains[0].material: no material wood; there are: rock, steel"},
    {11, "  - {place: pyramid, sizes: {radius: 5 cm}}", 11,
     "grains[0].material: is missing; add it to the section: name of a material"},
    {11, GRAINS("place: lattice, " BOX "sizes: {radius: 5 cm}, pitch: 0.2, velocity: [1]"), 11,
     "grains[0].velocity: has 1 item, needs 2 to 3 numbers; separate them by commas"},
    {13, BODY("position: [0, 0, 0.2]"), 13,
     "bodies[0].radius: the body has neither a radius nor a cluster nor a shape nor deformable; "
     "give "
     "one of them"},
    {13, BODY("shape: {kind: cone, radius: 1, height: 1, rounding: 0.1}, position: [0, 0, 1]"), 13,
     "bodies[0].shape.kind: shape: a cone cannot be rounded; give `capsule`, or a `hull` with a "
     "rounding"},
    {13, BODY("shape: {kind: cylinder, radius: 1}, position: [0, 0, 1]"), 13,
     "bodies[0].shape.kind: a cylinder has a radius and a height above 0, not 1 and 0 m"},
    {13, BODY("shape: {kind: box, lengths: [1, 1]}, position: [0, 0, 0.2]"), 13,
     "bodies[0].shape.kind: edge 0 m of a box is not above twice its rounding 0 m"},
    {13,
     BODY("shape: {kind: hull, points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]}, position: [0, 0, 1]"),
     13, "bodies[0].shape.kind: 4 points that lie in one plane have no hull"},
    {13, BODY("shape: {kind: hull, points: [0, 0, 0, 1]}, position: [0, 0, 1]"), 13,
     "bodies[0].shape.kind: shape: points: 4 numbers are no list of x, y, z"},
    {13, BODY("shape: {kind: regular, radius: 1}, position: [0, 0, 1]"), 13,
     "bodies[0].shape.kind: shape: a polygon is of 2-D; in 3-D give `prism` with a height"},
    {13, BODY("radius: 1, shape: {kind: box, lengths: [1, 1, 1]}, position: [0, 0, 1]"), 13,
     "bodies[0].radius: the body has more than one of radius, cluster, shape and deformable"},
    {13, BODY("radius: 0.1"), 13,
     "bodies[0].position: is missing; add it to the section: of the centre; of a cluster: of its "
     "origin (m)"},
    {13, BODY("radius: -0.1, position: [0, 0, 0.2]"), 13,
     "bodies[0].radius: -0.1 m is out of bounds; give a value at least 0 m"},
    {13, BODY("radius: 0.1, mass: -1, position: [0, 0, 0.2]"), 13,
     "bodies[0].mass: -1 kg is out of bounds; give a value at least 0 kg"},
    {13, BODY("radius: 0.1, cluster: [{radius: 0.1}], position: [0, 0, 0.2]"), 13,
     "bodies[0].radius: the body has more than one of radius, cluster, shape and deformable; leave "
     "one of "
     "them"},
    {13, BODY("cluster: [{at: [0, 0, 0]}], position: [0, 0, 0.2]"), 13,
     "bodies[0].cluster[0].radius: is missing; add it to the section: of the disk or sphere (m)"},
    {13, BODY("radius: 0.1, position: [0, 0, 0.05]"), 13,
     "bodies[0]: the body at (0, 0, 0.05) overlaps boundary floor by 0.05 m at the start, more "
     "than a"},
    {13, BODY("radius: 0.1, position: [0, 0, 0.2], fixed: [w]"), 13,
     "bodies[0].fixed[0]: is one of x, y, z, turn_x, turn_y, turn_z, all, not 'w'"},
    {13,
     BODY("radius: 0.1, position: [0, 0, 0.2]}\n  - {material: steel, radius: 0.1, position: [0.1, "
          "0, 0.2]"),
     14,
     "bodies[1]: the body at (0.1, 0, 0.2) overlaps the one at (0, 0, 0.2) by 0.1 m at the start, "
     "more"},
    {13, BODY("radius: 0.1, position: [0, 0, 0.2], velocity: [1e999, 0, 0]"), 13,
     "bodies[0].velocity[0]: '1e999' is no finite number; give a number"},
    {13, BODY("radius: 0.1, position: [0, 0, 0.2], spin: [1, 0]"), 13,
     "bodies[0].spin: has 2 items, needs 3 numbers; separate them by commas"},
    {15, WALL("shape: segment, length: [1]"), 15,
     "boundaries.floor.shape: segment: only in 2-D; in 3-D use a thin box"},
    {15, WALL("shape: plain"), 15,
     "boundaries.floor.shape: is one of plane, segment, box, cylinder, frustum, plate, sphere, "
     "mesh, "
     "polyline, not"},
    {15, WALL("shape: cylinder"), 15,
     "boundaries.floor.length: this shape needs a length; give length: [0.5] in m"},
    {15, WALL("shape: box"), 15,
     "boundaries.floor.length: this shape needs a length; give its edges, length: [0.5, 0.5, 0.5] "
     "in m"},
    {15, WALL("shape: frustum, length: [1], radius: [0, 0]"), 15,
     "boundaries.floor.radius: this shape needs a radius; give both, radius: [0.1, 0.2] in m"},
    {15, WALL("shape: plate, radius: [2, 1]"), 15,
     "boundaries.floor.shape: plate: the hole's radius 2 is not below the plate's, 1"},
    {15, WALL("shape: sphere"), 15,
     "boundaries.floor.radius: this shape needs a radius; give radius: [0.2] in m"},
    {15, WALL("shape: plane, inside: true"), 15,
     "boundaries.floor.inside: this shape has no inside; take it away, a plane faces along its "
     "axis"},
    {15, WALL("shape: plane, open: ['+z']"), 15,
     "boundaries.floor.shape: plane: only a container, with grains inside, has open walls"},
    {15, WALL("shape: plane, open: [top]"), 15,
     "boundaries.floor.open[0]: is one of -x, +x, -y, +y, -z, +z, not 'top'"},
    {15, WALL("shape: plane, displacement: [0, 0, 't'], velocity: [0, 0, 1]"), 15,
     "boundaries.floor.velocity: a boundary has either a displacement or a velocity; take one "
     "away"},
    {15, WALL("shape: plane, displacement: [0, 0, log(t)]"), 15,
     "boundaries.floor.displacement[2]: 'log(t)' is infinite at t = 0 s; guard it, such as "
     "1/max(t,1e-6)"},
    {15, WALL("shape: plane, velocity: [0, 0, 'x']"), 15,
     "boundaries.floor.velocity[2]: unknown name 'x' at character 1 of 'x'; there are t, pi, and"},
    {15, WALL("shape: plane, axis: [0]"), 15,
     "boundaries.floor.axis: has 1 item, needs 2 to 3 numbers; separate them by commas"},
    {15, WALL("shape: plane, displacement: [0, 0, 0.3]"), 13,
     "bodies[0]: the body at (0, 0, 0.2) overlaps boundary floor by 0.2 m at the start, more than "
     "a"},
    {15, "  floor: {shape: plane}", 15,
     "boundaries.floor.material: is missing; add it to the section: name of a material"},
    {15, "  floor: {shape: plane, material: rok}", 15,
     "boundaries.floor.material: no material rok; did you mean rock? There are: rock, steel"},
    {15, "  - {shape: plane, material: rock}", 14,
     "boundaries: holds named sections; write 'name:' before each, no '- '"},
    {16, "solver: {name: nsgz}", 16,
     "solver.name: solver 'nsgz' is not known; did you mean 'nsgs'?"},
    {16, "solver: {name: nsgs, tolerance: 0}", 16,
     "solver.tolerance: 0 is out of bounds; give a value from 1e-15 to 1"},
    {16, "solver: {name: nsgs, max_iterations: 0}", 16,
     "solver.max_iterations: 0 is out of bounds; give a value from 1 to 2147483647"},
    {16, "solver: {name: nsgs, options: {omega: 3}}", 16,
     "solver.options.omega: 3 is out of bounds; give a value from 0.001 to 1.999"},
    {16, "solver: {name: nsgs, options: {omeg: 1}}", 16,
     "solver.options.omeg: unknown key; did you mean 'omega'?"},
    {17, "output: {every: -1}", 17,
     "output.every: -1 s is out of bounds; give a value at least 0 s"},
    {17, "output: {evry: 1}", 17, "output.evry: unknown key; did you mean 'every'?"},
    {17, "output: {every: 1 m}", 17,
     "output.every: '1 m' is in m, which is no s; give it in s or a unit that converts to it"},
    {10, "bodies:\n  - {material: rock, radius: 1 cm, position: [0, 0, 9]}\nbodies:", 12,
     "the key 'bodies' stands here for the second time (first at line 10); remove one"},
    {13, BODY("radius: 0.1, position: [0, 0, 0.2], inertia: 3"), 13,
     "bodies[0].inertia: unknown key; there are: material, radius, cluster, shape, deformable, "
     "turn, "
     "mass, position, velocity, spin, fixed"},
    {11, GRAINS("place: random, " BOX "sizes: {radius: 5 cm}, count: 5, fraction: 0.1"), 11,
     "grains[0].fraction: count and fraction both say how many grains; take one away"},
    {11, GRAINS("place: pyramid, sizes: {kind: uniform, min: 1 cm, max: 2 cm}"), 11,
     "grains[0].sizes.kind: a pyramid has grains of one size; write sizes: {radius: 5 mm}"},
    {11, GRAINS("place: pyramid, sizes: {radius: 5 cm}, foot: [3, 3, 1], file: /dev/null"), 11,
     "grains[0].file: is read by place: file alone; this is place: pyramid"},
};

/* What acts on bodies, comes and goes: added behind line 13, where `a`, `b` and the chain `rope`
 * can be named. */
#define NAMED                                                                                      \
  "  - {name: a, material: steel, radius: 0.1, position: [0, 0, 0.2]}\n"                           \
  "  - {name: b, material: steel, radius: 0.1, position: [0, 3, 0.2]}\n"
#define CHAIN(rest) NAMED "chains: [{name: rope, material: steel, radius: 0.1, " rest "}]"
#define ROPE        CHAIN("count: 3, start: [5, 0, 0.2], end: [5, 1, 0.2]") "\n"
#define PLAIN       "radius: 0.1, position: [0, 0, 0.2]"
#define SERVO(rest) WALL("shape: plane, servo: {" rest "}")
#define SOURCE(rest)                                                                               \
  NAMED "sources: [{material: rock, region: {low: [0, 0, 3], high: [1, 1, 4]}, " rest "}]"

static const Mistake in_drive[] = {
    {13, BODY(PLAIN ", from: 2, until: 1"), 13,
     "bodies[0].until: ends at 1 s, but begins at 2 s; give a later time, or take it away"},
    {13, BODY(PLAIN ", from: -1"), 13, "bodies[0].from: -1 s is out of bounds"},
    {13, BODY(PLAIN ", motion: {x: t, vx: 1}"), 13,
     "bodies[0].motion.vx: x has a displacement already; take one of the two away"},
    {13, BODY(PLAIN ", motion: {x: 1/t}"), 13, "bodies[0].motion.x: '1/t' is infinite at t = 0 s"},
    {13, BODY(PLAIN ", motion: {u: 1}"), 13, "bodies[0].motion.u: unknown key; there are: x, y, z"},
    {13, NAMED "  - {name: a, material: steel, radius: 0.1, position: [0, 5, 0.2]}", 15,
     "bodies[2].name: the name 'a' is taken by another body or chain; give each its own"},
    {13, NAMED "springs: [{between: [a, bb], stiffness: 1}]", 15,
     "springs[0].between: no body or chain is named 'bb'; did you mean 'b'?"},
    {13, NAMED "springs: [{between: [a], stiffness: 1}]", 15,
     "springs[0].between: stands for 1 body, needs 2 or more; add names"},
    {13, NAMED "springs: [{between: [a, a], stiffness: 1}]", 15,
     "springs[0].between: names the body a twice in a row; take one away"},
    {13, NAMED "springs: [{between: [a, b]}]", 15,
     "springs[0].stiffness: is missing; add it to the section: k (N/m)"},
    {13, NAMED "springs: [{between: [a, b], stiffness: -1}]", 15,
     "springs[0].stiffness: -1 N/m is out of bounds; give a value at least 0 N/m"},
    {13, NAMED "springs: [{between: [a, b], stiffness: 1e12}]", 3,
     "time.step: the springs swing with up to 2.47e+05 rad/s, and 0.001 s is too long a step for "
     "them; take one below"},
    {13, NAMED "bends: [{along: [a, b], stiffness: 1}]", 15,
     "bends[0].along: stands for 2 bodies, needs 3 or more; add names"},
    {13, CHAIN("count: 1, start: [5, 0, 1], end: [5, 1, 1]"), 15,
     "chains[0].count: 1 is out of bounds; give a value from 2 to 1000000"},
    {13, CHAIN("count: 9, start: [5, 0, 1], end: [5, 1, 1]"), 15,
     "chains[0].radius: beads of radius 0.1 m are 0.125 m apart and overlap; take smaller or fewer "
     "ones"},
    {13, CHAIN("count: 2, start: [5, 0, 1], end: [5, 0, 1]"), 15,
     "chains[0].end: the chain begins and ends at one point; give two"},
    {13, CHAIN("count: 3, start: [5, 0, 1], end: [5, 1, 1], fixed: [middle]"), 15,
     "chains[0].fixed[0]: is one of first, last, not 'middle'"},
    {13, ROPE "springs: [{between: [rope.4, a], stiffness: 1}]", 16,
     "springs[0].between: no body or chain is named 'rope.4'; did you mean 'rope'?"},
    {13, NAMED "random: {variance: -1}", 15, "random.variance: -1 m2/s3 is out of bounds"},
    {13, NAMED "random: {diffusion: 1}", 15,
     "random.diffusion: is for scheme: first-order; give variance"},
    {13, NAMED "desired: [{towards: [0, 0, 0], speed: 1}]", 15,
     "desired: velocities are desired in scheme: first-order alone; take them away, or set it"},
    {3, "time: {step: 1 ms, end: 4 ms, scheme: first-order}\ndrag: 1", 4,
     "drag: motion without inertia has no forces; take it away, or another scheme"},
    {3, "time: {step: 1 ms, end: 4 ms, scheme: first-order}\nrandom: {variance: 1}", 4,
     "random.variance: is of velocities, which first-order does not keep; give diffusion"},
    {3, "time: {step: 1 ms, end: 4 ms, scheme: first-order}\ndesired: [{towards: [0, 0, 0]}]", 4,
     "desired[0].speed: towards needs a speed; add speed: 1.2 m/s"},
    {3, "time: {step: 1 ms, end: 4 ms, scheme: first-order}\ndesired: [{speed: 1}]", 4,
     "desired[0]: give either towards, with a speed, or a velocity"},
    {3, "time: {step: 1 ms, end: 4 ms, scheme: first-order}\ndesired: [{velocity: [u, 0, 0]}]", 4,
     "desired[0].velocity[0]: unknown name 'u' at character 1 of 'u'; there are t, x, y, z"},
    {3,
     "time: {step: 1 ms, end: 4 ms, scheme: first-order}\ndesired: [{material: wood, velocity: [0, "
     "0, 0]}]",
     4, "desired[0].material: no material wood; there are: rock, steel"},
    {15, SERVO("pressure: 1, area: 1"), 15,
     "boundaries.floor.servo.mass: is missing; add it to the section: of the wall (kg)"},
    {15, SERVO("mass: 1"), 15,
     "boundaries.floor.servo: a servo has either a pressure or a force; give one"},
    {15, SERVO("mass: 1, area: 1, pressure: 1, force: [0, 0, 1]"), 15,
     "boundaries.floor.servo.force: a servo has either a pressure or a force; take one away"},
    {15, SERVO("mass: 1, pressure: 1"), 15,
     "boundaries.floor.servo.pressure: needs the area it acts on; give area, or across: [left, "
     "right]"},
    {15, SERVO("mass: 1, pressure: 1, area: 1, across: [floor, floor, floor, floor]"), 15,
     "boundaries.floor.servo.area: area and across both make the area; take one away"},
    {15, SERVO("mass: 1, pressure: 1, across: [floor, floor]"), 15,
     "boundaries.floor.servo.across: names 2 boundaries; give two pairs of planes"},
    {15, SERVO("mass: 1, pressure: 1, across: [floor, flor, floor, floor]"), 15,
     "boundaries.floor.servo.across: no boundary is named 'flor'; name two planes"},
    {15, SERVO("mass: 1, force: [1, 0, 1]"), 15,
     "boundaries.floor.servo.force: a servo drives a boundary along one axis; give one component "
     "that is not 0"},
    {15, WALL("shape: plane, axis: [1, 0, 1], servo: {mass: 1, pressure: 1, area: 1}"), 15,
     "boundaries.floor.axis: a servo drives a plane whose normal is along x, y or z; turn it so"},
    {15, WALL("shape: plane, spin: [0, 0, 1], servo: {mass: 1, force: [0, 0, 1]}"), 15,
     "boundaries.floor.spin: a servo moves this boundary; take it away"},
    {15, WALL("shape: plane, velocity: [0, 0, 1], servo: {mass: 1, force: [0, 0, 1]}"), 15,
     "boundaries.floor.velocity: the servo moves the boundary along z; set that component to 0"},
    {15, WALL("shape: sphere, radius: [0.01], servo: {mass: 1, pressure: 1, area: 1}"), 15,
     "boundaries.floor.servo.area: the area follows from the radius; take it away"},
    {15, WALL("shape: box, length: [1, 1, 1], servo: {mass: 1, pressure: 1, area: 1}"), 15,
     "boundaries.floor.servo.pressure: acts along the normal of a plane, or on the side of a "
     "cylinder or sphere, and this is none; give a "
     "force"},
    {13, SOURCE("sizes: {radius: 1 cm}"), 15,
     "sources[0]: source: rate 0 /s and mass rate 0 kg/s: one of them must be positive, the other "
     "0"},
    {13, SOURCE("rate: 5"), 15, "sources[0]: sizes: the radius is 0: it must be positive"},
    {13, SOURCE("rate: 5, sizes: {radius: 9}"), 15,
     "sources[0]: source: a grain of radius 9 has no place in the region: widen it"},
    {13, SOURCE("rate: 5, sizes: {radius: 1 cm}, from: 3, until: 2"), 15,
     "sources[0]: source: pours from 3 to 2: the first must be the smaller"},
    {13, NAMED "sources: [{material: wood, rate: 5}]", 15,
     "sources[0].material: no material wood; there are: rock, steel"},
    {13, NAMED "sinks: [{region: {low: [0, 0, 0], high: [1, 1, -1]}}]", 15,
     "sinks[0].region: region: the box goes from 0 to -1 along z: the first must be the smaller"},
    {13, NAMED "sinks: [{until: 0}]", 15, "sinks[0].until: ends at 0 s, but begins at 0 s"},
};

static const Mistake in_plane[] = {
    {13, BODY("radius: 0.1, position: [0, 0.2], motion: {wx: 1}"), 13,
     "bodies[0].motion.wx: moves the body out of the plane in 2-D; take it away, or set dimension: "
     "3"},
    {4, "gravity: [0, 0, -9.81]", 4,
     "gravity: has a component z, out of the plane in 2-D; set it to 0, or dimension: 3"},
    {15, WALL("shape: plate, radius: [0, 1]"), 15,
     "boundaries.floor.shape: plate: only in 3-D; in 2-D use segments"},
    {15, WALL("shape: frustum, length: [1], radius: [1, 2]"), 15,
     "boundaries.floor.shape: frustum: only in 3-D; in 2-D use two segments"},
    {15, WALL("shape: box"), 15,
     "boundaries.floor.length: this shape needs a length; give its edges, length: [0.5, 0.5] in m"},
    {15, WALL("shape: box, inside: true, around: deposit"), 15,
     "boundaries.floor.around: no grains have place: deposit; take it away, and give length and "
     "position"},
    {13, BODY("radius: 0.1, position: [0, 0.2, 0.3]"), 13,
     "bodies[0]: body 25: place or motion out of the plane in 2-D"},
    {11,
     GRAINS("place: lattice, lattice: fcc, region: {low: [0, 1], high: [1, 2]}, sizes: {radius: 5 "
            "cm}, pitch: 0.2"),
     11, "grains[0].place: lattice: fcc is for 3-D, the region has 2 dimensions"},
    {15, WALL("shape: plane, spin: [1, 0, 0]"), 15,
     "boundaries.floor.spin: has a component x, out of the plane in 2-D; set it to 0, or "
     "dimension: 3"},
    {15, WALL("shape: plane, displacement: [0, 0, t]"), 15,
     "boundaries.floor.displacement: has a component z, out of the plane in 2-D; set it to 0, or "
     "dimension: 3"},
    {15, WALL("shape: plane, velocity: [0, 0, t]"), 15,
     "boundaries.floor.velocity: has a component z, out of the plane in 2-D; set it to 0, or "
     "dimension: 3"},
    {15, WALL("shape: plane, position: [0, 0, 1]"), 15,
     "boundaries.floor.shape: plane: place or motion out of the plane in 2-D"},
    {11, GRAINS("place: deposit, count: 5, sizes: {radius: 5 mm}"), 11,
     "grains[0].place: deposit is for 3-D; in 2-D take rain or lattice, or set dimension: 3"},
    {15, WALL("shape: plane, axis: [0, 0, 1]"), 15,
     "boundaries.floor.axis: points out of the plane in 2-D; give [x, y]"},
};

static void write_deck(const char *path, const char *const *lines, int count,
                       const Mistake *mistake) {
  FILE *file = fopen(path, "w");
  for (int k = 0; file && k < count; k++)
    fprintf(file, "%s\n", mistake && mistake->line == k + 1 ? mistake->with : lines[k]);
  if (file) fclose(file);
}

/* Runs it in a folder of its own, where the results would be. Returns the exit status. */
static int run_deck(const char *settings, bool *made) {
  char arguments[2048], results[1024];
  snprintf(results, sizeof results, "%s/results", app_folder("run_mistakes"));
  snprintf(arguments, sizeof arguments, "run '%s/deck.yaml' --quiet --out '%s'%s",
           app_folder("run_mistakes"), results, settings);
  const int status = app_run(arguments);
  *made = access(results, F_OK) == 0;
  return status;
}

static void check_mistakes(const char *const *lines, int count, const Mistake *all, int mistakes) {
  char path[1024], place[64];
  snprintf(path, sizeof path, "%s/deck.yaml", app_folder("run_mistakes"));
  for (int k = 0; k < mistakes; k++) {
    bool made;
    write_deck(path, lines, count, &all[k]);
    const int status = run_deck("", &made);
    snprintf(place, sizeof place, "/deck.yaml:%d:", all[k].at);
    CHECK_TOLD(status == 2 && !made && test_contains(app_output, place) &&
                   test_contains(app_output, all[k].part),
               "%s: exit %d, %s, not at line %d with \"%s\":\n%s", all[k].with, status,
               made ? "results" : "no results", all[k].at, all[k].part, app_output);
  }
}

/* The mistakes would prove nothing about a deck that is wrong by itself. */
TEST(the_decks_are_good_without_a_mistake) {
  char path[1024], command[1200];
  snprintf(path, sizeof path, "%s/deck.yaml", app_folder("run_mistakes"));
  snprintf(command, sizeof command, "rm -rf '%s/results'", app_folder("run_mistakes"));
  for (int k = 0; k < 2; k++) {
    bool made;
    write_deck(path, k ? plane : space, k ? DLS_COUNT(plane) : DLS_COUNT(space), NULL);
    CHECK_INT(run_deck("", &made), 0);
    CHECK(made);
    CHECK_INT(system(command), 0);
  }
}

TEST(mistakes_are_told_before_anything_runs) {
  check_mistakes(space, DLS_COUNT(space), in_space, DLS_COUNT(in_space));
}

TEST(mistakes_in_what_acts_are_told) {
  check_mistakes(space, DLS_COUNT(space), in_drive, DLS_COUNT(in_drive));
}

TEST(mistakes_in_the_plane_are_told) {
  check_mistakes(plane, DLS_COUNT(plane), in_plane, DLS_COUNT(in_plane));
}

/* The same sentence for two mistakes would send one of the two users astray. */
TEST(every_mistake_has_its_own_sentence) {
  for (int i = 0; i < DLS_COUNT(in_space); i++)
    for (int j = 0; j < i; j++)
      if (strcmp(in_space[i].part, in_space[j].part) == 0)
        test_fail(__FILE__, __LINE__, "twice: %s", in_space[i].part);
  CHECK(DLS_COUNT(in_space) + DLS_COUNT(in_plane) >= 40);
}

/* Laws that share no block size: one that serves 2 components alone, in 3-D. */
TEST(laws_without_a_common_block_are_refused) {
  bool made;
  char path[1024];
  snprintf(path, sizeof path, "%s/deck.yaml", app_folder("run_mistakes"));
  write_deck(path, space, DLS_COUNT(space),
             &(Mistake){.line = 9,
                        .with = "  - {law: coulomb}\n  - {law: " TEST_BINARY_DIR
                                "/tests/plugins/laws/other-block.so}"});
  CHECK_INT(run_deck("", &made), 2);
  CHECK(!made);
  CHECK(
      test_contains(app_output, "deck.yaml:8: laws: the laws have no block size in common in 3-D"));
}

TEST(wrong_settings_and_paths_are_told) {
  static const char *const cases[][2] = {
      {" --set time.ned=1", "time.ned: unknown key; did you mean 'end'?"},
      {" --set time.step=-1", "time.step: -1 s is out of bounds"},
      {" --set time.end=soon", "time.end: is a number, not 'soon'"},
      {" --set time.end", "is not of the form key.path=value"},
      {" --set 'grains[7].count=1'", "grains has 1 item, numbered from 0; [7] is out of range"},
      {" --capture 0", "--capture"},
      {" --max-time soon", "--max-time"},
      {" other.yaml", "one deck at a time"},
  };
  char path[1024];
  snprintf(path, sizeof path, "%s/deck.yaml", app_folder("run_mistakes"));
  write_deck(path, space, DLS_COUNT(space), NULL);
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    bool made;
    const int status = run_deck(cases[k][0], &made);
    CHECK_TOLD(status == 2 && !made && test_contains(app_output, cases[k][1]),
               "%s: exit %d, not \"%s\":\n%s", cases[k][0], status, cases[k][1], app_output);
  }
  CHECK_RUN("run --threads 0", 2, "--threads");
  CHECK_RUN("run --threads 1000", 2, "--threads");
  CHECK_INT(setenv("DELASSUS_THREADS", "many", 1), 0);
  CHECK_RUN("run", 2, "DELASSUS_THREADS=many: give a number of threads from 1 to 256");
  CHECK_INT(unsetenv("DELASSUS_THREADS"), 0);
  CHECK_RUN("run", 2, "which deck?");
  CHECK_RUN("run /no/such/deck.yaml", 2, "/no/such/deck.yaml");
  CHECK_RUN("run " TEST_BINARY_DIR, 2, TEST_BINARY_DIR);
}

/* Contacts of the explicit scheme as stiff as that: the step is refused before the run. */
TEST(a_step_too_long_for_the_contacts_is_told) {
  char arguments[1024];
  snprintf(arguments, sizeof arguments,
           "run " TEST_SOURCE_DIR "/input/soft-spheres.yaml --set time.step=2e-3 --out %s/stiff",
           app_folder("run_mistakes"));
  CHECK_RUN(arguments, 2,
            "time.step: contacts of spring-dashpot are as stiff as 1e+04 N/m between bodies of "
            "0.000654 kg (reduced), and 0.002 s is too long a step for them; take one below "
            "0.00041 s");
}
