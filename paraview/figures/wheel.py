"""A wheel with an elastic tyre when it has dropped on gravel: von Mises stress, and the forces in the gravel."""
from figure import Figure

figure = Figure(760, 560, time=0.12)
figure.solids(opacity=0.6)
figure.colour(figure.chains(threshold=0.2), "force_ratio", "Inferno (matplotlib)", bar=False, span=(0, 6), invert=True)
wheel = figure.mesh(figure.scaled(figure.read("deformable"), "von_mises/1000", "kilo"))
figure.colour(wheel, "kilo", "Viridis (matplotlib)", "von Mises", "kPa", span=(0, 120))
figure.walls(bounds=(0, 1, -0.001, 0.05))
figure.caption("An elastic tyre on gravel")
figure.look(bounds=(0.12, 0.8, -0.008, 0.57, 0, 0)).save()
