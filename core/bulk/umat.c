/* UMATs as bulk laws; see umat.h. A law's functions know nothing but their arguments, so that each
 * UMAT has a slot with functions of its own. */
#include "bulk/umat.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/bulk_umat.h>
#include <delassus/laws.h>

#include "base/memory.h"

enum { MOST_STATEV = DLS_MAX_PARAMS - DLS_UMAT_OWN, NAME = 16 };

typedef struct {
  char *name, *path; /* as asked for, and of the file in it */
  DlsUmat *umat;
  DlsBulk law;
  DlsParam params[DLS_MAX_PARAMS], states[DLS_MAX_PARAMS];
  char param_name[DLS_MAX_PARAMS][NAME], state_name[DLS_MAX_PARAMS][NAME];
} Slot;

#define SLOTS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define ONE(k)   +1
enum { COUNT = 0 SLOTS(ONE) };
static Slot slots[COUNT];

static DlsStatus check(const Slot *s, const double *params, const char **why) {
  for (int k = 0; k < s->law.nparams; k++)
    if (params[k] != 0) return DLS_OK;
  *why = "all constants are 0: give prop_1, prop_2 ..., in the order of PROPS";
  return s->law.nparams > 0 ? DLS_ERR_ARGUMENT : DLS_OK;
}

#define FUNCTIONS(k)                                                                               \
  static DlsStatus stress_##k(const DlsBulkPoint *point, const double *params,                     \
                              const double *state, const double *before, const double *strain,     \
                              double *stress, double *tangent, double *next) {                     \
    const Slot *s = &slots[k];                                                                     \
    return dls_umat_stress(s->umat, s->law.nparams, s->law.nstates, point, params, state, before,  \
                           strain, stress, tangent, next);                                         \
  }                                                                                                \
  static DlsStatus energy_##k(const DlsBulkPoint *point, const double *params,                     \
                              const double *state, const double *before, const double *strain,     \
                              const double *next, double *stored, double *dissipated) {            \
    (void)point, (void)params, (void)before, (void)strain;                                         \
    return dls_umat_energy(slots[k].law.nstates, state, next, stored, dissipated);                 \
  }                                                                                                \
  static DlsStatus check_##k(const double *params, const char **why) {                             \
    return check(&slots[k], params, why);                                                          \
  }
SLOTS(FUNCTIONS)

#define ROW(k) {stress_##k, energy_##k, check_##k},
static const struct {
  DlsStatus (*stress)(const DlsBulkPoint *, const double *, const double *, const double *,
                      const double *, double *, double *, double *);
  DlsStatus (*energy)(const DlsBulkPoint *, const double *, const double *, const double *,
                      const double *, const double *, double *, double *);
  DlsStatus (*check)(const double *, const char **);
} functions[] = {SLOTS(ROW)};

static const char *const prefix = "umat:";
static const char *const none[] = {"mgis:", "mfront:"};

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

bool dls_umat_is(const char *name) {
  return begins(name, prefix) || begins(name, none[0]) || begins(name, none[1]);
}

/* What stands between the path and the end: :PROPS:STATEV[:CLAIM+CLAIM]. */
typedef struct {
  size_t path; /* its length */
  int props, statev;
  uint32_t claims;
} Form;

static bool read_claims(const char *text, uint32_t *out) {
  static const struct {
    const char *word;
    uint32_t claim;
  } claims[] = {{"symmetric", DLS_BULK_SYMMETRIC},
                {"isotropic", DLS_BULK_ISOTROPIC},
                {"rate", DLS_BULK_RATE}};
  while (*text) {
    size_t length = strcspn(text, "+");
    bool known = false;
    for (int k = 0; k < DLS_COUNT(claims); k++)
      if (strlen(claims[k].word) == length && strncmp(text, claims[k].word, length) == 0) {
        *out |= claims[k].claim;
        known = true;
      }
    if (!known) return false;
    text += length;
    if (*text == '+') text++;
  }
  return true;
}

static bool read_form(const char *text, Form *out) {
  const size_t length = strlen(text);
  *out = (Form){0};
  for (size_t at = 1; at < length; at++) { /* the first :NUMBER:NUMBER that fits to the end */
    char *end;
    if (text[at] != ':' || !isdigit((unsigned char)text[at + 1])) continue;
    const long props = strtol(text + at + 1, &end, 10);
    if (*end != ':' || !isdigit((unsigned char)end[1])) continue;
    const long statev = strtol(end + 1, &end, 10);
    uint32_t claims = 0;
    if (*end && (*end != ':' || !end[1] || !read_claims(end + 1, &claims))) continue;
    if (props > DLS_MAX_PARAMS || statev > MOST_STATEV) return false;
    *out = (Form){at, (int)props, (int)statev, claims};
    return true;
  }
  return false;
}

static void fill(Slot *s, const Form *form, int number) {
  static const DlsParam own[] = {DLS_UMAT_STATES};
  for (int k = 0; k < form->props; k++) {
    snprintf(s->param_name[k], NAME, "prop_%d", k + 1);
    s->params[k] = (DlsParam){s->param_name[k], "1", "of PROPS, in the unit that the UMAT wants",
                              .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND};
  }
  for (int k = 0; k < form->statev; k++) {
    snprintf(s->state_name[k], NAME, "statev_%d", k + 1);
    s->states[k] =
        (DlsParam){s->state_name[k], "1", "of STATEV", .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND};
  }
  memcpy(s->states + form->statev, own, sizeof own);
  s->law = (DlsBulk){DLS_BULK_HEAD,
                     .name = "umat",
                     .summary = "a UMAT, the subroutine for materials of Abaqus",
                     .references = "",
                     .params = s->params,
                     .nparams = form->props,
                     .states = s->states,
                     .nstates = form->statev + DLS_UMAT_OWN,
                     .measures = DLS_BULK_SMALL | DLS_BULK_LOG,
                     .claims = form->claims,
                     .maturity = "experimental",
                     .check = functions[number].check,
                     .stress = functions[number].stress,
                     .energy = functions[number].energy};
}

/* Files whose path has no / are those of the folder at hand, not of the system's. */
static DlsStatus open_umat(Slot *s, const char *name, const Form *form) {
  const char *path = name + strlen(prefix);
  s->name = dls_memory_array(strlen(name) + 1, 1);
  s->path = dls_memory_array(form->path + 3, 1);
  DLS_CHECK(s->name && s->path, DLS_ERR_MEMORY, "no memory for the name of a UMAT");
  memcpy(s->name, name, strlen(name) + 1);
  const bool plain = memchr(path, '/', form->path) == NULL;
  snprintf(s->path, form->path + 3, "%s%.*s", plain ? "./" : "", (int)form->path, path);
  void *library = dlopen(s->path, RTLD_NOW | RTLD_LOCAL);
  DLS_CHECK(library, DLS_ERR_PLUGIN, "bulk law %s: %s", name, dlerror());
  void *symbol = dlsym(library, "umat_");
  if (!symbol) {
    dlclose(library);
    return dls_fail(DLS_ERR_PLUGIN,
                    "bulk law %s: %s has no symbol umat_; compile a file with SUBROUTINE UMAT by "
                    "gfortran -shared -fPIC",
                    name, s->path);
  }
  memcpy(&s->umat, &symbol, sizeof s->umat); /* POSIX: dlsym's pointer is the function's */
  return DLS_OK;
}

static void clear(Slot *s) {
  free(s->name);
  free(s->path);
  s->name = s->path = NULL;
}

DlsStatus dls_umat_find(const char *name, const DlsBulk **out) {
  Form form;
  int k = 0;
  *out = NULL;
  DLS_CHECK(begins(name, prefix), DLS_ERR_PLUGIN,
            "bulk law %s: MFront's generic interface (MGIS) is not in Debian, and not supported; "
            "write the law by `delassus bulk new`, or give it as a UMAT, umat:FILE:PROPS:STATEV",
            name);
  DLS_CHECK(read_form(name + strlen(prefix), &form), DLS_ERR_PLUGIN,
            "bulk law %s: write umat:FILE:PROPS:STATEV, with the numbers of its constants (up to "
            "%d) and state variables (up to %d), such as umat:./steel.so:4:1; behind it may stand "
            "what it claims, :symmetric+isotropic+rate",
            name, DLS_MAX_PARAMS, MOST_STATEV);
  while (k < COUNT && slots[k].name && strcmp(slots[k].name, name) != 0) k++;
  DLS_CHECK(k < COUNT, DLS_ERR_PLUGIN, "bulk law %s: there are %d UMATs already, and no more fit",
            name, COUNT);
  if (!slots[k].name) {
    const DlsStatus status = open_umat(&slots[k], name, &form);
    if (status != DLS_OK) {
      clear(&slots[k]);
      return status;
    }
    fill(&slots[k], &form, k);
  }
  *out = &slots[k].law;
  return DLS_OK;
}

const char *dls_umat_path(const DlsBulk *law) {
  for (int k = 0; k < COUNT; k++)
    if (law == &slots[k].law) return slots[k].path;
  return NULL;
}
