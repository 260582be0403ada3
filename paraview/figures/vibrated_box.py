"""Shaken beads of three sizes."""
from figure import Figure

figure = Figure(560, 640)
balls = figure.grains(resolution=12)
figure.colour(balls, "radius", "Viridis (matplotlib)", "radius", "m", span=(0.0008, 0.001))
figure.walls(opacity=0.5)
figure.caption("Vibrated box: beads by radius")
figure.look().save()
