"""Moreau's check of the stress tensor (2001, Fig. 3): tractions on 31 diameters of a disk against the sinusoids of
the mean stress."""
import paraview.simple as pv
from chart import CIRCLE, LINE, Chart

chart = Chart("Tractions on 31 diameters of a probe, and those of its stress tensor",
              "angle of the normal, degrees", "traction, Pa")
probe = pv.DelassusStressProbe(Bodies=chart.read("bodies"), Contacts=chart.read("contacts"),
                               Centre=[0.095, 0.095, 0], Radius=0.06)
chart.curve(probe, 2, "angle", {
    "normal_tensor": ("normal, tensor", "red", LINE), "normal_cut": ("normal, cuts", "red", CIRCLE),
    "tangential_tensor": ("tangential, tensor", "blue", LINE), "tangential_cut": ("tangential, cuts", "blue", CIRCLE)})
chart.ranges((0, 180), (-2500, 1600))
chart.save()
