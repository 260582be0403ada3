/* Contact laws in use: found and loaded by name or path, their parameters, and checked calls of
 * their functions. law.h says what a law is; a law's author needs law.h only.
 *
 * A law is looked for as NAME.so in the entries of DELASSUS_PLUGIN_PATH (colon separated; each one
 * and its subfolder `laws`), then in delassus/laws beside the library. A loaded law stays for the
 * life of the process. */
#ifndef DELASSUS_LAWS_H
#define DELASSUS_LAWS_H

#include <delassus/law.h>
#include <delassus/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  DLS_MAX_PARAMS = 64, /* of parameters and of state variables: more are refused at load */
  DLS_MAX_LAWS = 4,    /* that act together at a contact */
  DLS_MAX_TABLES = 8,  /* of one law, and of those that act together */
  DLS_MAX_ROWS = 4096, /* of all these tables together */
};

/* In decks, in the place of a law: the two pass through each other. No law may be called so. */
#define DLS_LAW_NONE "none"

/* By name, such as "coulomb", or by path where it holds a '/' or ends in ".so". DLS_ERR_PLUGIN,
 * with the nearest name and the folders, where there is none. The same file gives the same pointer.
 */
DLS_EXPORT DlsStatus dls_law_find(const char *name, const DlsLaw **out);

/* Opens a file and checks all that it declares: ABI and size (a mismatch gives both numbers), name
 * (that of the file), texts, parameters and state variables with their bounds, blocks, functions.
 */
DLS_EXPORT DlsStatus dls_law_load(const char *path, const DlsLaw **out);

/* All laws of the folders, by name. *out is an array of *count that stays valid until the next
 * call; not to be called by two threads at once. Files that do not load are left out;
 * dls_law_failures() then has their sentences, one a line, "" when there are none. */
DLS_EXPORT DlsStatus dls_law_list(const DlsLaw *const **out, int *count);
DLS_EXPORT const char *dls_law_failures(void);

/* The file of a loaded law, NULL for others. The folders searched, one a line, valid until the next
 * call in this thread. */
DLS_EXPORT const char *dls_law_path(const DlsLaw *law);
DLS_EXPORT const char *dls_law_folders(void);

/* Checks a law as loading does: `from` stands for its file in the sentence. For laws that are
 * compiled into a program. */
DLS_EXPORT DlsStatus dls_law_check(const DlsLaw *law, const char *from);

/* 1 for a name that no state, surface or output of a law may have, since tables and frames have it
 * for what is theirs: gap, work, normal_force, u_T1 ... */
DLS_EXPORT int dls_law_name_reserved(const char *name);

/* params [nparams] and state [nstates], owned by the caller: the defaults, and the state of a new
 * contact. */
DLS_EXPORT void dls_law_defaults(const DlsLaw *law, double *params);
DLS_EXPORT void dls_law_new_state(const DlsLaw *law, double *state);

/* values [nfields]: of a place of which nobody says what its fields are. */
DLS_EXPORT void dls_law_default_fields(const DlsLaw *law, double *values);

/* tables [ntables]: those that the law brings with it; `all`: also where a deck that gives none
 * means that there is none. */
DLS_EXPORT void dls_law_default_tables(const DlsLaw *law, int all, DlsLawTable *tables);

/* Whether the law can take a table for its number `k`: rows, numbers that are finite and within
 * bounds, x that grows, y that rises where it is to. DLS_ERR_ARGUMENT says what is wrong; *row,
 * which may be NULL, is where, from 0, -1: everywhere. */
DLS_EXPORT DlsStatus dls_law_table_check(const DlsLaw *law, int k, const DlsLawTable *table,
                                         int *row);

/* Sets one parameter, by name and number or from a text such as "mu=0.3". DLS_ERR_ARGUMENT, and
 * nothing changed, for an unknown name (the sentence has the nearest), a value out of bounds or no
 * number. */
DLS_EXPORT DlsStatus dls_law_set(const DlsLaw *law, double *params, const char *name, double value);
DLS_EXPORT DlsStatus dls_law_set_text(const DlsLaw *law, double *params, const char *text);

/* 1 when the law declares to serve the block. */
DLS_EXPORT int dls_law_serves(const DlsLaw *law, int block);

/* A law at one contact, for the calls below; with `then` a law and those that follow it, whose
 * parameters and states lie behind its own. Everything is lent for the life of what is made of it.
 */
typedef struct {
  const DlsLaw *law;
  int contact; /* its number, for messages; -1 none */
  const DlsContact *kinematics;
  const double *params;      /* [nparams] of the first law, then of the next ... */
  const double *state;       /* [nstates] likewise, at the start of the step */
  const DlsLaw *const *then; /* the laws that follow, NULL behind the last; may be NULL */
  int forces;                /* 1: in the explicit scheme, which asks for forces; for commit */
  /* m: what laws that follow a custom one resist rolling and torsion by, mu[DLS_MU_ROLL] and
   * mu[DLS_MU_TORSION] of the relation; for dls_law_custom. */
  double rolling, torsion;
} DlsLawUse;

/* The law alone, at no contact yet: the caller adds kinematics, params and state. */
DLS_EXPORT DlsLawUse dls_law_use_default(const DlsLaw *law);

/* A contact that just touches, at rest, at the start of a step of 1 ms: block = dim, frame and
 * material axes along those of space, radius and mass unknown. */
DLS_EXPORT DlsContact dls_contact_default(int dim);

/* Whether `law` may follow the laws of `use`, whose params and state may be NULL here;
 * DLS_ERR_ARGUMENT says why not. */
DLS_EXPORT DlsStatus dls_law_may_follow(const DlsLawUse *use, const DlsLaw *law);

/* 1 when a law of the use keeps a vector of the contact plane, and is told how the pair turned. */
DLS_EXPORT int dls_law_keeps_vectors(const DlsLawUse *use);

/* All parameters, state variables, fields, surface variables, outputs and tables of the laws of a
 * use. */
DLS_EXPORT int dls_law_count_params(const DlsLawUse *use);
DLS_EXPORT int dls_law_count_states(const DlsLawUse *use);
DLS_EXPORT int dls_law_count_fields(const DlsLawUse *use);   /* of one side */
DLS_EXPORT int dls_law_count_surfaces(const DlsLawUse *use); /* of one side */
DLS_EXPORT int dls_law_count_outputs(const DlsLawUse *use);
DLS_EXPORT int dls_law_count_tables(const DlsLawUse *use);

/* What a surface has that no step has changed, [surfaces] of all laws of a use. */
DLS_EXPORT void dls_law_new_surface(const DlsLawUse *use, double *surface);

/* m, the gap up to which the laws act on this pair: the farthest of them, finite and >= 0. Reads
 * law, params and then only. */
DLS_EXPORT DlsStatus dls_law_range(const DlsLawUse *use, const DlsPair *pair, double *out);

/* What `range` is told of the pair of a contact. */
DLS_EXPORT DlsPair dls_law_pair(const DlsContact *contact);

/* The direction that t1 shall have, of the law that has a wish; a zero vector where none has. */
DLS_EXPORT DlsStatus dls_law_orient(const DlsLawUse *use, double t1[3]);

/* The state of a contact that has just been found: the values of the tables, then `begin`. Checked
 * as by dls_law_commit(); use->state is not read. */
DLS_EXPORT DlsStatus dls_law_begin(const DlsLawUse *use, double *state);

/* The relation of this step, to which each law adds its part: finite numbers, a known cone,
 * mu >= 0, C >= 0, or DLS_ERR_LAW with law, contact and field. A law without `prepare` gives
 * DLS_CONE_CUSTOM: its residual, or the one that its traction makes. */
DLS_EXPORT DlsStatus dls_law_prepare(const DlsLawUse *use, DlsRelation *out);

/* What a problem wants of a contact whose relation is DLS_CONE_CUSTOM: the law's functions, each
 * output checked to be finite; torques by use->rolling and torsion beside them. Laws that follow
 * add a, b and C: the functions are for û = u + b + C r and r̂ = r + a. *out points to `use`. */
DLS_EXPORT DlsStatus dls_law_custom(const DlsLawUse *use, DlsCustomRelation *out);

/* The state after a step that ended with (u, r), [block] each: `state` [nstates] holds use->state
 * on entry, and may be the same array. A state that is not finite or not within its bounds is
 * refused, and `state` stays as it was. */
DLS_EXPORT DlsStatus dls_law_commit(const DlsLawUse *use, const double *u, const double *r,
                                    double *state);

/* For the explicit scheme: the sum of the laws' forces, N and N m, at velocity u. A law without
 * `force` and `traction` is refused. */
DLS_EXPORT DlsStatus dls_law_force(const DlsLawUse *use, const double *u, double *force);

/* N/m and N s/m [block]: how the forces of the laws that have traction, summed, answer to a jump
 * and to a velocity where the contact stands, at rest; 0 where they pull away. Returns by *others
 * how many laws have a force instead. */
DLS_EXPORT DlsStatus dls_law_stiffness(const DlsLawUse *use, double *k, double *c, int *others);

/* Joules stored at the end of the step and dissipated during it, summed over the laws; both 0 where
 * there is no `energy`. A law with traction that has none stores nothing: all that the bodies lose
 * is dissipated. */
DLS_EXPORT DlsStatus dls_law_energy(const DlsLawUse *use, const double *u, const double *r,
                                    double *stored, double *dissipated);

/* After a step that ended with (u, r): what it adds to the surfaces, change [2][surfaces], of
 * antagonist and candidate, each the variables of the first law, then of the next. Finite; 0 of
 * laws without `surface`. use->state is that of the start of the step. */
DLS_EXPORT DlsStatus dls_law_surface(const DlsLawUse *use, const double *u, const double *r,
                                     double *change);

/* After a step, use->state being that of its end: *status is -1, or a number among the statuses of
 * the first law, then of the next; the last law that has a word for the contact is heard.
 * *friction_limit, N s, is on entry what is known of it, NaN: nothing; from 0 on or NaN on return.
 * outputs [outputs], finite, of the first law, then of the next; 0 of laws without `report`. */
DLS_EXPORT DlsStatus dls_law_report(const DlsLawUse *use, const double *u, const double *r,
                                    int *status, double *friction_limit, double *outputs);

/* Laws that die. Without this a law that ends by a signal (SIGSEGV, SIGABRT, SIGFPE ...) or never
 * returns takes the process with it. From now on its death, or a call that lasts longer than
 * `seconds` of processor time (0: any), is a failure of the law, DLS_ERR_LAW, and ends the run; all
 * further calls of laws in that thread fail with the same sentence until the next dls_run_open().
 * Files of laws are opened in a child process first. Installs handlers of SIGSEGV, SIGBUS, SIGFPE,
 * SIGILL, SIGABRT, SIGTRAP, SIGSYS and SIGVTALRM; those that were there get all signals that come
 * from elsewhere than a law. An overflow of the stack is caught in the calling thread alone. The
 * program delassus does this, and stops exit() within laws, too. */
DLS_EXPORT DlsStatus dls_law_guard(double seconds);
DLS_EXPORT void dls_law_unguard(void); /* as it was before */

#ifdef __cplusplus
}
#endif
#endif
