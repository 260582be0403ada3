"""Soft spheres settled in a box, by the number of their contacts."""
from figure import Figure

figure = Figure(560, 640)
balls = figure.grains()
figure.colour(balls, "coordination", "Viridis (matplotlib)", "contacts", span=(0, 8))
figure.walls(opacity=0.5)
figure.caption("Soft spheres: coordination")
figure.look().save()
