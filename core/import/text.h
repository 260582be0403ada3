/* Input files of other programs as lines: words, fields `key= value`, numbers as Fortran writes
 * them, and sentences with the file and the line. */
#ifndef DELASSUS_IMPORT_TEXT_H
#define DELASSUS_IMPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <delassus/status.h>

typedef struct {
  char *path, *bytes;
  const char **line; /* [lines], without their ends */
  int lines, at;     /* the next line; the one in hand has the number `at`, from 1 */
  char comment;      /* lines that begin with it are passed over */
} DlsImportText;

/* The whole file; DLS_ERR_FILE, or DLS_ERR_FORMAT where it holds a zero byte. Ended with
 * dls_import_text_clear(). */
DlsStatus dls_import_text_read(const char *path, char comment, DlsImportText *out);
void dls_import_text_clear(DlsImportText *text);

/* The next line that is neither blank nor a comment; NULL at the end. */
const char *dls_import_text_next(DlsImportText *text);

/* "path:line: sentence", of the line in hand. Returns DLS_ERR_FORMAT. */
DlsStatus dls_import_text_fail(const DlsImportText *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The n-th word of a line, from 0, cut to the room; "" where there is none. */
enum { DLS_IMPORT_WORD = 64 };
const char *dls_import_word(const char *line, int n, char out[DLS_IMPORT_WORD]);
bool dls_import_begins(const char *line, const char *word);

/* A number such as 0.1D-03, 1.5e2 or 7; what follows it is *rest. False where there is none that
 * is finite. */
bool dls_import_real(const char *text, double *value, const char **rest);

/* What stands behind `key=` or `key  =` in a line; NULL where it does not. */
const char *dls_import_field(const char *line, const char *key);
/* The number there. A missing key leaves *out as it is, or fails where it is `required`. */
DlsStatus dls_import_number(const DlsImportText *text, const char *line, const char *key,
                            bool required, double *out);

/* Sentences about what was taken otherwise than it was meant, or not at all. */
typedef struct {
  char *text; /* "path:line: sentence" */
  int again;  /* how often more it would have been said */
  bool lost;  /* the deck is not what the folder says */
} DlsImportNote;

typedef struct {
  DlsImportNote *note;
  int count, capacity, lost; /* lost: how many of them, those said again too */
} DlsImportNotes;

/* Sentences that are alike but for the line are said once, with how often. */
DlsStatus dls_import_note(DlsImportNotes *notes, bool lost, const char *path, int line,
                          const char *format, ...) __attribute__((format(printf, 5, 6)));
void dls_import_notes_clear(DlsImportNotes *notes);

#endif
