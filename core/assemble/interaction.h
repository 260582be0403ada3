/* Which law acts between which materials. An interaction is a law with its parameters, or a law and
 * up to three that follow it and add to its relation; a table gives one to each pair of materials,
 * whichever comes first, and may give another to a material and one boundary.
 *
 * Parameters may be formulas, and places have fields, for laws that list them: expressions of t, x,
 * y, z, of parameters of the reduced radius, too; all of them are lent, and outlive the table. */
#ifndef DELASSUS_ASSEMBLE_INTERACTION_H
#define DELASSUS_ASSEMBLE_INTERACTION_H

#include <stdbool.h>

#include <delassus/laws.h>

#include "deck/expression.h"
#include "detect/detect.h"

/* The variables of a parameter's formula, in this order, and of a field, without the last. */
#define DLS_PARAMETER_VARIABLES "t|x|y|z|radius"
#define DLS_FIELD_VARIABLES     "t|x|y|z"

typedef struct {
  int param; /* number among those of the interaction */
  DlsExpression *value;
} DlsFormula;

/* Accounts of energy are kept law by law: laws that act together are one; those beyond so many
 * share the last account. */
enum { DLS_LAW_ACCOUNTS = 16 };

typedef struct {
  const DlsLaw *law;
  int account;                      /* one for all interactions of the same laws */
  const DlsLaw *then[DLS_MAX_LAWS]; /* that follow it, NULL behind the last */
  double params[DLS_MAX_PARAMS];    /* of the first law, then of the next ... */
  int formulas;                     /* parameters that are formulas: those of `params` then stand
                                       where no contact is known */
  DlsFormula *formula;
  int starts; /* states that contacts of the first step are given, in the place of the law's */
  int start[DLS_MAX_PARAMS];
  double start_value[DLS_MAX_PARAMS];
  bool turns;  /* a law keeps a vector of the contact plane: how the pair turns is told */
  bool frozen; /* contacts stay where they were found on both bodies: detect/place.h */
  bool plain;  /* no law looks at the two bodies: nothing is told of them */
  int fields;  /* of all its laws: numbers in the table */
  int field[DLS_MAX_PARAMS];
  int tables; /* of all its laws; their numbers are the laws' own, or lent */
  DlsLawTable table[DLS_MAX_TABLES];
} DlsInteraction;

/* What a field is of the bodies whose ids are from `first` on and below `end`. */
typedef struct {
  uint64_t first, end;
  DlsExpression *value;
} DlsBodyField;

/* A number of places: of each material and each boundary, NULL where nobody says what it is; of
 * single bodies, whose own value goes before that of their material, the last one that is given. */
typedef struct {
  const char *name; /* as a law has it */
  DlsExpression **of_material, **of_boundary;
  int bodies;
  DlsBodyField *of_body;
} DlsContactField;

typedef struct {
  int materials; /* how many the table knows */
  int *pair;     /* [materials][materials]: number of an interaction, -1 none is given,
                    DLS_UNSEEN: none, and they do not see each other */
  int count, capacity;
  DlsInteraction *item;
  int accounts;   /* of all items, DLS_LAW_ACCOUNTS at most */
  int boundaries; /* how many it knows; 0: they are like their material */
  int *boundary_material;
  int *wall; /* [materials][boundaries]: likewise */
  int fields;
  DlsContactField *field;
} DlsInteractions;

/* A table for so many materials, all pairs without a law. A zeroed one is fine on entry. */
DlsStatus dls_interactions_create(int materials, DlsInteractions *out);
void dls_interactions_clear(DlsInteractions *table);

/* Adds a law with its default parameters; *out is its number, item[*out].params are there to be
 * set. */
DlsStatus dls_interactions_add(DlsInteractions *table, const DlsLaw *law, int *out);

/* Lets a law follow those of the interaction; *params [law->nparams] is where its own are, for the
 * life of the table or until the next law is added. */
DlsStatus dls_interactions_follow(DlsInteractions *table, int interaction, const DlsLaw *law,
                                  double **params);

/* The name of an account, "coulomb" or "coulomb+capillary"; "others" of those that share it. */
void dls_interactions_account_name(const DlsInteractions *table, int account, char *text,
                                   size_t bytes);

/* The laws of an interaction at a contact, as laws.h wants them. */
static inline DlsLawUse dls_interaction_use(const DlsInteraction *interaction, int contact,
                                            const DlsContact *kinematics, const double *state) {
  return (DlsLawUse){.law = interaction->law,
                     .contact = contact,
                     .kinematics = kinematics,
                     .params = interaction->params,
                     .state = state,
                     .then = interaction->then};
}

/* Tells an empty table of the boundaries of the world, by their materials [count]: they can then
 * have laws and fields of their own. */
DlsStatus dls_interactions_know(DlsInteractions *table, int count, const int *material);

/* Gives the interaction, or DLS_UNSEEN, to a pair of materials; -1 for either stands for all. A
 * later call wins. */
DlsStatus dls_interactions_give(DlsInteractions *table, int first, int second, int interaction);

/* The same to a material, -1: all, and one boundary. */
DlsStatus dls_interactions_give_boundary(DlsInteractions *table, int material, int boundary,
                                         int interaction);

/* A parameter, a number among those of the interaction, is a formula of DLS_PARAMETER_VARIABLES. */
DlsStatus dls_interactions_vary(DlsInteractions *table, int interaction, int param,
                                DlsExpression *formula);

/* A state, a number among those of the interaction, that contacts found in the first step are
 * given: t = 0, closed or within the range of the laws. */
DlsStatus dls_interactions_start(DlsInteractions *table, int interaction, int state, double value);

/* A table, by its number among those of the interaction, whose numbers are lent and outlive it. */
DlsStatus dls_interactions_tabulate(DlsInteractions *table, int interaction, int number,
                                    const DlsLawTable *numbers);

/* What the laws of an interaction are told of their tables; NULL: they want none. */
static inline const DlsLawTable *dls_interaction_tables(const DlsInteraction *interaction) {
  return interaction->tables ? interaction->table : NULL;
}

/* The number of a field that a law of the table lists, -1: none does. */
int dls_interactions_find_field(const DlsInteractions *table, const char *name);

/* Gives a field to bodies, by their ids; and takes it from all to whom it was so given. */
DlsStatus dls_interactions_give_field(DlsInteractions *table, int field, const DlsBodyField *to);
void dls_interactions_take_fields(DlsInteractions *table);

/* The parameters at a place, out [DLS_MAX_PARAMS]; DLS_ERR_LAW where a formula leaves the bounds.
 * */
DlsStatus dls_interaction_params(const DlsInteraction *interaction, double time,
                                 const double place[3], double radius, double *out);

/* Whose fields are asked for: a boundary or, where that is below 0, a body (id 0: none that is
 * known) of a material. */
typedef struct {
  int boundary, material;
  uint64_t id;
} DlsFieldOwner;

/* The fields of an owner at a place, out [fields]; those that nobody gives are the laws' own. */
DlsStatus dls_interactions_fields(const DlsInteractions *table, const DlsInteraction *interaction,
                                  const DlsFieldOwner *owner, double time, const double place[3],
                                  double *out);

/* One of the table's, whichever interaction has it; that nobody gives is that of the first law that
 * lists it. NaN where a formula gives nothing that the law takes. */
double dls_interactions_field_at(const DlsInteractions *table, int field,
                                 const DlsFieldOwner *owner, double time, const double place[3]);

/* Who sees whom, for detection; lent while the table is as it is. */
static inline DlsSights dls_interactions_sights(const DlsInteractions *table) {
  return (DlsSights){table->materials, table->boundaries, table->pair, table->wall};
}

/* Whether contacts of some interaction are frozen. */
bool dls_interactions_freeze(const DlsInteractions *table);

/* The number of the interaction of two sides, below 0: none. `second` is that of the antagonist,
 * who is boundary -1 - antagonist where that is below 0. */
static inline int dls_interactions_between(const DlsInteractions *table, int first, int second,
                                           int antagonist) {
  if (antagonist < 0 && table->wall && -1 - antagonist < table->boundaries)
    return table->wall[first * table->boundaries - 1 - antagonist];
  return table->pair[first * table->materials + second];
}

/* The interaction of a pair, or NULL. */
static inline const DlsInteraction *dls_interactions_of(const DlsInteractions *table, int first,
                                                        int second) {
  const int k = table->pair[first * table->materials + second];
  return k >= 0 ? &table->item[k] : NULL;
}

/* The smallest block that all laws of the table serve in this space: 2 or 3, more when a law needs
 * spins. DLS_ERR_LAW names a law that serves none. */
DlsStatus dls_interactions_block(const DlsInteractions *table, int dim, int *block);

/* Whether a law of the table keeps a vector of the contact plane. */
bool dls_interactions_turn(const DlsInteractions *table);

/* The most state variables, surface variables of a side, and outputs of any interaction. */
int dls_interactions_states(const DlsInteractions *table);
int dls_interactions_surfaces(const DlsInteractions *table);
int dls_interactions_outputs(const DlsInteractions *table);

/* The laws of a table one by one, each once, in the order in which interactions name them; NULL
 * behind the last. */
const DlsLaw *dls_interactions_law(const DlsInteractions *table, int number);

/* The law number `at` of an interaction, the first being 0; NULL behind the last. */
static inline const DlsLaw *dls_interaction_law(const DlsInteraction *interaction, int at) {
  return at == 0 ? interaction->law : interaction->then[at - 1];
}

#endif
