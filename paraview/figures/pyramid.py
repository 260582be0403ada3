"""Cannon balls at rest and the forces that hold them."""
from figure import Figure

figure = Figure(640, 560)
balls = figure.grains(opacity=0.25)
figure.colour(balls, "load", "Oranges", "load", "N", bar=False)
tubes = figure.chains(radius=0.004)
figure.colour(tubes, "normal_force", "Inferno (matplotlib)", "normal force", "N", span=(0, 120), invert=True)
figure.caption("Cannon balls: the forces that hold them")
figure.look(direction=(0.4, -1, 0.5)).save()
