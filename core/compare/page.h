/* The report of a race: index.html, which needs no other file, and beside it, in `figures`, each
 * figure as SVG and PDF and its curves as CSV. */
#ifndef DELASSUS_COMPARE_PAGE_H
#define DELASSUS_COMPARE_PAGE_H

#include "compare/about.h"
#include "compare/race/race.h"

/* `pdf`: figures as PDF too; where the library is missing the page says so, with the cure. */
DlsStatus dls_race_page(const DlsRace *race, const DlsAbout *about, const char *folder, bool pdf);

#endif
