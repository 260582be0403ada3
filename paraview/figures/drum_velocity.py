"""A turning drum: speed of the grains, and arrows along it."""
import paraview.simple as pv
from figure import INK, Figure

figure = Figure(700, 640)
disks = figure.grains()
figure.colour(disks, "velocity", "Viridis (matplotlib)", "speed", "m/s", span=(0, 0.4))
arrows = pv.Glyph(Input=figure.read("bodies"), GlyphType="2D Glyph", GlyphMode="All Points")
arrows.GlyphType.GlyphType, arrows.GlyphType.Filled = "Arrow", 0
arrows.OrientationArray, arrows.ScaleArray = ["POINTS", "velocity"], ["POINTS", "velocity"]
arrows.VectorScaleMode, arrows.ScaleFactor = "Scale by Magnitude", 0.07
figure.show(arrows, INK, kind="Wireframe", width=2)
figure.walls()
figure.caption("Drum after 3 s, one turn in 10 s")
figure.look(bounds=(-0.25, 0.25, -0.25, 0.25, 0, 0)).save()
