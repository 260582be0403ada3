/* The fewest digits that give a double back, as printf and strtod would find them by trying 15, 16
 * and 17: from one conversion to 17 digits D, in units of the last of which half the distance to
 * the neighbours of the double is h. D rounded to fewer digits, off by d, is read as the same
 * double if d < h, and as another one if d > h; D itself is off by up to 1/2, so that where the two
 * are that close strtod is asked. */
#include "base/number.h"

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

enum { LEAST = 15 };

static void use_point(char *text) {
  char *point = strchr(text, ',');
  if (point) *point = '.';
}

static const char *try_digits(char *text, double value) {
  for (int digits = LEAST; digits <= DLS_NUMBER_EXACT; digits++) {
    snprintf(text, DLS_NUMBER_BYTES, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  use_point(text);
  return text;
}

/* A whole number below 1e15 as %.15g has it. */
static const char *put_whole(char *text, double value) {
  char digits[LEAST + 1];
  int count = 0;
  char *to = text;
  uint64_t rest = (uint64_t)fabs(value);
  if (signbit(value)) *to++ = '-';
  do digits[count++] = (char)('0' + rest % 10);
  while (rest /= 10);
  while (count > 0) *to++ = digits[--count];
  *to = '\0';
  return text;
}

/* 0.D x 10^(exponent + 1) with `count` digits, as %.*g of that precision has it. */
static void put_digits(char *text, bool negative, uint64_t D, int count, int exponent) {
  char digits[DLS_NUMBER_EXACT + 1];
  const int precision = count;
  char *to = text;
  for (int k = count - 1; k >= 0; k--, D /= 10) digits[k] = (char)('0' + D % 10);
  while (count > 1 && digits[count - 1] == '0') count--;
  if (negative) *to++ = '-';
  if (exponent < -4 || exponent >= precision) {
    *to++ = digits[0];
    if (count > 1) *to++ = '.';
    for (int k = 1; k < count; k++) *to++ = digits[k];
    sprintf(to, "e%+03d", exponent);
    return;
  }
  if (exponent < 0) {
    *to++ = '0';
    *to++ = '.';
    for (int k = -1; k > exponent; k--) *to++ = '0';
    for (int k = 0; k < count; k++) *to++ = digits[k];
  } else {
    for (int k = 0; k < count || k <= exponent; k++) {
      if (k == exponent + 1) *to++ = '.';
      *to++ = k < count ? digits[k] : '0';
    }
  }
  *to = '\0';
}

/* The digits of "d.dddde+XX" and its exponent. */
static uint64_t read_digits(const char *text, int *exponent) {
  uint64_t D = 0;
  for (; *text != 'e'; text++)
    if (*text >= '0' && *text <= '9') D = 10 * D + (uint64_t)(*text - '0');
  *exponent = (int)strtol(text + 1, NULL, 10);
  return D;
}

static const char *shortest(char *text, double value) {
  const uint64_t most = 100000000000000000u; /* 10^17 */
  int binary, exponent;
  const double fraction = frexp(fabs(value), &binary);
  if (fabs(value) < DBL_MIN || fraction == 0.5) return try_digits(text, value);
  snprintf(text, DLS_NUMBER_BYTES, "%.*e", DLS_NUMBER_EXACT - 1, value);
  const uint64_t D = read_digits(text, &exponent);
  const double h = ldexp(pow(10, DLS_NUMBER_EXACT - 1 - exponent), binary - DBL_MANT_DIG - 1);
  const double doubt = 0.5 + 1e-9 * h + 1e-6;
  if (!isnormal(h)) return try_digits(text, value);
  for (int digits = LEAST; digits < DLS_NUMBER_EXACT; digits++) {
    const uint64_t step = digits == LEAST ? 100 : 10, rest = D % step;
    const uint64_t off = rest < step - rest ? rest : step - rest;
    if (2 * rest == step) return try_digits(text, value); /* D says not which way it goes */
    if ((double)off > h + doubt) continue;
    const uint64_t rounded = (D - rest) / step + (2 * rest > step);
    const bool carry = rounded == most / step;
    put_digits(text, value < 0, carry ? rounded / 10 : rounded, digits,
               carry ? exponent + 1 : exponent);
    if ((double)off < h - doubt || strtod(text, NULL) == value) return text;
  }
  put_digits(text, value < 0, D, DLS_NUMBER_EXACT, exponent);
  return text;
}

const char *dls_number_text(char text[DLS_NUMBER_BYTES], double value, int digits) {
  const double whole = 1e15;
  if (isnan(value)) return strcpy(text, "nan");
  if (isinf(value)) return strcpy(text, value > 0 ? "inf" : "-inf");
  if (digits > 0) {
    snprintf(text, DLS_NUMBER_BYTES, "%.*g", digits, value);
    use_point(text);
    return text;
  }
  if (fabs(value) < whole && value == trunc(value)) return put_whole(text, value);
  return shortest(text, value);
}
