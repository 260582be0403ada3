/* Probes as words of a command line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "post/probe.h"

typedef struct {
  const char *word, *form;
  const char *groups; /* p a point, d a direction, s a size */
} Form;

static const Form forms[DLS_PROBE_KINDS] = {
    [DLS_PROBE_ALL] = {"all", "all", ""},
    [DLS_PROBE_SPHERE] = {"sphere", "sphere:CENTRE:RADIUS", "ps"},
    [DLS_PROBE_BOX] = {"box", "box:LOW:HIGH", "pp"},
    [DLS_PROBE_CYLINDER] = {"cylinder", "cylinder:CENTRE:AXIS:RADIUS:LENGTH", "pdss"},
    [DLS_PROBE_HALF] = {"half", "half:POINT:NORMAL", "pd"},
    [DLS_PROBE_LAYER] = {"layer", "layer:POINT:NORMAL:THICKNESS", "pds"},
};

DlsStatus dls_probe_split(const char *text, DlsProbeText *out) {
  memset(out, 0, sizeof *out);
  const size_t length = strcspn(text, ":");
  DLS_CHECK(length > 0 && length < sizeof out->word, DLS_ERR_ARGUMENT,
            "%s: does not begin with a word and a colon", text);
  memcpy(out->word, text, length);
  for (const char *at = text + length; *at;) {
    const int k = out->groups;
    DLS_CHECK(k < DLS_PROBE_GROUPS, DLS_ERR_ARGUMENT, "%s: more than %d colons", text,
              DLS_PROBE_GROUPS);
    do {
      char *end;
      const double value = strtod(at + 1, &end);
      DLS_CHECK(end != at + 1 && isfinite(value) && out->count[k] < 3, DLS_ERR_ARGUMENT,
                "%s: no number, or a fourth one, at \"%s\"", text, at + 1);
      out->value[k][out->count[k]++] = value;
      at = end;
    } while (*at == ',');
    DLS_CHECK(*at == ':' || *at == '\0', DLS_ERR_ARGUMENT, "%s: \"%s\" is no number", text, at);
    out->groups++;
  }
  return DLS_OK;
}

DlsStatus dls_probe_unit(const char *name, double axis[3]) {
  const double size = dls_vector_norm(axis);
  DLS_CHECK(size > 0, DLS_ERR_ARGUMENT, "%s: the direction is zero", name);
  for (int k = 0; k < 3; k++) axis[k] /= size;
  return DLS_OK;
}

/* In 2-D a third number may stand there, and is 0. */
static bool in_plane(const DlsProbeText *parts, int k, int dim) {
  return dim == 2 && parts->count[k] == 3 && parts->value[k][2] == 0;
}

/* Whether the groups are those of the form. */
static DlsStatus check_groups(const char *text, const DlsProbeText *parts, const Form *form,
                              int dim) {
  bool good = parts->groups == (int)strlen(form->groups);
  for (int k = 0; good && k < parts->groups; k++)
    good = form->groups[k] == 's' ? parts->count[k] == 1 && parts->value[k][0] > 0
                                  : parts->count[k] == dim || in_plane(parts, k, dim);
  DLS_CHECK(good, DLS_ERR_ARGUMENT,
            "%s: is written %s, points and directions with %d numbers such as %s, sizes above 0",
            text, form->form, dim, dim == 3 ? "0,0,1" : "0,1");
  return DLS_OK;
}

static DlsStatus fill(const char *text, const DlsProbeText *parts, int dim, DlsProbe *out) {
  const double(*value)[3] = parts->value;
  memcpy(out->centre, value[0], sizeof out->centre);
  if (out->kind == DLS_PROBE_SPHERE) out->radius = value[1][0];
  if (out->kind == DLS_PROBE_BOX) {
    memcpy(out->low, value[0], sizeof out->low);
    memcpy(out->high, value[1], sizeof out->high);
    for (int k = 0; k < dim; k++)
      DLS_CHECK(out->low[k] < out->high[k], DLS_ERR_ARGUMENT, "%s: the box is empty along %c", text,
                "xyz"[k]);
  }
  if (out->kind == DLS_PROBE_CYLINDER) {
    DLS_CHECK(dim == 3, DLS_ERR_ARGUMENT, "%s: a cylinder is of 3-D; in 2-D take a box", text);
    out->radius = value[2][0];
    out->length = value[3][0];
  }
  if (out->kind == DLS_PROBE_LAYER) out->length = value[2][0];
  if (out->kind >= DLS_PROBE_CYLINDER) {
    memcpy(out->axis, value[1], sizeof out->axis);
    DLS_TRY(dls_probe_unit(text, out->axis));
  }
  return DLS_OK;
}

DlsStatus dls_probe_read(const char *text, int dim, DlsProbe *out) {
  DlsProbeText parts;
  memset(out, 0, sizeof *out);
  DLS_TRY(dls_probe_split(text, &parts));
  for (int k = 0; k < DLS_PROBE_KINDS; k++) {
    if (strcmp(parts.word, forms[k].word) != 0) continue;
    out->kind = (DlsProbeKind)k;
    DLS_TRY(check_groups(text, &parts, &forms[k], dim));
    return fill(text, &parts, dim, out);
  }
  return dls_fail(DLS_ERR_ARGUMENT,
                  "%s: no region is called %s; there are all, sphere, box, cylinder, half, layer",
                  text, parts.word);
}
