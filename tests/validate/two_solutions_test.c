/* The force that has two motions (input/dyadic-force.yaml; Maury, slides 22 to 24): which one the
 * step picks, and how near it comes.
 *
 * From rest at t0, in units of t0 and t0², with the acceleration 1 in (1, 1.5), -2 in (1.5, 2), 1
 * in (2, 3) and -2 in (3, 4): up to 1/8, on to 1/4 - 1/16 ..., a touch without speed at 2.5, and at
 * rest on the floor from 3 + (1 + sqrt 3) / 4 to 4, where it begins anew four times as large. So
 * there is a motion that takes off at 4^k and one that does at 2 4^k. */
#include "tests/decks.h"

enum { STEPS_OF_THE_WIDEST = 256, LEVELS = 8 };

static double motion(double t, double t0) {
  while (t < t0) t0 /= 4;
  while (t >= 4 * t0) t0 *= 4;
  const double s = t / t0, scale = t0 * t0;
  if (s < 1.5) return scale * (s - 1) * (s - 1) / 2;
  if (s < 2) return scale * (1.0 / 8 + (s - 1.5) / 2 - (s - 1.5) * (s - 1.5));
  if (s < 3) return scale * (1.0 / 8 - (s - 2) / 2 + (s - 2) * (s - 2) / 2);
  return scale * fmax(0, 1.0 / 8 + (s - 3) / 2 - (s - 3) * (s - 3));
}

typedef struct {
  double end;                        /* q(4) */
  double apart[2];                   /* largest distance from the motions of t0 = 1, 2 */
  double first[STEPS_OF_THE_WIDEST]; /* q after the first steps */
} Answer;

static void run(int power, Answer *out) {
  char step[64];
  const char *const sets[] = {step, NULL};
  TestDeck deck;
  *out = (Answer){0};
  snprintf(step, sizeof step, "time.step=%.17g", ldexp(1, -power));
  test_deck_open(&deck, "dyadic-force.yaml", sets);
  const DlsSimulation *s = deck.simulation;
  for (long k = 0; s->state.time < 4 - 1e-9; k++) {
    CHECK_OK(dls_scene_step(deck.scene));
    out->end = s->world->position[0][1] - 0.1;
    for (int n = 0; n < 2; n++)
      out->apart[n] = fmax(out->apart[n], fabs(out->end - motion(s->state.time, 1 + n)));
    if (k < STEPS_OF_THE_WIDEST) out->first[k] = out->end;
  }
  CHECK_INT(s->state.unconverged, 0);
  test_deck_close(&deck);
}

/* f(t/2) = f(t): with half the step the answer is the same motion at a quarter of the height in
 * half the time, which is the other one. */
TEST(half_the_step_gives_the_other_motion) {
  Answer answer[LEVELS];
  for (int k = 0; k < LEVELS; k++) run(6 + k, &answer[k]);
  for (int k = 0; k < LEVELS; k++) {
    const Answer *one = &answer[k];
    const double h = ldexp(1, -6 - k);
    const int which = one->apart[1] < one->apart[0];
    if (getenv("DELASSUS_SHOW"))
      printf("h = 2^-%d s: q(4) = %.4f m, %.2g m from the motion that takes off at %d s, %.2g m "
             "from the other\n",
             6 + k, one->end, one->apart[which], 1 + which, one->apart[!which]);
    /* Speeds are below 2 m/s: first order, a step behind at most. The two are half a metre apart
     * at 4 s, three quarters before. */
    CHECK_BELOW(one->apart[which], 2 * h);
    CHECK(one->apart[!which] > 0.5 - 2 * h);
    CHECK_NEAR(one->end, which ? 0.5 : 0, 2 * h);
    if (k == 0) continue;
    const int before = answer[k - 1].apart[1] < answer[k - 1].apart[0];
    CHECK_INT(which, !before);
    for (int n = 0; n < STEPS_OF_THE_WIDEST; n++)
      CHECK_NEAR(4 * one->first[n], answer[k - 1].first[n], 1e-10);
  }
  for (int k = 0; k + 2 < LEVELS; k++) {
    const int which = answer[k].apart[1] < answer[k].apart[0];
    CHECK_NEAR(answer[k].apart[which] / answer[k + 2].apart[which], 4, 1);
  }
}
