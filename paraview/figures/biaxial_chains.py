"""Force chains of a biaxial test upon its disks, shaded by load."""
from figure import Figure

figure = Figure(700, 640)
disks = figure.grains()
figure.colour(disks, "load", "Grayscale", "load", "N", span=(0, 120), invert=True, bar=False)
tubes = figure.chains(threshold=0.3)
figure.colour(tubes, "force_ratio", "Inferno (matplotlib)", "force / mean", span=(0, 4), invert=True)
figure.walls()
figure.caption("Biaxial test: disks by load, force chains")
figure.look().save()
