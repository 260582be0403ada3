"""A print of a foot in a bed of disks, when the foot has left: by how far grains have moved."""
from figure import Figure

figure = Figure(1000, 400, time=1.2)
figure.grains(opacity=0.35)
figure.colour(figure.chains(), "force_ratio", "Inferno (matplotlib)", bar=False, span=(0, 6), invert=True)
figure.walls(bounds=(0, 0.56, 0, 0.32))
figure.caption("A foot in a bed of disks")
figure.look(bounds=(0, 0.56, 0, 0.2, 0, 0), legend=False).save()
