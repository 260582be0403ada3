/* A cell that a stress drives: input/cell-stress.yaml, disks without friction that jam. The stress
 * of the contacts, by their arms, becomes the one that was asked for and stays. Such a packing is
 * isostatic: as many forces as there are ways to move, two of each disk that bears anything, less
 * two of the whole, and two edges. In short 60 of the disks. */
#include "tests/decks.h"

#include "post/fabric.h"

#include <math.h>

static const DlsProbe everywhere = {.kind = DLS_PROBE_ALL};

static void check_stress(TestDeck *deck, double asked) {
  DlsAverage average;
  DlsFabric fabric;
  test_deck_take(deck);
  CHECK_OK(dls_average(&deck->packing, &everywhere, DLS_AVERAGE_CENTRES, &average));
  CHECK_OK(dls_fabric(&deck->packing, &everywhere, &fabric));
  int bearing = 0;
  int32_t *number = calloc((size_t)deck->packing.grains + 1, sizeof *number);
  CHECK(number != NULL);
  if (!number) return;
  dls_fabric_grains(&deck->packing, number, NULL);
  for (int i = 0; i < deck->packing.grains; i++) bearing += number[i] > 0;
  free(number);
  if (getenv("SHOW"))
    printf("t = %.2f s: %.3f and %.3f Pa, %d forces on %d disks, solid %.4f\n",
           deck->simulation->state.time, average.stress[0], average.stress[4], fabric.contacts,
           bearing, average.solid);
  CHECK_NEAR(average.stress[0], asked, 1e-3 * fabs(asked));
  CHECK_NEAR(average.stress[4], asked, 1e-3 * fabs(asked));
  CHECK_INT(fabric.contacts, 2 * bearing);
}

TEST(a_packing_comes_to_the_stress_that_drives_its_cell_and_stays) {
  TestDeck deck;
  const bool whole = getenv("DELASSUS_LONG") != NULL;
  const char *const sets[] = {whole ? "grains[0].count=150" : "grains[0].count=60",
                              whole ? "cell.low=[0, 0]" : "cell.high=[0.13, 0.13]",
                              whole ? "cell.mass=50" : "grains[0].region.high=[0.13, 0.13]", NULL};
  test_deck_open(&deck, "cell-stress.yaml", sets);
  test_deck_run(&deck, 1.5);
  check_stress(&deck, -1000);
  const double edge = deck.simulation->world->cell.edge[0][0];
  test_deck_run(&deck, 2);
  check_stress(&deck, -1000);
  CHECK_NEAR(deck.simulation->world->cell.edge[0][0], edge, 1e-6 * edge);
  CHECK_NEAR(deck.simulation->state.ledger.balance, 0,
             1e-10 * deck.simulation->state.ledger.boundary);
  CHECK(deck.simulation->state.ledger.boundary > 0);
  CHECK_INT(deck.simulation->state.unconverged, 0);
  test_deck_close(&deck);
}
