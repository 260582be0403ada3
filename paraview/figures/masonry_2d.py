"""A wall of bricks on shaking ground, by speed."""
from figure import Figure

figure = Figure(900, 560)
figure.speed(figure.solids(), span=(0, 1.5))
figure.caption("Masonry on shaking ground")
figure.look().save()
