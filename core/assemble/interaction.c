#include "assemble/interaction.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

DlsStatus dls_interactions_create(int materials, DlsInteractions *out) {
  *out = (DlsInteractions){.materials = materials};
  DLS_CHECK(materials >= 0 && materials <= 10000, DLS_ERR_ARGUMENT,
            "%d materials; up to 10000 are possible", materials);
  DLS_NEW(out->pair, materials * materials);
  for (int k = 0; k < materials * materials; k++) out->pair[k] = -1;
  return DLS_OK;
}

void dls_interactions_clear(DlsInteractions *table) {
  for (int k = 0; k < table->count; k++) free(table->item[k].formula);
  for (int k = 0; k < table->fields; k++) {
    free(table->field[k].of_material);
    free(table->field[k].of_body);
  }
  free(table->pair);
  free(table->item);
  free(table->boundary_material);
  free(table->wall);
  free(table->field);
  *table = (DlsInteractions){0};
}

int dls_interactions_find_field(const DlsInteractions *table, const char *name) {
  for (int k = 0; k < table->fields; k++)
    if (strcmp(table->field[k].name, name) == 0) return k;
  return -1;
}

static DlsStatus add_field(DlsInteractions *table, const char *name) {
  DlsContactField *more = realloc(table->field, (size_t)(table->fields + 1) * sizeof *more);
  DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory for %d fields", table->fields + 1);
  table->field = more;
  DlsContactField field = {.name = name};
  DLS_NEW(field.of_material, table->materials + table->boundaries);
  field.of_boundary = field.of_material + table->materials;
  table->field[table->fields++] = field;
  return DLS_OK;
}

/* What the law wants to know joins what those before it do. */
static DlsStatus note_law(DlsInteractions *table, DlsInteraction *item, const DlsLaw *law) {
  DLS_CHECK(item->fields + law->nfields <= DLS_MAX_PARAMS, DLS_ERR_ARGUMENT,
            "contact law '%s' and those before it list more than %d fields", law->name,
            (int)DLS_MAX_PARAMS);
  const DlsLawUse alone = {.law = law};
  item->turns = item->turns || dls_law_keeps_vectors(&alone);
  item->plain = (law == item->law || item->plain) && (law->claims & DLS_CLAIM_PLAIN);
  for (int k = 0; k < law->nfields; k++) {
    int number = dls_interactions_find_field(table, law->fields[k].name);
    if (number < 0) {
      DLS_TRY(add_field(table, law->fields[k].name));
      number = table->fields - 1;
    }
    item->field[item->fields++] = number;
  }
  DLS_CHECK(item->tables + law->ntables <= DLS_MAX_TABLES, DLS_ERR_ARGUMENT,
            "contact law '%s' and those before it want more than %d tables", law->name,
            (int)DLS_MAX_TABLES);
  dls_law_default_tables(law, 0, item->table + item->tables);
  item->tables += law->ntables;
  return DLS_OK;
}

static bool same_laws(const DlsInteraction *a, const DlsInteraction *b) {
  return a->law == b->law && memcmp(a->then, b->then, sizeof a->then) == 0;
}

/* Numbers the accounts anew, in the order of the items. */
static void number_accounts(DlsInteractions *table) {
  int next = 0;
  for (int k = 0; k < table->count; k++) {
    int first = 0;
    while (!same_laws(&table->item[first], &table->item[k])) first++;
    const bool late = next >= DLS_LAW_ACCOUNTS;
    table->item[k].account = first < k ? table->item[first].account
                             : late    ? DLS_LAW_ACCOUNTS - 1
                                       : next++;
  }
  table->accounts = next;
}

void dls_interactions_account_name(const DlsInteractions *table, int account, char *text,
                                   size_t bytes) {
  const DlsInteraction *of = NULL;
  bool others = false;
  for (int k = 0; k < table->count; k++) {
    if (table->item[k].account != account) continue;
    if (!of) of = &table->item[k];
    others = others || !same_laws(of, &table->item[k]);
  }
  int length = snprintf(text, bytes, "%s", others ? "others" : of ? of->law->name : "");
  for (int k = 0; of && !others && of->then[k] && length >= 0 && (size_t)length < bytes; k++)
    length += snprintf(text + length, bytes - (size_t)length, "+%s", of->then[k]->name);
}

DlsStatus dls_interactions_add(DlsInteractions *table, const DlsLaw *law, int *out) {
  if (table->count == table->capacity) {
    const int capacity = 2 * table->capacity + 4;
    DlsInteraction *more = realloc(table->item, (size_t)capacity * sizeof *more);
    DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory for %d laws", capacity);
    table->item = more;
    table->capacity = capacity;
  }
  DlsInteraction *item = &table->item[table->count];
  memset(item, 0, sizeof *item);
  item->law = law;
  dls_law_defaults(law, item->params);
  *out = table->count++;
  number_accounts(table);
  return note_law(table, item, law);
}

DlsStatus dls_interactions_follow(DlsInteractions *table, int interaction, const DlsLaw *law,
                                  double **params) {
  *params = NULL;
  DLS_CHECK(interaction >= 0 && interaction < table->count, DLS_ERR_ARGUMENT,
            "interaction %d; there are %d", interaction, table->count);
  DlsInteraction *item = &table->item[interaction];
  const DlsLawUse use = dls_interaction_use(item, -1, NULL, NULL);
  DLS_TRY(dls_law_may_follow(&use, law));
  *params = item->params + dls_law_count_params(&use);
  dls_law_defaults(law, *params);
  int last = 0;
  while (item->then[last]) last++;
  item->then[last] = law;
  number_accounts(table);
  return note_law(table, item, law);
}

DlsStatus dls_interactions_know(DlsInteractions *table, int count, const int *material) {
  DLS_CHECK(table->count == 0 && table->boundaries == 0, DLS_ERR_ARGUMENT,
            "boundaries are told to a table before its laws");
  DLS_CHECK(count >= 0 && count <= 100000, DLS_ERR_ARGUMENT, "%d boundaries", count);
  if (count == 0) return DLS_OK;
  for (int b = 0; b < count; b++)
    DLS_CHECK(material[b] >= 0 && material[b] < table->materials, DLS_ERR_ARGUMENT,
              "boundary %d is of material %d; there are %d", b, material[b], table->materials);
  DLS_NEW(table->boundary_material, count);
  DLS_NEW(table->wall, table->materials * count);
  memcpy(table->boundary_material, material, (size_t)count * sizeof *material);
  for (int k = 0; k < table->materials * count; k++) table->wall[k] = -1;
  table->boundaries = count;
  return DLS_OK;
}

/* Whether the pair of materials i and j is one of those that first and second name. */
static bool is_of(int first, int second, int i, int j) {
  return ((first < 0 || first == i) && (second < 0 || second == j)) ||
         ((first < 0 || first == j) && (second < 0 || second == i));
}

static DlsStatus check_number(const DlsInteractions *table, int interaction) {
  const bool known = interaction >= 0 && interaction < table->count;
  DLS_CHECK(known || interaction == DLS_UNSEEN, DLS_ERR_ARGUMENT, "interaction %d; there are %d",
            interaction, table->count);
  return DLS_OK;
}

DlsStatus dls_interactions_give(DlsInteractions *table, int first, int second, int interaction) {
  const int n = table->materials;
  DLS_CHECK(first >= -1 && first < n && second >= -1 && second < n, DLS_ERR_ARGUMENT,
            "materials %d and %d; there are %d", first, second, n);
  DLS_TRY(check_number(table, interaction));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (is_of(first, second, i, j)) table->pair[i * n + j] = interaction;
  for (int i = 0; i < n; i++)
    for (int b = 0; b < table->boundaries; b++) {
      const int j = table->boundary_material[b];
      if (is_of(first, second, i, j)) table->wall[i * table->boundaries + b] = interaction;
    }
  return DLS_OK;
}

DlsStatus dls_interactions_give_boundary(DlsInteractions *table, int material, int boundary,
                                         int interaction) {
  DLS_CHECK(material >= -1 && material < table->materials && boundary >= 0 &&
                boundary < table->boundaries,
            DLS_ERR_ARGUMENT, "material %d and boundary %d; there are %d and %d", material,
            boundary, table->materials, table->boundaries);
  DLS_TRY(check_number(table, interaction));
  for (int i = 0; i < table->materials; i++)
    if (material < 0 || material == i) table->wall[i * table->boundaries + boundary] = interaction;
  return DLS_OK;
}

/* Blocks of 3 are (N, T, R) in 2-D and (N, T1, T2) in 3-D: a law that serves 3 and 6 but not 2
 * wants spins. */
static int wants(const DlsLaw *law, int dim, int block) {
  const uint32_t more = DLS_BLOCK(5) | DLS_BLOCK(6);
  if (dim == 3 && block == 3 && (law->blocks & more) && !(law->blocks & DLS_BLOCK(2))) return 0;
  return dls_law_serves(law, block);
}

/* A law of the interaction that does not serve the block, or NULL. */
static const DlsLaw *unserved_by(const DlsInteraction *item, int dim, int block) {
  const DlsLaw *law = item->law;
  for (int k = 0; law && wants(law, dim, block); k++) law = item->then[k];
  return law;
}

DlsStatus dls_interactions_block(const DlsInteractions *table, int dim, int *block) {
  static const int blocks[2][4] = {{2, 3, 0, 0}, {3, 5, 6, 0}};
  for (const int *candidate = blocks[dim - 2]; *candidate; candidate++) {
    const DlsLaw *unserved = NULL;
    for (int k = 0; k < table->count && !unserved; k++)
      unserved = unserved_by(&table->item[k], dim, *candidate);
    *block = *candidate;
    if (!unserved) return DLS_OK;
    DLS_CHECK(candidate[1], DLS_ERR_LAW,
              "the laws have no block size in common in %d-D; %s does not serve %d components", dim,
              unserved->name, *candidate);
  }
  return DLS_OK;
}

bool dls_interactions_freeze(const DlsInteractions *table) {
  for (int k = 0; k < table->count; k++)
    if (table->item[k].frozen) return true;
  return false;
}

bool dls_interactions_turn(const DlsInteractions *table) {
  for (int k = 0; k < table->count; k++)
    if (table->item[k].turns) return true;
  return false;
}

/* The largest of what `count` says of an interaction. */
static int most_of(const DlsInteractions *table, int (*count)(const DlsLawUse *use)) {
  int most = 0;
  for (int k = 0; k < table->count; k++) {
    const DlsLawUse use = dls_interaction_use(&table->item[k], -1, NULL, NULL);
    const int own = count(&use);
    if (own > most) most = own;
  }
  return most;
}

int dls_interactions_states(const DlsInteractions *table) {
  return most_of(table, dls_law_count_states);
}

int dls_interactions_surfaces(const DlsInteractions *table) {
  return most_of(table, dls_law_count_surfaces);
}

int dls_interactions_outputs(const DlsInteractions *table) {
  return most_of(table, dls_law_count_outputs);
}

/* Whether an interaction before number `item`, or a law of it before number `at`, is this one. */
static bool is_met(const DlsInteractions *table, int item, int at, const DlsLaw *law) {
  for (int k = 0; k <= item; k++)
    for (int n = 0; n < DLS_MAX_LAWS && (k < item || n < at); n++) {
      const DlsLaw *other = dls_interaction_law(&table->item[k], n);
      if (!other) break;
      if (other == law) return true;
    }
  return false;
}

const DlsLaw *dls_interactions_law(const DlsInteractions *table, int number) {
  for (int k = 0; k < table->count; k++)
    for (int n = 0; n < DLS_MAX_LAWS; n++) {
      const DlsLaw *law = dls_interaction_law(&table->item[k], n);
      if (!law) break;
      if (!is_met(table, k, n, law) && number-- == 0) return law;
    }
  return NULL;
}
