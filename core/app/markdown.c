#include "app/markdown.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

void app_markdown_text(const char *text, bool paragraph) {
  for (; *text; text++) {
    if (*text == '<')
      printf("&lt;");
    else if (*text == '>')
      printf("&gt;");
    else if (*text == '&')
      printf("&amp;");
    else if (strchr("|[]`\\", *text))
      printf("\\%c", *text);
    else
      putchar((unsigned char)*text >= ' ' || (paragraph && *text == '\n') ? *text : ' ');
  }
}

void app_markdown_words(const char *text) { app_markdown_text(text, false); }

void app_markdown_row(const char *name, const char *text) {
  printf("| %s | ", name);
  app_markdown_words(text);
  printf(" |\n");
}

void app_markdown_bounds(const DlsParam *p) {
  if (p->min <= -DLS_NO_BOUND && p->max >= DLS_NO_BOUND)
    printf("any");
  else if (p->min <= -DLS_NO_BOUND)
    printf("≤ %g", p->max);
  else if (p->max >= DLS_NO_BOUND)
    printf("≥ %g", p->min);
  else
    printf("%g to %g", p->min, p->max);
}

void app_markdown_table(const char *title, const char *value, const DlsParam *rows, int count) {
  if (count == 0) return;
  printf("\n## %s\n\n| name | unit | %s | bounds | meaning |\n|---|---|---|---|---|\n", title,
         value);
  for (int i = 0; i < count; i++) {
    printf("| `%s` | ", rows[i].name); /* its letters are checked */
    app_markdown_words(rows[i].unit);
    printf(" | %g | ", rows[i].value);
    app_markdown_bounds(&rows[i]);
    printf(" | ");
    app_markdown_words(rows[i].meaning);
    printf(" |\n");
  }
}

/* A line of a README, whose links ../elastic/README.md are elastic.md among the pages. */
static void print_line(const char *line) {
  static const char before[] = "](../", behind[] = "/README.md)";
  const char *link = strstr(line, before), *end = link ? strstr(link, behind) : NULL;
  if (!end) {
    fputs(line, stdout);
    return;
  }
  const char *name = link + strlen(before);
  printf("%.*s](%.*s.md)", (int)(link - line), line, (int)(end - name), name);
  print_line(end + strlen(behind));
}

int app_markdown_readme(const AppCommand *command, const char *path) {
  char line[4096];
  FILE *file;
  if (dls_file_open(path, &file) != DLS_OK) return app_refuse_status(command);
  bool title = true, table = false;
  printf("\n");
  while (fgets(line, sizeof line, file)) {
    table = line[0] == '|' && (table || strncmp(line, "| parameter |", 13) == 0);
    if (table) continue;
    if (title && line[0] == '#') continue;
    if (title && line[0] == '\n') continue;
    title = false;
    print_line(line);
  }
  fclose(file);
  return APP_DONE;
}
