/* Lists of words of which one is meant, "auto|assembled|factored": the choices of decks, options
 * and solvers. A list that has an enum is written once, as a macro of rows X(CODE, "word"), from
 * which both come. */
#ifndef DELASSUS_BASE_CHOICES_H
#define DELASSUS_BASE_CHOICES_H

#include <stdbool.h>
#include <stddef.h>

/* "word|word" of a LIST(X) of rows X(CODE, "word"), a constant. */
#define DLS_CHOICE_WORD(code, word) "|" word
#define DLS_CHOICES(LIST)           (&(LIST(DLS_CHOICE_WORD))[1])

/* The number of a word from 0, or -1. */
int dls_choice_find(const char *choices, const char *word);

/* The word of a number; false, and nothing written, where there is none. */
bool dls_choice_word(const char *choices, int number, char *word, size_t bytes);

int dls_choice_count(const char *choices);

/* "a, b or c", cut to the bytes there are; `last` stands before the last word: ", ", " or ". */
void dls_choice_list(const char *choices, const char *last, char *text, size_t bytes);

#endif
