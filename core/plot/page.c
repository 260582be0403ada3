#include "plot/page.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Colours by name, for light and dark screens; then the letters, tables, words of judgement; what
 * is printed on paper. */
static const char style[] =
    ":root{--ink:#222;--soft:#888;--line:#ddd;--thin:#eee;--head:#f5f6f8;--paper:#fff;"
    "--right:#e3f2e1;--doubt:#fdf0d5;--good:#1a7f4b;--bad:#b03030}"
    "@media screen and (prefers-color-scheme:dark){:root{--ink:#e6ebf1;--soft:#9aa7b6;"
    "--line:#3c4653;--thin:#323c48;--head:#1d242c;--paper:#151a20;--right:#1d3b2a;--doubt:#43371d;"
    "--good:#4cc38a;--bad:#ff7a70}.figures svg{background:#fff}.dot{outline:1px solid #9aa7b6}}"
    "body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:1280px;margin:2em auto;padding:0 1.5em}"
    "h1{font-size:1.6em;margin-bottom:.2em}h2{margin-top:2em;border-bottom:1px solid var(--line)}"
    "code{font:.85em ui-monospace,monospace;overflow-wrap:anywhere}"
    "table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}"
    "th,td{padding:3px 9px;text-align:right;border-bottom:1px solid var(--thin);white-space:nowrap}"
    "th{background:var(--head);position:sticky;top:0;white-space:normal;vertical-align:bottom}"
    "th:first-child,td:first-child{text-align:left}td:first-child{white-space:normal}"
    ".best{background:var(--right);font-weight:600}.bad{color:var(--bad)}.quiet{color:var(--soft)}"
    ".good{color:var(--good)}"
    ".figures{display:flex;flex-wrap:wrap;gap:12px}.figures>svg,figure{width:calc(50% - 6px);"
    "min-width:min(440px,100%);height:auto}figure{margin:0}figure svg{width:100%;height:auto}"
    "figcaption{font-size:12px;color:var(--soft)}.whole figure{width:100%}"
    "@media screen and (max-width:1150px){.figures>svg,figure{width:100%;max-width:760px}"
    "th,td{padding:3px 3px}table{font-size:12px}}"
    "a{color:inherit}.told td:first-child{white-space:nowrap;font-weight:600}"
    ".wide{overflow-x:auto}details{margin:.4em 0}summary{cursor:pointer;padding:.2em 0}"
    ".dot{display:inline-block;width:10px;height:10px;border-radius:5px;margin-right:6px}.name{"
    "white-space:nowrap}"
    ".right{background:var(--right)}.misled{background:#c0392b;color:#fff;font-weight:700}"
    ".unfinished{background:var(--doubt)}.failed{color:var(--soft)}"
    "td.left,th.left{text-align:left;white-space:normal}"
    ".board th,.board td{padding:2px 6px}.board td.left{white-space:nowrap}"
    ".board th:nth-child(n+3){writing-mode:vertical-rl;transform:rotate(180deg);text-align:left;"
    "position:static;padding:6px 2px}.board th .dot{margin:0 0 6px}"
    ".note{text-align:left;white-space:normal;min-width:22em}"
    "td code{white-space:nowrap}.told code{white-space:normal}.dense th,.dense td{padding:3px "
    "6px}.dense .bad,.dense .quiet{font-size:11px;line-height:1.1;"
    "white-space:normal}"
    ".told{width:100%}.told td{vertical-align:top}"
    ".verdict{display:inline-block;margin:1em 0;padding:.4em 1em;border-radius:.4em;color:#fff;"
    "font-weight:600;background:#1a7f4b}.verdict.bad{color:#fff;background:#c0392b}"
    ".scale{width:7em;height:.5em;background:var(--head);border:1px solid var(--line);"
    "border-radius:.3em;overflow:hidden}.scale i{display:block;height:100%;background:var(--good)}"
    ".scale i.bad{background:var(--bad)}"
    ".fault{background:var(--head);border-left:3px solid var(--bad);padding:.5em .8em;"
    "margin:.3em 0}"
    "dt{float:left;clear:left;width:8em;font-weight:600}dd{margin-left:8.5em}"
    "@page{size:A4 landscape;margin:12mm}"
    "@media print{body{margin:0;padding:0;max-width:none;font-size:11px}table{font-size:9px}"
    "th{position:static}.wide{overflow:visible}.board th,.board td,.dense th,.dense td{padding:2px "
    "3px}.dense code{font-size:6px}.dense .bad,.dense .quiet{font-size:7px}"
    ".figures{display:block}.figures>svg,figure{display:inline-block;width:41%;min-width:0}"
    ".whole figure{width:62%}.whole figure "
    "svg{max-height:150mm}figcaption{display:none}svg,tr,dd,figure{break-inside:avoid}"
    "h2,h3,summary,h2+p,h3+p{break-after:avoid}h2+p+.figures,h3+p+.figures{"
    "break-before:avoid}details::details-content{content-visibility:visible;height:auto}"
    ".best{text-decoration:underline}*{print-color-adjust:exact}}";

void dls_page_text(DlsFile *file, const char *text) {
  for (; *text; text++) switch (*text) {
    case '<':
      dls_file_print(file, "&lt;");
      break;
    case '>':
      dls_file_print(file, "&gt;");
      break;
    case '&':
      dls_file_print(file, "&amp;");
      break;
    case '"':
      dls_file_print(file, "&quot;");
      break;
    default:
      dls_file_put(file, text, 1);
    }
}

void dls_page_name(DlsFile *file, DlsColour colour, const char *name) {
  dls_file_print(file, "<span class=name><span class=dot style='background:#%06x'></span>",
                 (unsigned)colour);
  dls_page_text(file, name);
  dls_file_print(file, "</span>");
}

/* Names of clips and gradients are of one picture: a mark of its file stands before each, so that
 * pictures of one page do not take those of another. */
static void put_marked(DlsFile *file, const char *text, unsigned mark) {
  static const char *const before[] = {" id=\"", "url(#"};
  for (const char *at = text; *at;) {
    const char *next = at + strlen(at);
    for (int k = 0; k < DLS_COUNT(before); k++) {
      const char *found = strstr(at, before[k]);
      if (found && found + strlen(before[k]) < next) next = found + strlen(before[k]);
    }
    dls_file_put(file, at, (size_t)(next - at));
    if (*next) dls_file_print(file, "s%08x", mark);
    at = next;
  }
}

DlsStatus dls_page_figure(DlsFile *file, const char *path) {
  size_t used = 0, room = 1 << 16;
  unsigned mark = 2166136261u; /* FNV-1a of the file's name */
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  char *text;
  FILE *svg;
  for (; *name; name++) mark = (mark ^ (unsigned char)*name) * 16777619u;
  DLS_TRY(dls_file_open(path, &svg));
  text = malloc(room);
  while (text && (used += fread(text + used, 1, room - used - 1, svg)) == room - 1) {
    char *more = realloc(text, room *= 2);
    if (!more) free(text);
    text = more;
  }
  fclose(svg);
  DLS_CHECK(text, DLS_ERR_MEMORY, "%s: out of memory for the picture", path);
  text[used] = '\0';
  const char *start = strstr(text, "<svg"); /* behind the XML declaration */
  if (start) put_marked(file, start, mark);
  free(text);
  return DLS_OK;
}

DlsStatus dls_page_begin(const char *path, const char *title, const char *about, DlsFile **out) {
  DLS_TRY(dls_file_begin(path, out));
  DlsFile *file = *out;
  dls_file_print(file, "<!doctype html><html lang=en><meta charset=utf-8>"
                       "<meta name=viewport content='width=device-width,initial-scale=1'><title>");
  dls_page_text(file, title);
  dls_file_print(file, "</title><style>%s</style><h1>", style);
  dls_page_text(file, title);
  dls_file_print(file, "</h1>\n");
  if (!about[0]) return DLS_OK;
  dls_file_print(file, "<p class=quiet>");
  dls_page_text(file, about);
  dls_file_print(file, "</p>\n");
  return DLS_OK;
}

DlsStatus dls_page_end(DlsStatus status, const char *last, DlsFile **file) {
  dls_file_print(*file, "<p class=quiet>");
  dls_page_text(*file, last);
  dls_file_print(*file, "</p></html>\n");
  if (status == DLS_OK) return dls_file_commit(file);
  dls_file_abandon(file);
  return status;
}

void dls_page_table(DlsFile *file, const char *class, const char *heads) {
  dls_file_print(file, "<div class=wide><table");
  if (class) dls_file_print(file, " class='%s'", class);
  dls_file_print(file, heads ? "><tr>" : ">");
  for (const char *at = heads; at;) {
    const char *bar = strchr(at, '|');
    const int length = bar ? (int)(bar - at) : (int)strlen(at);
    const bool left = length > 0 && at[0] == ':';
    dls_file_print(file, left ? "<th class=left>" : "<th>");
    dls_file_put(file, at + left, (size_t)(length - left));
    at = bar ? bar + 1 : NULL;
  }
}

void dls_page_table_end(DlsFile *file) { dls_file_print(file, "</table></div>\n"); }
