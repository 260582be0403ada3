"""Persons at an exit: desired velocities are blocked by contacts, whose impulses are shown."""
from figure import Figure

figure = Figure(600, 560)
disks = figure.grains()
figure.colour(disks, "velocity", "Viridis (matplotlib)", "speed", "m/s", span=(0, 1.3))
tubes = figure.chains(radius=0.02)
tubes.AmbientColor = tubes.DiffuseColor = [0.75, 0.1, 0.1]
figure.walls()
figure.caption("Crowd at an exit: speed, and who pushes whom")
figure.look(bounds=(-3.6, 0.7, -2.6, 2.6, 0, 0)).save()
