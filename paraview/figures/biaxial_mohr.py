"""Mohr's circle of the mean stress in a disk within a biaxial test, and the tractions on 31 diameters of that disk."""
import paraview.simple as pv
from chart import CIRCLE, LINE, Chart

chart = Chart("Mohr's circle of a probe, and 31 cuts through it",
              "normal stress, Pa (tension positive)", "shear stress, Pa", 640, 560)
probe = pv.DelassusStressProbe(Bodies=chart.read("bodies"), Contacts=chart.read("contacts"),
                               Centre=[0.095, 0.095, 0], Radius=0.06)
chart.curve(probe, 1, "normal_stress", {"shear_stress": ("mean stress", "red", LINE)})
chart.curve(probe, 2, "normal_cut", {"tangential_cut": ("cuts", "blue", CIRCLE)})
chart.ranges((-2250, -450), (-800, 800))
chart.save()
