#include "assemble/restitution.h"

#include <string.h>

#include "world/deformable.h"

DlsStatus dls_restitution_check(const DlsWorld *world, const DlsInteraction *item, int body) {
  const DlsDeformable *soft = body < 0 ? NULL : dls_deformable_of(world, body);
  if (!soft || !soft->faces) return DLS_OK;
  const double *params = item->params; /* of all its laws */
  for (int k = 0; dls_interaction_law(item, k); k++) {
    const DlsLaw *law = dls_interaction_law(item, k);
    for (int n = 0; n < law->nparams; n++)
      DLS_CHECK(strcmp(law->params[n].name, "rho") != 0 || params[n] == 0, DLS_ERR_ARGUMENT,
                "law '%s' has the restitution rho = %g, and meets the surface of body %llu, a %s, "
                "whose nodes have none of their own: its waves throw back what it meets; give the "
                "pair a law with rho: 0",
                law->name, params[n], (unsigned long long)world->id[body], soft->kind->name);
    params += law->nparams;
  }
  return DLS_OK;
}

static DlsStatus check_pair(const DlsWorld *world, const DlsInteractions *laws, int body,
                            int material, int other) {
  const int n = dls_interactions_between(laws, world->material[body], material, other);
  return n < 0 ? DLS_OK : dls_restitution_check(world, &laws->item[n], body);
}

DlsStatus dls_restitution_check_all(const DlsWorld *world, const DlsInteractions *laws) {
  for (int k = 0; k < world->deformable.count; k++) {
    const int body = world->deformable.item[k].body;
    for (int other = 0; other < world->count; other++)
      if (other != body) DLS_TRY(check_pair(world, laws, body, world->material[other], other));
    for (int b = 0; b < world->boundary_count; b++)
      DLS_TRY(check_pair(world, laws, body, world->boundary[b].material, -1 - b));
  }
  return DLS_OK;
}
