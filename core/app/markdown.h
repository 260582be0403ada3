/* What pages of plugins share, as Markdown: their words, tables of parameters, READMEs. */
#ifndef DELASSUS_APP_MARKDOWN_H
#define DELASSUS_APP_MARKDOWN_H

#include <delassus/law.h>

#include "app/app.h"

/* The words of a plugin as they are, whatever they hold: no tag of HTML, no link, no picture, and
 * no cell of a table begins in them; lines end only where the text is a paragraph. `*` and `_`
 * stay, which formulas need. */
void app_markdown_text(const char *text, bool paragraph);
void app_markdown_words(const char *text);

/* | name | text | */
void app_markdown_row(const char *name, const char *text);

/* "0 to 1", ">= 0", "any". */
void app_markdown_bounds(const DlsParam *p);

/* A heading and the table of the rows; `value` names the column of what they are at first. Nothing
 * where there are none. */
void app_markdown_table(const char *title, const char *value, const DlsParam *rows, int count);

/* The README without its title, and without its table of parameters: the page has the plugin's
 * own. The exit status. */
int app_markdown_readme(const AppCommand *command, const char *path);

#endif
