"""A cantilever that has fallen on a bed of grains: von Mises stress in the beam, force chains in the bed."""
from figure import Figure

figure = Figure(860, 300)
figure.grains(figure.rigid(), opacity=0.35)
figure.colour(figure.chains(threshold=0.2), "force_ratio", "Inferno (matplotlib)", bar=False, span=(0, 6), invert=True)
beam = figure.mesh(figure.scaled(figure.read("deformable"), "von_mises/1000", "kilo"))
figure.colour(beam, "kilo", "Viridis (matplotlib)", "von Mises", "kPa", span=(0, 40))
figure.walls(bounds=(-0.011, 0.611, -0.001, 0.08))
figure.caption("A cantilever on grains")
figure.look(bounds=(-0.012, 0.612, -0.002, 0.13, 0, 0)).save()
