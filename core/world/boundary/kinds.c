/* The kinds: those of list.h, then those that were registered. */
#include <stddef.h>

#include "world/boundary/kind.h"

enum { MAX_REGISTERED = 16 };

static const DlsBoundaryOperations *const listed[] = {
#define ENTRY(code, name) &dls_boundary_##name,
    DLS_BOUNDARY_LIST(ENTRY)
#undef ENTRY
};

static const DlsBoundaryOperations *registered[MAX_REGISTERED];
static int registered_count;

const DlsBoundaryOperations *dls_boundary_operations(DlsBoundaryKind kind) {
  const unsigned number = (unsigned)kind;
  if (number < DLS_BOUNDARY_KINDS) return listed[number];
  const unsigned own = number - DLS_BOUNDARY_KINDS;
  return own < (unsigned)registered_count ? registered[own] : NULL;
}

DlsStatus dls_boundary_register(const DlsBoundaryOperations *operations, DlsBoundaryKind *kind) {
  DLS_CHECK(operations->name && operations->near && operations->ray && operations->outline,
            DLS_ERR_ARGUMENT, "a kind of boundary needs a name, near, ray and outline");
  int k = 0;
  while (k < registered_count && registered[k] != operations) k++;
  DLS_CHECK(k < MAX_REGISTERED, DLS_ERR_UNSUPPORTED,
            "%s: more than %d kinds of boundaries are registered", operations->name,
            MAX_REGISTERED);
  if (k == registered_count) registered[registered_count++] = operations;
  *kind = (DlsBoundaryKind)(DLS_BOUNDARY_KINDS + k);
  return DLS_OK;
}

const char *dls_boundary_text(DlsBoundaryKind kind) {
  const DlsBoundaryOperations *operations = dls_boundary_operations(kind);
  return operations ? operations->name : "unknown";
}
