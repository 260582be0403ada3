/* A law and a contact as they are before anything is said of them. */
#include <delassus/laws.h>

DlsLawUse dls_law_use_default(const DlsLaw *law) { return (DlsLawUse){.law = law, .contact = -1}; }

DlsPair dls_law_pair(const DlsContact *c) {
  return (DlsPair){
      .dim = c->dim, .radius = c->radius, .radii = {c->radii[0], c->radii[1]}, .tables = c->tables};
}

DlsContact dls_contact_default(int dim) {
  DlsContact contact = {.dim = dim, .block = dim, .h = 1e-3};
  for (int k = 0; k < dim; k++) contact.frame[k][k] = 1;
  for (int k = 0; k < 3; k++) contact.axes[0][k][k] = contact.axes[1][k][k] = 1;
  return contact;
}
