"""Sand in an hourglass, by speed."""
from figure import Figure

figure = Figure(480, 700)
balls = figure.grains(resolution=12)
figure.colour(balls, "velocity", "Viridis (matplotlib)", "speed", "m/s", span=(0, 1))
figure.walls(opacity=0.5)
figure.caption("Hourglass")
figure.look(bounds=(-0.05, 0.05, -0.05, 0.05, -0.07, 0.07), direction=(0.2, -1, 0.15)).save()
