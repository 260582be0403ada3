"""Three sizes of beads in a box, shaken for 20 s, by radius: seen from above (left) and, turned over, from below (right)."""
import paraview.simple as pv
from figure import Figure

figure = Figure(900, 420)
beads = figure.read("bodies")
over = pv.Transform(Input=beads, Transform="Transform")
over.Transform.Rotate, over.Transform.Translate = [180, 0, 0], [0.042, 0.036, 0.008]
for source, bar in ((beads, False), (over, True)):
    figure.colour(figure.grains(source, resolution=14), "radius", "Viridis (matplotlib)", "radius", "m", span=(0.0008, 0.001), bar=bar)
figure.caption("A shaken box after 20 s: from above, and from below")
figure.look(bounds=(0, 0.078, 0, 0.036, 0, 0.008), direction=(0, -0.5, 1)).save()
