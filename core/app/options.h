/* The options of a command as one table: a row says the name, what the value is, its bounds, the
 * field of the command's job that takes it, and the line of the help. One reader fills the job,
 * prints --help, and refuses what is wrong in one kind of sentence, with the cure. */
#ifndef DELASSUS_APP_OPTIONS_H
#define DELASSUS_APP_OPTIONS_H

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "app/app.h"
#include "base/pool.h"

/* Kind of a row, and the field that it fills. */
typedef enum {
  APP_FLAG,     /* takes no value; bool, true where it is given */
  APP_TEXT,     /* const char * */
  APP_TEXTS,    /* AppTexts: may be given again and again */
  APP_REAL,     /* double, min to max */
  APP_INTEGER,  /* long, min to max, or one of `choices` */
  APP_CHOICE,   /* int or an enum: number of the word in `choices`, from 0 */
  APP_READ,     /* what read() makes of the value */
  APP_REMAINDER /* AppRemainder: what follows -- */
} AppOptionKind;

/* Values of a row that repeats, in their order; freed by app_options_clear(). */
typedef struct {
  const char **item;
  int count, capacity;
} AppTexts;

typedef struct {
  int argc;
  char **argv;
} AppRemainder;

struct AppOption {
  const char *name;
  const char *value; /* what the help calls it; NULL for a flag; of an operand: the noun */
  const char *meaning;
  AppOptionKind kind;
  bool operand; /* a word without dashes; no line of the help: the usage names it */
  bool repeats; /* of APP_READ: may be given again */
  size_t offset;
  double min, max;     /* of numbers, bounds included; APP_ABOVE_0, APP_ANY */
  const char *choices; /* "natural|scaled" */
  /* Puts the value into the field (the whole job where the row names none): true; or refuses it
   * with app_refuse(): false. */
  bool (*read)(const AppCommand *command, const AppOption *option, const char *value, void *field);
};

#define APP_ABOVE_0 DBL_TRUE_MIN /* as min */
#define APP_ANY     HUGE_VAL     /* as max, and negative as min */

/* The place of a field that has the type; another type does not compile. */
#define APP_FIELD(type, job, field)                                                                \
  (offsetof(job, field) + 0 * sizeof(_Generic(&((job *)0)->field, type * : 0)))

#define APP_FLAG_ROW(job, field, name_, meaning_)                                                  \
  {                                                                                                \
    .name = (name_), .meaning = (meaning_), .kind = APP_FLAG,                                      \
    .offset = APP_FIELD(bool, job, field)                                                          \
  }
#define APP_TEXT_ROW(job, field, name_, value_, meaning_)                                          \
  {                                                                                                \
    .name = (name_), .value = (value_), .meaning = (meaning_), .kind = APP_TEXT,                   \
    .offset = APP_FIELD(const char *, job, field)                                                  \
  }
#define APP_TEXTS_ROW(job, field, name_, value_, meaning_)                                         \
  {                                                                                                \
    .name = (name_), .value = (value_), .meaning = (meaning_), .kind = APP_TEXTS,                  \
    .offset = APP_FIELD(AppTexts, job, field)                                                      \
  }
#define APP_REAL_ROW(job, field, name_, value_, min_, max_, meaning_)                              \
  {                                                                                                \
    .name = (name_), .value = (value_), .meaning = (meaning_), .kind = APP_REAL,                   \
    .offset = APP_FIELD(double, job, field), .min = (min_), .max = (max_)                          \
  }
#define APP_INTEGER_ROW(job, field, name_, value_, min_, max_, meaning_)                           \
  {                                                                                                \
    .name = (name_), .value = (value_), .meaning = (meaning_), .kind = APP_INTEGER,                \
    .offset = APP_FIELD(long, job, field), .min = (min_), .max = (max_)                            \
  }
#define APP_THREADS_ROW(job, field)                                                                \
  APP_INTEGER_ROW(job, field, "threads", "N", 1, DLS_POOL_MOST,                                    \
                  "threads to work with (default: DELASSUS_THREADS, else all processors that the " \
                  "process may use); results are the same bytes with any number")
#define APP_NUMBER_ROW(job, field, name_, value_, choices_, meaning_)                              \
  {                                                                                                \
    .name = (name_), .value = (value_), .meaning = (meaning_), .kind = APP_INTEGER,                \
    .offset = APP_FIELD(long, job, field), .choices = (choices_)                                   \
  }
#define APP_CHOICE_ROW(job, field, name_, value_, choices_, meaning_)                              \
  {                                                                                                \
    .name = (name_), .value = (value_), .meaning = (meaning_), .kind = APP_CHOICE,                 \
    .offset = offsetof(job, field) +                                                               \
              0 * sizeof(char[sizeof(((job *)0)->field) == sizeof(int) ? 1 : -1]),                 \
    .choices = (choices_)                                                                          \
  }
#define APP_READ_ROW(function, name_, value_, meaning_)                                            \
  {                                                                                                \
    .name = (name_), .value = (value_), .meaning = (meaning_), .kind = APP_READ,                   \
    .read = (function)                                                                             \
  }
/* The one operand of a command, a `noun`; all its operands; each handed to a function. */
#define APP_OPERAND_ROW(job, field, noun)                                                          \
  {                                                                                                \
    .value = (noun), .kind = APP_TEXT, .operand = true,                                            \
    .offset = APP_FIELD(const char *, job, field)                                                  \
  }
#define APP_OPERANDS_ROW(job, field)                                                               \
  { .kind = APP_TEXTS, .operand = true, .offset = APP_FIELD(AppTexts, job, field) }
#define APP_READ_OPERANDS_ROW(function)                                                            \
  { .kind = APP_READ, .operand = true, .repeats = true, .read = (function) }
#define APP_REMAINDER_ROW(job, field)                                                              \
  { .kind = APP_REMAINDER, .offset = APP_FIELD(AppRemainder, job, field) }

/* Of app_options_read(): nothing to say, the command goes on. No exit status. */
enum { APP_GO_ON = -1 };

/* Fills the job, which holds the defaults. APP_GO_ON, or the exit status: --help and --version are
 * answered, a mistake is told. In both cases the job is ended with app_options_clear(). */
int app_options_read(const AppCommand *command, int argc, char **argv, void *job);
void app_options_clear(const AppCommand *command, void *job);

/* Usage, summary, a line for each option, details. */
void app_options_help(const AppCommand *command);

#endif
