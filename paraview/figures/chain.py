"""A rope of beads that caught a ball, and a rod that bends under its weight."""
from figure import Figure

figure = Figure(700, 460)
balls = figure.grains()
figure.colour(balls, "kinetic_energy", "Viridis (matplotlib)", "kinetic energy", "J")
figure.caption("Chains with springs and bending springs")
figure.look(bounds=(-0.32, 0.76, -0.03, 0.03, 0.0, 0.4), direction=(0.1, -1, 0.15)).save()
