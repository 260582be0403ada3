/* A coarse-grained field as a VTU file: quadrilaterals in 2-D, hexahedra in 3-D, all quantities at
 * the points. */
#ifndef DELASSUS_RECORD_FIELD_WRITE_H
#define DELASSUS_RECORD_FIELD_WRITE_H

#include "post/field/field.h"
#include "record/vtu/vtu.h"

DlsStatus dls_field_write(const DlsField *field, double time, const DlsVtuOptions *options,
                          const char *path);

#endif
