/* What a law declares, checked once at load, so that nothing after has to doubt it. */
#include "law/law_impl.h"

#include <string.h>

#include "base/plugin.h"

#define REFUSE_UNLESS(condition, ...) DLS_CHECK(condition, DLS_ERR_PLUGIN, __VA_ARGS__)

enum { LONGEST_LINE = 200, LONGEST_TEXT = 20000 };

/* A line without control characters; bytes above 127 belong to UTF-8. */
static int printable(const char *text, size_t longest, int newlines) {
  const size_t length = strnlen(text, longest + 1);
  if (length > longest) return 0;
  for (size_t i = 0; i < length; i++) {
    const unsigned char c = (unsigned char)text[i];
    if ((c < 32 && !(newlines && c == '\n')) || c == 127) return 0;
  }
  return 1;
}

static DlsStatus check_line(const char *from, const char *field, const char *text) {
  REFUSE_UNLESS(text, "contact law %s: .%s is NULL; set it, if only to \"\"", from, field);
  REFUSE_UNLESS(printable(text, LONGEST_LINE, 0),
                "contact law %s: .%s is no line of at most %d printable characters; shorten it",
                from, field, (int)LONGEST_LINE);
  return DLS_OK;
}

static DlsStatus check_texts(const DlsLaw *law, const char *from) {
  DLS_TRY(check_line(from, "summary", law->summary));
  DLS_TRY(check_line(from, "references", law->references));
  REFUSE_UNLESS(!law->description || printable(law->description, LONGEST_TEXT, 1),
                "contact law %s: .description is no text of at most %d printable characters; "
                "shorten it",
                from, (int)LONGEST_TEXT);
  const char *maturity = law->maturity;
  REFUSE_UNLESS(!maturity || strcmp(maturity, "experimental") == 0 ||
                    strcmp(maturity, "verified") == 0 || strcmp(maturity, "validated") == 0,
                "contact law %s: .maturity is none of experimental, verified and validated", from);
  return DLS_OK;
}

/* [A-Za-z][A-Za-z0-9_]*: what a deck can write as a key. */
static int is_key(const char *name) {
  static const char letters[] = "_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const size_t length = strnlen(name, 33);
  return length && length <= 32 && strspn(name, letters) == length && name[0] > '9' &&
         name[0] != '_';
}

DlsStatus dls_law_check_row(const char *from, const char *what, const DlsParam *rows, int i) {
  const DlsParam *row = &rows[i];
  REFUSE_UNLESS(row->name, "contact law %s: %s %d has no name; set .name", from, what, i);
  REFUSE_UNLESS(
      is_key(row->name),
      "contact law %s: the name of %s %d is not of the form [A-Za-z][A-Za-z0-9_]* with at "
      "most 32 letters; change it",
      from, what, i);
  REFUSE_UNLESS(row->unit && printable(row->unit, LONGEST_LINE, 0),
                "contact law %s: %s '%s' has no unit; write \"1\" for a pure number", from, what,
                row->name);
  REFUSE_UNLESS(row->meaning && printable(row->meaning, LONGEST_LINE, 0),
                "contact law %s: %s '%s' has no meaning; say in a line what it is", from, what,
                row->name);
  for (int k = 0; k < i; k++)
    REFUSE_UNLESS(strcmp(rows[k].name, row->name) != 0,
                  "contact law %s: %ss %d and %d are both called '%s'; rename one", from, what, k,
                  i, row->name);
  REFUSE_UNLESS(!isnan(row->min) && !isnan(row->max),
                "contact law %s: a bound of %s '%s' is not a number; DLS_NO_BOUND stands for none",
                from, what, row->name);
  REFUSE_UNLESS(row->min <= row->max,
                "contact law %s: %s '%s' has the bounds %g and %g, of which the lower is above the "
                "upper; swap them",
                from, what, row->name, row->min, row->max);
  REFUSE_UNLESS(isfinite(row->value),
                "contact law %s: the default of %s '%s' is %g; give a finite number", from, what,
                row->name, row->value);
  REFUSE_UNLESS(
      row->value >= row->min && row->value <= row->max,
      "contact law %s: the default %g of %s '%s' is not within its bounds %g and %g; mend "
      "either",
      from, row->value, what, row->name, row->min, row->max);
  return DLS_OK;
}

static DlsStatus check_table(const char *from, const char *what, const DlsParam *rows, int count) {
  REFUSE_UNLESS(count >= 0, "contact law %s: it declares %d %ss; use DLS_COUNT", from, count, what);
  REFUSE_UNLESS(count <= DLS_MAX_PARAMS, "contact law %s: it declares %d %ss, %d are allowed", from,
                count, what, (int)DLS_MAX_PARAMS);
  REFUSE_UNLESS(count == 0 || rows, "contact law %s: its table of %d %ss is NULL; set the pointer",
                from, count, what);
  for (int i = 0; i < count; i++) DLS_TRY(dls_law_check_row(from, what, rows, i));
  return DLS_OK;
}

static DlsStatus check_functions(const DlsLaw *law, const char *from) {
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
    REFUSE_UNLESS(law->statuses[i] && is_key(law->statuses[i]),
                  "contact law %s: status %d is not of the form [A-Za-z][A-Za-z0-9_]* with at most "
                  "32 letters; change it",
                  from, i);
  return DLS_OK;
}

/* States and outputs stand side by side in frames, as LAW.NAME. */
static DlsStatus check_outputs(const DlsLaw *law, const char *from) {
  DLS_TRY(check_table(from, "output", law->outputs, law->noutputs));
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
  DLS_TRY(check_texts(law, from));
  DLS_TRY(check_table(from, "parameter", law->params, law->nparams));
  DLS_TRY(check_table(from, "state variable", law->states, law->nstates));
  DLS_TRY(check_table(from, "field", law->fields, law->nfields));
  DLS_TRY(check_table(from, "surface variable", law->surfaces, law->nsurfaces));
  DLS_TRY(dls_law_check_tables(law, from));
  DLS_TRY(check_outputs(law, from));
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
