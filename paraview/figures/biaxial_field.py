"""The coarse-grained stress of a biaxial test, from the grid that `delassus post field` wrote into the folder of the run as
field.vtu: pressure, and crosses along the principal directions."""
import os

import paraview.simple as pv
from figure import Figure

figure = Figure(700, 640)
field = pv.XMLUnstructuredGridReader(FileName=[os.path.join(figure.folder, "field.vtu")])
surface = figure.show(field)
surface.Ambient, surface.Diffuse = 1.0, 0.0
figure.colour(surface, "pressure", "Viridis (matplotlib)", "pressure", "Pa", span=(0, 3000))
crosses = pv.DelassusStressGlyphs(Input=pv.MaskPoints(Input=field, OnRatio=8, MaximumNumberofPoints=100000, GenerateVertices=1),
                                  Glyph="Crosses")
figure.show(crosses, [1, 1, 1], kind="Wireframe", width=1.5)
figure.walls()
figure.caption("Coarse-grained stress, Gaussian of width 1.5 d")
figure.look().save()
