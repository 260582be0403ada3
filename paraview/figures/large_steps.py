"""Disks that fall with steps of 0.1 s: the sixth step."""
from figure import Figure

figure = Figure(640, 640, time=0.6)
disks = figure.grains()
figure.colour(disks, "velocity", "Viridis (matplotlib)", "speed", "m/s", span=(0, 1.2))
figure.walls(bounds=(0, 0.6, 0, 2))
figure.caption("Six steps of 0.1 s: no two overlap")
figure.look(bounds=(-0.02, 0.62, -0.02, 1.2, 0, 0)).save()
