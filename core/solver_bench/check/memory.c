/* A solver writes nowhere but into r and the report, and leaves nothing behind. Arrays lie between
 * pages that nobody may touch; what must not be written is read-only: a wrong step ends the
 * process, which is the verdict. */
#include "solver_bench/solver_bench_impl.h"

#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
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

/* What is in use: bytes of the allocator, 0 where it does not tell; bytes of address space, which
 * count what is mapped past the allocator. */
typedef struct {
  size_t allocated, mapped;
} Use;

static size_t allocated(void) {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

static Use use_of_memory(void) {
  char text[64] = "";
  const int file = open("/proc/self/statm", O_RDONLY); /* no stream: it would allocate */
  const ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : 0;
  if (file >= 0) close(file);
  const size_t pages = length > 0 ? strtoul(text, NULL, 10) : 0;
  return (Use){allocated(), pages * (size_t)sysconf(_SC_PAGESIZE)};
}

static const char *leaks_apply(const DlsSolver *solver) {
  (void)solver;
  void *probe = malloc(64);
  const bool told = allocated() > 0;
  free(probe);
  return told ? NULL : "the allocator does not tell how much is in use";
}

enum { ROUNDS = 24, SHORT = 4, LONG = 250, WARM_UP = 40 };

/* Solves of a round. One case in thirteen is long, of another kind each time, for what leaks once
 * in many solves; a slow solver gets fewer, so that a few rounds take seconds. */
static int solves_of_round(const BenchCase *c, double seconds_of_one) {
  if (c->bench.number % 13 != 6) return SHORT;
  return (int)fmax(SHORT, fmin(LONG, 1 / fmax(seconds_of_one, 1e-9)));
}

static bool solve_again(BenchCase *c, const BenchDrawn *t, int times) {
  bool solved = true;
  for (int k = 0; k < times && solved; k++) {
    double r[BENCH_ROWS];
    DlsReport report;
    memcpy(r, t->guess, sizeof r);
    solved = bench_solve(c, t->problem, NULL, &t->limits, NULL, r, &report);
    c->bench.story = NULL; /* told once */
  }
  return solved;
}

/* What grows in every round, each of so many solves of one problem, when all that is kept once is
 * there. The allocator's own store of small pieces counts as in use and fills up for a while, in
 * some rounds and not in others: one round without growth is enough to find that nothing leaks. */
static void check_leaks(BenchCase *c) {
  BenchDrawn t = {0};
  if (!bench_case_draw(c, &t)) return;
  if (t.limits.max_iterations > 10) t.limits.max_iterations = 10; /* what is left is left soon */
  char *story = c->bench.story;
  const clock_t begin = clock();
  bool solved = solve_again(c, &t, WARM_UP), heap = true, maps = true;
  const int solves = solves_of_round(c, (double)(clock() - begin) / CLOCKS_PER_SEC / WARM_UP);
  solved = solved && solve_again(c, &t, solves);
  const Use first = use_of_memory();
  Use last = first;
  int rounds = 0;
  for (; rounds < ROUNDS && solved && (heap || maps); rounds++) {
    solved = solve_again(c, &t, solves);
    const Use use = use_of_memory();
    heap = heap && use.allocated > last.allocated;
    maps = maps && use.mapped > last.mapped;
    last = use;
  }
  c->bench.story = story;
  bench_say(c, "%d rounds of %d solves\n", rounds, solves);
  if (solved) {
    bench_compare(c, heap ? INFINITY : 0, 1, "%s: %zu bytes are left behind by %d solves",
                  bench_case_kind(c), heap ? last.allocated - first.allocated : 0, rounds * solves);
    bench_compare(c, maps ? INFINITY : 0, 1,
                  "%s: %zu bytes of address space are left mapped by %d solves", bench_case_kind(c),
                  maps ? last.mapped - first.mapped : 0, rounds * solves);
  }
  bench_drawn_clear(&t);
}

const BenchCheck bench_leaks = {
    .name = "leaks",
    .question = "Does destroy() free what create() and solve() allocated?",
    .cases = 40,
    .applies = leaks_apply,
    .run = check_leaks,
};
