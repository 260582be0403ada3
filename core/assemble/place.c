/* What of an interaction depends on the place: parameters that are formulas, fields, and the states
 * that contacts begin with; and the tables of its laws. */
#include "assemble/interaction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static DlsStatus find(DlsInteractions *table, int interaction, DlsInteraction **out) {
  DLS_CHECK(interaction >= 0 && interaction < table->count, DLS_ERR_ARGUMENT,
            "interaction %d; there are %d", interaction, table->count);
  *out = &table->item[interaction];
  return DLS_OK;
}

DlsStatus dls_interactions_vary(DlsInteractions *table, int interaction, int param,
                                DlsExpression *formula) {
  DlsInteraction *item = NULL;
  DLS_TRY(find(table, interaction, &item));
  const DlsLawUse use = dls_interaction_use(item, -1, NULL, NULL);
  DLS_CHECK(param >= 0 && param < dls_law_count_params(&use), DLS_ERR_ARGUMENT,
            "parameter %d; there are %d", param, dls_law_count_params(&use));
  DlsFormula *more = realloc(item->formula, (size_t)(item->formulas + 1) * sizeof *more);
  DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory for %d formulas", item->formulas + 1);
  item->formula = more;
  item->formula[item->formulas++] = (DlsFormula){param, formula};
  return DLS_OK;
}

DlsStatus dls_interactions_start(DlsInteractions *table, int interaction, int state, double value) {
  DlsInteraction *item = NULL;
  DLS_TRY(find(table, interaction, &item));
  const DlsLawUse use = dls_interaction_use(item, -1, NULL, NULL);
  DLS_CHECK(state >= 0 && state < dls_law_count_states(&use) && item->starts < DLS_MAX_PARAMS,
            DLS_ERR_ARGUMENT, "state variable %d; there are %d", state, dls_law_count_states(&use));
  item->start[item->starts] = state;
  item->start_value[item->starts++] = value;
  return DLS_OK;
}

DlsStatus dls_interactions_tabulate(DlsInteractions *table, int interaction, int number,
                                    const DlsLawTable *numbers) {
  DlsInteraction *item = NULL;
  int rows = numbers->rows, own = number;
  DLS_TRY(find(table, interaction, &item));
  DLS_CHECK(number >= 0 && number < item->tables, DLS_ERR_ARGUMENT, "table %d; there are %d",
            number, item->tables);
  const DlsLaw *law = item->law;
  for (int k = 0; own >= law->ntables; law = item->then[k++]) own -= law->ntables;
  DLS_TRY(dls_law_table_check(law, own, numbers, NULL));
  for (int k = 0; k < item->tables; k++) rows += k == number ? 0 : item->table[k].rows;
  DLS_CHECK(rows <= DLS_MAX_ROWS, DLS_ERR_ARGUMENT,
            "contact law '%s': the tables of an item have %d rows together, %d are possible",
            law->name, rows, (int)DLS_MAX_ROWS);
  item->table[number] = *numbers;
  item->table[number].beyond = law->tables[own].standard.beyond;
  return DLS_OK;
}

/* A row of the tables of an interaction's laws, counted through all of them; *law is whose. */
static const DlsParam *row_of(const DlsInteraction *item, bool field, int number,
                              const DlsLaw **law) {
  *law = item->law;
  for (int k = 0;; *law = item->then[k++]) {
    const int count = field ? (*law)->nfields : (*law)->nparams;
    if (number < count) return field ? &(*law)->fields[number] : &(*law)->params[number];
    number -= count;
  }
}

/* The value of an expression at (t, x, y, z, radius), within the bounds of its row. */
static DlsStatus evaluate(const DlsInteraction *item, bool field, int number,
                          DlsExpression *expression, const double at[5], double *out) {
  const double value = dls_expression_at(expression, at);
  const DlsLaw *law;
  *out = value;
  const DlsParam *row = row_of(item, field, number, &law);
  if (isfinite(value) && value >= row->min && value <= row->max) return DLS_OK;
  return dls_fail(
      DLS_ERR_LAW,
      "contact law '%s': %s %s = %s gives %g at t = %g s, (%g, %g, %g) m%s; it is to be "
      "from %g to %g %s there: mend the formula",
      law->name, field ? "the field" : "the parameter", row->name, dls_expression_text(expression),
      value, at[0], at[1], at[2], at[3], field ? "" : " and its radius", row->min, row->max,
      row->unit);
}

DlsStatus dls_interaction_params(const DlsInteraction *item, double time, const double place[3],
                                 double radius, double *out) {
  const DlsLawUse use = dls_interaction_use(item, -1, NULL, NULL);
  const double at[5] = {time, place[0], place[1], place[2], radius};
  memcpy(out, item->params, (size_t)dls_law_count_params(&use) * sizeof *out);
  for (int k = 0; k < item->formulas; k++)
    DLS_TRY(evaluate(item, false, item->formula[k].param, item->formula[k].value, at,
                     &out[item->formula[k].param]));
  return DLS_OK;
}

DlsStatus dls_interactions_give_field(DlsInteractions *table, int field, const DlsBodyField *to) {
  DLS_CHECK(field >= 0 && field < table->fields, DLS_ERR_ARGUMENT, "field %d; there are %d", field,
            table->fields);
  DlsContactField *f = &table->field[field];
  DlsBodyField *more = realloc(f->of_body, (size_t)(f->bodies + 1) * sizeof *more);
  DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory for fields of %d bodies", f->bodies + 1);
  f->of_body = more;
  f->of_body[f->bodies++] = *to;
  return DLS_OK;
}

void dls_interactions_take_fields(DlsInteractions *table) {
  for (int k = 0; k < table->fields; k++) table->field[k].bodies = 0;
}

/* Who says what the field of an owner is; NULL: nobody. */
static DlsExpression *given_to(const DlsInteractions *table, const DlsContactField *field,
                               const DlsFieldOwner *owner) {
  if (owner->boundary >= 0 && owner->boundary < table->boundaries)
    return field->of_boundary[owner->boundary];
  for (int k = field->bodies - 1; k >= 0 && owner->boundary < 0; k--)
    if (owner->id >= field->of_body[k].first && owner->id < field->of_body[k].end)
      return field->of_body[k].value;
  return field->of_material[owner->material];
}

DlsStatus dls_interactions_fields(const DlsInteractions *table, const DlsInteraction *item,
                                  const DlsFieldOwner *owner, double time, const double place[3],
                                  double *out) {
  const double at[5] = {time, place[0], place[1], place[2], 0};
  for (int k = 0; k < item->fields; k++) {
    DlsExpression *given = given_to(table, &table->field[item->field[k]], owner);
    const DlsLaw *law;
    if (given)
      DLS_TRY(evaluate(item, true, k, given, at, &out[k]));
    else
      out[k] = row_of(item, true, k, &law)->value;
  }
  return DLS_OK;
}

double dls_interactions_field_at(const DlsInteractions *table, int field,
                                 const DlsFieldOwner *owner, double time, const double place[3]) {
  const double at[5] = {time, place[0], place[1], place[2], 0};
  DlsExpression *given = given_to(table, &table->field[field], owner);
  for (int i = 0; i < table->count; i++) {
    const DlsInteraction *item = &table->item[i];
    for (int k = 0; k < item->fields; k++) {
      const DlsLaw *law;
      if (item->field[k] != field) continue;
      const DlsParam *row = row_of(item, true, k, &law);
      const double value = given ? dls_expression_at(given, at) : row->value;
      return value >= row->min && value <= row->max ? value : NAN;
    }
  }
  return NAN;
}
