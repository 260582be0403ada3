/* A small run with everything that a checkpoint must keep: friction with a state, a shaken box, a
 * wall that a force drives, a cluster, grains that come at random and grains that go. */
#ifndef DELASSUS_TEST_CHECKPOINT_SCENE_H
#define DELASSUS_TEST_CHECKPOINT_SCENE_H

#include "base/random.h"
#include "step/simulation.h"

#include "record/checkpoint/checkpoint.h"

typedef struct {
  DlsSimulation *simulation;
  double gravity[3];
  DlsRandom random;
  long poured;
} CheckpointScene;

/* The scene before its first step. It must not move while it is open. */
void scene_open(CheckpointScene *scene, int dim, const DlsScheme *scheme);
/* The same with an elastic block that falls on the grains. */
void scene_open_soft(CheckpointScene *scene, int dim, const DlsScheme *scheme);
void scene_close(CheckpointScene *scene);

void scene_run(CheckpointScene *scene, long steps);

/* With the random numbers and the count of the caller in the extras. */
DlsStatus scene_save(const CheckpointScene *scene, const char *path);
DlsStatus scene_load(CheckpointScene *scene, const char *path, bool force);

#endif
