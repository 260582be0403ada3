"""A rigid punch on an elastic block: von Mises stress, and crosses along the principal directions of the stress of each cell."""
import paraview.simple as pv
from figure import Figure

figure = Figure(860, 480)
figure.colour(figure.mesh(edges=0.15), "von_mises", "Inferno (matplotlib)", "von Mises", "kPa", span=(0, 60e3), scale=1e-3)
figure.look(bounds=(-0.05, 0.05, -0.05, 0.012, 0, 0)).save()
