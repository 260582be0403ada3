/* Checked calls of a law's functions: whatever a law does wrong ends here, with a sentence that
 * names the law, the contact and the number. Laws that act together are called one by one, each
 * with its slice of parameters and state. */
#include <stdbool.h>
#include <string.h>

#include "law/failure.h"
#include "law/jump.h"
#include "law/law_impl.h"
#include "law/turn.h"

/* A law that follows others, told of its own. */
typedef struct {
  DlsLawUse use;
  DlsContact contact;
} Follower;

/* From one law of a use to the one that follows, which is made in *own; NULL behind the last.
 * Fields, surfaces and tables lie one behind the other as states do: a law that follows one with
 * such is told of its own in a contact of its own. A law that acts alone is asked as it stands. */
static const DlsLawUse *go_on(const DlsLawUse *part, Follower *own) {
  if (!part->then || !*part->then) return NULL;
  const DlsLaw *before = part->law;
  DlsLawUse *next = &own->use;
  if (part != next) *next = *part;
  if (next->params) next->params += before->nparams;
  if (next->state) next->state += before->nstates;
  next->law = *next->then++;
  if (!next->kinematics) return next;
  if (!before->nfields && !before->nsurfaces && !before->ntables) return next;
  DlsContact *told = &own->contact;
  if (next->kinematics != told) *told = *next->kinematics;
  next->kinematics = told;
  for (int side = 0; side < 2; side++) {
    if (told->fields[side]) told->fields[side] += before->nfields;
    if (told->surface[side]) told->surface[side] += before->nsurfaces;
  }
  if (told->tables) told->tables += before->ntables;
  return next;
}

#define FOR_EACH_PART(part, use)                                                                   \
  for (Follower follower, *once = &follower; once; once = NULL)                                    \
    for (const DlsLawUse *part = (use); part; part = go_on(part, &follower))

DlsStatus dls_law_may_follow(const DlsLawUse *use, const DlsLaw *law) {
  int count = 0;
  DLS_CHECK(law->composes, DLS_ERR_ARGUMENT,
            "contact law '%s' does not compose, so it cannot follow '%s'; put it first, or take it "
            "out of the list",
            law->name, use->law->name);
  const uint32_t spins = DLS_BLOCK(5) | DLS_BLOCK(6);
  DLS_CHECK(!((use->law->residual || use->law->traction) && (use->law->blocks & spins) &&
              !(use->law->blocks & DLS_BLOCK(2)) && (law->blocks & spins)),
            DLS_ERR_ARGUMENT,
            "contact law '%s' has a relation of its own with torques, to which '%s' can add none; "
            "take one of them away",
            use->law->name, law->name);
  FOR_EACH_PART(part, use) {
    count++;
    DLS_CHECK(part->law != law, DLS_ERR_ARGUMENT,
              "contact law '%s' stands twice in the list; take one away", law->name);
    DLS_CHECK(!part->law->orient || !law->orient, DLS_ERR_ARGUMENT,
              "contact laws '%s' and '%s' both turn the frame; take one away", part->law->name,
              law->name);
  }
  DLS_CHECK(count < DLS_MAX_LAWS, DLS_ERR_ARGUMENT,
            "contact law '%s' would be number %d; at most %d act together", law->name, count + 1,
            (int)DLS_MAX_LAWS);
  DLS_CHECK(dls_law_count_params(use) + law->nparams <= DLS_MAX_PARAMS &&
                dls_law_count_states(use) + law->nstates <= DLS_MAX_PARAMS &&
                dls_law_count_fields(use) + law->nfields <= DLS_MAX_PARAMS &&
                dls_law_count_surfaces(use) + law->nsurfaces <= DLS_MAX_PARAMS &&
                dls_law_count_outputs(use) + law->noutputs <= DLS_MAX_PARAMS,
            DLS_ERR_ARGUMENT,
            "contact law '%s' and those before it have more than %d parameters, state variables, "
            "fields, surface variables or outputs",
            law->name, (int)DLS_MAX_PARAMS);
  DLS_CHECK(dls_law_count_tables(use) + law->ntables <= DLS_MAX_TABLES, DLS_ERR_ARGUMENT,
            "contact law '%s' and those before it want more than %d tables", law->name,
            (int)DLS_MAX_TABLES);
  return DLS_OK;
}

static DlsStatus range_parts(const DlsLawUse *use, const DlsPair *pair, double *out) {
  DlsPair own = *pair;
  *out = 0;
  FOR_EACH_PART(part, use) {
    double range = 0;
    if (part->law->range && part->law->ntables && !own.tables)
      FAIL(part, "it wants %d tables, of which its range is told nothing; set tables of the pair",
           part->law->ntables);
    if (part->law->range) DLS_TRY(dls_law_ask_range(part, &own, &range));
    if (own.tables) own.tables += part->law->ntables;
    if (!isfinite(range) || range < 0)
      FAIL(part, "its range is %g m; it must be a length from 0 on", range);
    *out = fmax(*out, range);
  }
  return DLS_OK;
}

static DlsStatus check_not_negative(const DlsLawUse *use, const char *field, const double *x,
                                    int count) {
  for (int i = 0; i < count; i++)
    if (x[i] < 0) FAIL(use, "prepare gives %s[%d] = %g, below zero", field, i, x[i]);
  return DLS_OK;
}

static DlsStatus check_custom(const DlsLawUse *use, const DlsRelation *relation) {
  if (!use->law->residual) FAIL(use, "prepare gives the cone CUSTOM, but the law has no residual");
  for (int i = 0; i < use->kinematics->block; i++)
    if (relation->a[i] != 0 || relation->b[i] != 0 || relation->C[i] != 0)
      FAIL(use, "prepare gives the cone CUSTOM together with a, b or C[%d]; put them into residual",
           i);
  return DLS_OK;
}

/* What is not finite times 0 is NaN: one look at all numbers, where nearly always none is wrong. */
static bool is_sound(const DlsRelation *relation, int block) {
  double wrong = 0;
  bool negative = false;
  for (int i = 0; i < block; i++) {
    wrong += 0 * relation->b[i] + 0 * relation->a[i] + 0 * relation->C[i];
    negative |= relation->C[i] < 0;
  }
  for (int i = 0; i < DLS_MU_COUNT; i++) {
    wrong += 0 * relation->mu[i];
    negative |= relation->mu[i] < 0;
  }
  return wrong == 0 && !negative;
}

static DlsStatus check_numbers(const DlsLawUse *use, const DlsRelation *relation) {
  const int block = use->kinematics->block;
  if (is_sound(relation, block)) return DLS_OK;
  DLS_TRY(dls_law_check_finite(use, "prepare", "b", relation->b, block));
  DLS_TRY(dls_law_check_finite(use, "prepare", "a", relation->a, block));
  DLS_TRY(dls_law_check_finite(use, "prepare", "C", relation->C, block));
  DLS_TRY(dls_law_check_finite(use, "prepare", "mu", relation->mu, DLS_MU_COUNT));
  DLS_TRY(check_not_negative(use, "C", relation->C, block));
  return check_not_negative(use, "mu", relation->mu, DLS_MU_COUNT);
}

static DlsStatus check_relation(const DlsLawUse *use, const DlsRelation *relation,
                                bool follows_custom) {
  const int block = use->kinematics->block, cone = (int)relation->cone;
  if (cone < 0 || cone >= DLS_CONE_COUNT) FAIL(use, "prepare gives the cone %d, not known", cone);
  DLS_TRY(check_numbers(use, relation));
  if (!(relation->associated >= 0 && relation->associated <= 1))
    FAIL(use, "prepare gives associated = %g, not from 0 (Coulomb) to 1", relation->associated);
  if (relation->cone == DLS_CONE_ROLLING && block <= use->kinematics->dim)
    FAIL(use, "prepare gives the cone ROLLING for a block of %d, which has no rolling component",
         block);
  if (relation->cone != DLS_CONE_CUSTOM || follows_custom) return DLS_OK;
  return check_custom(use, relation);
}

static DlsStatus orient_parts(const DlsLawUse *use, double t1[3]) {
  memset(t1, 0, 3 * sizeof *t1);
  FOR_EACH_PART(part, use) {
    if (!part->law->orient) continue;
    DLS_TRY(dls_law_check_use(part));
    DLS_TRY(dls_law_ask_orient(part, t1));
    return dls_law_check_finite(part, "orient", "t1", t1, 3);
  }
  return DLS_OK;
}

/* One law's part; *out holds what those before it gave. */
static DlsStatus prepare_part(const DlsLawUse *part, DlsRelation *out) {
  DLS_TRY(dls_law_check_use(part));
  const bool follows_custom = out->cone == DLS_CONE_CUSTOM;
  if (!part->law->prepare && !part->law->residual && !part->law->traction)
    FAIL(part, "it has force alone; it is for the explicit scheme");
  if (!part->law->prepare) {
    out->cone = DLS_CONE_CUSTOM;
    return DLS_OK;
  }
  DLS_TRY(dls_law_ask_prepare(part, out));
  if (follows_custom && out->cone != DLS_CONE_CUSTOM)
    FAIL(part, "it follows a law with a relation of its own, whose cone it changes");
  return check_relation(part, out, follows_custom);
}

static DlsStatus prepare_parts(const DlsLawUse *use, DlsRelation *out) {
  memset(out, 0, sizeof *out);
  out->cone = DLS_CONE_FREE;
  FOR_EACH_PART(part, use) DLS_TRY(prepare_part(part, out));
  return DLS_OK;
}

static DlsStatus check_state(const DlsLawUse *part, const char *function, const double *state) {
  for (int i = 0; i < part->law->nstates; i++) {
    const DlsParam *s = &part->law->states[i];
    if (!isfinite(state[i])) FAIL(part, "%s gives the state %s = %g", function, s->name, state[i]);
    if (state[i] < s->min || state[i] > s->max)
      FAIL(part, "%s gives the state %s = %g, not within its bounds %g and %g", function, s->name,
           state[i], s->min, s->max);
  }
  return DLS_OK;
}

void dls_law_carry(const DlsLawUse *use, const double before[9], const double now[9],
                   double *state) {
  FOR_EACH_PART(part, use) {
    for (int i = 0; i < part->law->nstates; i++)
      if (part->law->states[i].kind != DLS_SCALAR)
        dls_pair_carry(before, now, use->kinematics->turn, state + i++);
    state += part->law->nstates;
  }
}

static DlsStatus begin_parts(const DlsLawUse *use, double *state) {
  FOR_EACH_PART(part, use) {
    dls_law_new_state(part->law, state);
    if (part->law->begin) {
      DLS_TRY(dls_law_check_use(part));
      DLS_TRY(dls_law_ask_begin(part, state));
      DLS_TRY(check_state(part, "begin", state));
    }
    state += part->law->nstates;
  }
  return DLS_OK;
}

static DlsStatus commit_parts(const DlsLawUse *use, const double *u, const double *r,
                              double *state) {
  double new[DLS_MAX_PARAMS], *slice = new;
  const size_t bytes = sizeof *new *(size_t)dls_law_count_states(use);
  if (bytes == 0) return DLS_OK;
  memcpy(new, state, bytes);
  FOR_EACH_PART(part, use) {
    const DlsLaw *law = part->law;
    if (law->traction && law->nstates) {
      DLS_TRY(dls_jump_commit(part, use->forces != 0, u, slice));
      DLS_TRY(check_state(part, "traction", slice));
    } else if (law->commit && law->nstates) {
      DLS_TRY(dls_law_ask_commit(part, u, r, slice));
      DLS_TRY(check_state(part, "commit", slice));
    }
    slice += law->nstates;
  }
  memcpy(state, new, bytes);
  return DLS_OK;
}

static DlsStatus force_parts(const DlsLawUse *use, const double *u, double *force) {
  const size_t bytes = sizeof *force * (size_t)use->kinematics->block;
  memset(force, 0, bytes);
  FOR_EACH_PART(part, use) {
    double own[DLS_MAX_BLOCK] = {0};
    DLS_TRY(dls_law_check_use(part));
    if (part->law->traction) {
      DLS_TRY(dls_jump_force(part, u, own));
    } else {
      if (!part->law->force) FAIL(part, "it has no force, which the explicit scheme needs");
      DLS_TRY(dls_law_ask_force(part, u, own));
      DLS_TRY(dls_law_check_finite(part, "force", "force", own, part->kinematics->block));
    }
    for (int i = 0; i < part->kinematics->block; i++) force[i] += own[i];
  }
  return DLS_OK;
}

DlsStatus dls_law_stiffness(const DlsLawUse *use, double *k, double *c, int *others) {
  const int block = use->kinematics->block;
  memset(k, 0, (size_t)block * sizeof *k);
  memset(c, 0, (size_t)block * sizeof *c);
  *others = 0;
  FOR_EACH_PART(part, use) {
    double own_k[DLS_MAX_BLOCK], own_c[DLS_MAX_BLOCK];
    *others += !part->law->traction;
    if (!part->law->traction) continue;
    DLS_TRY(dls_jump_stiffness(part, own_k, own_c));
    for (int i = 0; i < block; i++) k[i] += own_k[i], c[i] += own_c[i];
  }
  return DLS_OK;
}

static DlsStatus energy_parts(const DlsLawUse *use, const double *u, const double *r,
                              double *stored, double *dissipated) {
  *stored = *dissipated = 0;
  int answers = 0; /* each counts the work of r as its own */
  FOR_EACH_PART(part, use) {
    double energy[2] = {0, 0};
    if (!part->law->energy && !part->law->traction) continue;
    if (answers++) *dissipated += dls_law_work(use->kinematics, u, r);
    if (part->law->energy)
      DLS_TRY(dls_law_ask_energy(part, u, r, &energy[0], &energy[1]));
    else
      DLS_TRY(dls_law_dissipates(part->kinematics, part->params, part->state, u, r, &energy[0],
                                 &energy[1]));
    if (!isfinite(energy[0])) FAIL(part, "energy gives %g J stored", energy[0]);
    if (!isfinite(energy[1])) FAIL(part, "energy gives %g J dissipated", energy[1]);
    *stored += energy[0];
    *dissipated += energy[1];
  }
  return DLS_OK;
}

static DlsStatus surface_parts(const DlsLawUse *use, const double *u, const double *r,
                               double *change) {
  const int width = dls_law_count_surfaces(use);
  memset(change, 0, 2 * (size_t)width * sizeof *change);
  FOR_EACH_PART(part, use) {
    const int count = part->law->nsurfaces;
    double own_change[2 * DLS_MAX_PARAMS] = {0};
    if (!part->law->surface) continue;
    DLS_TRY(dls_law_ask_surface(part, u, r, own_change));
    DLS_TRY(dls_law_check_finite(part, "surface", "change", own_change, 2 * count));
    for (int side = 0; side < 2; side++)
      memcpy(change + side * width, own_change + side * count, (size_t)count * sizeof *change);
    change += count;
  }
  return DLS_OK;
}

static DlsStatus report_parts(const DlsLawUse *use, const double *u, const double *r, int *status,
                              double *limit, double *outputs) {
  int before = 0; /* words of the laws before */
  *status = -1;
  FOR_EACH_PART(part, use) {
    const DlsLaw *law = part->law;
    int word = -1;
    memset(outputs, 0, (size_t)law->noutputs * sizeof *outputs);
    if (law->report) {
      DLS_TRY(dls_law_ask_report(part, u, r, &word, limit, outputs));
      if (word < -1 || word >= law->nstatuses)
        FAIL(part, "report gives the status %d; it has %d, counted from 0", word, law->nstatuses);
      if (*limit < 0 || isinf(*limit))
        FAIL(part, "report gives the limit of friction %g N s; it is from 0 on, or NaN", *limit);
      DLS_TRY(dls_law_check_finite(part, "report", "outputs", outputs, law->noutputs));
    }
    if (word >= 0) *status = before + word;
    before += law->nstatuses;
    outputs += law->noutputs;
  }
  return DLS_OK;
}

/* The calls of the header: what fails is kept, to be repeated alone. */
DlsStatus dls_law_range(const DlsLawUse *use, const DlsPair *pair, double *out) {
  const DlsStatus status = range_parts(use, pair, out);
  if (status == DLS_OK) return DLS_OK;
  DlsContact contact = dls_contact_default(pair->dim); /* of which the pair is all that counts */
  contact.radius = pair->radius;
  contact.tables = pair->tables;
  memcpy(contact.radii, pair->radii, sizeof contact.radii);
  DlsLawUse told = *use;
  told.kinematics = &contact;
  return dls_law_keep(&told, &(DlsLawCall){.function = "range"}, status);
}

DlsStatus dls_law_orient(const DlsLawUse *use, double t1[3]) {
  return dls_law_keep(use, &(DlsLawCall){.function = "orient"}, orient_parts(use, t1));
}

DlsStatus dls_law_begin(const DlsLawUse *use, double *state) {
  return dls_law_keep(use, &(DlsLawCall){.function = "begin"}, begin_parts(use, state));
}

DlsStatus dls_law_prepare(const DlsLawUse *use, DlsRelation *out) {
  return dls_law_keep(use, &(DlsLawCall){.function = "prepare"}, prepare_parts(use, out));
}

DlsStatus dls_law_commit(const DlsLawUse *use, const double *u, const double *r, double *state) {
  return dls_law_keep(use, &(DlsLawCall){.function = "commit", .u = u, .r = r, .state = state},
                      commit_parts(use, u, r, state));
}

DlsStatus dls_law_force(const DlsLawUse *use, const double *u, double *force) {
  return dls_law_keep(use, &(DlsLawCall){.function = "force", .u = u}, force_parts(use, u, force));
}

DlsStatus dls_law_energy(const DlsLawUse *use, const double *u, const double *r, double *stored,
                         double *dissipated) {
  return dls_law_keep(use, &(DlsLawCall){.function = "energy", .u = u, .r = r},
                      energy_parts(use, u, r, stored, dissipated));
}

DlsStatus dls_law_surface(const DlsLawUse *use, const double *u, const double *r, double *change) {
  return dls_law_keep(use, &(DlsLawCall){.function = "surface", .u = u, .r = r},
                      surface_parts(use, u, r, change));
}

DlsStatus dls_law_report(const DlsLawUse *use, const double *u, const double *r, int *status,
                         double *friction_limit, double *outputs) {
  return dls_law_keep(use, &(DlsLawCall){.function = "report", .u = u, .r = r},
                      report_parts(use, u, r, status, friction_limit, outputs));
}
