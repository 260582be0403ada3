/* Units behind numbers: "5 mm", "2500 kg/m3", "30 deg", "60 rpm". SI inside. */
#ifndef DELASSUS_DECK_UNITS_H
#define DELASSUS_DECK_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include <delassus/status.h>

enum { DLS_UNIT_KG, DLS_UNIT_M, DLS_UNIT_S, DLS_UNIT_RAD, DLS_UNIT_K, DLS_UNIT_BASES };

/* value in SI = number * 10^ten * up / down. The power of ten is put into the text of the number,
 * so that "4.9 mm" is the double nearest to 0.0049; up and down are 1 for all units but those of
 * minutes, hours and angles. An angle is a base of its own: "15 Hz" is no angular velocity, "30
 * deg" no friction. */
typedef struct {
  int power[DLS_UNIT_BASES], ten;
  double up, down;
} DlsUnit;

/* Units joined by '/', '*', '.' or blanks, with powers: "kg/m3", "m/s^2", "N s", "1/s". A '/'
 * divides by the unit behind it alone. DLS_ERR_FORMAT names the unknown unit and the nearest. */
DlsStatus dls_unit_parse(const char *text, DlsUnit *out);

bool dls_unit_same(const DlsUnit *a, const DlsUnit *b);

/* The decimal number that begins `text`, in that unit, as SI; correctly rounded where up = down =
 * 1. False when out of memory. */
bool dls_unit_convert(const DlsUnit *unit, const char *text, double *value);

typedef enum { DLS_NUMBER_NONE, DLS_NUMBER_FOUND, DLS_NUMBER_NOT_FINITE } DlsNumberKind;

/* The decimal number that begins `text`; *rest points behind it and the blanks that follow. NONE
 * when there is none (*rest is then text); nan, inf and what overflows are NOT_FINITE. */
DlsNumberKind dls_number_parse(const char *text, double *value, const char **rest);

/* The shortest decimal that strtod() turns into the same double: never more than %.17g. */
void dls_number_write(double value, char *out, size_t bytes);

#endif
