/* Names that states, outputs and surfaces of a law may not have, for they stand beside them in
 * tables and frames: columns of `delassus law path`, arrays of contacts.pvd and bodies.pvd. */
#include <delassus/laws.h>

#include <string.h>

static const char *const words[] = {
    /* law path */
    "t", "gap", "stored", "dissipated", "work",
    /* frames of contacts */
    "normal_force", "force", "normal", "tangential_force", "normal_velocity", "slip_velocity",
    "friction_limit", "candidate", "antagonist", "law", "status", "cohesion", "torque",
    /* frames of bodies, beside which surfaces stand */
    "radius", "load", "velocity", "spin", "orientation", "kinetic_energy", "id", "material",
    "coordination"};

/* u_N, f_T1 ...: velocity and force of a component. */
static int is_component(const char *name) {
  static const char *const parts[] = {"N", "T", "T1", "T2", "R", "R1", "R2", "S"};
  if ((name[0] != 'u' && name[0] != 'f') || name[1] != '_') return 0;
  for (int k = 0; k < DLS_COUNT(parts); k++)
    if (strcmp(name + 2, parts[k]) == 0) return 1;
  return 0;
}

int dls_law_name_reserved(const char *name) {
  for (int k = 0; k < DLS_COUNT(words); k++)
    if (strcmp(words[k], name) == 0) return 1;
  return is_component(name);
}
