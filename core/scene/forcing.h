/* Random forcing (Maury, slide 26): du = f dt + sigma dw, by steps u += h f + sqrt(h) sigma w_n
 * with normal numbers w_n. A number follows from the seed, the moment and the id of the body alone:
 * nothing has to be kept for a restart, and the order of bodies does not matter. */
#ifndef DELASSUS_SCENE_FORCING_H
#define DELASSUS_SCENE_FORCING_H

#include <stdint.h>

/* dim independent normal numbers of mean 0 and variance 1, the rest 0. `t`, in s, tells the moment
 * by its bits. */
void dls_forcing_draw(uint64_t seed, double t, uint64_t id, int dim, double out[3]);

#endif
