"""Wet beads: contacts that push and bridges that pull."""
from figure import Figure

WORDS = {0: ("dry", [0.6, 0.6, 0.6]), 1: ("wet, pushes", [0.84, 0.19, 0.15]), 2: ("wet, pulls", [0.13, 0.4, 0.67])}
figure = Figure(640, 560)
figure.grains(opacity=0.3)
marks = figure.marks(figure.read("contacts"), "Sphere", 0.0004, None)
figure.colour(figure.show(marks), "cohesion", title="contact", labels=WORDS)
figure.caption("Wet beads: contacts that push and bridges that pull")
figure.look(direction=(0.4, -1, 0.5)).save()
