/* The results of checks as one page of HTML that needs nothing else: for `law check` and `solver
 * check`. */
#ifndef DELASSUS_APP_CHECK_PAGE_H
#define DELASSUS_APP_CHECK_PAGE_H

#include <stdbool.h>

#include <delassus/status.h>

#include "base/file.h"

enum { APP_CHECK_COMMAND = 4096 };

/* One check. */
typedef struct {
  const char *outcome; /* "passed", "FAILED" ... */
  bool passed, failed; /* neither: nothing to be proud or ashamed of */
  const char *name, *question, *sentence, *remark;
  char command[APP_CHECK_COMMAND]; /* that shows its worst case; "" for none */
  double worst;                    /* error / tolerance */
  long cases, measured;
} AppCheckRow;

typedef struct {
  const char *what; /* "law check" */
  const char *name, *summary, *references;
  const char *manual; /* "docs/law-check.md" */
  unsigned long long seed;
  const AppCheckRow *rows;
  int count;
  void (*more)(DlsFile *file, const void *context); /* below the table; NULL: nothing */
  const void *context;
} AppCheckPage;

/* DLS_ERR_FILE where the file cannot be written. */
DlsStatus app_check_page_write(const AppCheckPage *page, const char *path);

#endif
