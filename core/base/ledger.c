#include "base/ledger.h"

_Thread_local DlsLedger dls_ledger;
_Thread_local DlsLedgerRules dls_ledger_rules;
