"""Stress of each disk, computed by the filter from contacts, as an ellipse, coloured by its deviator:
the radius of Mohr's circle."""
import paraview.simple as pv
from figure import Figure

figure = Figure(700, 640)
figure.grains(opacity=0.35)
ellipses = figure.show(pv.DelassusStressGlyphs(Input=pv.DelassusGrainStress(
    Bodies=figure.read("bodies"), Contacts=figure.read("contacts"))))
ellipses.Ambient, ellipses.Diffuse = 1.0, 0.0
figure.colour(ellipses, "deviator", "Inferno (matplotlib)", "deviator", "Pa", span=(0, 2500), invert=True)
figure.walls()
figure.caption("Stress ellipses by deviator")
figure.look().save()
