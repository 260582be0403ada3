#include "bulk_bench/drive.h"

#include <math.h>
#include <string.h>

#include "base/small.h"

const char *const dls_bulk_component[6] = {"xx", "yy", "zz", "xy", "yz", "xz"};

/* What a mode makes of the components that are not named, and which it does not let be driven. */
static const struct {
  const char *name;
  bool free[6], fixed[6]; /* without stress, else without strain */
} modes[] = {
    [DLS_BULK_FREE] = {"free", {1, 1, 1, 1, 1, 1}, {0}},
    [DLS_BULK_HELD] = {"held", {0}, {0}},
    [DLS_BULK_PLANE_STRAIN] = {"plane-strain", {1, 1, 0, 1, 0, 0}, {0, 0, 1, 0, 1, 1}},
    [DLS_BULK_PLANE_STRESS] = {"plane-stress", {1, 1, 1, 1, 1, 1}, {0, 0, 1, 0, 1, 1}},
    [DLS_BULK_UNIAXIAL] = {"uniaxial", {1, 1, 1, 1, 1, 1}, {0, 1, 1, 1, 1, 1}},
};

DlsStatus dls_bulk_path_read(const char *file, DlsBulkMode mode, DlsPath *out) {
  DlsPathKind kind = {.count = 6,
                      .key = {"strain", "stress"},
                      .meaning = {"strains, shears twice the tensor's", "stresses, Pa"},
                      .at = 1};
  for (int k = 0; k < 6; k++) kind.name[k] = dls_bulk_component[k];
  DLS_TRY(dls_path_read(&kind, file, out));
  for (int k = 0; k < 6; k++) {
    if (out->given[k] && modes[mode].fixed[k]) {
      dls_path_clear(out);
      return dls_fail(DLS_ERR_FORMAT, "%s: %s is driven, which the mode %s does not leave free",
                      file, dls_bulk_component[k], modes[mode].name);
    }
    for (int i = 0; i < out->count && !out->given[k]; i++)
      out->drive[(size_t)i * 6 + (size_t)k] = (DlsDrive){modes[mode].free[k], 0};
  }
  return DLS_OK;
}

DlsStatus dls_bulk_drive_begin(const DlsBulk *law, const double *params, int measure, double size,
                               DlsBulkDrive *out) {
  static const int order[] = {DLS_BULK_SMALL, DLS_BULK_LOG, DLS_BULK_GREEN};
  *out = (DlsBulkDrive){.law = law, .point = {.measure = measure, .size = size}};
  for (int k = 0; k < DLS_COUNT(order) && out->point.measure == 0; k++)
    if (law->measures & (uint32_t)order[k]) out->point.measure = order[k];
  memcpy(out->params, params, (size_t)law->nparams * sizeof *params);
  dls_bulk_new_state(law, out->state);
  return dls_bulk_check_params(law, params);
}

/* The stresses that are beside what they should be; the largest. */
static double residual(const DlsDrive *drive, const double *stress, double *out) {
  double most = 0;
  for (int i = 0; i < 6; i++) {
    out[i] = drive[i].force ? stress[i] - drive[i].value : 0;
    most = fmax(most, fabs(out[i]));
  }
  return most;
}

/* The change of the strains that are sought; others stay. False where the tangent is singular. */
static bool newton(const DlsDrive *drive, const double *tangent, const double *beside, double *dx) {
  double A[36];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      A[6 * i + j] = drive[i].force && drive[j].force ? tangent[6 * i + j] : i == j;
  for (int i = 0; i < 6; i++) dx[i] = -beside[i];
  return dls_small_eliminate(6, 1e-14, A, dx);
}

/* Pa, that an error is measured by: the stresses, and what strains of 1e-6 make. */
static double scale(const DlsDrive *drive, const double *stress, const double *tangent) {
  double size = 0;
  for (int i = 0; i < 6; i++) {
    size = fmax(size, fabs(stress[i]));
    if (drive[i].force) size = fmax(size, fabs(drive[i].value));
  }
  for (int i = 0; i < 36; i++) size = fmax(size, 1e-6 * fabs(tangent[i]));
  return size;
}

DlsStatus dls_bulk_drive_step(DlsBulkDrive *d, double h, const DlsDrive *drive) {
  enum { ROUNDS = 60 };
  double strain[6], best[6], stress[6], next[DLS_MAX_PARAMS], beside[6], dx[6] = {0};
  double error = INFINITY, size = 0, part = 1, stored, dissipated;
  DlsStatus status = DLS_OK;
  bool sought = false;
  d->point.dt = h;
  for (int i = 0; i < 6; i++) {
    strain[i] = drive[i].force ? d->strain[i] : drive[i].value;
    sought = sought || drive[i].force;
  }
  for (int round = 0; round < ROUNDS; round++) {
    double now[6], T[36], state[DLS_MAX_PARAMS], rest[6];
    status =
        dls_bulk_stress(d->law, &d->point, d->params, d->state, d->strain, strain, now, T, state);
    const double worst = status == DLS_OK ? residual(drive, now, rest) : INFINITY;
    if (status != DLS_OK && round == 0) return status;
    if (worst < error) {
      error = worst;
      part = 1;
      memcpy(best, strain, sizeof best);
      memcpy(stress, now, sizeof stress);
      memcpy(beside, rest, sizeof beside);
      memcpy(next, state, sizeof next);
      size = scale(drive, now, T);
      if (!sought || error <= 1e-10 * size || !newton(drive, T, beside, dx)) break;
    } else { /* less far along the same way */
      part /= 2;
    }
    if (part < 1e-6) break;
    for (int i = 0; i < 6; i++) strain[i] = best[i] + part * dx[i];
  }
  DLS_CHECK(error <= (sought ? 1e-7 * size : INFINITY), DLS_ERR_LAW,
            "bulk law '%s': at t = %g s no strain was found with the stress asked for: %.3g Pa are "
            "left; does it soften, or flow before? drive a strain instead",
            d->law->name, d->point.time + h, error);
  DLS_TRY(dls_bulk_energy(d->law, &d->point, d->params, d->state, d->strain, best, next, &stored,
                          &dissipated));
  for (int i = 0; i < 6; i++)
    d->work += 0.5 * (stress[i] + d->stress[i]) * (best[i] - d->strain[i]);
  d->stored = stored;
  d->dissipated += dissipated;
  memcpy(d->strain, best, sizeof best);
  memcpy(d->stress, stress, sizeof stress);
  memcpy(d->state, next, (size_t)d->law->nstates * sizeof *next);
  d->point.time += h;
  return DLS_OK;
}
