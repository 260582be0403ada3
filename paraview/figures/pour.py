"""Disks poured on a trap door, by speed."""
from figure import Figure

figure = Figure(560, 700)
disks = figure.grains()
figure.colour(disks, "velocity", "Viridis (matplotlib)", "speed", "m/s", span=(0, 2))
figure.walls()
figure.caption("Source and trap door, 0.2 s after it opened")
figure.look(bounds=(-0.1, 0.1, -0.15, 0.36, 0, 0)).save()
