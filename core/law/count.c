/* How many numbers the laws of a use have together, and what of it they serve and keep. */
#include <delassus/laws.h>

/* The laws of a use one by one. */
#define FOR_EACH_LAW(law, use)                                                                     \
  for (const DlsLaw *law = (use)->law, *const *next = (use)->then; law;                            \
       law = next ? *next : NULL, next += next != NULL)

int dls_law_serves(const DlsLaw *law, int block) {
  if (block != 2 && block != 3 && block != 5 && block != 6) return 0;
  return law->blocks == 0 || (law->blocks & DLS_BLOCK(block)) != 0;
}

int dls_law_count_params(const DlsLawUse *use) {
  int count = 0;
  FOR_EACH_LAW(law, use) count += law->nparams;
  return count;
}

int dls_law_count_states(const DlsLawUse *use) {
  int count = 0;
  FOR_EACH_LAW(law, use) count += law->nstates;
  return count;
}

int dls_law_count_fields(const DlsLawUse *use) {
  int count = 0;
  FOR_EACH_LAW(law, use) count += law->nfields;
  return count;
}

int dls_law_count_surfaces(const DlsLawUse *use) {
  int count = 0;
  FOR_EACH_LAW(law, use) count += law->nsurfaces;
  return count;
}

int dls_law_count_outputs(const DlsLawUse *use) {
  int count = 0;
  FOR_EACH_LAW(law, use) count += law->noutputs;
  return count;
}

int dls_law_count_tables(const DlsLawUse *use) {
  int count = 0;
  FOR_EACH_LAW(law, use) count += law->ntables;
  return count;
}

int dls_law_keeps_vectors(const DlsLawUse *use) {
  FOR_EACH_LAW(law, use)
  for (int i = 0; i < law->nstates; i++)
    if (law->states[i].kind != DLS_SCALAR) return 1;
  return 0;
}

void dls_law_new_surface(const DlsLawUse *use, double *surface) {
  FOR_EACH_LAW(law, use)
  for (int k = 0; k < law->nsurfaces; k++) *surface++ = law->surfaces[k].value;
}
