/* Small input folders of LMGC90, written by hand: the files of one as strings. */
#ifndef DELASSUS_TESTS_LMGC90_FOLDER_H
#define DELASSUS_TESTS_LMGC90_FOLDER_H

/* A cube of edge 2 m on a plane, with a force; a cluster of two balls; a ball that moves. */
static const char lmgc90_bodies[] =
    "! a comment\n"
    "$bdyty\n RBDY3      1\n"
    "$blmty\n PLAIN      1  behav  STONE  avrd= 0.0000000D+00  gyrd= 0.0000000D+00\n"
    "                             I1  = 0.0000000D+00  I2  = 0.0D+00  I3  = 0.0000000D+00\n"
    "$nodty\n NO6xx      1                coo1= 0.5000000D+00  coo2= 0.0000000D+00  coo3= "
    "0.1000000D+01\n"
    "                             coo4= 0.0000000D+00  coo5= 0.0000000D+00  coo6= 0.0D+00\n"
    "$tacty\n POLYR      1  color  BLEUx  nb_vertex=    8      nb_face=   12\n"
    "   coo1=-0.1000000D+01  coo2=-0.1000000D+01  coo3=-0.1000000D+01\n"
    "   coo1= 0.1000000D+01  coo2=-0.1000000D+01  coo3=-0.1000000D+01\n"
    "   coo1= 0.1000000D+01  coo2= 0.1000000D+01  coo3=-0.1000000D+01\n"
    "   coo1=-0.1000000D+01  coo2= 0.1000000D+01  coo3=-0.1000000D+01\n"
    "   coo1=-0.1000000D+01  coo2=-0.1000000D+01  coo3= 0.1000000D+01\n"
    "   coo1= 0.1000000D+01  coo2=-0.1000000D+01  coo3= 0.1000000D+01\n"
    "   coo1= 0.1000000D+01  coo2= 0.1000000D+01  coo3= 0.1000000D+01\n"
    "   coo1=-0.1000000D+01  coo2= 0.1000000D+01  coo3= 0.1000000D+01\n"
    "   ver1= 1  ver2= 3  ver3= 2\n   ver1= 1  ver2= 4  ver3= 3\n"
    "   ver1= 5  ver2= 6  ver3= 7\n   ver1= 5  ver2= 7  ver3= 8\n"
    "   ver1= 1  ver2= 2  ver3= 6\n   ver1= 1  ver2= 6  ver3= 5\n"
    "   ver1= 2  ver2= 3  ver3= 7\n   ver1= 2  ver2= 7  ver3= 6\n"
    "   ver1= 3  ver2= 4  ver3= 8\n   ver1= 3  ver2= 8  ver3= 7\n"
    "   ver1= 4  ver2= 1  ver3= 5\n   ver1= 4  ver2= 5  ver3= 8\n"
    "$$$$$$\n\n"
    "$bdyty\n RBDY3      2\n"
    "$blmty\n PLAIN      1  behav  STONE  avrd= 0.0000000D+00\n"
    "$nodty\n NO6xx      1                coo1= 0.3000000D+01  coo2= 0.0000000D+00  coo3= "
    "0.3000000D+01\n"
    "$tacty\n SPHEb      1  color  BLEUx  byrd= 0.5000000D+00\n"
    "                             coo1= 0.4000000D+00  coo2= 0.0000000D+00  coo3= 0.0D+00\n"
    " SPHEb      2  color  BLEUx  byrd= 0.5000000D+00\n"
    "                             coo1=-0.4000000D+00  coo2= 0.0000000D+00  coo3= 0.0D+00\n"
    "$$$$$$\n"
    "$bdyty\n RBDY3      3\n"
    "$blmty\n PLAIN      1  behav  STONE  avrd= 0.5000000D+00\n"
    "$nodty\n NO6xx      1                coo1= 0.6000000D+01  coo2= 0.0000000D+00  coo3= "
    "0.3000000D+01\n"
    "$tacty\n SPHER      1  color  REDxx  byrd= 0.2500000D+00\n"
    "$$$$$$\n"
    "$bdyty\n RBDY3      1\n"
    "$blmty\n PLAIN      1  behav  GROUN  avrd= 0.0000000D+00  gyrd= 0.0000000D+00\n"
    "$nodty\n NO6xx      1                coo1= 0.0000000D+00  coo2= 0.0000000D+00  "
    "coo3=-0.5000000D+00\n"
    "$tacty\n PLANx      1 color   VERTx  axe1= 0.1000000D+02  axe2= 0.2000000D+02  axe3= "
    "0.5000000D+00\n"
    "$$$$$$\n";

static const char lmgc90_bulk[] =
    "$gravy\n                   grv1= 0.0000000D+00  grv2= 0.0000000D+00  grv3=-0.9810000D+01\n"
    "$behav  lawty\n STONE  RIGID                           Umas= 0.2000000D+04\n"
    "$behav  lawty\n GROUN  RIGID                           Umas= 0.2500000D+04\n";

static const char lmgc90_tact[] =
    "1! File BEHAVIOUR\n"
    "$behav  lawty\n iqsc0  IQS_CLB                         fric= 0.8000000D+00\n"
    "$behav  lawty\n wet01  IQS_WET_DS_CLB                  cohn= 0.1000000D+02  coht= 0.0D+00\n"
    "                                        Wthk= 0.1000000D-02\n"
    "                                        dfrc= 0.3000000D+00  sfrc= 0.5000000D+00\n"
    "$seety\n cdbdy  cdtac  cdcol  behav  anbdy  antac  ancol       alert\n"
    " RBDY3  POLYR  BLEUx  iqsc0  RBDY3  PLANx  VERTx       0.5000000D-02\n"
    "$seety\n cdbdy  cdtac  cdcol  behav  anbdy  antac  ancol       alert\n"
    " RBDY3  SPHER  BLEUx  iqsc0  RBDY3  PLANx  VERTx       0.1000000D-02\n"
    "$seety\n cdbdy  cdtac  cdcol  behav  anbdy  antac  ancol       alert\n"
    " RBDY3  SPHER  REDxx  wet01  RBDY3  PLANx  VERTx       0.1000000D-02\n"
    "$seety\n cdbdy  cdtac  cdcol  behav  anbdy  antac  ancol       alert\n"
    " RBDY3  SPHER  BLEUx  iqsc0  RBDY3  POLYR  BLEUx       0.1000000D-02\n"
    "$seety\n cdbdy  cdtac  cdcol  behav  anbdy  antac  ancol       alert\n"
    " RBDY3  SPHER  REDxx  iqsc0  RBDY3  POLYR  BLEUx       0.1000000D-02\n"
    "$seety\n cdbdy  cdtac  cdcol  behav  anbdy  antac  ancol       alert\n"
    " RBDY3  SPHER  REDxx  iqsc0  RBDY3  SPHER  BLEUx       0.1000000D-02\n";

static const char lmgc90_drive[] =
    "$bdyty\n RBDY3     4\n$nodty\n NO6xx      1\n"
    "$dofty  [CT......+......AMP..*..cos.(..OMEGA.*.time.+.PHI..)]...*...[RAMPI+RAMP.*.time]\n"
    " vlocy      1  0.0000000D+00  0.2000000D+01  0.3000000D+01  0.0000000D+00  0.0D+00  0.5D+00\n"
    " vlocy      2  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.1D+01  0.0D+00\n"
    " vlocy      3  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.1D+01  0.0D+00\n"
    " vlocy      4  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.1D+01  0.0D+00\n"
    " vlocy      5  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.1D+01  0.0D+00\n"
    " vlocy      6  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.1D+01  0.0D+00\n"
    "$$$$$$\n"
    "$bdyty\n RBDY3     1\n$nodty\n NO6xx      1\n$dofty\n"
    " force      3 evolution push.DAT\n"
    " force      1 -0.650000D+03  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.1D+01  0.0D+00\n"
    "$$$$$$\n";

static const char lmgc90_push[] =
    "   0.0000000000  0.00000\n   0.1000000000 -5000.0\n  2.0 -5000.\n";

/* The ball, a quarter turn about z and two numbers of velocity. */
static const char lmgc90_dof[] =
    "! DOF\n\n$steps      0                time= 0.0000000D+00\n"
    "$bdyty\n RBDY3      3\n$nodty\n"
    " NO6xx      1                X(1)= 0.1000000D+01  X(2)= 0.0000000D+00  X(3)= 0.0000000D+00\n"
    "                             X(4)= 0.0000000D+00  X(5)= 0.0000000D+00  X(6)= 0.0000000D+00\n"
    "                             V(1)= 0.0000000D+00  V(2)= 0.2000000D+01  V(3)= 0.0000000D+00\n"
    "                             V(4)= 0.3000000D+01  V(5)= 0.0000000D+00  V(6)= 0.0000000D+00\n"
    "                             a(1)= 0.0000000D+00  a(2)= 0.1000000D+01  a(3)= 0.0000000D+00\n"
    "                             b(1)=-0.1000000D+01  b(2)= 0.0000000D+00  b(3)= 0.0000000D+00\n"
    "                             c(1)= 0.0000000D+00  c(2)= 0.0000000D+00  c(3)= 0.1000000D+01\n"
    "$$$$$$\n";

static const char lmgc90_command[] =
    "TIME STEP                     :\n0.1D-02                       :\n#\nTHETA :\n0.5D0 :\n"
    "INCREMENT STEP                :\nREPETE 9 FOIS               :\nFIN DU PROGRAMME\n";

/* Two meshed cubes of one element each, of edge 1 m, one on the other. */
static const char lmgc90_mesh_bodies[] =
    "$bdyty\n MAILx      1\n"
    "$blmty\n H8xxx      1  nodes      1      2      3      4      5      6      7      8\n"
    "               model  M3DH8  behav  stone\n"
    "$nodty\n"
    " NO3xx 1 coo1= 0.0D+00 coo2= 0.0D+00 coo3= 0.0D+00\n"
    " NO3xx 2 coo1= 1.0D+00 coo2= 0.0D+00 coo3= 0.0D+00\n"
    " NO3xx 3 coo1= 1.0D+00 coo2= 1.0D+00 coo3= 0.0D+00\n"
    " NO3xx 4 coo1= 0.0D+00 coo2= 1.0D+00 coo3= 0.0D+00\n"
    " NO3xx 5 coo1= 0.0D+00 coo2= 0.0D+00 coo3= 1.0D+00\n"
    " NO3xx 6 coo1= 1.0D+00 coo2= 0.0D+00 coo3= 1.0D+00\n"
    " NO3xx 7 coo1= 1.0D+00 coo2= 1.0D+00 coo3= 1.0D+00\n"
    " NO3xx 8 coo1= 0.0D+00 coo2= 1.0D+00 coo3= 1.0D+00\n"
    "$tacty\n ASpx4      1  color  BLEUx  noda= 5 nodb= 6 nodc= 7 nodd= 8\n"
    "$$$$$$\n"
    "$bdyty\n MAILx      2\n"
    "$blmty\n H8xxx      1  nodes      1      2      3      4      5      6\n      7      8\n"
    "               model  M3DH8  behav  stone\n"
    "$nodty\n"
    " NO3xx 1 coo1= 0.0D+00 coo2= 0.0D+00 coo3= 1.0D+00\n"
    " NO3xx 2 coo1= 1.0D+00 coo2= 0.0D+00 coo3= 1.0D+00\n"
    " NO3xx 3 coo1= 1.0D+00 coo2= 1.0D+00 coo3= 1.0D+00\n"
    " NO3xx 4 coo1= 0.0D+00 coo2= 1.0D+00 coo3= 1.0D+00\n"
    " NO3xx 5 coo1= 0.0D+00 coo2= 0.0D+00 coo3= 2.0D+00\n"
    " NO3xx 6 coo1= 1.0D+00 coo2= 0.0D+00 coo3= 2.0D+00\n"
    " NO3xx 7 coo1= 1.0D+00 coo2= 1.0D+00 coo3= 2.0D+00\n"
    " NO3xx 8 coo1= 0.0D+00 coo2= 1.0D+00 coo3= 2.0D+00\n"
    "$tacty\n CSpx4      1  color  BLEUx  noda= 1 nodb= 4 nodc= 3 nodd= 2\n"
    "$$$$$$\n";

static const char lmgc90_mesh_bulk[] =
    "$gravy\n                   grv1= 0.0D+00  grv2= 0.0D+00  grv3=-0.9810000D+01\n"
    "$behav  lawty\n stone  ELAS                            Umas= 0.2000000D+04\n"
    "                                        elas: standard\n"
    "                                        ani_: isotropic\n"
    "                                        EYng= 0.1000000D+08  Epss= 0.2000000D+00\n";

static const char lmgc90_mesh_models[] =
    "$model  mdlty  finel  eleop  value\n M3DH8\n"
    "        MECAx  H8xxx  mstrg  coher\n                      kine_  large\n"
    "                      aniso  iso__\n                      mater  elas_\n";

static const char lmgc90_mesh_tact[] =
    "$behav\n gapc0  GAP_SGR_CLB                     fric= 0.3000000D+00\n"
    "$seety\n cdbdy  cdtac  cdcol  behav  anbdy  antac  ancol       alert\n"
    " MAILx  CSxxx  BLEUx  gapc0  MAILx  ASpxx  BLEUx       0.1000000D-01\n";

/* Three nodes stand, one stands along two axes, the upper ones of the other cube come down. */
static const char lmgc90_mesh_drive[] =
    "$bdyty\n MAILx      1\n$model\n MECAx\n"
    "$nodty\n NO3xx      1\n$dofty\n"
    " vlocy      1  0.0D+00  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    " vlocy      2  0.0D+00  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    " vlocy      3  0.0D+00  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    "$nodty\n NO3xx      2\n$dofty\n"
    " vlocy      1  0.0D+00  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    " vlocy      2  0.0D+00  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    " vlocy      3  0.0D+00  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    "$nodty\n NO3xx      3\n$dofty\n"
    " vlocy      1  0.0D+00  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    " vlocy      2  0.0D+00  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    " vlocy      3  0.0D+00  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    "$nodty\n NO3xx      4\n$dofty\n"
    " vlocy      1  0.0D+00  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    " vlocy      3  0.0D+00  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    "$$$$$$\n$bdyty\n MAILx      2\n$model\n MECAx\n"
    "$nodty\n NO3xx      5\n$dofty\n"
    " vlocy      3  -0.1D-01  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    "$nodty\n NO3xx      6\n$dofty\n"
    " vlocy      3  -0.1D-01  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    "$nodty\n NO3xx      7\n$dofty\n"
    " vlocy      3  -0.1D-01  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    "$nodty\n NO3xx      8\n$dofty\n"
    " vlocy      3  -0.1D-01  0.0D+00  0.0D+00  0.0D+00  0.1D+01  0.0D+00\n"
    "$$$$$$\n";

typedef struct {
  const char *name, *text;
} Lmgc90File;

static const Lmgc90File lmgc90_files[] = {
    {"BODIES.DAT", lmgc90_bodies}, {"BULK_BEHAV.DAT", lmgc90_bulk}, {"TACT_BEHAV.DAT", lmgc90_tact},
    {"DRV_DOF.DAT", lmgc90_drive}, {"DOF.INI", lmgc90_dof},         {"COMMAND.DAT", lmgc90_command},
    {"push.DAT", lmgc90_push},
};

static const Lmgc90File lmgc90_mesh_files[] = {
    {"BODIES.DAT", lmgc90_mesh_bodies},   {"BULK_BEHAV.DAT", lmgc90_mesh_bulk},
    {"TACT_BEHAV.DAT", lmgc90_mesh_tact}, {"DRV_DOF.DAT", lmgc90_mesh_drive},
    {"MODELS.DAT", lmgc90_mesh_models},   {"COMMAND.DAT", lmgc90_command},
};

#endif
