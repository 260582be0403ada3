/* The bar of input/bar-on-wall.yaml as a solid of steel (Code_Aster SDNV100, V5.03.100): E = 200
 * GPa, nu = 0, rho = 8000 kg/m3, 0.2 m long, 20 mm wide, 100 m/s, 2 mm above the wall. c = 5000
 * m/s: from t = 20 us for 2 L / c = 80 us the wall feels rho c v = 4 GPa; no energy is lost. */
#include "tests/decks.h"

#include "world/deformable.h"

#include <math.h>

TEST(a_solid_bar_of_steel_rebounds) {
  const double area = 0.02 * 0.02, known = 4e9, lasts = 80e-6;
  TestDeck deck;
  test_deck_open(
      &deck, "bar-on-wall.yaml",
      (const char *[]){
          "dimension=3", "gravity=[0, 0, 0]", "time.step=0.2e-6", "time.end=150e-6",
          "materials.bar.density=8000", "boundaries.floor.axis=[0, 0, 1]",
          "bodies[0].position=[0, 0, 0.102]", "bodies[0].velocity=[0, 0, -100]",
          "bodies[0].deformable.mesh={kind: bar, size: [0.2, 0.02, 0.02], cells: [100, 1, 1]}",
          "bodies[0].deformable.bulk.parameters.young=200e9", NULL});
  const DlsWorld *world = deck.simulation->world;
  const double start = dls_world_kinetic_energy(world), h = deck.simulation->settings.h;
  double begin = -1, end = 0, sum = 0;
  int count = 0;
  dls_simulation_recount(deck.simulation);
  while (deck.simulation->state.time < 150e-6 - h / 2) {
    const double before = world->velocity[0][2], t = deck.simulation->state.time;
    CHECK_OK(dls_scene_step(deck.scene));
    const double p = (world->velocity[0][2] - before) * world->mass[0] / h / area;
    if (p > 0.1 * known && begin < 0) begin = t;
    if (p > 0.1 * known) end = t + h;
    if (t > 27e-6 && t < 92e-6) sum += p, count++;
  }
  const double left = dls_world_kinetic_energy(world) + dls_world_strain_energy(world);
  if (getenv("SHOW"))
    printf("%.4g GPa from %.2f us for %.2f us, energy %.5f\n", 1e-9 * sum / count, 1e6 * begin,
           1e6 * (end - begin), left / start);
  CHECK_NEAR(sum / count, known, 0.01 * known);
  CHECK_NEAR(begin, 20e-6, 0.01 * lasts);
  CHECK_NEAR(end - begin, lasts, 0.02 * lasts);
  CHECK_NEAR(left, start, 1e-3 * start);
  test_deck_close(&deck);
}
