/* What a frame shows of a step: arrays of the length of its elements (spheres of bodies) and
 * contacts. */
#ifndef DELASSUS_RECORD_FRAMES_FRAMES_VIEW_H
#define DELASSUS_RECORD_FRAMES_FRAMES_VIEW_H

#include "record/frames/frames_post.h"
#include "record/frames/frames_report.h"
#include "step/simulation.h"

enum { DLS_STATE_NAME = 112 }; /* law.state */

typedef struct {
  int elements, contacts, chains;
  int *grain; /* [elements]: of the packing */
  int *body;  /* [elements] */
  DlsPacking packing;
  DlsPostArrays post;
  double *centre, *radius, *velocity, *spin, *axes, *load, *energy;
  int64_t *id;
  int32_t *material, *coordination;
  int32_t *neighbours, *corners; /* bodies and boundaries that push on the body; vertices of the
                                    element, 0 of a ball */
  double *normal_velocity, *slip, *gap, *area;
  int64_t *candidate, *antagonist;
  int32_t *law, *cohesion;
  double *state;       /* [states][contacts]: of all laws, each once */
  DlsVtuArray *states; /* their names, and where they are */
  char (*state_name)[DLS_STATE_NAME];
  int state_count;
  double *dissipated, *torque; /* [contacts], J; [contacts][3], N m, NULL where no law has any */
  DlsReportArrays reports;
  double *ends, *chain_force,
      *chain_tangential; /* [chains][2][3]; [chains][2], one value for both ends */
  int32_t *chain_status; /* [chains][2] */
  double *body_load;     /* [bodies] */
  int32_t *body_contacts;
} DlsFrameView;

/* Bodies without contacts, which carry walls, are not shown. */
static inline bool dls_frame_shows(const DlsWorld *world, int body) {
  return !(world->flags[body] & DLS_BODY_GHOST);
}

/* The last step of a simulation; all but `post`. *view is zeroed, ended with
 * dls_frame_view_clear(), also on failure. */
DlsStatus dls_frame_view_fill(const DlsSimulation *simulation, DlsFrameView *view);
void dls_frame_view_clear(DlsFrameView *view);
/* Frees all but what a picture shows of the elements: centres, radii, loads, and whose they are. A
 * text of lines and grains is as large as what is let go. */
void dls_frame_view_let_go(DlsFrameView *view);

#endif
