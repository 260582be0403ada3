"""Speed of the grains while the silo empties."""
from figure import Figure

figure = Figure(560, 700)
balls = figure.grains(figure.behind())
figure.colour(balls, "velocity", "Viridis (matplotlib)", "speed", "m/s", span=(0, 1))
figure.walls(opacity=0.4)
figure.caption("Discharge: grains behind y = 0, by speed")
figure.look(bounds=(-0.1, 0.1, -0.1, 0.1, 0.0, 0.36)).save()
