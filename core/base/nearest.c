/* Damerau's distance between two words (optimal string alignment):
 *   d[i][j] = min(d[i-1][j] + 1, d[i][j-1] + 1, d[i-1][j-1] + [a_i != b_j],
 *                 d[i-2][j-2] + 1 where the last two letters are swapped). */
#include "base/nearest.h"

#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

enum { LONGEST = 64 }; /* letters compared; longer words are no misspelt names */

static int letter(const char *word, int i) { return tolower((unsigned char)word[i]); }

static int smaller(int a, int b) { return a < b ? a : b; }

static int distance(const char *a, int na, const char *b, int nb) {
  int rows[3][LONGEST + 1]; /* rows i-2, i-1 and i of d, in turn */
  for (int j = 0; j <= nb; j++) rows[0][j] = j;
  for (int i = 1; i <= na; i++) {
    int *now = rows[i % 3];
    const int *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
    now[0] = i;
    for (int j = 1; j <= nb; j++) {
      const int differ = letter(a, i - 1) != letter(b, j - 1);
      int best = smaller(before[j] + 1, smaller(now[j - 1] + 1, before[j - 1] + differ));
      if (i > 1 && j > 1 && letter(a, i - 1) == letter(b, j - 2) &&
          letter(a, i - 2) == letter(b, j - 1))
        best = smaller(best, earlier[j - 2] + 1);
      now[j] = best;
    }
  }
  return rows[na % 3][nb];
}

const char *dls_nearest(const char *word, const char *const *candidates, int count) {
  const size_t length = strlen(word);
  if (length > LONGEST) return NULL;
  const char *best = NULL;
  int fewest = INT_MAX;
  for (int k = 0; k < count; k++) {
    const size_t other = candidates[k] ? strlen(candidates[k]) : LONGEST + 1;
    if (other > LONGEST) continue;
    const int edits = distance(word, (int)length, candidates[k], (int)other);
    if (edits >= fewest) continue;
    fewest = edits;
    best = candidates[k];
  }
  const int allowed = (int)length / 3 > 2 ? (int)length / 3 : 2;
  return fewest <= allowed && fewest < (int)length ? best : NULL;
}
