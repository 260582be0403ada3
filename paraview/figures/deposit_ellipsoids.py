"""Stress of each sphere of a deposit, as the run wrote it: an ellipsoid along its principal directions, coloured by pressure."""
import paraview.simple as pv
from figure import Figure

figure = Figure(640, 640)
glyphs = figure.show(pv.DelassusStressGlyphs(Input=figure.read("bodies")))
figure.colour(glyphs, "pressure", "Inferno (matplotlib)", "pressure", "Pa", span=(0, 5000), invert=True)
figure.walls(opacity=0.5)
figure.caption("Deposit: stress ellipsoids")
figure.look().save()
