#include <delassus/solver.h>

DlsLimits dls_limits_default(void) {
  return (DlsLimits){.tolerance = 1e-6, .max_time = 60, .measure = DLS_MEASURE_NATURAL};
}
