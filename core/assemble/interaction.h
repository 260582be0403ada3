/* Which law acts between which materials. An interaction is a law with its parameters, or a law and
 * up to three that follow it and add to its relation; a table gives one to each pair of materials,
 * whichever comes first. */
#ifndef DELASSUS_ASSEMBLE_INTERACTION_H
#define DELASSUS_ASSEMBLE_INTERACTION_H

#include <delassus/laws.h>

typedef struct {
  const DlsLaw *law;
  const DlsLaw *then[DLS_MAX_LAWS]; /* that follow it, NULL behind the last */
  double params[DLS_MAX_PARAMS];    /* of the first law, then of the next ... */
} DlsInteraction;

typedef struct {
  int materials; /* how many the table knows */
  int *pair;     /* [materials][materials]: number of an interaction, -1 none */
  int count, capacity;
  DlsInteraction *item;
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

/* The laws of an interaction at a contact, as laws.h wants them. */
static inline DlsLawUse dls_interaction_use(const DlsInteraction *interaction, int contact,
                                            const DlsContact *kinematics, const double *state) {
  return (DlsLawUse){interaction->law,    contact, kinematics,
                     interaction->params, state,   interaction->then};
}

/* Gives the interaction to a pair of materials; -1 for either stands for all. A later call wins. */
DlsStatus dls_interactions_give(DlsInteractions *table, int first, int second, int interaction);

/* The interaction of a pair, or NULL. */
static inline const DlsInteraction *dls_interactions_of(const DlsInteractions *table, int first,
                                                        int second) {
  const int k = table->pair[first * table->materials + second];
  return k >= 0 ? &table->item[k] : NULL;
}

/* The smallest block that all laws of the table serve in this space: 2 or 3, more when a law needs
 * spins. DLS_ERR_LAW names a law that serves none. */
DlsStatus dls_interactions_block(const DlsInteractions *table, int dim, int *block);

/* The most state variables, and the most outputs, of any interaction. */
int dls_interactions_states(const DlsInteractions *table);
int dls_interactions_outputs(const DlsInteractions *table);

/* The laws of a table one by one, each once, in the order in which interactions name them; NULL
 * behind the last. */
const DlsLaw *dls_interactions_law(const DlsInteractions *table, int number);

/* The law number `at` of an interaction, the first being 0; NULL behind the last. */
static inline const DlsLaw *dls_interaction_law(const DlsInteraction *interaction, int at) {
  return at == 0 ? interaction->law : interaction->then[at - 1];
}

#endif
