"""A larger ball among the cannon balls that it has struck, by speed."""
from figure import Figure

figure = Figure(720, 520)
balls = figure.grains(figure.behind())
figure.colour(balls, "velocity", "Viridis (matplotlib)", "speed", "m/s", span=(0, 4))
figure.caption("A ball of 15 cm at 5 m/s onto cannon balls of 5 cm")
figure.look(direction=(0.3, -1, 0.25)).save()
