"""Grains of a silo at rest, shaded by load: the sum of the normal forces on each. The front half is cut away."""
from figure import Figure

figure = Figure(560, 700)
balls = figure.grains(figure.behind())
figure.colour(balls, "load", "Inferno (matplotlib)", "load", "N", span=(0, 2), invert=True)
figure.walls(opacity=0.4)
figure.caption("Grains behind y = 0, by load")
figure.look(bounds=(-0.06, 0.06, -0.06, 0.06, 0.19, 0.37)).save()
