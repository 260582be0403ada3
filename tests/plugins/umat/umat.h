/* A UMAT in C, as a Fortran compiler would lay it out: everything by reference, matrices by
 * columns. */
#include <delassus/bulk_umat.h>

#define UMAT                                                                                       \
  void umat_(double *stress, double *statev, double *ddsdde, double *sse, double *spd,             \
             double *scd, double *rpl, double *ddsddt, double *drplde, double *drpldt,             \
             const double *stran, const double *dstran, const double *time, const double *dtime,   \
             const double *temp, const double *dtemp, const double *predef, const double *dpred,   \
             const char *cmname, const int *ndi, const int *nshr, const int *ntens,                \
             const int *nstatv, const double *props, const int *nprops, const double *coords,      \
             const double *drot, double *pnewdt, const double *celent, const double *dfgrd0,       \
             const double *dfgrd1, const int *noel, const int *npt, const int *layer,              \
             const int *kspt, const int *kstep, const int *kinc, size_t cmname_length)
#define UMAT_UNUSED                                                                                \
  (void)statev, (void)spd, (void)scd, (void)rpl, (void)ddsddt, (void)drplde, (void)drpldt,         \
      (void)stran, (void)time, (void)dtime, (void)temp, (void)dtemp, (void)predef, (void)dpred,    \
      (void)cmname, (void)ndi, (void)nshr, (void)ntens, (void)nstatv, (void)nprops, (void)coords,  \
      (void)drot, (void)pnewdt, (void)celent, (void)dfgrd0, (void)dfgrd1, (void)noel, (void)npt,   \
      (void)layer, (void)kspt, (void)kstep, (void)kinc, (void)cmname_length
