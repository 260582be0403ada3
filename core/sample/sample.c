/* The samples by name. */
#include "sample/sample_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int dim, block;
  SampleBuild build;
} Recipe;

/* Each row: name, summary, what size counts, largest size, {size, seed, mu, h, tilt}. */
static const DlsSample samples[] = {
    {"slope",
     "particles on a slope, each with its friction; solution known",
     "particles",
     100000,
     {1, 1, 0.5, 1e-3, 0.4}},
    {"column",
     "spheres at rest on each other; solution known",
     "spheres",
     100000,
     {10, 1, 0.5, 1e-3, 0}},
    {"table",
     "a table: its legs share the weight in many ways",
     "legs",
     10000,
     {4, 1, 0.3, 1e-3, 0}},
    {"wall",
     "bricks in running bond, four points per face, ground tilted",
     "courses",
     200,
     {18, 1, 0.6, 1e-3, 0.1}},
    {"pile", "a pyramid of cannon balls at rest", "layers", 60, {10, 1, 0.5, 1e-3, 0}},
    {"box",
     "a dense packing of spheres falling into a box",
     "spheres",
     200000,
     {1200, 1, 0.3, 1e-3, 0}},
    {"disks",
     "a dense packing of disks falling into a box, 2-D",
     "disks",
     200000,
     {1000, 1, 0.3, 1e-3, 0}},
    {"rolling", "as box, with resistance to rolling", "spheres", 200000, {200, 1, 0.3, 1e-3, 0}},
    {"torsion",
     "as box, with resistance to rolling and torsion",
     "spheres",
     200000,
     {200, 1, 0.3, 1e-3, 0}},
    {"rolling-disks",
     "as disks, with resistance to rolling",
     "disks",
     200000,
     {300, 1, 0.3, 1e-3, 0}},
    {"random",
     "random bodies and contact points; solution known",
     "contacts",
     100000,
     {100, 1, 0.4, 1e-3, 0}},
};

/* In the order of the table above. */
static const Recipe recipes[] = {
    {3, 3, dls_sample_slope},   {3, 3, dls_sample_column},  {3, 3, dls_sample_table},
    {3, 3, dls_sample_wall},    {3, 3, dls_sample_pile},    {3, 3, dls_sample_packing},
    {2, 2, dls_sample_packing}, {3, 5, dls_sample_packing}, {3, 6, dls_sample_packing},
    {2, 3, dls_sample_packing}, {3, 3, dls_sample_random},
};
_Static_assert(sizeof samples / sizeof samples[0] == sizeof recipes / sizeof recipes[0],
               "a recipe for every sample");

const DlsSample *dls_sample_list(int *count) {
  *count = DLS_COUNT(samples);
  return samples;
}

DlsStatus dls_sample_find(const char *name, const DlsSample **out) {
  char names[256] = "";
  *out = NULL;
  for (int i = 0; i < DLS_COUNT(samples); i++) {
    if (strcmp(samples[i].name, name) == 0) {
      *out = &samples[i];
      return DLS_OK;
    }
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", samples[i].name);
  }
  return dls_fail(DLS_ERR_ARGUMENT, "sample \"%s\": there is none of that name; there are %s", name,
                  names);
}

static DlsStatus check(const DlsSample *sample, const DlsSampleParams *p) {
  DLS_CHECK(p->size >= 1 && p->size <= sample->max_size, DLS_ERR_ARGUMENT,
            "sample %s: size %d (%s) is not in 1 .. %d", sample->name, p->size, sample->size,
            sample->max_size);
  DLS_CHECK(p->mu >= 0 && isfinite(p->mu), DLS_ERR_ARGUMENT,
            "sample %s: mu = %g is not a friction coefficient; give a number >= 0", sample->name,
            p->mu);
  DLS_CHECK(p->h > 0 && isfinite(p->h), DLS_ERR_ARGUMENT,
            "sample %s: h = %g s is not a time-step; give a number > 0", sample->name, p->h);
  DLS_CHECK(fabs(p->tilt) < M_PI_2, DLS_ERR_ARGUMENT,
            "sample %s: tilt = %g rad is not below a right angle", sample->name, p->tilt);
  return DLS_OK;
}

DlsStatus dls_sample_create(const char *name, const DlsSampleParams *params, DlsProblem **out,
                            double **r) {
  const DlsSample *sample = NULL;
  Scene scene;
  double *known = NULL;
  char title[64];
  *out = NULL;
  if (r) *r = NULL;
  DLS_TRY(dls_sample_find(name, &sample));
  const DlsSampleParams p = params ? *params : sample->defaults;
  const Recipe *recipe = &recipes[sample - samples];
  DLS_TRY(check(sample, &p));
  dls_scene_begin(&scene, recipe->dim, recipe->block, &p);
  DlsStatus status = recipe->build(&p, &scene, &known);
  if (status == DLS_OK) status = dls_scene_problem(&scene, known, out);
  dls_scene_clear(&scene);
  snprintf(title, sizeof title, "%s:%d", sample->name, p.size);
  if (status == DLS_OK) status = dls_problem_set_name(*out, title);
  if (status != DLS_OK) dls_problem_destroy(out);
  if (status == DLS_OK && r)
    *r = known;
  else
    free(known);
  return status;
}
