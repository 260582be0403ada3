/* A solver writes nowhere but into r and the report, and leaves nothing behind. Arrays lie between
 * pages that nobody may touch; what must not be written is read-only: a wrong step ends the
 * process, which is the verdict. */
#include "solver_bench/solver_bench_impl.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* `bytes` bytes between two pages that nobody may touch, at the end of theirs or at their begin. */
typedef struct {
  char *map, *data;
  size_t length, inside, bytes;
} Guarded;

static bool guard(size_t bytes, bool at_end, Guarded *out) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  out->bytes = bytes;
  out->inside = (bytes + page - 1) / page * page + (bytes == 0) * page;
  out->length = out->inside + 2 * page;
  out->map = mmap(NULL, out->length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (out->map == MAP_FAILED || mprotect(out->map + page, out->inside, PROT_READ | PROT_WRITE) != 0)
    return false;
  out->data = out->map + page + (at_end ? out->inside - bytes : 0);
  return true;
}

static void seal(const Guarded *g) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  mprotect(g->map + page, g->inside, PROT_READ);
}

static void release(Guarded *g) {
  if (g->map && g->map != MAP_FAILED) munmap(g->map, g->length);
}

/* What of a problem must stay as it is. */
typedef struct {
  char fingerprint[DLS_FINGERPRINT];
  double q[BENCH_ROWS], D[BENCH_ROWS * DLS_MAX_BLOCK], image[BENCH_ROWS];
} Trace;

static void trace(const DlsProblem *problem, Trace *out) {
  double x[BENCH_ROWS];
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  memset(out, 0, sizeof *out);
  for (int k = 0; k < BENCH_ROWS; k++) x[k] = 1 + k % 3;
  (void)dls_problem_fingerprint(problem, out->fingerprint);
  memcpy(out->q, dls_problem_standard_q(problem), n * sizeof *out->q);
  dls_problem_standard_diagonal(problem, out->D);
  dls_problem_standard_velocity(problem, x, out->image);
}

static bool fill(const BenchCase *c, const BenchDrawn *t, bool at_end, Guarded g[4]) {
  const size_t rows = (size_t)t->mechanism.planted.rows;
  if (!guard(rows * sizeof(double), at_end, &g[0]) || !guard(sizeof(DlsReport), at_end, &g[1]) ||
      !guard(c->solver->option_bytes, at_end, &g[2]) || !guard(sizeof(DlsLimits), at_end, &g[3]))
    return false;
  memcpy(g[0].data, t->guess, rows * sizeof(double));
  memcpy(g[2].data, c->options, c->solver->option_bytes);
  memcpy(g[3].data, &t->limits, sizeof t->limits);
  seal(&g[2]);
  seal(&g[3]);
  return true;
}

static void check_bounds(BenchCase *c) {
  BenchDrawn t = {0};
  Guarded g[4] = {{0}, {0}, {0}, {0}};
  Trace before, after;
  if (!bench_case_draw(c, &t)) return;
  trace(t.problem, &before);
  if (!fill(c, &t, c->bench.number / 20 % 2 == 0, g)) {
    bench_broken(c, "no memory for guarded arrays");
  } else if (bench_solve(c, t.problem, g[2].data, (const DlsLimits *)(const void *)g[3].data, NULL,
                         (double *)(void *)g[0].data, (DlsReport *)(void *)g[1].data)) {
    trace(t.problem, &after);
    const bool same = strcmp(before.fingerprint, after.fingerprint) == 0 &&
                      memcmp(before.q, after.q, sizeof before.q) == 0 &&
                      memcmp(before.D, after.D, sizeof before.D) == 0 &&
                      memcmp(before.image, after.image, sizeof before.image) == 0;
    bench_compare(c, same ? 0 : INFINITY, 1, "%s: the problem has changed under the solver",
                  bench_case_kind(c));
  }
  for (int k = 0; k < 4; k++) release(&g[k]);
  bench_drawn_clear(&t);
}

const BenchCheck bench_bounds = {
    .name = "bounds",
    .question = "Is nothing written but r and the report, and nothing read beyond the arrays?",
    .cases = 400,
    .run = check_bounds,
};

/* Bytes that are allocated; 0 where the allocator does not tell. */
static size_t allocated(void) {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

static const char *leaks_apply(const DlsSolver *solver) {
  (void)solver;
  void *probe = malloc(64);
  const bool told = allocated() > 0;
  free(probe);
  return told ? NULL : "the allocator does not tell how much is in use";
}

/* What grows from round to round, each of a few solves, when all that is kept once is there, and
 * the allocator's own store of small pieces, which counts as in use, is full. */
static void check_leaks(BenchCase *c) {
  enum { ROUNDS = 4, SOLVES = 4, WARM_UP = 40 };
  BenchDrawn t = {0};
  size_t bytes[ROUNDS] = {0};
  if (!bench_case_draw(c, &t)) return;
  if (t.limits.max_iterations > 10) t.limits.max_iterations = 10; /* what is left is left soon */
  bool solved = true;
  char *story = c->bench.story;
  for (int k = -WARM_UP; k < ROUNDS * SOLVES && solved; k++) {
    double r[BENCH_ROWS];
    DlsReport report;
    memcpy(r, t.guess, sizeof r);
    solved = bench_solve(c, t.problem, NULL, &t.limits, NULL, r, &report);
    c->bench.story = NULL; /* told once */
    if (k >= 0) bytes[k / SOLVES] = allocated();
  }
  c->bench.story = story;
  bool grows = solved;
  for (int k = 1; k < ROUNDS; k++) grows &= bytes[k] > bytes[k - 1];
  if (solved)
    bench_compare(c, grows ? INFINITY : 0, 1, "%s: %zu bytes are left behind by each solve",
                  bench_case_kind(c),
                  grows ? (bytes[ROUNDS - 1] - bytes[0]) / (SOLVES * (ROUNDS - 1)) : 0);
  bench_drawn_clear(&t);
}

const BenchCheck bench_leaks = {
    .name = "leaks",
    .question = "Does destroy() free what create() and solve() allocated?",
    .cases = 40,
    .applies = leaks_apply,
    .run = check_leaks,
};
