/* What limits a solve: defaults, and the names of measures. */
#include <delassus/solver.h>

const char *dls_measure_word(DlsMeasure measure) {
  static const char *const words[] = {
#define WORD(code, word) word,
      DLS_MEASURE_LIST(WORD)
#undef WORD
  };
  return (int)measure >= 0 && (int)measure < DLS_MEASURE_COUNT ? words[measure] : "unknown";
}

DlsLimits dls_limits_default(void) {
  return (DlsLimits){.tolerance = 1e-6, .max_time = 60, .measure = DLS_MEASURE_NATURAL};
}
