/* The checks that every call of a law shares, and their sentences. */
#include "law/law_impl.h"

DlsStatus dls_law_blame(const DlsLawUse *use) {
  if (use->contact < 0) return dls_fail_context(DLS_ERR_LAW, "contact law '%s'", use->law->name);
  return dls_fail_context(DLS_ERR_LAW, "contact law '%s', contact %d", use->law->name,
                          use->contact);
}

DlsStatus dls_law_check_use(const DlsLawUse *use) {
  const DlsContact *c = use->kinematics;
  if (c->dim != 2 && c->dim != 3) FAIL(use, "space has %d dimensions, not 2 or 3", c->dim);
  if (!dls_law_serves(use->law, c->block) || c->block < c->dim)
    FAIL(use, "it does not serve blocks of %d components in %d dimensions", c->block, c->dim);
  if (!(c->h > 0) || !isfinite(c->h)) FAIL(use, "the time-step is %g s", c->h);
  if (use->law->nfields && (!c->fields[0] || !c->fields[1]))
    FAIL(use, "it asks for %d fields, of which it is told nothing; set fields of the contact",
         use->law->nfields);
  if (use->law->nsurfaces && (!c->surface[0] || !c->surface[1]))
    FAIL(use,
         "it keeps %d numbers of surfaces, of which it is told nothing; set surface of the "
         "contact",
         use->law->nsurfaces);
  if (use->law->ntables && !c->tables)
    FAIL(use, "it wants %d tables, of which it is told nothing; set tables of the contact",
         use->law->ntables);
  return DLS_OK;
}

DlsStatus dls_law_check_status(const DlsLawUse *use, const char *function, DlsStatus status) {
  if (status != DLS_OK)
    FAIL(use, "%s failed at t = %g s, gap %g m, with status %d (%s)", function,
         use->kinematics->time, use->kinematics->gap, (int)status, dls_status_text(status));
  return DLS_OK;
}

DlsStatus dls_law_check_finite(const DlsLawUse *use, const char *function, const char *field,
                               const double *x, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(x[i])) FAIL(use, "%s gives %s[%d] = %g", function, field, i, x[i]);
  return DLS_OK;
}
