/* A schema that uses every kind of row, and a deck of it, for the tests of this room. */
#ifndef DELASSUS_TESTS_DECK_SAMPLE_H
#define DELASSUS_TESTS_DECK_SAMPLE_H

#include <string.h>

#include "deck/deck.h"

typedef struct {
  char *name;
  double density, mu;
  int colour;
} Material;

static const DlsDeckRow material_rows[] = {
    DLS_DECK_NAME_ROW(Material, name),
    DLS_DECK_REAL_ROW(Material, density, "kg/m3", DLS_DECK_REQUIRED, DLS_DECK_POSITIVE,
                      DLS_DECK_FREE, "mass of a volume"),
    DLS_DECK_REAL_ROW(Material, mu, "1", "0.3", 0, DLS_DECK_FREE, "friction coefficient"),
    DLS_DECK_CHOICE_ROW(Material, colour, "red|green|blue", "green", "colour in pictures"),
};
static const DlsDeckSection material_section = {.name = "material",
                                                .rows = material_rows,
                                                .count = DLS_COUNT(material_rows),
                                                .bytes = sizeof(Material)};

typedef struct {
  DlsExpression *velocity[3];
  DlsExpression *angle;
} Motion;

static const DlsDeckRow motion_rows[] = {
    DLS_DECK_EXPRESSIONS_ROW(Motion, velocity, "m/s", "[0, 0, 0]", 2, 3, "velocity imposed"),
    DLS_DECK_EXPRESSION_ROW(Motion, angle, "rad", DLS_DECK_OPTIONAL, "angle imposed"),
};
static const DlsDeckSection motion_section = {.name = "motion",
                                              .rows = motion_rows,
                                              .count = DLS_COUNT(motion_rows),
                                              .bytes = sizeof(Motion)};

typedef struct {
  const DlsDeckNode *place;
  double radius, mass;
  double position[3];
  char *material;
  Motion *motion;
  DlsDeckStrings fixed;
  bool visible;
} Body;

static const DlsDeckRow body_rows[] = {
    DLS_DECK_PLACE_ROW(Body, place),
    DLS_DECK_REAL_ROW(Body, radius, "m", DLS_DECK_REQUIRED, DLS_DECK_POSITIVE, 1e3, "radius"),
    DLS_DECK_REAL_ROW(Body, mass, "kg", DLS_DECK_OPTIONAL, DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "mass, else by the density"),
    DLS_DECK_VECTOR_ROW(Body, position, "m", "[0, 0, 0]", 2, 3, "centre at t = 0"),
    DLS_DECK_STRING_ROW(Body, material, "rock", "name of its material"),
    DLS_DECK_SECTION_ROW(Body, motion, DLS_DECK_POINTER, DLS_DECK_OPTIONAL, &motion_section,
                         "imposed motion"),
    {DLS_DECK_ROW(Body, fixed, DLS_DECK_STRINGS, DLS_DECK_OPTIONAL, "freedoms that are held"),
     .choices = "x|y|z|rx|ry|rz"},
    DLS_DECK_BOOL_ROW(Body, visible, "true", "drawn in pictures"),
};

static void check_body(DlsDeck *deck, const DlsDeckNode *node, void *data) {
  const Body *body = data;
  if (body->mass > 1e6)
    dls_deck_problem(deck, node, "mass", "%g kg is more than a mountain; check the unit",
                     body->mass);
}
static const DlsDeckSection body_section = {.name = "body",
                                            .meaning = "A sphere.",
                                            .rows = body_rows,
                                            .count = DLS_COUNT(body_rows),
                                            .bytes = sizeof(Body),
                                            .check = check_body};

typedef struct {
  double step, end;
} Time;

static const DlsDeckRow time_rows[] = {
    DLS_DECK_REAL_ROW(Time, step, "s", DLS_DECK_REQUIRED, DLS_DECK_POSITIVE, DLS_DECK_FREE,
                      "length of a step"),
    DLS_DECK_REAL_ROW(Time, end, "s", "1", 0, DLS_DECK_FREE, "end of the run"),
};
static const DlsDeckSection time_section = {
    .name = "time", .rows = time_rows, .count = DLS_COUNT(time_rows), .bytes = sizeof(Time)};

typedef struct {
  double omega;
} GaussSeidel;
typedef struct {
  int restart;
} Newton;

static const DlsDeckRow gauss_seidel_rows[] = {
    DLS_DECK_REAL_ROW(GaussSeidel, omega, "1", "1", 0, 2, "relaxation"),
};
static const DlsDeckRow newton_rows[] = {
    DLS_DECK_INT_ROW(Newton, restart, "30", 1, 1e6, "directions kept"),
};
static const DlsDeckSection gauss_seidel_section = {
    .name = "nsgs", .rows = gauss_seidel_rows, .count = 1, .bytes = sizeof(GaussSeidel)};
static const DlsDeckSection newton_section = {
    .name = "newton", .rows = newton_rows, .count = 1, .bytes = sizeof(Newton)};

typedef struct {
  char *name;
  double tolerance;
  DlsDeckVariant options;
} Solver;

static DlsStatus choose_options(const void *data, const DlsDeckSection **out) {
  const Solver *solver = data;
  *out = strcmp(solver->name, "nsgs") == 0 ? &gauss_seidel_section : &newton_section;
  DLS_CHECK(strcmp(solver->name, "nsgs") == 0 || strcmp(solver->name, "newton") == 0,
            DLS_ERR_SOLVER, "there is no solver '%s'; there are nsgs, newton", solver->name);
  return DLS_OK;
}

static const DlsDeckRow solver_rows[] = {
    DLS_DECK_STRING_ROW(Solver, name, "nsgs", "the solver"),
    DLS_DECK_REAL_ROW(Solver, tolerance, "1", "1e-6", DLS_DECK_POSITIVE, 1, "of the error"),
    {DLS_DECK_ROW(Solver, options, DLS_DECK_VARIANT, DLS_DECK_OPTIONAL, "options of the solver"),
     .choose = choose_options},
};
static const DlsDeckSection solver_section = {.name = "solver",
                                              .rows = solver_rows,
                                              .count = DLS_COUNT(solver_rows),
                                              .bytes = sizeof(Solver)};

typedef struct {
  char *title, *table;
  int scheme, seed, counts[3];
  double frequency, spin;
  DlsExpression *gravity[3], *field;
  DlsDeckReals shares;
  Time time;
  Solver solver;
  DlsDeckList materials, bodies;
} Sample;

static const DlsDeckRow sample_rows[] = {
    DLS_DECK_STRING_ROW(Sample, title, "untitled", "what it is"),
    DLS_DECK_PATH_ROW(Sample, table, DLS_DECK_OPTIONAL, "a file with data"),
    DLS_DECK_CHOICE_ROW(Sample, scheme, "moreau|euler|first-order", "moreau", "time-stepping"),
    DLS_DECK_INT_ROW(Sample, seed, "1", 0, 1e9, "of the random numbers"),
    {DLS_DECK_ROW(Sample, counts, DLS_DECK_INTEGERS, DLS_DECK_OPTIONAL, "cells of the lattice"),
     .least = 2, .most = 3, .min = 1, .max = 1000},
    DLS_DECK_REAL_ROW(Sample, frequency, "Hz", "15", 0, DLS_DECK_FREE, "of the table"),
    DLS_DECK_REAL_ROW(Sample, spin, "rad/s", "0", 0, 0, "of the drum"),
    DLS_DECK_EXPRESSIONS_ROW(Sample, gravity, "m/s2", "[0, 0, -9.81]", 3, 3, "gravity"),
    {DLS_DECK_ROW(Sample, field, DLS_DECK_EXPRESSION, DLS_DECK_OPTIONAL, "a field in space"),
     .choices = "t|x|y"},
    {DLS_DECK_ROW(Sample, shares, DLS_DECK_REALS, DLS_DECK_OPTIONAL, "shares of the sizes"),
     .min = 0, .max = 1},
    DLS_DECK_SECTION_ROW(Sample, time, DLS_DECK_SECTION, DLS_DECK_REQUIRED, &time_section, "time"),
    DLS_DECK_SECTION_ROW(Sample, solver, DLS_DECK_SECTION, DLS_DECK_OPTIONAL, &solver_section,
                         "the contact solver"),
    DLS_DECK_SECTION_ROW(Sample, materials, DLS_DECK_MAP, DLS_DECK_OPTIONAL, &material_section,
                         "materials by name"),
    {DLS_DECK_ROW(Sample, bodies, DLS_DECK_LIST, DLS_DECK_REQUIRED, "the bodies"),
     .section = &body_section, .least = 1},
};
static const DlsDeckSection sample_section = {.name = "sample",
                                              .meaning = "A deck for tests.",
                                              .rows = sample_rows,
                                              .count = DLS_COUNT(sample_rows),
                                              .bytes = sizeof(Sample)};

/* Line numbers as the tests name them. */
static const char sample_text[] = "title: two spheres\n"                             /* 1 */
                                  "scheme: euler\n"                                  /* 2 */
                                  "seed: 7\n"                                        /* 3 */
                                  "counts: [4, 5]\n"                                 /* 4 */
                                  "frequency: 15 Hz\n"                               /* 5 */
                                  "spin: 60 rpm\n"                                   /* 6 */
                                  "gravity: [0, \"1.5e-3*sin(2*pi*15*t)\", -9.81]\n" /* 7 */
                                  "field: \"x*y + t\"\n"                             /* 8 */
                                  "shares: [0.25, 0.75]\n"                           /* 9 */
                                  "time:\n"                                          /* 10 */
                                  "  step: 0.5 ms\n"                                 /* 11 */
                                  "solver:\n"                                        /* 12 */
                                  "  name: newton\n"                                 /* 13 */
                                  "  options:\n"                                     /* 14 */
                                  "    restart: 50\n"                                /* 15 */
                                  "materials:\n"                                     /* 16 */
                                  "  rock: {density: 2500 kg/m3, mu: 0.7}\n"         /* 17 */
                                  "  steel: &steel\n"                                /* 18 */
                                  "    density: 7.8 g/cm3\n"                         /* 19 */
                                  "  iron: *steel\n"                                 /* 20 */
                                  "bodies:\n"                                        /* 21 */
                                  "  - radius: 5 mm\n"                               /* 22 */
                                  "    position: [1, 2 cm]\n"                        /* 23 */
                                  "    material: steel\n"                            /* 24 */
                                  "  - radius: 0.1\n"                                /* 25 */
                                  "    mass: 3 g\n"                                  /* 26 */
                                  "    fixed: [x, rz]\n"                             /* 27 */
                                  "    motion:\n"                                    /* 28 */
                                  "      velocity: [1 cm/s, 'step(t,0.5)']\n"        /* 29 */
                                  "      angle: 30 deg\n";                           /* 30 */

#endif
