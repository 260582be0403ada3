"""A rigid punch on an elastic block: von Mises stress, and crosses along the principal directions of the stress of each cell."""
import paraview.simple as pv
from figure import DARK, INK, Figure

figure = Figure(860, 480)
block = figure.read("deformable")
display = figure.mesh(figure.scaled(block, "von_mises/1000", "kilo"), width=0)
figure.colour(display, "kilo", "Viridis (matplotlib)", "von Mises", "kPa", span=(0, 40))
crosses = pv.DelassusStressGlyphs(Input=block, Glyph="Crosses", Where="Cells, else points", ScaleFactor=4e-8)
figure.show(crosses, [1, 1, 1], kind="Wireframe", width=1)
figure.show(figure.read("solids"), DARK)
figure.caption("A punch on an elastic block: von Mises, principal directions")
figure.look(bounds=(-0.0505, 0.0505, -0.0505, 0.01, 0, 0)).save()
