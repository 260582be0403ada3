"""Directions of the contacts of a deposit on the sphere: bins of equal area as pyramids, and the net of the fit by harmonics of
order 2 and 4; without walls."""
import paraview.simple as pv
from figure import DARK, Figure

figure = Figure(640, 560)
rose = pv.DelassusFabricRose(Input=figure.read("contacts"), Shape="Sphere", Walls=0)
bins = figure.show(rose)
figure.colour(bins, "relative_density", title="density / uniform", span=(0, 2.5), where="CELLS")
figure.show(rose, DARK, kind="Wireframe", width=1.5, port=1, opacity=0.5)
figure.caption("Contact directions on the sphere, and the harmonics of order 2 and 4")
figure.look((-2, 2, -2, 2, -2.2, 2.2)).save()
