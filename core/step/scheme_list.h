/* The schemes, one line each: the name of the struct dls_scheme_..., the word of decks
 * (time.scheme) and what it is in a few words. A new one is a line here and a file scheme_....c;
 * decks, help and docs/deck-keys.md follow. */
#ifndef DELASSUS_STEP_SCHEME_LIST_H
#define DELASSUS_STEP_SCHEME_LIST_H

#define DLS_SCHEME_LIST(X)                                                                         \
  X(moreau, "moreau", "midpoint")                                                                  \
  X(euler, "euler", "implicit with gaps")                                                          \
  X(first_order, "first-order", "motion without inertia")                                          \
  X(explicit, "explicit", "forces of springs")                                                     \
  X(static, "static", "quasi-static, without inertia")                                             \
  X(events, "events", "from collision to collision")

/* "moreau|euler|..." and "midpoint; implicit with gaps; ...", as tables of decks want them. */
#define DLS_SCHEME_JOIN_NAME(code, name, summary)    "|" name
#define DLS_SCHEME_JOIN_SUMMARY(code, name, summary) "; " summary
#define DLS_SCHEME_NAMES                             &(DLS_SCHEME_LIST(DLS_SCHEME_JOIN_NAME))[1]
#define DLS_SCHEME_SUMMARIES                         &(DLS_SCHEME_LIST(DLS_SCHEME_JOIN_SUMMARY))[2]

/* dls_scheme_name_moreau and dls_scheme_summary_moreau: what the file of a scheme calls itself. */
#define DLS_SCHEME_WORDS(code, name, summary)                                                      \
  __attribute__((unused)) static const char dls_scheme_name_##code[] = name;                       \
  __attribute__((unused)) static const char dls_scheme_summary_##code[] = summary;
DLS_SCHEME_LIST(DLS_SCHEME_WORDS)
#undef DLS_SCHEME_WORDS
#define DLS_SCHEME_HEAD(code) .name = dls_scheme_name_##code, .summary = dls_scheme_summary_##code

#endif
