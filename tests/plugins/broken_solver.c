/* A small sound solver, which answers r = 0, and with -DCASE_x one thing wrong in it. */
#include <delassus/solver.h>

typedef struct {
  double omega;
  int order;
} Options;

static const DlsOption options[] = {
    DLS_REAL_OPTION(Options, omega, 1.0, 0.0, 2.0, "relaxation"),
#ifdef CASE_option_outside
    DLS_CHOICE_OPTION(Options, order, 2, "first|second", "order of the sweep"),
#elif defined(CASE_option_choices)
    DLS_CHOICE_OPTION(Options, order, 0, NULL, "order of the sweep"),
#elif defined(CASE_option_twice)
    {"omega", DLS_OPTION_INT, offsetof(Options, order), 0, 0, 9, NULL, "order of the sweep"},
#elif defined(CASE_option_kind)
    {"order", (DlsOptionKind)9, offsetof(Options, order), 0, 0, 9, NULL, "order of the sweep"},
#elif defined(CASE_option_wide)
    DLS_INT_OPTION(Options, order, 1e18, 0, 1e300, "order of the sweep"),
#elif defined(CASE_option_nameless)
    {NULL, DLS_OPTION_INT, offsetof(Options, order), 0, 0, 9, NULL, "order of the sweep"},
#else
    DLS_CHOICE_OPTION(Options, order, 1, "first|second", "order of the sweep"),
#endif
};

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  (void)problem, (void)chosen;
  *out = NULL;
  return DLS_OK;
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  (void)self, (void)problem, (void)limits, (void)monitor, (void)r;
  report->outcome = DLS_STALLED;
  return DLS_OK;
}

static void destroy(void *self) { (void)self; }

static const DlsSolver solver = {
#ifdef CASE_solver_abi
    .abi = DLS_SOLVER_ABI + 1,
    .size = (uint32_t)sizeof(DlsSolver),
#else
    DLS_SOLVER_HEAD,
#endif
    .name = CASE_NAME,
#ifndef CASE_solver_summary
    .summary = "answers zero",
#endif
    .references = "none",
#ifndef CASE_option_table
    .options = options,
#endif
#ifdef CASE_option_count
    .noptions = -3,
#else
    .noptions = DLS_COUNT(options),
#endif
#ifdef CASE_option_beyond
    .option_bytes = 8,
#else
    .option_bytes = sizeof(Options),
#endif
    .create = create,
#ifndef CASE_solver_functions
    .solve = solve,
#endif
    .destroy = destroy,
};

#ifdef CASE_solver_null
const DlsSolver *dls_solver_entry(void) { return NULL; }
#else
const DlsSolver *dls_solver_entry(void) { return &solver; }
#endif

/* Whatever a case leaves out of its struct is used. */
const void *const dls_test_tables[] = {&solver, options};
DlsStatus (*const dls_test_solve)(void *, const DlsProblem *, const DlsLimits *, const DlsMonitor *,
                                  double *, DlsReport *) = solve;
