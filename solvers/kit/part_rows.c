#include "solvers/kit/part_rows.h"

#include "base/memory.h"
#include "base/small.h"
#include "problem/operator/operator_impl.h"

#include <stdlib.h>
#include <string.h>

void dls_part_rows_clear(DlsPartRows *rows) {
  free(rows->start);
  free(rows->first);
  free(rows->width);
  free(rows->at);
  if (rows->T != rows->G) free(rows->T);
  free(rows->G);
  *rows = (DlsPartRows){0};
}

typedef struct {
  const DlsOperator *W;
  const DlsPattern *pattern;
  const int *number; /* NULL: contact i is i, and velocities keep their numbers */
  int *place;        /* [parts]: 1 + the first velocity of a part, 0 for one not met yet */
  DlsPartRows *rows;
} Reading;

/* Whether entry s of the pattern is kept: all, or those of parts that move. */
static bool is_kept(const Reading *a, int s) {
  return !a->number || !a->pattern->fixed || !a->pattern->fixed[s];
}

static void add_touch(Reading *a, int t, const DlsTouch *touch) {
  DlsPartRows *rows = a->rows;
  rows->first[t] = touch->first;
  rows->width[t] = touch->dof;
  rows->at[t + 1] = rows->at[t] + (size_t)(rows->block * touch->dof);
  rows->symmetric = rows->symmetric && touch->gather == touch->scatter;
  if (!a->number) return;
  if (!a->place[touch->part]) {
    a->place[touch->part] = rows->freedom + 1;
    rows->freedom += touch->dof;
  }
  rows->first[t] = a->place[touch->part] - 1;
}

/* Which velocities, and how many numbers G and T hold. */
static DlsStatus list(Reading *a) {
  const DlsPattern *pattern = a->pattern;
  DlsPartRows *rows = a->rows;
  int t = 0;
  DLS_NEW(rows->start, rows->contacts + 1);
  for (int i = 0; i < rows->contacts; i++) {
    const int c = a->number ? a->number[i] : i;
    for (int s = pattern->start[c]; s < pattern->start[c + 1]; s++) t += is_kept(a, s);
    rows->start[i + 1] = t;
  }
  DLS_NEW(rows->first, t);
  DLS_NEW(rows->width, t);
  DLS_NEW(rows->at, t + 1);
  rows->symmetric = true;
  for (int i = 0; i < rows->contacts; i++) {
    const int c = a->number ? a->number[i] : i;
    for (int s = pattern->start[c], to = rows->start[i]; s < pattern->start[c + 1]; s++) {
      DlsTouch touch;
      if (!is_kept(a, s)) continue;
      a->W->does->touch(a->W, c, s - pattern->start[c], &touch);
      add_touch(a, to++, &touch);
    }
  }
  return DLS_OK;
}

static DlsStatus copy(const Reading *a, const double *scale) {
  const DlsPattern *pattern = a->pattern;
  DlsPartRows *rows = a->rows;
  const int block = rows->block;
  const size_t size = rows->at[rows->start[rows->contacts]];
  DLS_NEW(rows->G, size);
  rows->T = rows->G;
  if (!rows->symmetric) {
    rows->T = NULL;
    DLS_NEW(rows->T, size);
  }
  for (int i = 0; i < rows->contacts; i++) {
    const int c = a->number ? a->number[i] : i;
    for (int s = pattern->start[c], t = rows->start[i]; s < pattern->start[c + 1]; s++) {
      DlsTouch touch;
      if (!is_kept(a, s)) continue;
      a->W->does->touch(a->W, c, s - pattern->start[c], &touch);
      for (int e = 0; e < block * touch.dof; e++) {
        const double S = scale[i * block + e / touch.dof];
        rows->G[rows->at[t] + (size_t)e] = touch.gather[e] * S;
        if (!rows->symmetric) rows->T[rows->at[t] + (size_t)e] = touch.scatter[e] * S;
      }
      t++;
    }
  }
  return DLS_OK;
}

static DlsStatus create(const DlsOperator *W, int contacts, const int *number, const double *scale,
                        DlsPartRows *out) {
  DlsPattern pattern;
  *out = (DlsPartRows){.contacts = contacts, .block = dls_operator_block(W)};
  DLS_TRY(dls_operator_pattern(W, &pattern));
  Reading reading = {.W = W, .pattern = &pattern, .number = number, .rows = out};
  if (!number) out->freedom = dls_operator_freedom(W);
  reading.place = dls_memory_array((size_t)pattern.parts + 1, sizeof *reading.place);
  DlsStatus status =
      reading.place ? list(&reading) : dls_fail(DLS_ERR_MEMORY, "no memory for rows of parts");
  if (status == DLS_OK) status = copy(&reading, scale);
  free(reading.place);
  dls_pattern_clear(&pattern);
  return status;
}

DlsStatus dls_part_rows_create(const DlsOperator *W, const double *scale, DlsPartRows *out) {
  return create(W, dls_operator_contacts(W), NULL, scale, out);
}

DlsStatus dls_part_rows_create_some(const DlsOperator *W, int contacts, const int *number,
                                    const double *scale, DlsPartRows *out) {
  return create(W, contacts, number, scale, out);
}

void dls_part_rows_scatter(const DlsPartRows *rows, const double *r, double *y) {
  const int block = rows->block;
  memset(y, 0, (size_t)rows->freedom * sizeof *y);
  for (int i = 0; i < rows->contacts; i++)
    for (int t = rows->start[i]; t < rows->start[i + 1]; t++) {
      const int width = rows->width[t];
      const double *T = rows->T + rows->at[t];
      double *part = y + rows->first[t];
      for (int k = 0; k < block; k++) {
        const double push = r[i * block + k];
        for (int c = 0; c < width; c++) part[c] += T[k * width + c] * push;
      }
    }
}

void dls_part_rows_gather(const DlsPartRows *rows, const double *y, double *u) {
  const int block = rows->block;
  for (int i = 0; i < rows->contacts; i++)
    for (int k = 0; k < block; k++) {
      double sum = 0;
      for (int t = rows->start[i]; t < rows->start[i + 1]; t++)
        sum += dls_small_dot(rows->width[t], rows->G + rows->at[t] + k * rows->width[t],
                             y + rows->first[t]);
      u[i * block + k] = sum;
    }
}
