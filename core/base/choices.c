#include "base/choices.h"

#include <stdio.h>
#include <string.h>

int dls_choice_find(const char *choices, const char *word) {
  const size_t length = strlen(word);
  for (int number = 0; choices; number++) {
    const size_t size = strcspn(choices, "|");
    if (size == length && memcmp(choices, word, size) == 0) return number;
    choices = choices[size] ? choices + size + 1 : NULL;
  }
  return -1;
}

/* Where the word of a number begins; NULL: there is none. */
static const char *word_of(const char *choices, int number) {
  for (; number > 0 && choices; number--) {
    const char *bar = strchr(choices, '|');
    choices = bar ? bar + 1 : NULL;
  }
  return number < 0 ? NULL : choices;
}

bool dls_choice_word(const char *choices, int number, char *word, size_t bytes) {
  const char *at = word_of(choices, number);
  if (at) snprintf(word, bytes, "%.*s", (int)strcspn(at, "|"), at);
  return at != NULL;
}

int dls_choice_count(const char *choices) {
  int count = 1;
  while ((choices = strchr(choices, '|'))) choices++, count++;
  return count;
}

void dls_choice_list(const char *choices, const char *last, char *text, size_t bytes) {
  const int count = dls_choice_count(choices);
  size_t used = 0;
  text[0] = '\0';
  for (int k = 0; k < count && used < bytes; k++) {
    const char *at = word_of(choices, k);
    used += (size_t)snprintf(text + used, bytes - used, "%s%.*s",
                             k == 0          ? ""
                             : k + 1 < count ? ", "
                                             : last,
                             (int)strcspn(at, "|"), at);
  }
}
