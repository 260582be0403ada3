"""A heap of spheres on a plane that rolling friction holds, by the number of contacts."""
from figure import Figure

figure = Figure(640, 420)
balls = figure.grains()
figure.colour(balls, "coordination", "Viridis (matplotlib)", "contacts", span=(0, 8))
figure.caption("150 spheres at rest on a plane, held by rolling friction")
figure.look(direction=(0.3, -1, 0.25)).save()
