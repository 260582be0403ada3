/* Rolling friction holds a heap of spheres on a flat plane (Brendel, Unger and Wolf 2004, sec.
 * 1.7): input/rolling-heap.yaml, 150 spheres of 4 to 5 mm.
 *
 * With it the heap is at rest and several layers high. Without it nothing holds a sphere that rolls
 * on a plane: the spheres run apart until one layer is left, which keeps moving. One layer: every
 * sphere is on the floor, and none is higher than its own diameter. */
#include "tests/decks.h"

typedef struct {
  int grains, on_floor;
  double top, largest; /* m: of the heap; diameter of the largest sphere */
  double moving;       /* N over the weight: sum of m |a| */
  double speed, own;   /* m/s: root mean square; that of a fall from one radius, sqrt(2 g r) */
} Heap;

static Heap heap_of(double ratio) {
  char roll[80], torsion[80];
  Heap heap = {0};
  TestDeck deck;
  double weight = 0, squares = 0, radius = 0;
  snprintf(roll, sizeof roll, "laws[0].parameters.rolling.roll_ratio=%g", ratio);
  snprintf(torsion, sizeof torsion, "laws[0].parameters.rolling.torsion_ratio=%g", ratio);
  const char *const sets[] = {roll, torsion, NULL};
  test_deck_open(&deck, "rolling-heap.yaml", sets);
  test_deck_run(&deck, 2);
  test_deck_take(&deck);
  const DlsPacking *g = &deck.packing;
  for (int i = 0; i < g->grains; i++) {
    const double own = -g->mass[i] * g->gravity[2], *v = g->velocity[i], *f = g->resultant[i];
    heap.grains++;
    heap.top = fmax(heap.top, g->centre[i][2] + g->radius[i]);
    heap.largest = fmax(heap.largest, 2 * g->radius[i]);
    heap.on_floor += g->centre[i][2] < 1.05 * g->radius[i];
    heap.moving += sqrt(f[0] * f[0] + f[1] * f[1] + pow(f[2] - own, 2));
    squares += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    radius += g->radius[i] / g->grains;
    weight += own;
  }
  heap.moving /= weight;
  heap.speed = sqrt(squares / heap.grains);
  heap.own = sqrt(-2 * g->gravity[2] * radius);
  if (getenv("SHOW"))
    printf(
        "ratio %g: %d spheres, %d on the floor, %.1f mm high, %.3g m/s, m |a| %.2g of the weight\n",
        ratio, heap.grains, heap.on_floor, 1e3 * heap.top, heap.speed, heap.moving);
  CHECK_INT(deck.simulation->state.unconverged, 0);
  test_deck_close(&deck);
  return heap;
}

TEST(rolling_friction_holds_a_heap_of_spheres_on_a_plane) {
  const Heap held = heap_of(0.2), loose = heap_of(0);
  CHECK_INT(held.grains, 150);
  CHECK_INT(loose.grains, 150);
  CHECK(held.top > 2 * held.largest); /* at least a third layer */
  CHECK(held.on_floor < held.grains);
  CHECK_BELOW(held.moving, 1e-2);
  CHECK_BELOW(held.speed, 1e-3 * held.own);
  CHECK_INT(loose.on_floor, loose.grains);
  CHECK_BELOW(loose.top, 1.05 * loose.largest);
  CHECK(loose.speed > 0.1 * loose.own);
}
