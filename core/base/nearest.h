/* The word that was meant: the nearest of a list, for messages about misspelt names. */
#ifndef DELASSUS_BASE_NEAREST_H
#define DELASSUS_BASE_NEAREST_H

/* The candidate with the fewest edits (insert, delete, replace, swap of neighbours; case is free)
 * from `word`, or NULL when even that one needs more than a third of the letters, and more than two
 * edits. The first of equals. Candidates may be NULL. */
const char *dls_nearest(const char *word, const char *const *candidates, int count);

#endif
