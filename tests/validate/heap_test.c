/* A heap poured from a point (input/heap.yaml): the pressure on the floor adds up to the weight,
 * exactly; its shape and that of the heap are those of a triangle, to what the number of grains
 * allows.
 *
 * Of a triangle of half base L and height h, the mean height is h / 3 and the mean distance from
 * the middle L / 3: their ratio is the slope, told by all N grains to c / sqrt(N), c measured over
 * seeds (docs/validation.md). A free surface of grains without cohesion stands no flatter than the
 * internal friction of the material lets it, sin(phi) = 0.29 in a biaxial test of these disks
 * (input/strength.yaml), and no steeper than that of two grains on each other, mu = 0.6. */
#include "tests/decks.h"

#include "post/average.h"
#include "post/floor.h"

enum { STRIPS = 24 };

typedef struct {
  int grains;
  double weight, moving;    /* N: sum of m g, of m |a| */
  double resultant[2];      /* N, that contacts give to all grains */
  double middle, half_base; /* m: mean x; three times the mean distance from it */
  double slope;
} Heap;

static Heap shape_of(const DlsPacking *g, double foot) {
  Heap heap = {0};
  double height = 0, away = 0;
  for (int i = 0; i < g->grains; i++) {
    if (g->held[i]) continue;
    const double own = -g->mass[i] * g->gravity[1];
    heap.grains++;
    heap.weight += own;
    heap.moving += hypot(g->resultant[i][0], g->resultant[i][1] - own);
    heap.middle += own * g->centre[i][0];
    height += own * (g->centre[i][1] - foot);
    for (int k = 0; k < 2; k++) heap.resultant[k] += g->resultant[i][k];
  }
  heap.middle /= heap.weight;
  for (int i = 0; i < g->grains; i++)
    if (!g->held[i]) away -= g->mass[i] * g->gravity[1] * fabs(g->centre[i][0] - heap.middle);
  heap.half_base = 3 * away / heap.weight;
  heap.slope = height / away;
  return heap;
}

static void check_heap(const char *const *sets) {
  const double foot = 4e-3, sin_phi = 0.29, mu = 0.6, c = 0.8; /* foot: top of the fixed disks */
  const DlsProbe all = {.kind = DLS_PROBE_ALL};
  DlsFloorGrid grid;
  DlsFloorPart strip[STRIPS];
  TestDeck deck;
  double load = 0, shear = 0, inner = 0, contacts = 0;
  test_deck_open(&deck, "heap.yaml", sets);
  test_deck_run(&deck, 2.6);
  test_deck_take(&deck);
  const Heap heap = shape_of(&deck.packing, foot);
  CHECK_INT(heap.grains, 312); /* none has fallen over the edge */
  CHECK_OK(dls_floor_grid(&deck.packing, &all, 'x', STRIPS, NULL, &grid));
  dls_floor(&deck.packing, &grid, strip);
  for (int n = 0; n < STRIPS; n++) {
    load += strip[n].pressure * strip[n].area;
    shear += strip[n].shear * strip[n].area;
    contacts += strip[n].contacts;
    if (fabs(strip[n].place - heap.middle) < heap.half_base / 2)
      inner += strip[n].pressure * strip[n].area;
  }
  CHECK_NEAR(load, heap.resultant[1], 1e-10 * heap.weight);
  CHECK_NEAR(shear, -heap.resultant[0], 1e-10 * heap.weight);
  CHECK_NEAR(load, heap.weight, heap.moving + 1e-10 * heap.weight);
  CHECK_BELOW(heap.moving, 0.05 * heap.weight);
  /* Three quarters of a triangle are within half of its base. Contacts bear the load in shares that
   * vary by their mean. */
  CHECK_NEAR(inner / load, 0.75, 3 * 0.75 / sqrt(contacts));
  const double error = 3 * c / sqrt(heap.grains);
  CHECK(heap.slope > sin_phi / sqrt(1 - sin_phi * sin_phi) * (1 - error));
  CHECK(heap.slope < mu * (1 + error));
  CHECK_BELOW(fabs(heap.middle), error * heap.half_base);
  CHECK_INT(deck.simulation->state.unconverged, 0);
  test_deck_close(&deck);
}

/* Moreau 2001, sec. 3.5: the force across a cut along the surface is vertical where that across an
 * upright cut is along the surface, since e . S n = n . S e for a symmetric stress. The mean stress
 * of the grains in one bank is symmetric up to the moments of what still turns:
 *   V (S_xy - S_yx) = -sum of J dw/dt,
 * told by their spins alone. The two sides are far from zero: e and n are not principal axes. */
TEST(the_two_cuts_of_a_bank_are_one_statement) {
  static const char *const sets[] = {"sources[0].until=1.2 s", NULL};
  TestDeck deck, before;
  DlsAverage mean;
  double turning = 0;
  test_deck_open(&deck, "heap.yaml", sets);
  test_deck_run(&deck, 2);
  before = deck;
  memset(&before.packing, 0, sizeof before.packing);
  test_deck_take(&before);
  CHECK_OK(dls_scene_step(deck.scene));
  test_deck_take(&deck);
  const DlsPacking *g = &deck.packing;
  const Heap heap = shape_of(g, 4e-3);
  DlsProbe bank = {.kind = DLS_PROBE_BOX, .low = {heap.middle, -1}, .high = {1, 1}};
  CHECK_OK(dls_average(g, &bank, DLS_AVERAGE_CENTRES, &mean));
  const double angle = atan(heap.slope), n[2] = {sin(angle), cos(angle)};
  const double along = mean.stress[0] * n[0] + mean.stress[1] * n[1]; /* e . S n */
  const double upright = n[0] * mean.stress[0] + n[1] * mean.stress[3];
  CHECK_INT(before.packing.grains, g->grains);
  for (int i = 0; i < g->grains; i++)
    if (!g->held[i] && dls_probe_holds(&bank, 2, g->centre[i]))
      turning += g->inertia[i][8] * (g->spin[i][2] - before.packing.spin[i][2]) / g->h;
  if (getenv("SHOW"))
    printf("%d grains: %.9g, %.9g, turning %.9g Pa\n", mean.grains, along, upright,
           turning / mean.volume * n[1]);
  CHECK_NEAR(upright - along, turning / mean.volume * n[1], 1e-9 * fabs(mean.stress[4]));
  CHECK(fabs(along) > 10 * fabs(upright - along));
  dls_packing_clear(&before.packing);
  test_deck_close(&deck);
}

TEST(a_heap_presses_on_its_floor_with_its_weight) {
  static const char *const sets[] = {"sources[0].until=1.2 s", NULL};
  check_heap(sets);
}

/* The same by another scheme, whose positions are corrected after each step. */
TEST(a_heap_of_corrected_positions_is_the_same_heap) {
  static const char *const sets[] = {"sources[0].until=1.2 s", "time.scheme=euler",
                                     "time.correction=project", NULL};
  check_heap(sets);
}
