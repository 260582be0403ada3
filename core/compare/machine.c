#include "compare/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The value of the first line "key : value" of a file of /proc; "" where there is none. */
static void look_up(const char *path, const char *key, char *value, size_t size) {
  char line[512];
  FILE *file = fopen(path, "r");
  value[0] = '\0';
  while (file && !value[0] && fgets(line, sizeof line, file)) {
    const char *colon = strchr(line, ':');
    if (!colon || strncmp(line, key, strlen(key)) != 0) continue;
    colon += 1 + strspn(colon + 1, " \t");
    snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
  }
  if (file) fclose(file);
}

void dls_machine_describe(char *text, size_t size) {
  char processor[128], memory[64], date[32] = "", load[48] = "", ram[48] = "";
  const time_t now = time(NULL);
  double mean = 0;
  struct tm utc;
  look_up("/proc/cpuinfo", "model name", processor, sizeof processor);
  look_up("/proc/meminfo", "MemTotal", memory, sizeof memory);
  if (atof(memory) > 0) snprintf(ram, sizeof ram, ", %.1f GB", atof(memory) / 1048576);
  if (getloadavg(&mean, 1) == 1) snprintf(load, sizeof load, ", load %.1f at the end", mean);
  if (gmtime_r(&now, &utc)) strftime(date, sizeof date, ", %Y-%m-%d", &utc);
  snprintf(text, size, "%s, %ld cores%s, compiler %s%s%s",
           processor[0] ? processor : "unknown processor", sysconf(_SC_NPROCESSORS_ONLN), ram,
#ifdef __VERSION__
           __VERSION__,
#else
           "unknown",
#endif
           load, date);
}
