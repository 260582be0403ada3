/* The settings of a run as lines "key = value", numbers with all digits: what must be the same for
 * a continued run to be the unbroken one. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/version.h>

#include "record/checkpoint/checkpoint_impl.h"

static void line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void line(FILE *out, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(out, format, arguments);
  va_end(arguments);
  fputc('\n', out);
}

static DlsStatus put_solver(FILE *out, const DlsSimulation *s) {
  const DlsSolver *solver = s->settings.solver;
  char *options = malloc(solver->option_bytes + 1);
  DLS_CHECK(options, DLS_ERR_MEMORY, "checkpoint: out of memory");
  if (s->settings.solver_options)
    memcpy(options, s->settings.solver_options, solver->option_bytes);
  else
    dls_solver_defaults(solver, options);
  line(out, "solver = %s", solver->name);
  /* One line, so that another solver does not move the lines of the laws. */
  fprintf(out, "options of %s = ", solver->name);
  for (int k = 0; k < solver->noptions; k++) {
    const DlsOption *option = &solver->options[k];
    double real;
    int number;
    if (option->kind == DLS_OPTION_REAL) {
      memcpy(&real, options + option->offset, sizeof real);
      fprintf(out, "%s%s %.17g", k ? ", " : "", option->name, real);
    } else {
      memcpy(&number, options + option->offset, sizeof number);
      fprintf(out, "%s%s %d", k ? ", " : "", option->name, number);
    }
  }
  fputc('\n', out);
  free(options);
  line(out, "tolerance = %.17g", s->settings.limits.tolerance);
  line(out, "measure = %s", dls_measure_word(s->settings.limits.measure));
  line(out, "most iterations = %ld", s->settings.limits.max_iterations);
  return DLS_OK;
}

/* The formula of a parameter, NULL: it is a number. */
static const char *formula_of(const DlsInteraction *item, int param) {
  for (int k = 0; k < item->formulas; k++)
    if (item->formula[k].param == param) return dls_expression_text(item->formula[k].value);
  return NULL;
}

/* A table with all its numbers. */
static void put_table(FILE *out, const char *name, int k, const char *law,
                      const DlsLawTable *table) {
  fprintf(out, "table %s of law %d (%s) =", name, k, law);
  for (int i = 0; i < table->rows; i++) fprintf(out, " %.17g %.17g", table->x[i], table->y[i]);
  fputc('\n', out);
}

static void put_law(FILE *out, const DlsInteraction *item, int k) {
  const DlsLaw *law = item->law;
  int number = 0, table = 0;
  for (int next = 0; law; law = item->then[next++]) {
    line(out, "law %d = %s with %d state variables", k, law->name, law->nstates);
    for (int p = 0; p < law->nparams; p++, number++) {
      const char *formula = formula_of(item, number);
      if (formula)
        line(out, "parameter %s of law %d (%s) = %s", law->params[p].name, k, law->name, formula);
      else
        line(out, "parameter %s of law %d (%s) = %.17g", law->params[p].name, k, law->name,
             item->params[number]);
    }
    for (int t = 0; t < law->ntables; t++, table++)
      put_table(out, law->tables[t].name, k, law->name, &item->table[table]);
  }
  if (item->frozen) line(out, "points of law %d = frozen", k);
  for (int n = 0; n < item->starts; n++)
    line(out, "first value of state %d of law %d = %.17g", item->start[n], k, item->start_value[n]);
}

/* Laws at boundaries that are not those of their materials, and fields. */
static void put_places(FILE *out, const DlsInteractions *laws) {
  for (int m = 0; m < laws->materials; m++)
    for (int b = 0; b < laws->boundaries; b++) {
      const int k = laws->wall[m * laws->boundaries + b];
      if (k != laws->pair[m * laws->materials + laws->boundary_material[b]])
        line(out, "law of material %d at boundary %d = %d", m, b, k);
    }
  for (int f = 0; f < laws->fields; f++)
    for (int k = 0; k < laws->materials + laws->boundaries; k++) {
      const bool wall = k >= laws->materials;
      const DlsExpression *value = laws->field[f].of_material[k];
      if (value)
        line(out, "field %s of %s %d = %s", laws->field[f].name, wall ? "boundary" : "material",
             wall ? k - laws->materials : k, dls_expression_text(value));
    }
}

static void put_laws(FILE *out, const DlsInteractions *laws) {
  for (int k = 0; k < laws->count; k++) put_law(out, &laws->item[k], k);
  put_places(out, laws);
}

DlsStatus dls_checkpoint_settings(const DlsSimulation *s, char **out) {
  size_t size;
  *out = NULL;
  FILE *text = open_memstream(out, &size);
  DLS_CHECK(text, DLS_ERR_MEMORY, "checkpoint: out of memory");
  line(text, "version = %s", DLS_VERSION);
  line(text, "dimension = %d", s->world->dim);
  line(text, "scheme = %s", s->settings.scheme->name);
  line(text, "time-step h = %.17g", s->settings.h);
  line(text, "theta = %.17g", s->settings.theta);
  line(text, "control of the step = %d, fraction %.17g", (int)s->settings.control,
       s->settings.fraction);
  line(text, "alert distance = %.17g", s->settings.alert);
  line(text, "signed gap = %d", s->settings.signed_gap != 0);
  if (s->settings.correction != DLS_CORRECTION_NONE)
    line(text, "correction of positions = %d, overlap %.17g", (int)s->settings.correction,
         s->settings.overlap);
  if (dls_interactions_surfaces(&s->settings.laws) > 0)
    line(text, "patches of surfaces = %d directions, cells of %.17g",
         s->settings.patches.directions, s->settings.patches.cell);
  const DlsStatus status = put_solver(text, s);
  for (int k = 0; k < s->world->materials.count; k++) {
    const DlsMaterial *material = &s->world->materials.item[k];
    line(text, "material %d = %s", k, material->name);
    line(text, "density of material %d (%s) = %.17g", k, material->name, material->density);
  }
  put_laws(text, &s->settings.laws);
  const bool whole = !ferror(text);
  if (fclose(text) == 0 && whole && status == DLS_OK) return DLS_OK;
  free(*out);
  *out = NULL;
  return status == DLS_OK ? dls_fail(DLS_ERR_MEMORY, "checkpoint: out of memory") : status;
}

enum { KEY_BYTES = 128 };

typedef struct {
  char key[KEY_BYTES], value[KEY_BYTES];
} Line;

/* A piece of a text that may come from anywhere, cut and made printable. */
static void copy_piece(const char *from, size_t length, char *to) {
  if (length >= KEY_BYTES) length = KEY_BYTES - 1;
  for (size_t k = 0; k < length; k++)
    to[k] = (char)(from[k] >= ' ' && from[k] <= '~' ? from[k] : '?');
  to[length] = '\0';
}

/* The line at `text`, whether there is one; *next is behind it. */
static bool split_line(const char *text, Line *out, const char **next) {
  const size_t length = strcspn(text, "\n");
  const char *sign = strstr(text, " = ");
  const size_t key = sign && sign < text + length ? (size_t)(sign - text) : length;
  const size_t value = key < length ? key + 3 : length;
  copy_piece(text, key, out->key);
  copy_piece(text + value, length - value, out->value);
  *next = text + length + (text[length] == '\n');
  return length > 0;
}

static bool begins(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

DlsStatus dls_checkpoint_materials(const char *path, const char *settings, DlsMaterials *out) {
  Line item;
  for (const char *next = settings; split_line(next, &item, &next);) {
    int number;
    if (!begins(item.key, "material ")) continue;
    if (dls_materials_add(out, item.value, 1, &number) != DLS_OK)
      return dls_fail_context(DLS_ERR_FORMAT, "%s: /settings", path);
  }
  return DLS_OK;
}

static bool is_of_laws(const char *key) { return begins(key, "law ") || begins(key, "parameter "); }

DlsStatus dls_checkpoint_compare(const char *path, const char *then, const char *now, bool force,
                                 bool *same_laws) {
  Line first_then = {0}, first_now = {0};
  int differences = 0;
  *same_laws = true;
  while (*then || *now) {
    Line a, b;
    const char *then_begin = then, *now_begin = now;
    const bool has_a = split_line(then, &a, &then), has_b = split_line(now, &b, &now);
    const size_t length = (size_t)(then - then_begin);
    if (length == (size_t)(now - now_begin) && memcmp(then_begin, now_begin, length) == 0) continue;
    if (differences++ == 0) first_then = a, first_now = b;
    if (begins(a.key, "parameter ") && strcmp(a.key, b.key) == 0) continue; /* another value */
    if ((has_a && is_of_laws(a.key)) || (has_b && is_of_laws(b.key))) *same_laws = false;
  }
  if (differences == 0 || force) return DLS_OK;
  static const char cure[] = "go on with the deck and the version of that run";
  char more[48] = "";
  if (differences > 1) snprintf(more, sizeof more, " (and %d more differences)", differences - 1);
  if (strcmp(first_then.key, first_now.key) == 0)
    return dls_fail(DLS_ERR_ARGUMENT, "%s: /settings: %s was %s and is %s now%s; %s", path,
                    first_then.key, first_then.value, first_now.value, more, cure);
  return dls_fail(DLS_ERR_ARGUMENT, "%s: /settings: there was `%s` where there is `%s` now%s; %s",
                  path, first_then.key[0] ? first_then.key : "nothing",
                  first_now.key[0] ? first_now.key : "nothing", more, cure);
}
