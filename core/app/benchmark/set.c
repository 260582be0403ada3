/* The members of the benchmark set, and their decks. Nothing here changes but with the version. */
#include "app/benchmark/set.h"

/* Every run: nsgs to 1e-3, whose sums are the same on every run of one machine. */
#define SOLVER "solver: {name: nsgs, tolerance: 1e-3, max_iterations: 500}\noutput: {every: 0}\n"
#define HEAD_3D(step, end)                                                                         \
  "time: {step: " step ", end: " end "}\ngravity: [0, 0, -9.81]\nmaterials:\n"                     \
  "  grain: {density: 2500}\n"
#define HEAD_2D(step, end)                                                                         \
  "dimension: 2\ntime: {step: " step ", end: " end "}\ngravity: [0, -9.81]\nmaterials:\n"          \
  "  grain: {density: 2500}\n"

/* Spheres of 5 mm from a jittered lattice, after a quarter of a second in an open box. */
#define DEPOSIT_OF(law, count)                                                                     \
  HEAD_3D("1 ms", "0.25 s")                                                                        \
  "laws:\n  - {" law "}\n"                                                                         \
  "grains:\n  - {material: grain, place: deposit, sizes: {radius: 5 mm}, count: " count            \
  ", seed: 1}\n"                                                                                   \
  "boundaries:\n  box: {shape: box, inside: true, open: [\"+z\"], material: grain, depth: 5 mm, "  \
  "around: deposit}\n" SOLVER
#define DEPOSIT(count) DEPOSIT_OF("law: coulomb, parameters: {mu: 0.5}", count)

/* Disks that stood as a column and run out over a floor. */
static const char heap[] = HEAD_2D(
    "1 ms", "0.4 s") "laws:\n  - {law: coulomb, parameters: {mu: 0.6}}\n"
                     "grains:\n  - {material: grain, place: packed, region: {low: [-0.1, 0], high: "
                     "[0.1, 0.4]}, "
                     "sizes: {kind: uniform, min: 3.5 mm, max: 5 mm}, count: 1000, seed: 1}\n"
                     "boundaries:\n  floor: {shape: plane, material: grain}\n" SOLVER;

static const char drum[] =
    HEAD_2D("1 ms", "0.8 s") "laws:\n  - {law: coulomb, parameters: {mu: 0.5}}\n"
                             "grains:\n  - {material: grain, place: random, region: {shape: "
                             "sphere, centre: [0, 0], "
                             "radius: 0.24}, sizes: {kind: uniform, min: 5 mm, max: 8 mm}, "
                             "fraction: 0.45, seed: 1}\n"
                             "boundaries:\n  drum: {shape: cylinder, inside: true, material: "
                             "grain, radius: [0.25], "
                             "spin: [0, 0, \"2*pi/10\"]}\n" SOLVER;

/* Smooth walls, one pressed by half as much again as the other, no gravity. */
#define BIAXIAL(law)                                                                               \
  "dimension: 2\ntime: {step: 1 ms, end: 0.5 s}\ndrag: 5\n"                                        \
  "materials:\n  disk: {density: 2500}\n  wall: {density: 7800}\n"                                 \
  "laws:\n  - {" law "}\n  - {law: signorini, between: [disk, wall]}\n"                            \
  "grains:\n  - {material: disk, place: packed, region: {low: [0, 0], high: [0.4, 0.4]}, "         \
  "sizes: {kind: uniform, min: 3.5 mm, max: 5 mm}, count: 1600, seed: 1}\n"                        \
  "boundaries:\n"                                                                                  \
  "  left: {shape: plane, material: wall, position: [0, 0], axis: [1, 0]}\n"                       \
  "  bottom: {shape: plane, material: wall, position: [0, 0], axis: [0, 1]}\n"                     \
  "  right: {shape: plane, material: wall, position: [0.4, 0], axis: [-1, 0], "                    \
  "servo: {pressure: 1 kPa, across: [bottom, top], mass: 50, damping: 300}}\n"                     \
  "  top: {shape: plane, material: wall, position: [0, 0.4], axis: [0, -1], servo: {pressure: "    \
  "\"1000*(1 + 0.5*ramp(t,0.25,0.3))\", across: [left, right], mass: 50, damping: 300}}\n" SOLVER

static const char silo[] =
    "time: {step: 0.5 ms, end: 0.6 s, scheme: euler}\ngravity: [0, 0, -9.81]\n"
    "materials:\n  grain: {density: 2500}\n  steel: {density: 7800}\n"
    "laws:\n  - {law: coulomb, parameters: {mu: 0.2, rho: 0, tau: 1}}\n"
    "grains:\n  - {material: grain, place: random, region: {shape: cylinder, centre: [0, 0, 0.27], "
    "radius: 6 cm, height: 17 cm}, sizes: {kind: fixed, radius: 5 mm}, count: 1000, seed: 1}\n"
    "boundaries:\n"
    "  bin: {shape: cylinder, inside: true, open: [\"+z\"], material: steel, depth: 5 mm, "
    "position: [0, 0, 0.06], length: [0.12], radius: [0.1]}\n"
    "  wall: {shape: cylinder, inside: true, open: [\"-z\", \"+z\"], material: steel, depth: 5 mm, "
    "position: [0, 0, 0.45], length: [0.4], radius: [0.06]}\n"
    "  hopper: {shape: frustum, inside: true, open: [\"-z\", \"+z\"], material: steel, depth: "
    "5 mm, position: [0, 0, 0.225], length: [0.05], radius: [0.02, 0.06]}\n"
    "  gate: {shape: plate, material: steel, position: [0, 0, 0.198], radius: [0, 0.03], "
    "displacement: [\"0.2*ramp(t,0.4,0.5)\", 0, 0]}\n" SOLVER;

static const char vibrated[] = HEAD_3D(
    "0.5 ms",
    "0.25 s") "laws:\n  - {law: coulomb, parameters: {mu: 0.5, rho: 0.3}}\n"
              "grains:\n  - {material: grain, place: rain, region: {low: [0, 0, 0], high: [18 mm, "
              "18 mm, "
              "10 cm]}, sizes: {kind: shares, values: [0.8 mm, 0.9 mm, 1 mm], shares: [1, 1, 1]}, "
              "count: 960, seed: 1}\n"
              "boundaries:\n  box: {shape: box, inside: true, open: [\"+z\"], material: grain, "
              "depth: 2 mm, "
              "position: [9 mm, 9 mm, 10 cm], length: [18 mm, 18 mm, 20 cm], displacement: [0, 0, "
              "\"1e-3*sin(2*pi*28*t)\"]}\n" SOLVER;

static const AppMember members[] = {
    {.name = "deposit-2000",
     .summary = "spheres settled in an open box",
     .seed = 1,
     .deck = DEPOSIT("900"),
     .step = 250},
    {.name = "deposit-5000",
     .summary = "spheres settled in an open box",
     .seed = 1,
     .deck = DEPOSIT("2250"),
     .step = 250},
    {.name = "deposit-10000",
     .summary = "spheres settled in an open box",
     .seed = 1,
     .deck = DEPOSIT("4400"),
     .step = 250},
    {.name = "deposit-20000",
     .summary = "spheres settling in an open box",
     .seed = 1,
     .deck = DEPOSIT("9000"),
     .step = 250},
    {.name = "packing-2000-2d",
     .summary = "disks of many sizes that fall into a box",
     .seed = 1,
     .sample = "disks:1000:seed=1"},
    {.name = "packing-20000",
     .summary = "spheres of many sizes that fall into a box",
     .seed = 1,
     .sample = "box:9400:seed=1"},
    {.name = "packing-50000-2d",
     .summary = "disks of many sizes that fall into a box",
     .seed = 1,
     .sample = "disks:23400:seed=1"},
    {.name = "wall-18",
     .summary = "bricks in running bond, ground tilted",
     .seed = 1,
     .sample = "wall:18:seed=1"},
    {.name = "wall-40",
     .summary = "bricks in running bond, ground tilted",
     .seed = 1,
     .sample = "wall:40:seed=1"},
    {.name = "pile-10",
     .summary = "a pyramid of cannon balls",
     .seed = 1,
     .sample = "pile:10:seed=1"},
    {.name = "heap-2d",
     .summary = "a column of disks that runs out",
     .seed = 1,
     .deck = heap,
     .step = 400},
    {.name = "drum-2d",
     .summary = "disks in a drum that turns",
     .seed = 1,
     .deck = drum,
     .step = 800},
    {.name = "biaxial-2d",
     .summary = "disks between walls with two pressures",
     .seed = 1,
     .deck = BIAXIAL("law: coulomb, parameters: {mu: 0.5}"),
     .step = 500},
    {.name = "silo", .summary = "spheres that leave a silo", .seed = 1, .deck = silo, .step = 1200},
    {.name = "vibrated",
     .summary = "three sizes of beads in a shaken box, with restitution",
     .seed = 1,
     .deck = vibrated,
     .step = 500},
    {.name = "rolling",
     .summary = "spheres with resistance to rolling",
     .seed = 1,
     .sample = "rolling:400:seed=1"},
    {.name = "torsion",
     .summary = "spheres with resistance to rolling and torsion",
     .seed = 1,
     .sample = "torsion:300:seed=1"},
    {.name = "rolling-2d",
     .summary = "disks with resistance to rolling",
     .seed = 1,
     .sample = "rolling-disks:600:seed=1"},
    {.name = "cohesive",
     .summary = "a deposit whose grains stick together",
     .seed = 1,
     .deck = DEPOSIT_OF("law: [coulomb, cohesive], parameters: {coulomb: {mu: 0.5}, cohesive: "
                        "{F_C: 30 mN, d_C: 50 um}}",
                        "900"),
     .step = 250},
    {.name = "elastic",
     .summary = "a deposit of soft grains: compliance on the diagonal of W",
     .seed = 1,
     .deck = DEPOSIT_OF("law: elastic, parameters: {k: 1e4, mu: 0.5}", "900"),
     .step = 250},
    {.name = "dilatant-2d",
     .summary = "a biaxial test whose contacts open as they slide",
     .seed = 1,
     .deck = BIAXIAL("law: dilatant, parameters: {mu: 0.5, dilatancy: 0.2}"),
     .step = 500},
};

const AppMember *app_set_members(int *count) {
  *count = DLS_COUNT(members);
  return members;
}
