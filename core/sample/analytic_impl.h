/* The families of problems with a known answer: each fills a scene, then the answer. */
#ifndef DELASSUS_SAMPLE_ANALYTIC_IMPL_H
#define DELASSUS_SAMPLE_ANALYTIC_IMPL_H

#include <delassus/analytic.h>

#include "sample/sample_impl.h"

enum { ANALYTIC_PARAMETERS = 2, ANALYTIC_TOTALS = 8 };

/* p: the parameters of the row. The scene has begun: h, gravity along the last axis. */
typedef DlsStatus (*AnalyticBuild)(const double *p, Scene *scene, DlsAnalytic *out);

/* Room for `answers` answers, all zero, once the contacts of the scene are there. */
DlsStatus dls_analytic_room(const Scene *scene, int answers, DlsAnalytic *out);

/* One more total, of value `sum`, its error relative to `size`; returns its row, [contacts][block],
 * zero. */
double *dls_analytic_total(const Scene *scene, DlsAnalytic *out, double sum, double size);

/* Reactions are not unique: none is compared by itself. */
void dls_analytic_forget_r(const Scene *scene, DlsAnalytic *out);

/* Gravity of a ground that is tilted by `angle`, rad, down towards +x. */
void dls_analytic_tilt(Scene *scene, double angle);

/* A body at x without spin; spheres have I = 2/5 m R², disks (2-D) m R² / 2. */
DlsStatus dls_analytic_add(Scene *scene, double mass, double inertia, double x, double y, double z);

/* A contact with Coulomb's friction. */
DlsStatus dls_analytic_touch(Scene *scene, int antagonist, int candidate, const double *point,
                             const double *normal, double mu);

/* analytic_blocks.c */
DlsStatus dls_analytic_slide(const double *p, Scene *scene, DlsAnalytic *out);
DlsStatus dls_analytic_slope(const double *p, Scene *scene, DlsAnalytic *out);
DlsStatus dls_analytic_ellipse(const double *p, Scene *scene, DlsAnalytic *out);
DlsStatus dls_analytic_table(const double *p, Scene *scene, DlsAnalytic *out);
DlsStatus dls_analytic_groove(const double *p, Scene *scene, DlsAnalytic *out);
DlsStatus dls_analytic_rod(const double *p, Scene *scene, DlsAnalytic *out);

/* analytic_arches.c */
DlsStatus dls_analytic_wedge(const double *p, Scene *scene, DlsAnalytic *out);
DlsStatus dls_analytic_arch(const double *p, Scene *scene, DlsAnalytic *out);
DlsStatus dls_analytic_voussoirs(const double *p, Scene *scene, DlsAnalytic *out);

/* analytic_spheres.c */
DlsStatus dls_analytic_column(const double *p, Scene *scene, DlsAnalytic *out);
DlsStatus dls_analytic_heavy(const double *p, Scene *scene, DlsAnalytic *out);
DlsStatus dls_analytic_chain(const double *p, Scene *scene, DlsAnalytic *out);
DlsStatus dls_analytic_rolling(const double *p, Scene *scene, DlsAnalytic *out);
DlsStatus dls_analytic_torsion(const double *p, Scene *scene, DlsAnalytic *out);

#endif
