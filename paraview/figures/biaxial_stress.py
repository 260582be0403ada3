"""Stress of each disk, as the run wrote it: crosses along the principal directions, as long as the principal values."""
import paraview.simple as pv
from figure import Figure

figure = Figure(700, 640)
disks = figure.grains()
figure.colour(disks, "pressure", "Blues", "pressure", "Pa", span=(0, 4000), invert=True)
cross = pv.DelassusStressGlyphs(Input=figure.read("bodies"), Glyph="Crosses")
figure.show(cross, [0.75, 0.1, 0.1], kind="Wireframe", width=2)
figure.walls()
figure.caption("Stress of each disk: pressure and principal directions")
figure.look().save()
