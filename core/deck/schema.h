/* What a deck may hold: a section is a table of rows, each a key bound to a field of a C struct.
 * The reader, the writer of resolved decks, the messages and the documentation use the same
 * table. */
#ifndef DELASSUS_DECK_SCHEMA_H
#define DELASSUS_DECK_SCHEMA_H

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/choices.h"
#include "deck/expression.h"
#include "deck/node.h"

typedef struct DlsDeck DlsDeck;
typedef struct DlsDeckSection DlsDeckSection;

/* Kind of a row: field in the struct, and its value where the key is optional and not given. */
typedef enum {
  DLS_DECK_REAL,        /* double; NAN */
  DLS_DECK_INT,         /* int; DLS_DECK_NO_INT */
  DLS_DECK_BOOL,        /* bool; false */
  DLS_DECK_STRING,      /* char *; NULL */
  DLS_DECK_PATH,        /* char *, absolute, of a file that can be read; NULL */
  DLS_DECK_CHOICE,      /* int, number in `choices` from 0; -1 */
  DLS_DECK_VECTOR,      /* double[most]; NAN. Of least..most numbers, the missing ones are 0 */
  DLS_DECK_INTEGERS,    /* int[most]; DLS_DECK_NO_INT, and 0 likewise */
  DLS_DECK_REALS,       /* DlsDeckReals of least..most numbers; empty */
  DLS_DECK_STRINGS,     /* DlsDeckStrings, of `choices` unless NULL; empty; least 1: or one word */
  DLS_DECK_EXPRESSION,  /* DlsExpression *; NULL. Variables are `choices`, NULL: t */
  DLS_DECK_EXPRESSIONS, /* DlsExpression *[most]; NULL, and the constant 0 likewise */
  DLS_DECK_SECTION,     /* the struct itself; a missing section has its defaults */
  DLS_DECK_POINTER,     /* pointer to the struct of a section that may be missing; NULL */
  DLS_DECK_LIST,        /* DlsDeckList of sections, least..most of them (most 0: any) */
  DLS_DECK_MAP,         /* DlsDeckList of named sections, each with a DLS_DECK_NAME row */
  DLS_DECK_VARIANT,     /* DlsDeckVariant, a section that row.choose() picks */
  DLS_DECK_NAME,        /* char *: the name of the section in its map; no key of a deck */
  DLS_DECK_PLACE,       /* const DlsDeckNode *: the section, for later messages; no key */
} DlsDeckKind;

typedef struct {
  double *values;
  int count;
} DlsDeckReals;

typedef struct {
  char **values;
  int count;
} DlsDeckStrings;

typedef struct {
  void *items; /* count structs of the row's section */
  int count;
} DlsDeckList;

typedef struct {
  const DlsDeckSection *section; /* NULL: nothing chosen */
  void *data;
} DlsDeckVariant;

#define DLS_DECK_NO_INT   INT_MIN
#define DLS_DECK_REQUIRED ((const char *)0)
#define DLS_DECK_OPTIONAL ""           /* no default: the field says that it was not given */
#define DLS_DECK_POSITIVE DBL_TRUE_MIN /* as `min`: above 0 */
#define DLS_DECK_FREE     HUGE_VAL     /* as `max`, and negative as `min`: no bound */

typedef struct {
  const char *key;
  DlsDeckKind kind;
  size_t offset;
  const char *standard; /* the default as in a deck: "0.3", "5 mm", "[0, 0, -9.81]"; see above */
  const char *unit;     /* "kg/m3"; NULL for what has none */
  double min, max;      /* of each number, bounds included; both 0: no bounds */
  int least, most;      /* numbers or items */
  bool alone;           /* of a list: one item may be written without its dash */
  const char *choices;  /* "moreau|euler" */
  const DlsDeckSection *section;
  /* Picks the section of a variant by what stands in the rows above it (`data`, the struct that is
   * being filled); NULL: no such key here. Its failure becomes a message of the deck. The section
   * lives as long as the data. */
  DlsStatus (*choose)(const void *data, const DlsDeckSection **out);
  const char *chosen_by; /* the key whose value choose() looks at: its failure is told there */
  /* Of a text that may be written as `section` too: the text that says the same as the struct. Its
   * failure becomes a message of the deck. */
  DlsStatus (*spell)(const void *data, char *text, size_t bytes);
  const char *meaning;
} DlsDeckRow;

struct DlsDeckSection {
  const char *name;
  const char *meaning;
  const DlsDeckRow *rows;
  int count;
  size_t bytes; /* of the struct */
  /* What one row alone cannot say: called when all rows are right; adds its messages with
   * dls_deck_problem(). May be NULL. */
  void (*check)(DlsDeck *deck, const DlsDeckNode *node, void *data);
  /* Of a section that may be written as one text too: fills the struct, which holds the defaults.
   * Its failure becomes a message of the deck. NULL: lines of keys alone. */
  DlsStatus (*parse)(const char *text, void *data);
};

/* Rows whose key is the name of the field. `about` is the meaning. */
#define DLS_DECK_ROW(type, field, kind_, standard_, about)                                         \
  .key = #field, .kind = (kind_), .offset = offsetof(type, field), .standard = (standard_),        \
  .meaning = (about)
#define DLS_DECK_REAL_ROW(type, field, unit_, standard_, min_, max_, about)                        \
  {                                                                                                \
    DLS_DECK_ROW(type, field, DLS_DECK_REAL, standard_, about), .unit = (unit_), .min = (min_),    \
                                                                .max = (max_)                      \
  }
#define DLS_DECK_INT_ROW(type, field, standard_, min_, max_, about)                                \
  { DLS_DECK_ROW(type, field, DLS_DECK_INT, standard_, about), .min = (min_), .max = (max_) }
#define DLS_DECK_BOOL_ROW(type, field, standard_, about)                                           \
  { DLS_DECK_ROW(type, field, DLS_DECK_BOOL, standard_, about) }
#define DLS_DECK_STRING_ROW(type, field, standard_, about)                                         \
  { DLS_DECK_ROW(type, field, DLS_DECK_STRING, standard_, about) }
#define DLS_DECK_PATH_ROW(type, field, standard_, about)                                           \
  { DLS_DECK_ROW(type, field, DLS_DECK_PATH, standard_, about) }
#define DLS_DECK_CHOICE_ROW(type, field, choices_, standard_, about)                               \
  { DLS_DECK_ROW(type, field, DLS_DECK_CHOICE, standard_, about), .choices = (choices_) }
#define DLS_DECK_VECTOR_ROW(type, field, unit_, standard_, least_, most_, about)                   \
  {                                                                                                \
    DLS_DECK_ROW(type, field, DLS_DECK_VECTOR, standard_, about),                                  \
        .unit = (unit_), .least = (least_), .most = (most_)                                        \
  }
#define DLS_DECK_EXPRESSION_ROW(type, field, unit_, standard_, about)                              \
  { DLS_DECK_ROW(type, field, DLS_DECK_EXPRESSION, standard_, about), .unit = (unit_) }
#define DLS_DECK_EXPRESSIONS_ROW(type, field, unit_, standard_, least_, most_, about)              \
  {                                                                                                \
    DLS_DECK_ROW(type, field, DLS_DECK_EXPRESSIONS, standard_, about),                             \
        .unit = (unit_), .least = (least_), .most = (most_)                                        \
  }
/* kind: SECTION, POINTER, LIST or MAP. */
#define DLS_DECK_SECTION_ROW(type, field, kind_, standard_, section_, about)                       \
  { DLS_DECK_ROW(type, field, kind_, standard_, about), .section = (section_) }
#define DLS_DECK_NAME_ROW(type, field)                                                             \
  { DLS_DECK_ROW(type, field, DLS_DECK_NAME, DLS_DECK_OPTIONAL, "") }
#define DLS_DECK_PLACE_ROW(type, field)                                                            \
  { DLS_DECK_ROW(type, field, DLS_DECK_PLACE, DLS_DECK_OPTIONAL, "") }

#endif
