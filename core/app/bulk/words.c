#include "app/bulk/words.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  uint32_t bit;
  const char *word;
} Word;

static const Word measures[] = {
    {DLS_BULK_SMALL, "small"}, {DLS_BULK_GREEN, "green"}, {DLS_BULK_LOG, "log"}};
static const Word claims[] = {{DLS_BULK_SYMMETRIC, "symmetric"},
                              {DLS_BULK_LINEAR, "linear"},
                              {DLS_BULK_RATE, "rate"},
                              {DLS_BULK_ISOTROPIC, "isotropic"}};

static void join(uint32_t bits, const Word *words, int count, char text[APP_BULK_WORDS]) {
  text[0] = '\0';
  for (int k = 0; k < count; k++) {
    const size_t used = strlen(text);
    if (bits & words[k].bit)
      snprintf(text + used, APP_BULK_WORDS - used, "%s%s", used ? ", " : "", words[k].word);
  }
  if (!text[0]) snprintf(text, APP_BULK_WORDS, "none");
}

void app_bulk_measures(const DlsBulk *law, char text[APP_BULK_WORDS]) {
  join(law->measures, measures, DLS_COUNT(measures), text);
}

void app_bulk_claims(const DlsBulk *law, char text[APP_BULK_WORDS]) {
  join(law->claims, claims, DLS_COUNT(claims), text);
}

const char *app_bulk_measure(int measure) {
  for (int k = 0; k < DLS_COUNT(measures); k++)
    if (measures[k].bit == (uint32_t)measure) return measures[k].word;
  return "unknown";
}
