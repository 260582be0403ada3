/* What a report says: texts of outcomes and reasons. */
#include <delassus/solver.h>

#include <stdbool.h>

const char *dls_outcome_text(DlsOutcome outcome) {
  static const char *const texts[] = {
#define TEXT(code, text) text,
      DLS_OUTCOME_LIST(TEXT)
#undef TEXT
  };
  return (int)outcome >= 0 && (int)outcome < DLS_COUNT(texts) ? texts[outcome] : "unknown";
}

static bool is_reason(DlsReason reason) {
  return (int)reason >= 0 && (int)reason < DLS_REASON_COUNT;
}

const char *dls_reason_text(DlsReason reason) {
  static const char *const texts[] = {
#define TEXT(code, outcome, text) text,
      DLS_REASON_LIST(TEXT)
#undef TEXT
  };
  return is_reason(reason) ? texts[reason] : "unknown";
}

DlsOutcome dls_reason_outcome(DlsReason reason) {
  static const DlsOutcome outcomes[] = {
#define OUTCOME(code, outcome, text) DLS_##outcome,
      DLS_REASON_LIST(OUTCOME)
#undef OUTCOME
  };
  return outcomes[is_reason(reason) ? reason : DLS_REASON_UNTOLD];
}

void dls_report_end(DlsReport *report, DlsReason reason) {
  report->reason = reason;
  report->outcome = dls_reason_outcome(reason);
}
