/* What a law declares, checked once at load, so that nothing after has to doubt it. */
#include "law/declared.h"
#include "law/law_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/plugin.h"

#define REFUSE_UNLESS(condition, ...) DLS_CHECK(condition, DLS_ERR_PLUGIN, __VA_ARGS__)

static DlsStatus check_functions(const DlsLaw *law, const char *from) {
  REFUSE_UNLESS(strcmp(law->name, DLS_LAW_NONE) != 0,
                "contact law %s: its name is '%s', which in decks means that there is no law; call "
                "it something else",
                from, DLS_LAW_NONE);
  const uint32_t known = DLS_BLOCK(2) | DLS_BLOCK(3) | DLS_BLOCK(5) | DLS_BLOCK(6);
  REFUSE_UNLESS((law->blocks & ~known) == 0,
                "contact law %s: .blocks is 0x%x, but blocks have 2, 3, 5 or 6 components; join "
                "DLS_BLOCK() of these with |",
                from, law->blocks);
  const uint32_t claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_HOMOGENEOUS | DLS_CLAIM_SWAP |
                          DLS_CLAIM_CLOCK | DLS_CLAIM_PLAIN;
  REFUSE_UNLESS((law->claims & ~claims) == 0,
                "contact law %s: .claims is 0x%x; join DLS_CLAIM_... with |", from, law->claims);
  REFUSE_UNLESS(law->prepare || law->traction || law->residual || law->force,
                "contact law %s: it has neither prepare nor traction nor residual nor force; give "
                "one of them",
                from);
  REFUSE_UNLESS(!law->traction || (!law->prepare && !law->residual && !law->force && !law->commit),
                "contact law %s: beside traction it has prepare, residual, force or commit; "
                "traction stands for them all",
                from);
  REFUSE_UNLESS(law->per_area == 0 || (law->per_area == 1 && law->traction),
                "contact law %s: .per_area is %d; it is 0, or 1 for a law with traction", from,
                law->per_area);
  REFUSE_UNLESS(law->composes == 0 || (law->composes == 1 && law->prepare && !law->residual),
                "contact law %s: .composes is %d; it is 0, or 1 for a law with prepare and without "
                "residual",
                from, law->composes);
  REFUSE_UNLESS(!law->begin || law->nstates > 0,
                "contact law %s: it has begin but no state variables; drop it", from);
  REFUSE_UNLESS(law->residual || (!law->solve && !law->project),
                "contact law %s: it has solve or project but no residual; a custom law needs it",
                from);
  REFUSE_UNLESS(law->nstates == 0 || law->commit || law->traction,
                "contact law %s: it has state variables but no commit, so they never change; add "
                "commit or drop them",
                from);
  REFUSE_UNLESS((law->nsurfaces > 0) == (law->surface != NULL),
                "contact law %s: .surfaces and the function surface go together; add or drop one",
                from);
  REFUSE_UNLESS(law->surface_scope == DLS_SURFACE_BODY || law->surface_scope == DLS_SURFACE_PATCH,
                "contact law %s: .surface_scope is %d; it is DLS_SURFACE_BODY or DLS_SURFACE_PATCH",
                from, law->surface_scope);
  REFUSE_UNLESS((law->nstatuses == 0 && law->noutputs == 0) || law->report,
                "contact law %s: it has .statuses or .outputs, but no report to give them", from);
  return DLS_OK;
}

/* Vectors of the contact plane are two rows of the same kind; other tables have none. */
static DlsStatus check_kinds(const DlsLaw *law, const char *from) {
  int jumps = 0;
  for (int i = 0; i < law->nstates; i++) {
    const int kind = law->states[i].kind;
    REFUSE_UNLESS(kind == DLS_SCALAR || kind == DLS_TANGENT || kind == DLS_JUMP,
                  "contact law %s: state variable '%s' is of kind %d, not known; take DLS_SCALAR, "
                  "DLS_TANGENT or DLS_JUMP",
                  from, law->states[i].name, kind);
    REFUSE_UNLESS(kind != DLS_JUMP || law->traction,
                  "contact law %s: state variable '%s' is of kind DLS_JUMP, which is for laws with "
                  "traction; take DLS_TANGENT",
                  from, law->states[i].name);
    REFUSE_UNLESS(
        kind != DLS_JUMP || !jumps++,
        "contact law %s: state variable '%s' begins a second vector of kind DLS_JUMP; the "
        "jump of a contact is one",
        from, law->states[i].name);
    if (kind == DLS_SCALAR) continue;
    REFUSE_UNLESS(i + 1 < law->nstates && law->states[i + 1].kind == kind,
                  "contact law %s: state variable '%s' is half of a vector; let the other half, of "
                  "the same kind, follow it",
                  from, law->states[i].name);
    i++;
  }
  return DLS_OK;
}

static DlsStatus check_statuses(const DlsLaw *law, const char *from) {
  REFUSE_UNLESS(law->nstatuses >= 0 && law->nstatuses <= DLS_MAX_PARAMS,
                "contact law %s: it declares %d statuses, %d are allowed", from, law->nstatuses,
                (int)DLS_MAX_PARAMS);
  REFUSE_UNLESS(law->nstatuses == 0 || law->statuses,
                "contact law %s: its table of %d statuses is NULL; set the pointer", from,
                law->nstatuses);
  for (int i = 0; i < law->nstatuses; i++)
    REFUSE_UNLESS(law->statuses[i] && dls_declared_key(law->statuses[i]),
                  "contact law %s: status %d is not of the form [A-Za-z][A-Za-z0-9_]* with at most "
                  "32 letters; change it",
                  from, i);
  return DLS_OK;
}

/* States and outputs stand side by side in frames, as LAW.NAME. */
static DlsStatus check_outputs(const DlsLaw *law, const char *who, const char *from) {
  DLS_TRY(dls_declared_table(who, "output", law->outputs, law->noutputs));
  for (int i = 0; i < law->noutputs; i++)
    for (int k = 0; k < law->nstates; k++)
      REFUSE_UNLESS(strcmp(law->outputs[i].name, law->states[k].name) != 0,
                    "contact law %s: the output '%s' is called as a state variable, which is in "
                    "frames without it; drop or rename it",
                    from, law->outputs[i].name);
  return DLS_OK;
}

static DlsStatus check_reserved(const char *from, const char *what, const DlsParam *rows,
                                int count) {
  for (int i = 0; i < count; i++)
    REFUSE_UNLESS(!dls_law_name_reserved(rows[i].name),
                  "contact law %s: %s '%s' bears a name that tables and frames have for what is "
                  "theirs; rename it",
                  from, what, rows[i].name);
  return DLS_OK;
}

DlsStatus dls_law_accept(const DlsLaw *law, const char *from) {
  char who[1200];
  snprintf(who, sizeof who, "contact law %s", from);
  DLS_TRY(dls_declared_texts(who, law->summary, law->references, law->description, law->maturity));
  DLS_TRY(dls_declared_table(who, "parameter", law->params, law->nparams));
  DLS_TRY(dls_declared_table(who, "state variable", law->states, law->nstates));
  DLS_TRY(dls_declared_table(who, "field", law->fields, law->nfields));
  DLS_TRY(dls_declared_table(who, "surface variable", law->surfaces, law->nsurfaces));
  DLS_TRY(dls_law_check_tables(law, who, from));
  DLS_TRY(check_outputs(law, who, from));
  DLS_TRY(check_reserved(from, "state variable", law->states, law->nstates));
  DLS_TRY(check_reserved(from, "field", law->fields, law->nfields));
  DLS_TRY(check_reserved(from, "surface variable", law->surfaces, law->nsurfaces));
  DLS_TRY(check_reserved(from, "output", law->outputs, law->noutputs));
  DLS_TRY(check_kinds(law, from));
  DLS_TRY(check_statuses(law, from));
  return check_functions(law, from);
}

DlsStatus dls_law_check(const DlsLaw *law, const char *from) {
  DLS_CHECK(law, DLS_ERR_ARGUMENT, "contact law %s: it is NULL", from);
  REFUSE_UNLESS(law->abi == DLS_LAW_ABI && law->size == sizeof(DlsLaw),
                "contact law %s: its ABI number and size are %u and %u, this program's %u and %u; "
                "build it against this <delassus/law.h>",
                from, law->abi, law->size, DLS_LAW_ABI, (unsigned)sizeof(DlsLaw));
  REFUSE_UNLESS(law->name && dls_plugin_name_valid(law->name),
                "contact law %s: its name is not of the form [a-z][a-z0-9-]*; change .name", from);
  return dls_law_accept(law, from);
}
