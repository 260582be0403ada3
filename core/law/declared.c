#include "law/declared.h"

#include <string.h>

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

static DlsStatus check_line(const char *who, const char *field, const char *text) {
  REFUSE_UNLESS(text, "%s: .%s is NULL; set it, if only to \"\"", who, field);
  REFUSE_UNLESS(printable(text, LONGEST_LINE, 0),
                "%s: .%s is no line of at most %d printable characters; shorten it", who, field,
                (int)LONGEST_LINE);
  return DLS_OK;
}

DlsStatus dls_declared_texts(const char *who, const char *summary, const char *references,
                             const char *description, const char *maturity) {
  DLS_TRY(check_line(who, "summary", summary));
  DLS_TRY(check_line(who, "references", references));
  REFUSE_UNLESS(!description || printable(description, LONGEST_TEXT, 1),
                "%s: .description is no text of at most %d printable characters; "
                "shorten it",
                who, (int)LONGEST_TEXT);
  REFUSE_UNLESS(!maturity || strcmp(maturity, "experimental") == 0 ||
                    strcmp(maturity, "verified") == 0 || strcmp(maturity, "validated") == 0,
                "%s: .maturity is none of experimental, verified and validated", who);
  return DLS_OK;
}

/* [A-Za-z][A-Za-z0-9_]*: what a deck can write as a key. */
int dls_declared_key(const char *name) {
  static const char letters[] = "_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const size_t length = strnlen(name, 33);
  return length && length <= 32 && strspn(name, letters) == length && name[0] > '9' &&
         name[0] != '_';
}

DlsStatus dls_declared_row(const char *who, const char *what, const DlsParam *rows, int i) {
  const DlsParam *row = &rows[i];
  REFUSE_UNLESS(row->name, "%s: %s %d has no name; set .name", who, what, i);
  REFUSE_UNLESS(dls_declared_key(row->name),
                "%s: the name of %s %d is not of the form [A-Za-z][A-Za-z0-9_]* with at "
                "most 32 letters; change it",
                who, what, i);
  REFUSE_UNLESS(row->unit && printable(row->unit, LONGEST_LINE, 0),
                "%s: %s '%s' has no unit; write \"1\" for a pure number", who, what, row->name);
  REFUSE_UNLESS(row->meaning && printable(row->meaning, LONGEST_LINE, 0),
                "%s: %s '%s' has no meaning; say in a line what it is", who, what, row->name);
  for (int k = 0; k < i; k++)
    REFUSE_UNLESS(strcmp(rows[k].name, row->name) != 0,
                  "%s: %ss %d and %d are both called '%s'; rename one", who, what, k, i, row->name);
  REFUSE_UNLESS(!isnan(row->min) && !isnan(row->max),
                "%s: a bound of %s '%s' is not a number; DLS_NO_BOUND stands for none", who, what,
                row->name);
  REFUSE_UNLESS(row->min <= row->max,
                "%s: %s '%s' has the bounds %g and %g, of which the lower is above the "
                "upper; swap them",
                who, what, row->name, row->min, row->max);
  REFUSE_UNLESS(isfinite(row->value), "%s: the default of %s '%s' is %g; give a finite number", who,
                what, row->name, row->value);
  REFUSE_UNLESS(row->value >= row->min && row->value <= row->max,
                "%s: the default %g of %s '%s' is not within its bounds %g and %g; mend "
                "either",
                who, row->value, what, row->name, row->min, row->max);
  return DLS_OK;
}

DlsStatus dls_declared_table(const char *who, const char *what, const DlsParam *rows, int count) {
  REFUSE_UNLESS(count >= 0, "%s: it declares %d %ss; use DLS_COUNT", who, count, what);
  REFUSE_UNLESS(count <= DLS_MAX_PARAMS, "%s: it declares %d %ss, %d are allowed", who, count, what,
                (int)DLS_MAX_PARAMS);
  REFUSE_UNLESS(count == 0 || rows, "%s: its table of %d %ss is NULL; set the pointer", who, count,
                what);
  for (int i = 0; i < count; i++) DLS_TRY(dls_declared_row(who, what, rows, i));
  return DLS_OK;
}
