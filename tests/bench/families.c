#include "tests/bench/families.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/sample.h>

#include "base/random.h"
#include "scene/scene.h"
#include "tests/bench/cost.h"

/* FNV-1a, begun with the salt. With another salt all problems are other ones, and other halves: to
 * be changed where the half to report has been looked at. The step, behind '@', does not count. */
static uint64_t hash_of(const char *name) {
  static const char salt[] = "2026-11";
  uint64_t hash = 14695981039346656037u;
  for (const char *at = salt; *at; at++) hash = (hash ^ (unsigned char)*at) * 1099511628211u;
  for (; *name && *name != '@'; name++) hash = (hash ^ (unsigned char)*name) * 1099511628211u;
  return hash ^ hash >> 29;
}

bool families_is_held(const char *name) { return hash_of(name) & 1; }

/* Samples: sizes from `least` to `most`, by their logarithms. */
static const struct {
  const char *name;
  double least, most;
} samples[] = {
    {"wall", 1, 8},     {"column", 1, 300},        {"pile", 1, 6},
    {"table", 3, 100},  {"box", 2, 250},           {"disks", 2, 250},
    {"rolling", 2, 80}, {"torsion", 2, 80},        {"slope", 1, 300},
    {"random", 1, 500}, {"rolling-disks", 2, 150},
};

static double log_between(DlsRandom *random, double low, double high) {
  return low * pow(high / low, dls_random_unit(random));
}

static void make_sample(int k, const char *name, DlsProblem **out) {
  DlsRandom random;
  dls_random_stream(&random, hash_of(name), 1);
  DlsSampleParams params = {
      .size = (int)(log_between(&random, samples[k].least, samples[k].most + 0.99)),
      .seed = hash_of(name),
      .mu = log_between(&random, 0.05, 1.5),
      .h = 1e-3};
  params.tilt = 0.7 * dls_random_unit(&random) * atan(params.mu);
  must(dls_sample_create(samples[k].name, &params, out, NULL));
}

/* Bodies in a random order above each other. Each contact lies between one and one of the three
 * below it, or the ground, at a random place; its normal points upwards within 70 degrees, so that
 * all contacts can open and there is an answer. */
typedef struct {
  int dim, dof, bodies, contacts;
  double *H, *mass, *q, *v;
  int *start, *body;
  DlsRelation *relations;
} Rigid;

static void frame(DlsRandom *random, int dim, double d[3][3]) {
  double length = 0;
  memset(d, 0, 9 * sizeof d[0][0]);
  do {
    length = 0;
    for (int k = 0; k < dim; k++) d[0][k] = dls_random_normal(random) + 2 * (k == dim - 1);
    for (int k = 0; k < dim; k++) length += d[0][k] * d[0][k];
    length = sqrt(length);
  } while (d[0][dim - 1] < 0.35 * length);
  for (int k = 0; k < dim; k++) d[0][k] /= length;
  if (dim == 2) {
    d[1][0] = -d[0][1];
    d[1][1] = d[0][0];
    return;
  }
  const double flat = hypot(d[0][1], d[0][2]); /* > 0 by the loop above */
  d[1][1] = -d[0][2] / flat;
  d[1][2] = d[0][1] / flat;
  d[2][0] = d[0][1] * d[1][2] - d[0][2] * d[1][1];
  d[2][1] = d[0][2] * d[1][0] - d[0][0] * d[1][2];
  d[2][2] = d[0][0] * d[1][1] - d[0][1] * d[1][0];
}

static void add_support(DlsRandom *random, Rigid *s, int body, double sign, double d[3][3],
                        int at) {
  double arm[3] = {0}, *H = s->H + at * s->dim * s->dof;
  for (int k = 0; k < s->dim; k++) arm[k] = dls_random_between(random, -1, 1);
  s->body[at] = body;
  for (int row = 0; row < s->dim; row++, H += s->dof) {
    for (int k = 0; k < s->dim; k++) H[k] = sign * d[row][k];
    if (s->dim == 2) {
      H[2] = sign * (arm[0] * d[row][1] - arm[1] * d[row][0]);
      continue;
    }
    for (int k = 0; k < 3; k++) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      H[3 + k] = sign * (arm[a] * d[row][b] - arm[b] * d[row][a]);
    }
  }
}

static void fill(DlsRandom *random, Rigid *s) {
  const double ratio = pow(10, dls_random_between(random, 0, 6));
  const double mu = log_between(random, 0.05, 1.5);
  for (int k = 0; k < s->bodies; k++) {
    const double mass = pow(ratio, dls_random_unit(random));
    for (int a = 0; a < s->dof; a++) {
      s->mass[(k * s->dof + a) * s->dof + a] = a < s->dim ? mass : 0.3 * mass;
      s->v[k * s->dof + a] = 0.3 * dls_random_normal(random) - (a == s->dim - 1);
    }
  }
  for (int i = 0, at = 0; i < s->contacts; i++) {
    double d[3][3];
    const int upper = i < s->bodies ? i : dls_random_below(random, s->bodies);
    const int lower = upper - 1 - dls_random_below(random, 3);
    const double own = dls_random_unit(random) < 0.5 ? mu : log_between(random, 0.05, 1.5);
    frame(random, s->dim, d);
    add_support(random, s, upper, 1, d, at++);
    if (lower >= 0) add_support(random, s, lower, -1, d, at++);
    s->start[i + 1] = at;
    s->relations[i] = (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {own, own}};
    for (int e = s->start[i] * s->dim, row = 0; e < at * s->dim; e++, row++)
      for (int c = 0; c < s->dof; c++)
        s->q[i * s->dim + row % s->dim] +=
            s->H[e * s->dof + c] * s->v[s->body[e / s->dim] * s->dof + c];
  }
}

/* Hyperstaticity: reactions over velocities, 0.5 to 4. */
static void make_rigid(const char *name, DlsProblem **out) {
  DlsRandom random;
  DlsOperator *W = NULL, *rows = NULL;
  dls_random_stream(&random, hash_of(name), 2);
  Rigid s = {.dim = dls_random_unit(&random) < 0.4 ? 2 : 3};
  s.dof = s.dim == 2 ? 3 : 6;
  s.contacts = (int)log_between(&random, 1, 500.99);
  const double hyper = log_between(&random, 0.5, 4);
  s.bodies = (int)fmin(fmax(1, round(s.contacts * s.dim / (hyper * s.dof))), s.contacts);
  const size_t touches = 2 * (size_t)s.contacts, freedom = (size_t)(s.bodies * s.dof);
  s.H = calloc(touches * (size_t)(s.dim * s.dof), sizeof *s.H);
  s.mass = calloc(freedom * (size_t)s.dof, sizeof *s.mass);
  s.v = calloc(freedom, sizeof *s.v);
  s.q = calloc((size_t)(s.contacts * s.dim), sizeof *s.q);
  s.start = calloc((size_t)s.contacts + 1, sizeof *s.start);
  s.body = calloc(touches, sizeof *s.body);
  s.relations = calloc((size_t)s.contacts, sizeof *s.relations);
  fill(&random, &s);
  must(dls_operator_create_factored(s.contacts, s.dim, s.bodies, s.dof, s.start, s.body, s.H,
                                    s.mass, &W));
  if (dls_random_unit(&random) < 0.5) { /* as those come whose bodies are not known */
    must(dls_operator_assemble(W, &rows));
    dls_operator_destroy(&W);
    W = rows;
  }
  must(dls_problem_create(s.dim, &W, s.q, s.relations, NULL, out));
  free(s.H);
  free(s.mass);
  free(s.v);
  free(s.q);
  free(s.start);
  free(s.body);
  free(s.relations);
}

/* Steps of decks: the first, the tenth, the hundredth and so on, as long as the run is short. */
static const char *const decks[] = {
    "pyramid",     "arch",    "masonry-2d", "masonry-3d",  "dry-stone",    "ballast",
    "vault",       "voronoi", "heap",       "deposit",     "polygon-rain", "dominoes",
    "biaxial",     "drum",    "punch",      "bar-on-wall", "press",        "deformable-disks",
    "shaken-wall", "bank",    "janssen-3d", "isotropic",   "arch-falls",   "mortar",
    "rolling",     "crowd"};

typedef struct {
  const char *deck;
  FamilyVisit visit;
  void *context;
  double spent;
} Watch;

static DlsStatus watch(void *context, const DlsSimulation *s, const double *guess) {
  Watch *w = context;
  const long step = s->state.step + 1;
  char name[96];
  const DlsProblem *problem = s->last.assembly.solve.problem;
  if (step != 2 && step != 20 && step != 100 && step != 300 && step != 800) return DLS_OK;
  if (dls_problem_contacts(problem) < 1 || dls_problem_contacts(problem) > 1500) return DLS_OK;
  const double begin = now();
  snprintf(name, sizeof name, "%s@%ld", w->deck, step);
  w->visit(w->context, name, problem, NULL);
  snprintf(name, sizeof name, "%s@%ld warm", w->deck, step);
  w->visit(w->context, name, problem, guess);
  w->spent += now() - begin;
  return DLS_OK;
}

static void run_deck(const char *folder, const char *name, FamilyVisit visit, void *context) {
  const double seconds = 3;
  char path[1024];
  DlsDeck *deck;
  DlsScene *scene;
  Watch w = {.deck = name, .visit = visit, .context = context};
  snprintf(path, sizeof path, "%s/%s.yaml", folder, name);
  must(dls_deck_open(path, &deck));
  must(dls_scene_build(deck, &scene));
  dls_deck_destroy(&deck);
  DlsSimulation *s = scene->simulation;
  s->settings.spectator = (DlsSpectator){&w, watch};
  const double begin = now();
  while (s->state.step < 800 && s->state.time < scene->data.time.end &&
         now() - begin - w.spent < seconds)
    must(dls_scene_step(scene));
  dls_scene_destroy(&scene);
}

void families_visit(const char *folder, int count, bool held, FamilyVisit visit, void *context) {
  char name[96];
  DlsProblem *problem = NULL;
  for (int k = 0; k < DLS_COUNT(samples); k++)
    for (int i = 0; i < count; i++) {
      snprintf(name, sizeof name, "%s-%d", samples[k].name, i);
      if (families_is_held(name) != held) continue;
      make_sample(k, name, &problem);
      visit(context, name, problem, NULL);
      dls_problem_destroy(&problem);
    }
  for (int i = 0; i < 8 * count; i++) {
    snprintf(name, sizeof name, "rigid-%d", i);
    if (families_is_held(name) != held) continue;
    make_rigid(name, &problem);
    visit(context, name, problem, NULL);
    dls_problem_destroy(&problem);
  }
  for (int k = 0; k < DLS_COUNT(decks) && folder; k++)
    if (families_is_held(decks[k]) == held) run_deck(folder, decks[k], visit, context);
}
