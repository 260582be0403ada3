"""Irregular polygons in a biaxial test (Moreau 2004, Fig. 3): force chains upon the grains, a probe and its principal stresses."""
import paraview.simple as pv
from figure import Figure

figure = Figure(760, 520)
figure.solids(opacity=0.6)
figure.colour(figure.chains(threshold=0.3), "force_ratio", "Inferno (matplotlib)", "force / mean", span=(0, 4), invert=True)
box = figure.box()
centre = [0.5 * (box[0] + box[1]), 0.5 * (box[2] + box[3]), 0]
probe = pv.DelassusStressProbe(Bodies=figure.read("bodies"), Contacts=figure.read("contacts"), Centre=centre, Radius=0.055)
figure.show(pv.Transform(Input=pv.Tube(Input=probe, Radius=0.0008)), [0.1, 0.35, 0.75])
figure.caption("Biaxial test of polygons, and a probe")
figure.look().save()
