/* Disks in a row without friction or rebound (input/sticky-row.yaml; Maury, slides 19 to 21): the
 * discrete pressureless gas, against sticky blocks that an event-driven program of its own joins,
 * with steps from 1 ms to 1 s; and a long row against the two macroscopic models of slides 75 and
 * 76.
 *
 * Constraints of a row are linear in the places, so that D + h G u >= 0 is the gap after the step,
 * exactly. Where two blocks meet within the step they are laid side by side at its end, with the
 * centre of mass that momentum gives: that is where the exact motion has them. What is left is what
 * the solver leaves, 1e-12 of the speed in each step. */
#include "tests/decks.h"

enum { MOST = 400 };

/* A block: disks first .. last, its mass, momentum and centre of mass. */
typedef struct {
  int first, last;
  double mass, momentum, centre, half;
} Block;

typedef struct {
  int count, blocks;
  double time, radius[MOST], mass[MOST];
  Block block[MOST];
} Oracle;

static void oracle_open(Oracle *o, const DlsWorld *world) {
  *o = (Oracle){.count = world->count, .blocks = world->count};
  for (int i = 0; i < world->count; i++) {
    o->radius[i] = world->element[world->first[i]].radius;
    o->mass[i] = world->mass[i];
    o->block[i] = (Block){
        i, i, o->mass[i], o->mass[i] * world->velocity[i][0], world->position[i][0], o->radius[i]};
  }
}

static double speed(const Block *b) { return b->momentum / b->mass; }

/* Centre of mass of blocks of equal disks side by side is their middle. */
static double gap_of(const Block *a, const Block *b) {
  return b->centre - b->half - a->centre - a->half;
}

static void oracle_run(Oracle *o, double until) {
  for (;;) {
    double soonest = until - o->time;
    int which = -1;
    for (int k = 0; k + 1 < o->blocks; k++) {
      const Block *a = &o->block[k], *b = &o->block[k + 1];
      const double closing = speed(a) - speed(b), wait = gap_of(a, b) / closing;
      if (closing > 0 && wait <= soonest) soonest = wait, which = k;
    }
    for (int k = 0; k < o->blocks; k++) o->block[k].centre += soonest * speed(&o->block[k]);
    o->time += soonest;
    if (which < 0) return;
    Block *a = &o->block[which], *b = a + 1;
    const double mass = a->mass + b->mass;
    a->centre = (a->mass * a->centre + b->mass * b->centre) / mass;
    a->half += b->half;
    a->mass = mass, a->momentum += b->momentum, a->last = b->last;
    memmove(b, b + 1, (size_t)(o->blocks - which - 2) * sizeof *b);
    o->blocks--;
  }
}

/* m: the largest distance of a disk from where the oracle has it. */
static double oracle_error(const Oracle *o, const DlsWorld *world) {
  double worst = 0;
  for (int k = 0; k < o->blocks; k++) {
    double x = o->block[k].centre - o->block[k].half;
    for (int i = o->block[k].first; i <= o->block[k].last; i++) {
      x += o->radius[i];
      worst = fmax(worst, fabs(world->position[i][0] - x));
      x += o->radius[i];
    }
  }
  return worst;
}

static double least_gap(const DlsWorld *world) {
  double least = INFINITY;
  for (int i = 0; i + 1 < world->count; i++)
    least = fmin(least, world->position[i + 1][0] - world->position[i][0] -
                            world->element[world->first[i]].radius -
                            world->element[world->first[i + 1]].radius);
  return least;
}

TEST(a_row_sticks_as_blocks_do_however_long_the_step) {
  static const char *const steps[] = {"1e-3", "1e-2", "0.1", "0.5", "1"};
  for (int k = 0; k < DLS_COUNT(steps); k++) {
    char set[64];
    const char *const sets[] = {set, NULL};
    TestDeck deck;
    Oracle oracle;
    snprintf(set, sizeof set, "time.step=%s", steps[k]);
    test_deck_open(&deck, "sticky-row.yaml", sets);
    const DlsWorld *world = deck.simulation->world;
    double worst = 0, least = INFINITY;
    oracle_open(&oracle, world);
    while (deck.simulation->state.time < 3 - 1e-9) {
      CHECK_OK(dls_scene_step(deck.scene));
      oracle_run(&oracle, deck.simulation->state.time);
      worst = fmax(worst, oracle_error(&oracle, world));
      least = fmin(least, least_gap(world));
    }
    if (getenv("DELASSUS_SHOW"))
      printf("h = %s s: %.2g m from the sticky blocks, least gap %.2g m, %d blocks at the end\n",
             steps[k], worst, least, oracle.blocks);
    CHECK(oracle.blocks > 1 && oracle.blocks < 10); /* most have met, and some are left to meet */
    CHECK_BELOW(worst, 1e-10);
    CHECK(least > -1e-10);
    CHECK_INT(deck.simulation->state.unconverged, 0);
    test_deck_close(&deck);
  }
}

/* A gas that fills the share rho of the line runs together from both sides at the speed u. The
 * model of slide 75 (mass per length 1 where rho = 1) has the solution: saturated and at rest up to
 *   |x| = s t,  s = rho u / (1 - rho),  with the pressure p = rho u (u + s) = u s
 * and that of slide 76, where gamma sums the pressure up, gamma = -p (t - |x| / s). Pulled apart by
 * the acceleration a after the last disk has come, at the time T, p = -a (s T - |x|): gamma is 0
 * everywhere at once, u / a later, and the two halves, on each of which the pull is the same
 * everywhere, part.
 * A row of N disks a side is that gas to one disk: its front is a step, its impulses count
 * disks. */
enum { KEPT = 100000 };

typedef struct {
  double front, impulse; /* largest error, as shares of the block and of the largest impulse */
  double released;       /* s, after the pull began: when the halves parted */
  double left;           /* the largest impulse that a contact had in all by then, likewise */
} Gas;

static const double a = 1.9; /* m/s2, the pull; u / a is no multiple of the step */

static Gas gas(int side, const char *law, double h) {
  const double rho = 0.5, u = 1, length = 1, d = length / side;
  const double s = rho * u / (1 - rho), T = length / s, full = T + 2 * h, end = full + u / a + 0.2;
  char *text = malloc(KEPT);
  Gas out = {.released = -1};
  TestDeck deck;
  if (!text) exit(1);
  int at = snprintf(text, KEPT,
                    "dimension: 2\n"
                    "time: {step: %.17g, end: %.17g, scheme: euler}\n"
                    "materials: {left: {}, right: {}}\n"
                    "laws: [{law: %s}]\n"
                    "solver: {tolerance: 1e-11}\n"
                    "loads:\n"
                    "  - {material: left, acceleration: [-%g, 0], from: %.17g}\n"
                    "  - {material: right, acceleration: [%g, 0], from: %.17g}\n"
                    "bodies:\n",
                    h, end, law, a, full, a, full);
  for (int i = -side; i < side; i++)
    at += snprintf(text + at, (size_t)(KEPT - at),
                   "  - {material: %s, radius: %.17g, mass: %.17g, position: [%.17g, 0], "
                   "velocity: [%g, 0], fixed: [y, turn_z]}\n",
                   i < 0 ? "left" : "right", 0.5 * d, d, (i + 0.5) * d / rho, i < 0 ? u : -u);
  test_deck_parse(&deck, text);
  free(text);
  DlsSimulation *sim = deck.simulation;
  double impulse[MOST] = {0};
  while (sim->state.time < end - 0.5 * h) {
    CHECK_OK(dls_scene_step(deck.scene));
    const double t = sim->state.time;
    const DlsAssembly *assembly = &sim->last.assembly;
    for (int c = 0; c < assembly->step.count; c++) {
      const int n = assembly->step.in_set[c];
      const int i = sim->last.contacts.candidate[n], j = sim->last.contacts.antagonist[n];
      impulse[i < j ? i : j] += assembly->solve.r[c * assembly->run.block];
    }
    if (t <= T) {
      int still = 0;
      for (int i = 0; i < 2 * side; i++) still += fabs(sim->world->velocity[i][0]) < 0.01 * u;
      out.front = fmax(out.front, fabs(0.5 * still * d - s * t) / length);
      for (int i = 0; i + 1 < 2 * side; i++) {
        const double x = (i + 1 - side) * d, exact = u * s * fmax(0, t - fabs(x) / s);
        out.impulse = fmax(out.impulse, fabs(impulse[i] - exact) / (u * s * T));
      }
    }
    const double middle = sim->world->position[side][0] - sim->world->position[side - 1][0] - d;
    if (t > full && middle > 1e-9 * d && out.released < 0) {
      out.released = t - h - full;
      for (int i = 0; i + 1 < 2 * side; i++)
        out.left = fmax(out.left, fabs(impulse[i]) / (u * s * T));
    }
  }
  CHECK_INT(sim->state.unconverged, 0);
  test_deck_close(&deck);
  return out;
}

TEST(a_long_row_is_the_macroscopic_gas_and_its_pressure) {
  static const char *const laws[] = {"signorini", "gluey"};
  for (int k = 0; k < DLS_COUNT(laws); k++)
    for (int side = 8; side <= 32; side *= 2) {
      const double h = 1.0 / 256;
      const Gas g = gas(side, laws[k], h);
      if (getenv("DELASSUS_SHOW"))
        printf("%s, %d disks a side: front %.3g, impulses %.3g of the largest, let go %.4f s after "
               "the pull began, with %.2g of the impulse left\n",
               laws[k], side, g.front, g.impulse, g.released, g.left);
      /* One disk, and what comes within a step is at rest a step later. */
      CHECK_BELOW(g.front, 1.0 / side + 2 * h);
      CHECK_BELOW(g.impulse, 1.0 / side + 2 * h);
      /* Dry ones part at once, glued ones when what had pressed them is pulled back, all of
       * them. */
      CHECK_NEAR(g.released, k == 0 ? 0 : 1 / a, 2 * h);
      CHECK_NEAR(g.left, k == 0 ? 1 : 0, 1.0 / side + 2 * h);
    }
}
