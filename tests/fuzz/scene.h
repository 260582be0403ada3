/* Small scenes of the targets, from decks in this file's code. */
#ifndef DELASSUS_TESTS_FUZZ_SCENE_H
#define DELASSUS_TESTS_FUZZ_SCENE_H

#include "scene/scene.h"

enum { FUZZ_SCENES = 3, FUZZ_DEFORMABLE = FUZZ_SCENES };

/* The text of the deck; 0: a plane one with all that has a state, 1: spheres and a cluster in
 * space, 2: two disks; FUZZ_DEFORMABLE: a plastic block that meets by its surface, which no deck is
 * made of: the cells of a mesh are not counted beforehand. */
extern const char *const fuzz_deck_text[FUZZ_SCENES + 1];

/* The scene before its first step; stops the program where it cannot be built. */
DlsScene *fuzz_scene(int which);

/* Builds the scene of a deck, frames and checkpoints being files of bodies too, with few iterations
 * of its solver; DLS_ERR_UNSUPPORTED where it asks for more than some hundred bodies, or for what
 * cannot be counted beforehand: a large scene takes its time, and is no finding. */
DlsStatus fuzz_build(DlsDeck *deck, bool restart, DlsScene **out);

/* The bodies of a file, a table, a frame or a checkpoint, as the start of a run; two steps. */
void fuzz_begin_from(const char *path, int dim);

#endif
