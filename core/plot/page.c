#include "plot/page.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Colours by name, for light and dark screens; then the letters, tables, words of judgement; what
 * is printed on paper. */
static const char style[] =
    ":root{--ink:#222;--soft:#888;--line:#ddd;--thin:#eee;--head:#f5f6f8;--paper:#fff;"
    "--right:#e3f2e1;--doubt:#fdf0d5;--good:#1a7f4b;--bad:#b03030}"
    "@media screen and (prefers-color-scheme:dark){:root{--ink:#e6ebf1;--soft:#9aa7b6;"
    "--line:#3c4653;--thin:#323c48;--head:#1d242c;--paper:#151a20;--right:#1d3b2a;--doubt:#43371d;"
    "--good:#4cc38a;--bad:#ff7a70}.figures svg{background:#fff}}"
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
    ".figures{display:flex;flex-wrap:wrap;gap:12px}.figures "
    "svg{width:calc(50% - 6px);min-width:min(440px,100%);height:auto}"
    ".wide{overflow-x:auto}details{margin:.4em 0}summary{cursor:pointer;padding:.2em 0}"
    ".dot{display:inline-block;width:10px;height:10px;border-radius:5px;margin-right:6px}"
    ".right{background:var(--right)}.misled{background:#c0392b;color:#fff;font-weight:700}"
    ".unfinished{background:var(--doubt)}.failed{color:var(--soft)}"
    "td.left,th.left{text-align:left;white-space:normal}"
    ".board th,.board td{padding:2px 6px}.board td.left{white-space:nowrap}"
    ".board th:nth-child(n+3){writing-mode:vertical-rl;transform:rotate(180deg);text-align:left;"
    "position:static;padding:6px 2px}.board th .dot{margin:0 0 6px}"
    ".note{text-align:left;white-space:normal;min-width:22em}"
    ".dense th,.dense td{padding:3px 6px}.dense .bad,.dense .quiet{font-size:11px;line-height:1.1;"
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
    "3px}"
    ".dense .bad,.dense .quiet{font-size:7px}.figures svg{width:48%}svg,tr,dd{break-inside:avoid}"
    "h2,summary{break-after:avoid}details::details-content{content-visibility:visible;height:auto}"
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
  dls_file_print(file, "<span class=dot style='background:#%06x'></span>", (unsigned)colour);
  dls_page_text(file, name);
}

DlsStatus dls_page_figure(DlsFile *file, const char *path) {
  char bytes[4096];
  size_t count;
  FILE *svg;
  DLS_TRY(dls_file_open(path, &svg));
  bool begun = false; /* behind the XML declaration */
  while ((count = fread(bytes, 1, sizeof bytes - 1, svg)) > 0) {
    bytes[count] = '\0';
    const char *start = begun ? bytes : strstr(bytes, "<svg");
    if (!start) continue;
    begun = true;
    dls_file_put(file, start, count - (size_t)(start - bytes));
  }
  fclose(svg);
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
  dls_file_print(file, "</h1><p class=quiet>");
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
  dls_file_print(file, "><tr>");
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
