"""A shaken pier: damage of the mortar in its joints."""
from figure import Figure

figure = Figure(480, 700, time=0.16)
figure.grains(opacity=0.6)
joints = figure.marks(figure.read("contacts"), "Sphere", 0.03, None)
balls = figure.show(joints)
figure.colour(balls, "mortar.damage", "Cool to Warm", "damage", span=(0, 1))
figure.walls()
figure.caption("Shaken pier after 0.16 s: damage of the joints")
figure.look().save()
