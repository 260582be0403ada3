/* Fixed points that a map draws near slowly are found in as many rounds as it has directions, and
 * one more; a map that changes on the way is no harm. */
#include "step/mixing.h"
#include "tests/test.h"

#include <math.h>

enum { N = 40 };

/* g(x) = x* + rate (x - x*), 1 - `slow` along three directions of ten, 0 along the others. */
static void map(double slow, const double *x, double *out) {
  for (int i = 0; i < N; i++) {
    const double rate = i < 30 && i % 10 == 0 ? 1 - slow * (1 + i / 10) : 0;
    out[i] = 1 + i + rate * (x[i] - (1 + i));
  }
}

static double off(const double *x) {
  double most = 0;
  for (int i = 0; i < N; i++) most = fmax(most, fabs(x[i] - (1 + i)));
  return most;
}

TEST(three_slow_directions_take_a_few_rounds) {
  double x[N] = {0}, g[N];
  DlsMixing m;
  CHECK_OK(dls_mixing_open(N, &m));
  for (int round = 0; round < 7; round++) {
    map(0.01, x, g);
    dls_mixing_round(&m, x, g);
    for (int i = 0; i < N; i++) x[i] = g[i];
  }
  CHECK_BELOW(off(x), 1e-6 * N); /* without: 0.99^7 of it is left */
  dls_mixing_clear(&m);
}

TEST(a_map_that_changes_is_found_all_the_same) {
  double x[N] = {0}, g[N];
  DlsMixing m;
  CHECK_OK(dls_mixing_open(N, &m));
  for (int round = 0; round < 16; round++) {
    map(round < 4 ? 0.3 : 0.02, x, g);
    dls_mixing_round(&m, x, g);
    for (int i = 0; i < N; i++) x[i] = g[i];
  }
  CHECK_BELOW(off(x), 1e-6 * N);
  dls_mixing_clear(&m);
}
