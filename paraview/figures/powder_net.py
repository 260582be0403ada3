"""A cohesive powder under a piston: forces that push (red) and that pull (blue), as thick as they are large."""
from figure import Figure

figure = Figure(620, 600)
figure.grains(opacity=0.08, resolution=16)
figure.colour(figure.chains(threshold=0.1, radius=0.00005), "force_ratio", "Cool to Warm", "f / mean push", span=(-1, 1))
figure.caption("Cohesive powder: forces that push (red), that pull (blue)")
figure.look(direction=(0.25, -1, 0.15)).save()
