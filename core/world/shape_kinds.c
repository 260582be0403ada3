/* The kinds: those of shape_list.h, then those that were registered. */
#include <stddef.h>

#include "world/shape_kind.h"

static const DlsShapeOperations *kinds[DLS_MAX_SHAPE_KINDS] = {
#define ENTRY(code, name) &dls_shape_##name,
    DLS_SHAPE_LIST(ENTRY)
#undef ENTRY
};
static int count = DLS_SHAPE_KINDS;

const DlsShapeOperations *dls_shape_operations(DlsShapeKind kind) {
  return (unsigned)kind < (unsigned)count ? kinds[kind] : NULL;
}

DlsStatus dls_shape_register(const DlsShapeOperations *operations, DlsShapeKind *kind) {
  const DlsShapeOperations *o = operations;
  DLS_CHECK(o->name && o->check && o->reach && o->size && o->moments && o->bounds && o->outline,
            DLS_ERR_ARGUMENT,
            "a kind of shape needs a name, check, reach, size, moments, bounds and outline");
  int k = 0;
  while (k < count && kinds[k] != o) k++;
  DLS_CHECK(k < DLS_MAX_SHAPE_KINDS, DLS_ERR_UNSUPPORTED, "%s: more than %d kinds of shapes",
            o->name, DLS_MAX_SHAPE_KINDS);
  if (k == count) kinds[count++] = o;
  *kind = (DlsShapeKind)k;
  return DLS_OK;
}
