/* All of one case, where it is told. */
#include "law_bench/law_bench_impl.h"

#include <delassus/cone.h>

#include <string.h>

void law_case_say_vector(LawCase *law_case, const char *name, const double *x, int count,
                         const char *unit) {
  if (!law_case->bench.story) return;
  law_case_say(law_case, "  %-10s", name);
  for (int k = 0; k < count; k++) law_case_say(law_case, " %.17g", x[k]);
  law_case_say(law_case, "  %s\n", unit);
}

void law_case_say_matrix(LawCase *law_case, const char *name, const double *A, int n,
                         const char *unit) {
  for (int k = 0; k < n && law_case->bench.story; k++)
    law_case_say_vector(law_case, k == 0 ? name : "", A + k * n, n, k == 0 ? unit : "");
}

static void say_numbers(LawCase *law_case, const char *title, const DlsParam *rows, const double *x,
                        int count) {
  for (int i = 0; i < count; i++)
    law_case_say(law_case, "  %-10s %s = %.17g %s\n", i == 0 ? title : "", rows[i].name, x[i],
                 strcmp(rows[i].unit, "1") == 0 ? "" : rows[i].unit);
}

static void say_tables(LawCase *law_case, const LawCasePart *part) {
  for (int k = 0; k < part->law->ntables; k++) {
    const DlsTableParam *own = &part->law->tables[k];
    law_case_say(law_case, "  %-10s %s%s\n", k == 0 ? "tables" : "", own->name,
                 part->rows[k] ? "" : ": none");
    if (part->rows[k] == 0) continue;
    law_case_say_vector(law_case, own->x.name, part->column[k][0], part->rows[k], own->x.unit);
    law_case_say_vector(law_case, own->y.name, part->column[k][1], part->rows[k], own->y.unit);
  }
}

void law_case_say_step(LawCase *law_case, const char *title, const LawCaseStep *step) {
  static const char *const ends[] = {
      [DLS_LOCAL_OPEN] = "open",
      [DLS_LOCAL_SLIP] = "slip",
      [DLS_LOCAL_STICK] = "stick",
      [DLS_LOCAL_NONE] = "no solution",
      [DLS_LOCAL_BY_NEWTON] = "solved by Newton's method, the law's own solve failed",
      [DLS_LOCAL_FAILED] = "no solution, a function of the law failed"};
  const DlsContact *c = &step->contact;
  const int n = c->block;
  if (!law_case->bench.story) return;
  law_case_say(law_case, "%s: %d-D, block %d, t = %.17g s, h = %.17g s\n", title, c->dim, n,
               c->time, c->h);
  for (int k = 0; k < step->parts; k++) {
    law_case_say(law_case, "  law        %s\n", step->part[k].law->name);
    say_numbers(law_case, "parameters", step->part[k].law->params, step->part[k].params,
                step->part[k].law->nparams);
    say_numbers(law_case, "state", step->part[k].law->states, step->part[k].state,
                step->part[k].law->nstates);
    say_tables(law_case, &step->part[k]);
    for (int side = 0; side < 2; side++) {
      say_numbers(law_case, side ? "field[1]" : "field[0]", step->part[k].law->fields,
                  step->part[k].fields[side], step->part[k].law->nfields);
      say_numbers(law_case, side ? "surface[1]" : "surface[0]", step->part[k].law->surfaces,
                  step->part[k].surface[side], step->part[k].law->nsurfaces);
    }
  }
  law_case_say(law_case, "  gap        %.17g m, gap_rate %.17g m/s\n", c->gap, c->gap_rate);
  law_case_say(law_case, "  radius     %.17g m, mass %.17g kg\n", c->radius, c->mass);
  law_case_say(law_case, "  radii      %.17g %.17g m, area %.17g m2\n", c->radii[0], c->radii[1],
               c->area);
  law_case_say_matrix(law_case, "frame", &c->frame[0][0], 3, "rows n, t1, t2");
  law_case_say_matrix(law_case, "axes[0]", &c->axes[0][0][0], 3, "of the antagonist");
  law_case_say_matrix(law_case, "axes[1]", &c->axes[1][0][0], 3, "of the candidate");
  law_case_say_vector(law_case, "point", c->point, 3, "m");
  law_case_say_vector(law_case, "spin[0]", c->spin[0], 3, "rad/s, of the antagonist");
  law_case_say_vector(law_case, "spin[1]", c->spin[1], 3, "rad/s, of the candidate");
  law_case_say_vector(law_case, "turn", c->turn, 3, "rad, since the step before");
  law_case_say_vector(law_case, "u_before", c->u_before, n, "m/s");
  law_case_say_matrix(law_case, "D", step->D, n, "1/kg");
  law_case_say_vector(law_case, "q", step->q, n, "m/s");
  law_case_say(law_case, "  relation   %s, %s\n", dls_cone_name(step->relation.cone),
               ends[step->outcome]);
  if (step->relation.cone != DLS_CONE_CUSTOM) {
    law_case_say_vector(law_case, "mu", step->relation.mu, DLS_MU_COUNT, "");
    law_case_say_vector(law_case, "a", step->relation.a, n, "N s");
    law_case_say_vector(law_case, "b", step->relation.b, n, "m/s");
    law_case_say_vector(law_case, "C", step->relation.C, n, "1/kg");
  }
  law_case_say_vector(law_case, "u", step->u, n, "m/s");
  law_case_say_vector(law_case, "r", step->r, n, "N s");
}
