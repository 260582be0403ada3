"""Force chains of a silo at rest: tubes as thick as the normal force, contacts above half the mean."""
from figure import Figure

figure = Figure(560, 700)
figure.grains(opacity=0.08)
tubes = figure.chains(threshold=0.5)
figure.colour(tubes, "force_ratio", "Inferno (matplotlib)", "force / mean", span=(0, 5), invert=True)
figure.walls(opacity=0.4)
figure.caption("Force chains before the gate opens")
figure.look(bounds=(-0.06, 0.06, -0.06, 0.06, 0.19, 0.37)).save()
