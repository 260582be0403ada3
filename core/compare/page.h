/* The report of a race: index.html, which needs no other file, and the figures beside it as SVG. */
#ifndef DELASSUS_COMPARE_PAGE_H
#define DELASSUS_COMPARE_PAGE_H

#include "compare/race/race.h"

/* `title` and `about` (one paragraph: what was run, where) are plain text. */
DlsStatus dls_race_page(const DlsRace *race, const char *title, const char *about,
                        const char *folder);

#endif
