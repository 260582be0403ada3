/* Units behind numbers, and the decimal numbers themselves. */
#include "deck/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"

#define PI 3.14159265358979323846

/* Name, powers of kg m s rad K, power of ten, and what is left of the factor, up / down. */
static const struct {
  const char *name;
  int power[DLS_UNIT_BASES], ten;
  double up, down;
} table[] = {
    {"m", {0, 1, 0, 0}, 0, 1, 1},        {"mm", {0, 1, 0, 0}, -3, 1, 1},
    {"cm", {0, 1, 0, 0}, -2, 1, 1},      {"dm", {0, 1, 0, 0}, -1, 1, 1},
    {"km", {0, 1, 0, 0}, 3, 1, 1},       {"um", {0, 1, 0, 0}, -6, 1, 1},
    {"µm", {0, 1, 0, 0}, -6, 1, 1},      {"nm", {0, 1, 0, 0}, -9, 1, 1},
    {"kg", {1, 0, 0, 0}, 0, 1, 1},       {"g", {1, 0, 0, 0}, -3, 1, 1},
    {"mg", {1, 0, 0, 0}, -6, 1, 1},      {"t", {1, 0, 0, 0}, 3, 1, 1},
    {"s", {0, 0, 1, 0}, 0, 1, 1},        {"ms", {0, 0, 1, 0}, -3, 1, 1},
    {"us", {0, 0, 1, 0}, -6, 1, 1},      {"µs", {0, 0, 1, 0}, -6, 1, 1},
    {"min", {0, 0, 1, 0}, 0, 60, 1},     {"h", {0, 0, 1, 0}, 0, 3600, 1},
    {"Hz", {0, 0, -1, 0}, 0, 1, 1},      {"kHz", {0, 0, -1, 0}, 3, 1, 1},
    {"N", {1, 1, -2, 0}, 0, 1, 1},       {"mN", {1, 1, -2, 0}, -3, 1, 1},
    {"kN", {1, 1, -2, 0}, 3, 1, 1},      {"MN", {1, 1, -2, 0}, 6, 1, 1},
    {"Pa", {1, -1, -2, 0}, 0, 1, 1},     {"kPa", {1, -1, -2, 0}, 3, 1, 1},
    {"MPa", {1, -1, -2, 0}, 6, 1, 1},    {"GPa", {1, -1, -2, 0}, 9, 1, 1},
    {"bar", {1, -1, -2, 0}, 5, 1, 1},    {"J", {1, 2, -2, 0}, 0, 1, 1},
    {"mJ", {1, 2, -2, 0}, -3, 1, 1},     {"kJ", {1, 2, -2, 0}, 3, 1, 1},
    {"W", {1, 2, -3, 0}, 0, 1, 1},       {"kW", {1, 2, -3, 0}, 3, 1, 1},
    {"rad", {0, 0, 0, 1}, 0, 1, 1},      {"mrad", {0, 0, 0, 1}, -3, 1, 1},
    {"deg", {0, 0, 0, 1}, 0, PI, 180},   {"°", {0, 0, 0, 1}, 0, PI, 180},
    {"rev", {0, 0, 0, 1}, 0, 2 * PI, 1}, {"rpm", {0, 0, -1, 1}, 0, 2 * PI, 60},
    {"K", {0, 0, 0, 0, 1}, 0, 1, 1},     {"mK", {0, 0, 0, 0, 1}, -3, 1, 1},
    {"1", {0, 0, 0, 0}, 0, 1, 1},
};

static DlsStatus fail_unknown(const char *name) {
  const char *names[DLS_COUNT(table)];
  for (int k = 0; k < DLS_COUNT(table); k++) names[k] = table[k].name;
  const char *nearest = dls_nearest(name, names, DLS_COUNT(names));
  return dls_fail(DLS_ERR_FORMAT, "'%s' is no unit%s%s%s", name, nearest ? "; did you mean '" : "",
                  nearest ? nearest
                          : "; known are m mm kg g s ms N kN Pa kPa J Hz rad deg rpm K "
                            "and their like",
                  nearest ? "'?" : "");
}

/* A power of ten too large for any use of it. */
static bool absurd(const DlsUnit *unit) {
  for (int b = 0; b < DLS_UNIT_BASES; b++)
    if (abs(unit->power[b]) > 20) return true;
  return abs(unit->ten) > 150 || !(unit->up < 1e150 && unit->down < 1e150);
}

/* m, m3, m^3, s-2, s^-2 and the raised 2 and 3 of UTF-8: the power, *text behind it. */
static int take_power(const char **text) {
  static const char *const raised[] = {"²", "³"};
  for (int k = 0; k < DLS_COUNT(raised); k++)
    if (strncmp(*text, raised[k], strlen(raised[k])) == 0) {
      *text += strlen(raised[k]);
      return k + 2;
    }
  const char *digits = *text + (**text == '^');
  const int sign = *digits == '-' ? -1 : 1;
  digits += *digits == '-' || *digits == '+';
  if (!isdigit((unsigned char)*digits)) return **text == '^' ? 0 : 1;
  int power = 0;
  for (; isdigit((unsigned char)*digits); digits++)
    power = power < 100 ? 10 * power + (*digits - '0') : power;
  *text = digits;
  return sign * power;
}

static bool in_name(char c) { return isalpha((unsigned char)c) || (c & 0x80); }

/* The letters of one unit; a raised digit of UTF-8 ends them. */
static size_t name_length(const char *text) {
  size_t n = 0;
  while (in_name(text[n]) && strncmp(text + n, "²", 2) != 0 && strncmp(text + n, "³", 2) != 0) n++;
  return n == 0 && text[0] == '1' ? 1 : n;
}

static DlsStatus take_factor(const char **text, int sign, DlsUnit *out) {
  char name[32];
  const size_t length = name_length(*text);
  DLS_CHECK(length > 0, DLS_ERR_FORMAT, "'%.40s' is no unit", *text);
  snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 31, *text);
  int k = 0;
  while (k < DLS_COUNT(table) && strcmp(table[k].name, name) != 0) k++;
  if (k == DLS_COUNT(table)) return fail_unknown(name);
  *text += length;
  const int power = sign * take_power(text);
  DLS_CHECK(power != 0, DLS_ERR_FORMAT, "the power of '%s' is missing or zero", name);
  for (int n = 0; n < abs(power) && !absurd(out); n++) {
    for (int b = 0; b < DLS_UNIT_BASES; b++)
      out->power[b] += power > 0 ? table[k].power[b] : -table[k].power[b];
    out->ten += power > 0 ? table[k].ten : -table[k].ten;
    out->up *= power > 0 ? table[k].up : table[k].down;
    out->down *= power > 0 ? table[k].down : table[k].up;
  }
  DLS_CHECK(!absurd(out), DLS_ERR_FORMAT, "the power of '%s' is too large", name);
  return DLS_OK;
}

DlsStatus dls_unit_parse(const char *text, DlsUnit *out) {
  const char *whole = text;
  *out = (DlsUnit){.up = 1, .down = 1};
  while (*text == ' ') text++;
  for (int sign = 1; *text;) {
    DLS_TRY(take_factor(&text, sign, out));
    while (*text == ' ') text++;
    sign = *text == '/' ? -1 : 1;
    const bool joined = *text && strchr("/*.", *text);
    if (joined) text++;
    while (*text == ' ') text++;
    DLS_CHECK(!joined || *text, DLS_ERR_FORMAT, "'%.40s' ends before its last unit", whole);
  }
  return DLS_OK;
}

bool dls_unit_same(const DlsUnit *a, const DlsUnit *b) {
  return memcmp(a->power, b->power, sizeof a->power) == 0;
}

/* Decimal digits with a point and an exponent; 0 when text begins with no number. */
static size_t number_length(const char *text) {
  size_t n = text[0] == '+' || text[0] == '-', digits = 0;
  for (; isdigit((unsigned char)text[n]); n++) digits++;
  if (text[n] == '.')
    for (n++; isdigit((unsigned char)text[n]); n++) digits++;
  if (digits == 0) return 0;
  if (text[n] == 'e' || text[n] == 'E') {
    size_t e = n + 1 + (text[n + 1] == '+' || text[n + 1] == '-');
    if (isdigit((unsigned char)text[e])) {
      while (isdigit((unsigned char)text[e])) e++;
      n = e;
    }
  }
  return n;
}

/* The exponent of the decimal that is text[0, length), cut to what no number of digits brings back
 * into the range; *mantissa is the length of what stands before it. */
static long exponent_of(const char *text, size_t length, size_t *mantissa) {
  const long most = 1000000000;
  *mantissa = 0;
  while (*mantissa < length && text[*mantissa] != 'e' && text[*mantissa] != 'E') (*mantissa)++;
  if (*mantissa == length) return 0;
  const long exponent = strtol(text + *mantissa + 1, NULL, 10);
  return exponent > most ? most : exponent < -most ? -most : exponent;
}

bool dls_unit_convert(const DlsUnit *unit, const char *text, double *value) {
  while (*text == ' ') text++;
  size_t mantissa, length = number_length(text);
  const long exponent = exponent_of(text, length, &mantissa);
  char *shifted = malloc(mantissa + 32);
  if (!shifted) return false;
  memcpy(shifted, text, mantissa);
  snprintf(shifted + mantissa, 32, "e%ld", exponent + unit->ten);
  *value = strtod(shifted, NULL) * unit->up / unit->down;
  free(shifted);
  return true;
}

DlsNumberKind dls_number_parse(const char *text, double *value, const char **rest) {
  *rest = text;
  *value = 0;
  while (*text == ' ') text++;
  const size_t length = number_length(text);
  if (length == 0) {
    const char *word = text + (*text == '+' || *text == '-');
    word += *word == '.';
    const bool odd = strcasecmp(word, "nan") == 0 || strcasecmp(word, "inf") == 0 ||
                     strcasecmp(word, "infinity") == 0;
    return odd ? DLS_NUMBER_NOT_FINITE : DLS_NUMBER_NONE;
  }
  *value = strtod(text, NULL); /* stops at the same place, except for 0x: */
  if (text[length] == 'x' || text[length] == 'X') return DLS_NUMBER_NONE;
  text += length;
  while (*text == ' ') text++;
  *rest = text;
  return isfinite(*value) ? DLS_NUMBER_FOUND : DLS_NUMBER_NOT_FINITE;
}

void dls_number_write(double value, char *out, size_t bytes) {
  char text[40];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  snprintf(out, bytes, "%s", text);
}
