#include "scene/forcing.h"

#include <string.h>

#include "base/random.h"

void dls_forcing_draw(uint64_t seed, double t, uint64_t id, int dim, double out[3]) {
  DlsRandom random;
  uint64_t moment;
  memcpy(&moment, &t, sizeof moment);
  dls_random_stream(&random, seed, moment);
  dls_random_stream(&random, dls_random_bits(&random), id);
  for (int k = 0; k < 3; k++) out[k] = k < dim ? dls_random_normal(&random) : 0;
}
