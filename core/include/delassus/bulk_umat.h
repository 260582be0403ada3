/* A bulk law made of a UMAT, the subroutine for materials of Abaqus, with Fortran's calling
 * convention: a file that gives the UMAT's constants and state variables names, units and bounds,
 * compiled beside it. docs/bulk-author.md, "A UMAT", has an example.
 *
 *   UMAT order of components   11 22 33 12 13 23   (shears twice the tensor's)
 *   ours                       xx yy zz xy yz xz
 *
 * What it is given: STRESS and STATEV at the start of the step, STRAN, DSTRAN, TIME, DTIME, PROPS,
 * COORDS, CELENT; NDI = NSHR = 3; DROT = 1, DFGRD = 1 + strain; temperatures and fields are 0. A
 * PNEWDT below 1 refuses the step. Of the energies SSE is what is stored, SPD + SCD what is
 * dissipated. A UMAT that keeps something in COMMON or SAVE is not pure: `delassus bulk check` says
 * so in its check `state`. */
#ifndef DELASSUS_BULK_UMAT_H
#define DELASSUS_BULK_UMAT_H

#include <string.h>

#include <delassus/bulk.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void DlsUmat(double *stress, double *statev, double *ddsdde, double *sse, double *spd,
                     double *scd, double *rpl, double *ddsddt, double *drplde, double *drpldt,
                     const double *stran, const double *dstran, const double *time,
                     const double *dtime, const double *temp, const double *dtemp,
                     const double *predef, const double *dpred, const char *cmname, const int *ndi,
                     const int *nshr, const int *ntens, const int *nstatv, const double *props,
                     const int *nprops, const double *coords, const double *drot, double *pnewdt,
                     const double *celent, const double *dfgrd0, const double *dfgrd1,
                     const int *noel, const int *npt, const int *layer, const int *kspt,
                     const int *kstep, const int *kinc, size_t cmname_length);
DlsUmat umat_; /* the subroutine UMAT, as Fortran compilers name it */

/* The last rows of the table of states, behind those of STATEV: what a UMAT adds to. */
#define DLS_UMAT_STRESS(which)                                                                     \
  { "stress_" which, "Pa", "stress " which, 0, -DLS_NO_BOUND, DLS_NO_BOUND, DLS_SCALAR }
#define DLS_UMAT_STATES                                                                            \
  DLS_UMAT_STRESS("xx"), DLS_UMAT_STRESS("yy"), DLS_UMAT_STRESS("zz"), DLS_UMAT_STRESS("xy"),      \
      DLS_UMAT_STRESS("yz"), DLS_UMAT_STRESS("xz"),                                                \
      {"sse", "J/m3", "stored", 0, -DLS_NO_BOUND, DLS_NO_BOUND, DLS_SCALAR}, {                     \
    "spent", "J/m3", "dissipated so far, SPD + SCD", 0, -DLS_NO_BOUND, DLS_NO_BOUND, DLS_SCALAR    \
  }
enum { DLS_UMAT_OWN = 8, DLS_UMAT_MOST = 256 }; /* of these rows; of STATEV */

/* DlsBulk.stress by a UMAT, of a law with so many parameters and states (DLS_UMAT_STATES among
 * them). */
static inline DlsStatus dls_umat_stress(DlsUmat *umat, int nparams, int nstates,
                                        const DlsBulkPoint *point, const double *params,
                                        const double *state, const double *strain_before,
                                        const double *strain, double *stress, double *tangent,
                                        double *next) {
  static const int at[6] = {0, 1, 2, 3, 5, 4}; /* ours of theirs, and theirs of ours */
  static const char name[81] = "DELASSUS                                "
                               "                                        ";
  static const int three = 3, six = 6, one = 1;
  static const double zero = 0, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const int kstep[4] = {1, 1, 0, 0};
  const int nstatv = nstates - DLS_UMAT_OWN;
  const double *own = state + nstatv, time[2] = {point->time, point->time};
  double statev[DLS_UMAT_MOST], s[6], stran[6], dstran[6], ddsdde[36], ddsddt[6] = {0},
                                                                       drplde[6] = {0};
  double sse = own[6], spd = own[7], scd = 0, rpl = 0, drpldt = 0, pnewdt = 1, F[2][9];
  if (nstatv > DLS_UMAT_MOST) return DLS_ERR_LAW;
  for (int i = 0; i < nstatv; i++) statev[i] = state[i];
  for (int i = 0; i < 36; i++) ddsdde[i] = 0;
  for (int i = 0; i < 6; i++) {
    s[i] = own[at[i]];
    stran[i] = strain_before[at[i]];
    dstran[i] = strain[at[i]] - strain_before[at[i]];
  }
  for (int k = 0; k < 2; k++) {
    const double *e = k ? strain : strain_before;
    const double all[9] = {1 + e[0], e[3] / 2, e[5] / 2, e[3] / 2, 1 + e[1],
                           e[4] / 2, e[5] / 2, e[4] / 2, 1 + e[2]};
    for (int i = 0; i < 9; i++) F[k][i] = all[i];
  }
  umat(s, statev, ddsdde, &sse, &spd, &scd, &rpl, ddsddt, drplde, &drpldt, stran, dstran, time,
       &point->dt, &zero, &zero, &zero, &zero, name, &three, &three, &six, &nstatv, params,
       &nparams, point->point, identity, &pnewdt, &point->size, F[0], F[1], &one, &one, &one, &one,
       kstep, &one, 80);
  if (pnewdt < 1) return DLS_ERR_LAW;
  for (int i = 0; i < 6; i++) {
    stress[i] = s[at[i]];
    for (int j = 0; tangent && j < 6; j++) tangent[6 * i + j] = ddsdde[6 * at[j] + at[i]];
  }
  if (!next) return DLS_OK;
  for (int i = 0; i < nstatv; i++) next[i] = statev[i];
  for (int i = 0; i < 6; i++) next[nstatv + i] = stress[i];
  next[nstatv + 6] = sse;
  next[nstatv + 7] = spd + scd;
  return DLS_OK;
}

/* DlsBulk.energy: as the UMAT has told. */
static inline DlsStatus dls_umat_energy(int nstates, const double *state, const double *next,
                                        double *stored, double *dissipated) {
  *stored = next[nstates - 2];
  *dissipated = next[nstates - 1] - state[nstates - 1];
  return DLS_OK;
}

/* The law: tables of parameters (PROPS, in their order) and of states (STATEV, in their order, then
 * DLS_UMAT_STATES), measures and claims, and what else DlsBulk has. */
#define DLS_BULK_UMAT(law_name, law_summary, table, state_table, ...)                              \
  static DlsStatus umat_stress(const DlsBulkPoint *at_, const double *p_, const double *q_,        \
                               const double *b_, const double *e_, double *s_, double *t_,         \
                               double *n_) {                                                       \
    return dls_umat_stress(umat_, DLS_COUNT(table), DLS_COUNT(state_table), at_, p_, q_, b_, e_,   \
                           s_, t_, n_);                                                            \
  }                                                                                                \
  static DlsStatus umat_energy(const DlsBulkPoint *at_, const double *p_, const double *q_,        \
                               const double *b_, const double *e_, const double *n_,               \
                               double *stored_, double *dissipated_) {                             \
    (void)at_, (void)p_, (void)b_, (void)e_;                                                       \
    return dls_umat_energy(DLS_COUNT(state_table), q_, n_, stored_, dissipated_);                  \
  }                                                                                                \
  static const DlsBulk umat_law = {DLS_BULK_HEAD,                                                  \
                                   .name = (law_name),                                             \
                                   .summary = (law_summary),                                       \
                                   .references = "",                                               \
                                   .params = (table),                                              \
                                   .nparams = DLS_COUNT(table),                                    \
                                   .states = (state_table),                                        \
                                   .nstates = DLS_COUNT(state_table),                              \
                                   __VA_ARGS__,                                                    \
                                   .stress = umat_stress,                                          \
                                   .energy = umat_energy};                                         \
  const DlsBulk *dls_bulk_entry(void) { return &umat_law; }

#ifdef __cplusplus
}
#endif
#endif
