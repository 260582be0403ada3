/* Energy that laws store, in the accounts of a simulation. */
#include "tests/test.h"

#include "step/simulation.h"

/* A spring of stiffness k at the end of the step: r_N = -h k g⁺, g⁺ = g + h u_N, while g⁺ < 0. */
static const double stiffness = 1e6;

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)p;
  (void)state;
  out->cone = DLS_CONE_SIGNORINI;
  out->b[0] = c->gap / c->h;
  out->C[0] = 1 / (c->h * c->h * stiffness);
  return DLS_OK;
}

static DlsStatus energy(const DlsContact *c, const double *p, const double *state, const double *u,
                        const double *r, double *stored, double *dissipated) {
  (void)p;
  (void)state;
  (void)u;
  const double force = r[0] / c->h;
  *stored = 0.5 * force * force / stiffness;
  *dissipated = 0;
  return DLS_OK;
}

static const DlsLaw spring = {DLS_LAW_HEAD,     .name = "spring",   .summary = "",
                              .references = "", .prepare = prepare, .energy = energy};

/* A ball that falls on a spring: what it loses at the turn is stored, and most of it comes back. */
TEST(what_a_spring_takes_is_stored_and_given_back) {
  static const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};
  for (int k = 0; k < DLS_COUNT(schemes); k++) {
    DlsWorld *world = NULL;
    DlsSimulation *s = NULL;
    DlsShape shape;
    int number;
    const DlsBoundary plane = {.kind = DLS_BOUNDARY_PLANE, .orientation = {1, 0, 0, 0}};
    CHECK_OK(dls_world_create(3, &world));
    CHECK_OK(dls_materials_add(&world->materials, "rubber", 1000, &number));
    CHECK_OK(dls_world_add_boundary(world, &plane));
    CHECK_OK(dls_shape_sphere(3, 0.1, &shape));
    const DlsBody body = {
        .shape = &shape, .density = 1000, .position = {0, 0, 0.101}, .velocity = {0, 0, -1}};
    CHECK_OK(dls_world_add_body(world, &body));
    dls_shape_clear(&shape);
    CHECK_OK(dls_simulation_create(&world, &s));
    CHECK_OK(dls_interactions_create(1, &s->settings.laws));
    CHECK_OK(dls_interactions_add(&s->settings.laws, &spring, &number));
    CHECK_OK(dls_interactions_give(&s->settings.laws, -1, -1, number));
    s->settings.scheme = schemes[k];
    s->settings.h = 1e-5;
    s->settings.limits.tolerance = 1e-12;
    dls_simulation_recount(s);
    const double before = s->state.ledger.start;
    double most = 0;
    for (int step = 0; step < 1000; step++) {
      CHECK_OK(dls_simulation_step(s));
      most = fmax(most, s->state.ledger.stored);
      CHECK_NEAR(s->state.ledger.balance, 0, 1e-12 * before);
    }
    CHECK(s->world->velocity[0][2] > 0);
    CHECK_NEAR(most, before, 0.02 * before);
    CHECK_NEAR(s->state.ledger.stored, 0, 1e-9 * before);
    CHECK_NEAR(s->state.ledger.kinetic + s->state.ledger.dissipated, before, 1e-12 * before);
    CHECK_BELOW(fabs(s->state.ledger.dissipated), 0.02 * before);
    dls_simulation_destroy(&s);
  }
}
