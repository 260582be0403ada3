#include "record/frames/frames_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Numbers of law_status: those of the core, then the words of the laws in the order of
 * dls_interactions_law(). */
static const char *const core_word[] = {"open", "slip", "stick"};
_Static_assert(DLS_OPEN == 0 && DLS_SLIP == 1 && DLS_STICK == 2, "the words of the core");

void dls_report_arrays_clear(DlsReportArrays *r) {
  void *const all[] = {r->array, r->legend, r->output, r->status, r->number, r->name};
  for (int k = 0; k < DLS_COUNT(all); k++) free(all[k]);
  *r = (DlsReportArrays){0};
}

/* Outputs, and words, of the laws before this one. */
static int outputs_before(const DlsInteractions *laws, const DlsLaw *law) {
  int count = 0;
  for (int k = 0; dls_interactions_law(laws, k) != law; k++)
    count += dls_interactions_law(laws, k)->noutputs;
  return count;
}

static int words_before(const DlsInteractions *laws, const DlsLaw *law) {
  int count = DLS_COUNT(core_word);
  for (int k = 0; dls_interactions_law(laws, k) != law; k++)
    count += dls_interactions_law(laws, k)->nstatuses;
  return count;
}

static void add_word(DlsReportArrays *r, const char *law, const char *word) {
  char *name = r->name[r->words];
  snprintf(name, DLS_REPORT_NAME, "law_status.%s%s%s", law, *law ? "." : "", word);
  r->number[r->words] = r->words;
  r->legend[r->words] = (DlsVtuArray){
      .name = name, .values = &r->number[r->words], .type = DLS_VTU_INT32, .tuples = 1};
  r->words++;
}

/* Names and places; what the contacts have comes later. */
static DlsStatus make(const DlsInteractions *laws, int contacts, DlsReportArrays *r) {
  int words = 0, outputs = 0;
  const DlsLaw *law;
  for (int k = 0; (law = dls_interactions_law(laws, k)); k++) {
    words += law->nstatuses;
    outputs += law->noutputs;
  }
  if (words == 0 && outputs == 0) return DLS_OK;
  if (words > 0) words += DLS_COUNT(core_word);
  DLS_NEW(r->array, outputs + 1);
  DLS_NEW(r->legend, words);
  DLS_NEW(r->number, words);
  DLS_NEW(r->name, words + outputs);
  DLS_NEW(r->output, (size_t)outputs * (size_t)contacts);
  for (size_t e = 0; e < (size_t)outputs * (size_t)contacts; e++) r->output[e] = NAN;
  for (int k = 0; k < DLS_COUNT(core_word) && words > 0; k++) add_word(r, "", core_word[k]);
  for (int k = 0; (law = dls_interactions_law(laws, k)); k++) {
    for (int n = 0; n < law->nstatuses; n++) add_word(r, law->name, law->statuses[n]);
    for (int n = 0; n < law->noutputs; n++) {
      char *name = r->name[words + r->count];
      snprintf(name, DLS_REPORT_NAME, "%s.%s", law->name, law->outputs[n].name);
      r->array[r->count] = (DlsVtuArray){.name = name,
                                         .values = r->output + (size_t)r->count * (size_t)contacts,
                                         .type = DLS_VTU_FLOAT64,
                                         .components = 1,
                                         .unknown = true};
      r->count++;
    }
  }
  if (words == 0) return DLS_OK;
  DLS_NEW(r->status, contacts);
  r->array[r->count++] = (DlsVtuArray){
      .name = "law_status", .values = r->status, .type = DLS_VTU_INT32, .components = 1};
  return DLS_OK;
}

/* A word among those of an interaction as a number of law_status. */
static int32_t number_of(const DlsInteractions *laws, const DlsInteraction *item, int word) {
  for (int k = 0;; k++) {
    const DlsLaw *law = dls_interaction_law(item, k);
    if (word < law->nstatuses) return words_before(laws, law) + word;
    word -= law->nstatuses;
  }
}

static void fill(const DlsSimulation *s, const DlsPacking *g, DlsReportArrays *r) {
  const DlsAssembly *a = &s->last.assembly;
  const DlsInteractions *laws = &s->settings.laws;
  for (int i = 0; i < g->contacts; i++) {
    const DlsInteraction *item = &laws->item[a->step.interaction[i]];
    const double *from = g->reports.output + (size_t)i * (size_t)g->reports.outputs;
    const int word = g->reports.word[i];
    if (r->status) r->status[i] = word < 0 ? g->status[i] : number_of(laws, item, word);
    for (int k = 0; dls_interaction_law(item, k); k++) {
      const DlsLaw *law = dls_interaction_law(item, k);
      const int first = outputs_before(laws, law);
      for (int n = 0; n < law->noutputs; n++)
        r->output[(size_t)(first + n) * (size_t)g->contacts + (size_t)i] = *from++;
    }
  }
}

DlsStatus dls_report_arrays_make(const DlsSimulation *s, const DlsPacking *packing,
                                 DlsReportArrays *out) {
  DLS_TRY(make(&s->settings.laws, packing->contacts, out));
  if (out->count) fill(s, packing, out);
  return DLS_OK;
}
