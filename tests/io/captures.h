/* Runs whose problems are captured: every scheme, every law whose relations FCLIB can say, in 2-D
 * and 3-D. */
#ifndef DELASSUS_TESTS_CAPTURES_H
#define DELASSUS_TESTS_CAPTURES_H

#include "tests/io/app_run.h"

#include <delassus/status.h>

static const double capture_tolerance = 1e-8; /* of the runs, natural */

typedef struct {
  const char *name, *law; /* a row of the deck's laws */
} CaptureLaw;

static const CaptureLaw capture_laws[] = {
    {"signorini", "{law: signorini, parameters: {rho: 0.5}}"},
    {"coulomb", "{law: coulomb, parameters: {mu: 0.3, rho: 0.5}}"},
    {"capillary", "{law: [coulomb, capillary], parameters: {coulomb: {mu: 0.3}, capillary: {gamma: "
                  "0.0728, volume: "
                  "1e-9, angle: 0.2}}}"},
    {"cohesive", "{law: [coulomb, cohesive], parameters: {coulomb: {mu: 0.5}, cohesive: {F_C: 3 N, "
                 "d_C: 1 mm}}}"},
    {"elastic", "{law: elastic, parameters: {k: 1e5, mu: 0.3}}"},
    {"gluey", "{law: gluey}"},
    {"viscoelastic", "{law: viscoelastic, parameters: {k: 2e5, restitution: 0.5}}"},
};

/* Relations of their own, which no file can hold. */
static const CaptureLaw capture_custom_laws[] = {
    {"lubrication", "{law: lubrication, parameters: {viscosity: 10, range: 5 mm, cutoff: 1 um}}"},
    {"mohr-coulomb",
     "{law: mohr-coulomb, parameters: {tension: 1e4, cohesion: 2e4, area: 10 cm2, mu: 0.5}}"},
    {"mortar", "{law: mortar, parameters: {k_n: 1e7, k_t: 5e6, f_t: 2e4, c: 3e4, G_I: 5, G_II: 20, "
               "mu: 0.7, area: "
               "0.001}}"},
    {"stribeck", "{law: stribeck}"},
};

static const char *const capture_schemes[] = {"scheme: moreau", "scheme: moreau, theta: 1",
                                              "scheme: euler", "scheme: first-order"};

/* Three balls in a row on a plane that fall and slide, with a fourth on top. */
static inline void capture_deck(const char *path, const CaptureLaw *law, const char *scheme,
                                int dim) {
  FILE *file = fopen(path, "w");
  CHECK(file != NULL);
  if (!file) return;
  fprintf(file,
          "title: captured\ndimension: %d\ntime: {step: 1 ms, end: 6 ms, %s}\n"
          "gravity: %s\nmaterials:\n  m: {density: 2500}\nlaws:\n  - %s\nbodies:\n",
          dim, scheme, dim == 2 ? "[2, -9.81]" : "[2, 1, -9.81]", law->law);
  const double place[4][3] = {{0, 0, 0.01}, {0.02, 0, 0.01}, {0.04, 0, 0.01}, {0.01, 0, 0.0273206}};
  for (int k = 0; k < 4; k++)
    if (dim == 2)
      fprintf(file, "  - {material: m, radius: 1 cm, position: [%g, %g], velocity: [0.1, -0.2]}\n",
              place[k][0], place[k][2]);
    else
      fprintf(file,
              "  - {material: m, radius: 1 cm, position: [%g, 0, %g], velocity: [0.1, 0, -0.2]}\n",
              place[k][0], place[k][2]);
  fprintf(file,
          "boundaries:\n  floor: {shape: plane, material: m}\nsolver: {tolerance: %g, measure: "
          "natural}\noutput: {every: 0}\n",
          capture_tolerance);
  fclose(file);
}

/* One run in a folder of the test's own; visits its captures. Returns whether law and scheme go
 * together. */
static inline bool capture_run(const char *test, const CaptureLaw *law, const char *scheme, int dim,
                               void (*visit)(const char *path, void *context), void *context) {
  char line[4096], folder[640], path[768];
  snprintf(folder, sizeof folder, "%s/%s-%d", app_folder(test), law->name, dim);
  snprintf(line, sizeof line, "rm -rf '%s'", folder);
  CHECK_INT(system(line), 0);
  snprintf(path, sizeof path, "%s.yaml", folder);
  capture_deck(path, law, scheme, dim);
  snprintf(line, sizeof line, "run '%s' --capture 2 --quiet --out '%s'", path, folder);
  const int status = app_run(line);
  if (status == 2 && test_contains(app_output, "scheme")) return false;
  if (status != 0)
    test_fail(__FILE__, __LINE__, "%s, %s, %d-D: exit %d: %s", law->name, scheme, dim, status,
              app_output);
  for (int step = 2; step <= 6; step += 2) {
    snprintf(path, sizeof path, "%s/capture_%06d.hdf5", folder, step);
    FILE *file = fopen(path, "r");
    if (!file) continue; /* a step without contacts */
    fclose(file);
    visit(path, context);
  }
  return true;
}

#endif
