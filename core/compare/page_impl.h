/* The page of a race while it is written, and its parts. */
#ifndef DELASSUS_COMPARE_PAGE_IMPL_H
#define DELASSUS_COMPARE_PAGE_IMPL_H

#include <limits.h>

#include "base/file.h"
#include "compare/figures.h"
#include "compare/page.h"
#include "plot/pdf.h"

typedef struct {
  DlsFile *file;
  const DlsRace *race;
  char figures[PATH_MAX]; /* folder of the figures */
  DlsPdf *pdf;            /* NULL: there is none, for the reason `no_pdf` */
  char no_pdf[256];
} RacePage;

/* The stem of a figure, FOLDER/figures/NAME; NAME as in printf. */
typedef struct {
  char path[PATH_MAX + 256];
} Stem;
Stem race_stem(const RacePage *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Figures that were drawn, `count` of one kind: their PDF beside them, the last on the page, below
 * it links to the files of all. */
DlsStatus race_put_figures(RacePage *page, const Stem *stems, int count);
static inline DlsStatus race_put_figure(RacePage *page, const Stem *stem) {
  return race_put_figures(page, stem, 1);
}

/* Parts: sizes and costs, the table of the problems, all runs one by one. */
DlsStatus race_put_sizes(RacePage *page);
void race_put_problems(RacePage *page);
DlsStatus race_put_runs(RacePage *page);

#endif
