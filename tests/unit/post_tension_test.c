/* Pulls and pushes of contacts that are known. */
#include "tests/test.h"

#include "post/tension.h"

static const DlsProbe everywhere = {.kind = DLS_PROBE_ALL};

/* Three push along x, 1, 2 and 6 N, one pulls along y by 2 N, one by 9 N, one carries nothing; the
 * mean of |f| is 4 N. */
TEST(pulls_are_told_from_pushes) {
  const double force[] = {1, 2, 6, -2, -9, 0};
  enum { COUNT = sizeof force / sizeof *force };
  DlsPacking g = {0};
  DlsTension t;
  CHECK_OK(dls_packing_reserve(&g, 1, COUNT));
  g.dim = 2;
  for (int c = 0; c < COUNT; c++) {
    g.antagonist[c] = -1;
    g.normal_force[c] = force[c];
    g.normal[c][force[c] < 0] = 1;
  }
  dls_tension(&g, &everywhere, &t);
  CHECK_INT(t.push, 3);
  CHECK_INT(t.pull, 2);
  CHECK_NEAR(t.share, 0.4, 0);
  CHECK_NEAR(t.mean, 4, 1e-15);
  CHECK_NEAR(t.mean_push, 3, 1e-15);
  CHECK_NEAR(t.mean_pull, 5.5, 1e-15);
  CHECK_NEAR(t.strongest, 9, 0);
  CHECK_NEAR(t.push_fabric[0], 1, 1e-15);
  CHECK_NEAR(t.pull_fabric[4], 1, 1e-15);
  CHECK_NEAR(t.push_fabric[4], 0, 0);
  double sum = t.beyond;
  for (int k = 0; k < DLS_TENSION_BINS; k++)
    sum += t.width * (t.push_density[k] + t.pull_density[k]);
  CHECK_NEAR(sum, 1, 1e-14);
  CHECK_NEAR(t.pull_density[2] * t.width, 0.2, 1e-15); /* 2/4 in the bin from 0.5 */
  CHECK_NEAR(t.pull_density[9] * t.width, 0.2, 1e-15); /* 9/4 in the bin from 2.25 */
  CHECK_NEAR(t.push_density[6] * t.width, 0.2, 1e-15); /* 6/4 in the bin from 1.5 */
  dls_packing_clear(&g);
}

/* Nothing to tell: no numbers but zeros. */
TEST(no_contact_is_no_division_by_zero) {
  DlsPacking g = {0};
  DlsTension t;
  CHECK_OK(dls_packing_reserve(&g, 1, 1));
  dls_tension(&g, &everywhere, &t);
  CHECK(t.share == 0 && t.mean == 0 && t.mean_pull == 0 && t.beyond == 0);
  dls_packing_clear(&g);
}
