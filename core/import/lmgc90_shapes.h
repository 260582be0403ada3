/* Bodies of LMGC90 as bodies and boundaries of a deck. */
#ifndef DELASSUS_IMPORT_LMGC90_SHAPES_H
#define DELASSUS_IMPORT_LMGC90_SHAPES_H

#include "import/lmgc90_impl.h"

/* All its velocities are prescribed. */
bool dls_lmgc90_is_held(const DlsLmgc90Body *body);

/* A hollow disk or cylinder, or a cylinder that is held: a boundary of the deck. */
bool dls_lmgc90_is_boundary(const DlsLmgc90Body *body);

/* One item of `bodies` or of `boundaries`; notes of what is lost. */
DlsStatus dls_lmgc90_write_body(DlsLmgc90 *scene, int number, const char *material, double density,
                                FILE *out);

#endif
