#include "compare/html.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "plot/panel.h"

static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;color:#222;max-width:1280px;margin:2em auto;padding:0 "
    "1.5em}"
    "h1{font-size:1.6em;margin-bottom:.2em}h2{margin-top:2em;border-bottom:1px solid #ddd}"
    "table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}"
    "th,td{padding:3px 9px;text-align:right;border-bottom:1px solid #eee;white-space:nowrap}"
    "th{background:#f5f6f8;position:sticky;top:0;white-space:normal;vertical-align:bottom}"
    "th:first-child,td:first-child{text-align:left}td:first-child{white-space:normal}"
    ".best{background:#e3f2e1;font-weight:600}.bad{color:#b03030}.quiet{color:#888}"
    ".figures{display:flex;flex-wrap:wrap;gap:12px}.figures "
    "svg{width:calc(50% - 6px);min-width:min(440px,100%);height:auto}"
    ".wide{overflow-x:auto}details{margin:.4em 0}summary{cursor:pointer;padding:.2em 0}"
    ".dot{display:inline-block;width:10px;height:10px;border-radius:5px;margin-right:6px}"
    ".right{background:#e3f2e1}.misled{background:#c0392b;color:#fff;font-weight:700}"
    ".unfinished{background:#fdf0d5}.failed{color:#888}"
    "td.left,th.left{text-align:left;white-space:normal}"
    ".board th,.board td{padding:2px 6px}.board td.left{white-space:nowrap}"
    ".board th:nth-child(n+3){writing-mode:vertical-rl;transform:rotate(180deg);text-align:left;"
    "position:static;padding:6px 2px}.board th .dot{margin:0 0 6px}"
    ".note{text-align:left;white-space:normal;min-width:22em}"
    ".dense th,.dense td{padding:3px 6px}.dense .bad,.dense .quiet{font-size:11px;line-height:1.1;"
    "white-space:normal}"
    "dt{float:left;clear:left;width:8em;font-weight:600}dd{margin-left:8.5em}"
    "@page{size:A4 landscape;margin:12mm}"
    "@media print{body{margin:0;padding:0;max-width:none;font-size:11px}table{font-size:9px}"
    "th{position:static}.wide{overflow:visible}.board th,.board td,.dense th,.dense td{padding:2px "
    "3px}"
    ".dense .bad,.dense .quiet{font-size:7px}.figures svg{width:48%}svg,tr,dd{break-inside:avoid}"
    "h2,summary{break-after:avoid}details::details-content{content-visibility:visible;height:auto}"
    ".best{text-decoration:underline}*{print-color-adjust:exact}}";

void dls_html_text(DlsFile *file, const char *text) {
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

void dls_html_solver(DlsFile *file, int number, const char *name) {
  dls_file_print(file, "<span class=dot style='background:#%06x'></span>", dls_plot_colour(number));
  dls_html_text(file, name);
}

DlsStatus dls_html_include(DlsFile *file, const char *path) {
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

void dls_html_begin(DlsFile *file, const char *title, const char *about) {
  dls_file_print(file, "<!doctype html><html lang=en><meta charset=utf-8>"
                       "<meta name=viewport content='width=device-width,initial-scale=1'><title>");
  dls_html_text(file, title);
  dls_file_print(file, "</title><style>%s</style><h1>", style);
  dls_html_text(file, title);
  dls_file_print(file, "</h1><p class=quiet>");
  dls_html_text(file, about);
  dls_file_print(file, "</p>\n");
}

void dls_html_claims(DlsFile *file, const DlsRace *race, const DlsRaceRun *run) {
  char before[64] = "", claim[64];
  for (int t = 0; t < race->tolerances; t++) {
    dls_race_claim(race, run, t, claim);
    if (claim[0] && strcmp(claim, before) != 0)
      dls_file_print(file, "<b class=bad>%s</b> (to %g). ", claim, race->tolerance[t]);
    memcpy(before, claim, sizeof before);
  }
}
