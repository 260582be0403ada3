/* input/cook.yaml, quasi-static: the middle of the right side rises as 8 x 8 cells of Q4 have it,
 * on the way to the published 23.96; cook.py has the table and the orders. */
#include "tests/decks.h"

#include <math.h>

#include "world/deformable.h"

TEST(cooks_membrane_rises) {
  TestDeck deck;
  test_deck_open(&deck, "cook.yaml", (const char *[]){NULL});
  test_deck_run(&deck, 1);
  const DlsWorld *world = deck.simulation->world;
  const DlsLedger *e = &deck.simulation->state.ledger;
  double rise = 0, best = INFINITY;
  const DlsDeformable *d = &world->deformable.item[0];
  const DlsDeformableMesh *mesh = d->kind->mesh(d->model);
  for (int a = 0; a < mesh->nodes; a++) {
    const double off = fabs(mesh->X[a][0] - 48) + fabs(mesh->X[a][1] - 52);
    if (off < best) best = off, rise = world->deformable.state[d->state + 2 * a + 1];
  }
  CHECK_NEAR(best, 0, 1e-9);
  CHECK_NEAR(rise, 23.96, 0.1 * 23.96); /* Q4 of 8 x 8 is 8 % too stiff, in the energy too */
  /* One step: the work of the load at its end is twice the strain energy. */
  CHECK_NEAR(e->force, 2 * e->strain, 1e-9 * e->strain);
  test_deck_close(&deck);
}
