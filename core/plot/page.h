/* Reports as one page of HTML that needs no other file: head, style sheet, tables, escaped text,
 * figures taken over. Every page of the program is written through it. */
#ifndef DELASSUS_PLOT_PAGE_H
#define DELASSUS_PLOT_PAGE_H

#include "base/file.h"
#include "plot/svg.h"

/* From the document type to the heading and a paragraph about it ("": none); both plain text. On
 * failure *out is NULL. */
DlsStatus dls_page_begin(const char *path, const char *title, const char *about, DlsFile **out);

/* The last paragraph, and the file in its place; where `status` tells a failure, no file, and that
 * status is returned. */
DlsStatus dls_page_end(DlsStatus status, const char *last, DlsFile **file);

void dls_page_text(DlsFile *file, const char *text); /* <, >, &, " escaped */

/* A name with a dot of its colour. */
void dls_page_name(DlsFile *file, DlsColour colour, const char *name);

/* From <table> to the heads of its first row, which stays open: "solver|time, s|:note" in HTML, a
 * column with : is text, set to the left; NULL: no heads. `class` of the style sheet ("board
 * dense"), or NULL. */
void dls_page_table(DlsFile *file, const char *class, const char *heads);
void dls_page_table_end(DlsFile *file);

/* An SVG file taken over into the page, without its XML declaration, and with names that are its
 * own. */
DlsStatus dls_page_figure(DlsFile *file, const char *path);

#endif
