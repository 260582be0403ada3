#include <delassus/version.h>

const char *dls_version(void) { return DLS_VERSION; }
