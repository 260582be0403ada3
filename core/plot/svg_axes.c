/* What stands on the page around the shapes: text, axes with ticks, colour bars, legends. */
#include "plot/svg_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum { MAX_TICKS = 32, LABEL_BYTES = 64, INK = 0x333333, PALE = 0xe4e4e4, AXIS_INK = 0x555555 };

static const SvgGroup on_page = {.frame = SVG_PAGE, .stroke = DLS_COLOUR_NONE, .opacity = 1};

void dls_svg_text(DlsSvg *svg, double x, double y, const char *text, const DlsSvgText *style) {
  const DlsSvgText plain = {.anchor = -1};
  const DlsSvgText *s = style ? style : &plain;
  const size_t start = svg->used;
  if (!isfinite(x) || !isfinite(y)) {
    svg->left_out++;
    return;
  }
  dls_svg_put_px(svg, "<text x=\"", x);
  dls_svg_put_px(svg, "\" y=\"", y);
  dls_svg_put_px(svg, "\" font-size=\"", s->size > 0 ? s->size : SVG_FONT_SIZE);
  dls_svg_put(svg, "\"");
  if (s->ink) dls_svg_put(svg, " fill=\"#%06x\"", (unsigned)s->ink & 0xffffffu);
  if (s->anchor >= 0) dls_svg_put(svg, " text-anchor=\"%s\"", s->anchor == 0 ? "middle" : "end");
  if (s->bold) dls_svg_put(svg, " font-weight=\"bold\"");
  if (s->turn != 0) {
    dls_svg_put_px(svg, " transform=\"rotate(", -s->turn);
    dls_svg_put_px(svg, " ", x);
    dls_svg_put_px(svg, " ", y);
    dls_svg_put(svg, ")\"");
  }
  dls_svg_put(svg, ">");
  dls_svg_put_escaped(svg, text);
  dls_svg_put(svg, "</text>\n");
  dls_svg_item(svg, start, SVG_ABOVE, 0, on_page);
}

static void put_rule(DlsSvg *svg, double x0, double y0, double x1, double y1, DlsColour ink,
                     double width, const DlsSvgStyle *dashes, int layer) {
  const size_t start = svg->used;
  SvgGroup group = on_page;
  if (dashes) dls_svg_dashes(dashes, &group);
  if (!isfinite(x0) || !isfinite(y0) || !isfinite(x1) || !isfinite(y1)) {
    svg->left_out++;
    return;
  }
  dls_svg_put_px(svg, "<path d=\"M", x0);
  dls_svg_put_px(svg, " ", y0);
  dls_svg_put_px(svg, "L", x1);
  dls_svg_put_px(svg, " ", y1);
  dls_svg_put(svg, "\" stroke=\"#%06x\"", (unsigned)ink & 0xffffffu);
  dls_svg_put_px(svg, " stroke-width=\"", width);
  dls_svg_put(svg, "\"/>\n");
  dls_svg_item(svg, start, layer, 0, group);
}

void dls_svg_rule(DlsSvg *svg, double x0, double y0, double x1, double y1, DlsColour ink,
                  double width) {
  put_rule(svg, x0, y0, x1, y1, ink, width, NULL, SVG_ABOVE);
}

void dls_svg_stroke(DlsSvg *svg, double x0, double y0, double x1, double y1,
                    const DlsSvgStyle *style) {
  put_rule(svg, x0, y0, x1, y1, style->stroke, style->width, style, SVG_ABOVE);
}

/* `fill` is what stands in the attribute: a colour or the name of a gradient. */
static void put_panel(DlsSvg *svg, DlsSvgBox box, const char *fill, SvgGroup group) {
  const size_t start = svg->used;
  dls_svg_put_px(svg, "<rect x=\"", box.left);
  dls_svg_put_px(svg, "\" y=\"", box.top);
  dls_svg_put_px(svg, "\" width=\"", box.width);
  dls_svg_put_px(svg, "\" height=\"", box.height);
  dls_svg_put(svg, "\" fill=\"%s\"/>\n", fill);
  dls_svg_item(svg, start, SVG_ABOVE, 0, group);
}

void dls_svg_panel(DlsSvg *svg, DlsSvgBox box, const DlsSvgStyle *style) {
  char fill[16] = "none";
  SvgGroup group = on_page;
  if (style->fill != DLS_COLOUR_NONE)
    snprintf(fill, sizeof fill, "#%06x", (unsigned)style->fill & 0xffffffu);
  if (style->width > 0) {
    group.stroke = style->stroke;
    group.width = style->width;
  }
  if (style->opacity > 0 && style->opacity < 1) group.opacity = style->opacity;
  put_panel(svg, box, fill, group);
}

/* Less than two decades: ticks at 2 and 5 too, and numbers written out. */
static bool is_narrow(double low, double high) { return high < 100 * low * (1 - 1e-9); }

static int narrow_log_ticks(double low, double high, int room, double *ticks) {
  static const double steps[] = {1, 2, 5};
  int count = 0;
  for (int p = (int)floor(log10(low)); p <= (int)ceil(log10(high)); p++)
    for (int i = 0; i < DLS_COUNT(steps); i++) {
      const double tick = steps[i] * pow(10, p);
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9) && count < room)
        ticks[count++] = tick;
    }
  return count;
}

static int log_ticks(double low, double high, int room, double *ticks) {
  const int first = (int)ceil(log10(low) - 1e-9), last = (int)floor(log10(high) + 1e-9);
  const int every = last - first + 1 > room ? (last - first) / room + 1 : 1;
  int count = 0;
  for (int p = first; p <= last && count < room; p += every) ticks[count++] = pow(10, p);
  return count;
}

int dls_svg_ticks(double low, double high, bool log, int room, double *ticks) {
  if (!(low < high) || !isfinite(low) || !isfinite(high) || room < 2) return 0;
  if (log && !(low > 0)) return 0;
  if (log && is_narrow(low, high)) return narrow_log_ticks(low, high, room, ticks);
  if (log) return log_ticks(low, high, room, ticks);
  static const double steps[] = {1, 2, 5, 10};
  const double least = (high - low) / (room - 1), power = pow(10, floor(log10(least)));
  double step = 10 * power;
  for (int i = DLS_COUNT(steps); i-- > 0;)
    if (steps[i] * power >= least * (1 - 1e-9)) step = steps[i] * power;
  int count = 0;
  for (double k = ceil(low / step - 1e-9); k * step <= high + 1e-9 * step && count < room; k++)
    ticks[count++] = k == 0 ? 0 : k * step; /* never -0 */
  return count;
}

static char *put_superscript(char *to, int power) {
  static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char text[16];
  snprintf(text, sizeof text, "%d", power);
  for (const char *c = text; *c; c++) to = stpcpy(to, *c == '-' ? "⁻" : digits[*c - '0']);
  return to;
}

/* 0.25, 1500, 2×10⁻⁵, 10⁶; a true minus sign. */
static const char *label_of(double value, bool log, char out[LABEL_BYTES]) {
  char number[DLS_NUMBER_BYTES], *to = out;
  const double size = fabs(value);
  if (value < 0) to = stpcpy(to, "−");
  if (value == 0 || (!log && size >= 1e-3 && size < 1e5)) {
    strcpy(to, dls_number_text(number, size, 6));
    return out;
  }
  int power = (int)floor(log10(size) + 1e-9);
  const double mantissa = size / pow(10, power);
  if (fabs(mantissa - 1) > 1e-6) {
    to = stpcpy(to, dls_number_text(number, mantissa, 4));
    to = stpcpy(to, "×");
  }
  to = stpcpy(to, "10");
  *put_superscript(to, power) = '\0';
  return out;
}

/* Columns that a UTF-8 text takes, roughly. */
static int columns_of(const char *text) {
  int count = 0;
  for (; *text; text++) count += ((unsigned char)*text & 0xc0) != 0x80;
  return count;
}

static void axis_x(DlsSvg *svg, const DlsSvgFrame *f, const DlsSvgAxes *axes) {
  double ticks[MAX_TICKS];
  char label[LABEL_BYTES];
  const double bottom = f->box.top + f->box.height;
  const DlsSvgText centred = {.size = 12, .anchor = 0, .ink = INK};
  const int room = (int)fmin(MAX_TICKS, fmax(2, f->box.width / 56));
  const bool powers = f->log_x && !is_narrow(f->x[0], f->x[1]);
  const int count = dls_svg_ticks(f->x[0], f->x[1], f->log_x, room, ticks);
  for (int i = 0; i < count; i++) {
    const double x = dls_svg_place_x(f, ticks[i]);
    if (axes->grid) put_rule(svg, x, f->box.top, x, bottom, PALE, 1, NULL, SVG_BELOW);
    dls_svg_rule(svg, x, bottom, x, bottom + 5, AXIS_INK, 1);
    dls_svg_text(svg, x, bottom + 19, label_of(ticks[i], powers, label), &centred);
  }
  const DlsSvgText name = {.anchor = 0, .ink = INK};
  if (axes->x_label)
    dls_svg_text(svg, f->box.left + 0.5 * f->box.width, bottom + 40, axes->x_label, &name);
}

static void axis_y(DlsSvg *svg, const DlsSvgFrame *f, const DlsSvgAxes *axes) {
  double ticks[MAX_TICKS];
  char label[LABEL_BYTES];
  const double left = f->box.left;
  const DlsSvgText right_aligned = {.size = 12, .anchor = 1, .ink = INK};
  const int room = (int)fmin(MAX_TICKS, fmax(2, f->box.height / 40));
  const bool powers = f->log_y && !is_narrow(f->y[0], f->y[1]);
  const int count = dls_svg_ticks(f->y[0], f->y[1], f->log_y, room, ticks);
  int widest = 0;
  for (int i = 0; i < count; i++) {
    const double y = dls_svg_place_y(f, ticks[i]);
    if (axes->grid) put_rule(svg, left, y, left + f->box.width, y, PALE, 1, NULL, SVG_BELOW);
    dls_svg_rule(svg, left - 5, y, left, y, AXIS_INK, 1);
    dls_svg_text(svg, left - 9, y + 4, label_of(ticks[i], powers, label), &right_aligned);
    widest = columns_of(label) > widest ? columns_of(label) : widest;
  }
  const DlsSvgText name = {.anchor = 0, .turn = 90, .ink = INK};
  if (axes->y_label)
    dls_svg_text(svg, left - 20 - 6.8 * widest, f->box.top + 0.5 * f->box.height, axes->y_label,
                 &name);
}

void dls_svg_axes(DlsSvg *svg, const DlsSvgAxes *axes) {
  const DlsSvgFrame frame = svg->frame;
  const DlsSvgStyle border = {.fill = DLS_COLOUR_NONE, .stroke = AXIS_INK, .width = 1};
  axis_x(svg, &frame, axes);
  axis_y(svg, &frame, axes);
  dls_svg_panel(svg, frame.box, &border);
  const DlsSvgText title = {.size = 15, .anchor = 0, .bold = true, .ink = INK};
  if (axes->title)
    dls_svg_text(svg, frame.box.left + 0.5 * frame.box.width, frame.box.top - 12, axes->title,
                 &title);
}

void dls_svg_colour_bar(DlsSvg *svg, DlsSvgBox box, DlsMap map, double low, double high,
                        const char *label) {
  double ticks[MAX_TICKS];
  char text[LABEL_BYTES], fill[16];
  const double right = box.left + box.width;
  const int room = (int)fmin(MAX_TICKS, fmax(2, box.height / 36));
  const int count = dls_svg_ticks(low, high, false, room, ticks);
  const DlsSvgText plain = {.size = 12, .anchor = -1, .ink = INK};
  SvgGroup border = on_page;
  int widest = 0;
  border.stroke = AXIS_INK;
  border.width = 0.75;
  svg->bars[map] = true;
  snprintf(fill, sizeof fill, "url(#m%d)", (int)map);
  put_panel(svg, box, fill, border);
  for (int i = 0; i < count; i++) {
    const double y = box.top + box.height * (high - ticks[i]) / (high - low);
    dls_svg_rule(svg, right, y, right + 4, y, AXIS_INK, 0.75);
    dls_svg_text(svg, right + 8, y + 4, label_of(ticks[i], false, text), &plain);
    widest = columns_of(text) > widest ? columns_of(text) : widest;
  }
  const DlsSvgText name = {.anchor = 0, .turn = 90, .ink = INK};
  if (label) dls_svg_text(svg, right + 24 + 6.8 * widest, box.top + 0.5 * box.height, label, &name);
}

static void put_dot(DlsSvg *svg, double x, double y, const DlsSvgStyle *style) {
  const size_t start = svg->used;
  SvgGroup group = on_page;
  if (style->width > 0) {
    group.stroke = style->stroke;
    group.width = style->width;
  }
  dls_svg_put_px(svg, "<circle cx=\"", x);
  dls_svg_put_px(svg, "\" cy=\"", y);
  dls_svg_put(svg, "\" r=\"5\" fill=\"#%06x\"/>\n", (unsigned)style->fill & 0xffffffu);
  dls_svg_item(svg, start, SVG_ABOVE, 0, group);
}

void dls_svg_legend(DlsSvg *svg, double x, double y, const DlsSvgLegend *rows, int count) {
  const double line = 20, sample = 26;
  const DlsSvgStyle paper = {.fill = 0xffffff, .stroke = 0xbbbbbb, .width = 1, .opacity = 0.9};
  const DlsSvgText plain = {.size = 12, .anchor = -1, .ink = INK};
  int widest = 0;
  for (int i = 0; i < count; i++)
    widest = columns_of(rows[i].label) > widest ? columns_of(rows[i].label) : widest;
  const DlsSvgBox box = {x, y, sample + 26 + 7.6 * widest, line * count + 8};
  if (count > 0) dls_svg_panel(svg, box, &paper);
  for (int i = 0; i < count; i++) {
    const double middle = y + 4 + line * (i + 0.5);
    if (rows[i].dot)
      put_dot(svg, x + 8 + 0.5 * sample, middle, &rows[i].style);
    else
      dls_svg_stroke(svg, x + 8, middle, x + 8 + sample, middle, &rows[i].style);
    dls_svg_text(svg, x + sample + 16, middle + 4, rows[i].label, &plain);
  }
}
