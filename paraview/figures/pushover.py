"""A dry wall that is pushed by a share of its weight, turning over its foot: speed, and the forces in it."""
from figure import Figure

figure = Figure(640, 540)
figure.speed(figure.solids())
figure.walls()
figure.caption("Pushover of a dry wall, 0.68 of its weight sideways")
figure.look().save()
