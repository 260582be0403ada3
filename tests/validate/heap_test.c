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

TEST(a_heap_presses_on_its_floor_with_its_weight) {
  static const char *const sets[] = {"sources[0].until=1.2 s", NULL};
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
