/* Pictures as PDF, one page each of the picture's size, fonts inside: made of their SVG files by
 * librsvg and cairo. Both are looked for when the first is wanted, never linked: who wants no PDF
 * does not need them, and starts as fast. */
#ifndef DELASSUS_PLOT_PDF_H
#define DELASSUS_PLOT_PDF_H

#include <delassus/status.h>

typedef struct DlsPdf DlsPdf;

/* DLS_ERR_PLUGIN, with the cure, where a library is not there. Ended with dls_pdf_close(). */
DlsStatus dls_pdf_open(DlsPdf **out);
void dls_pdf_close(DlsPdf **pdf); /* NULL is fine; sets *pdf to NULL */

/* The same SVG gives the same bytes. */
DlsStatus dls_pdf_write(const DlsPdf *pdf, const char *svg_path, const char *pdf_path);

#endif
