"""Housner's block, let go at half of its angle: 0, 0.3, 0.5 and 0.6 s, and when it has hit, at 0.7 s."""
import paraview.simple as pv
from figure import Figure

figure = Figure(420, 620, time=0)
for k, moment in enumerate((0, 0.3, 0.5, 0.6, 0.7)):
    frozen = pv.ForceTime(Input=figure.read("solids"), ForcedTime=moment)
    figure.show(frozen, [0.7 - 0.15 * k, 0.75 - 0.12 * k, 0.85 - 0.06 * k], kind="Wireframe", width=3)
figure.walls()
figure.caption("A rocking block: 0, 0.3, 0.5, 0.6, 0.7 s")
figure.look(bounds=(-0.7, 1.3, -0.1, 4.2, 0, 0), legend=False).save()
