/* What the pages of reports share: head, style, escaped text, the name of a solver with its colour. */
#ifndef DELASSUS_COMPARE_HTML_H
#define DELASSUS_COMPARE_HTML_H

#include "base/file.h"
#include "compare/race/race.h"

/* From the document type to the heading and a paragraph about it; both plain text. */
void dls_html_begin(DlsFile *file, const char *title, const char *about);

void dls_html_text(DlsFile *file, const char *text); /* <, >, &, " escaped */
void dls_html_solver(DlsFile *file, int number, const char *name);

/* What the solver said and what was measured, where they do not agree. */
void dls_html_claims(DlsFile *file, const DlsRace *race, const DlsRaceRun *run);

/* An SVG file taken over into the page, without its XML declaration. */
DlsStatus dls_html_include(DlsFile *file, const char *path);

#endif
