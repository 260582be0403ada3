/* Compiled once for each thing that is made of the rooms (library, program, test), which lie in
 * different folders: where installed plugins are, seen from there. */
#include "base/plugin_impl.h"

const char dls_plugin_places[] = DLS_PLUGIN_PLACES;
