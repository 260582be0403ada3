/* Who asks for the kind of a shape or boundary, or takes the radius of a ball for the length of a
 * body: the tables of core/world and core/detect, and by right the few that stand here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

typedef struct {
  const char *file, *why;
} Right;

/* Fails for every line of core/ beyond world/ and detect/ that holds the pattern, unless its file
 * has a right to it; and for a right that nobody uses. */
static void check_pattern(const char *pattern, const Right *rights, int count) {
  char command[1024], line[1024];
  bool used[8] = {false};
  snprintf(command, sizeof command,
           "cd '%s' && grep -rnE '%s' --include='*.[ch]' core solvers | grep -vE "
           "'^core/(world|detect)/'",
           TEST_SOURCE_DIR, pattern);
  FILE *found = popen(command, "r");
  CHECK(found != NULL);
  while (found && fgets(line, sizeof line, found)) {
    bool right = false;
    for (int k = 0; k < count; k++)
      if (strncmp(line, rights[k].file, strlen(rights[k].file)) == 0) {
        used[k] = true;
        right = true;
      }
    if (!right) test_fail(line, 0, "asks for a kind or a ball; ask the table, or dls_world_size");
  }
  if (found) pclose(found);
  for (int k = 0; k < count; k++)
    if (!used[k]) test_fail(rights[k].file, 0, "has a right that it does not use: take it away");
}

TEST(kinds_of_boundaries_are_told_apart_in_their_table_alone) {
  static const Right rights[] = {
      {"core/scene/fit.c", "only a box is around a deposit"},
      {"core/scene/joints.c", "servo walls across a pressure are planes"},
      {"core/scene/check_drive.c", "a pressure drives a plane"},
      {"core/scene/forms.c", "the ball that holds a grain is that of its corners"},
      {"core/record/frames/frames_view.c", "extents of solids are those of their corners"},
  };
  check_pattern("(case|[!=]=) *DLS_(BOUNDARY|SHAPE)_[A-Z]", rights, DLS_COUNT(rights));
}

TEST(radii_of_elements_are_read_where_they_are_balls) {
  static const Right rights[] = {
      {"core/scene/arrivals.c", "the ball that holds an element keeps arrivals away"},
      {"core/scene/squeeze.c", "names the radius of a disk or sphere"},
      {"core/record/checkpoint/check.c", "checks what a file says of balls"},
      {"core/fem/body.c", "makes the balls about its nodes"},
  };
  check_pattern("element\\[[^]]*\\][.]radius", rights, DLS_COUNT(rights));
}
