"""A hundred deformable disks, compressed: the strongest compression in them, force chains as a field of stress."""
from figure import Figure

figure = Figure(640, 540)
disks = figure.mesh(figure.scaled(figure.read("deformable"), "-principal_stress_X/1000", "kilo"), width=0)
figure.colour(disks, "kilo", "Inferno (matplotlib)", " ", "kPa", span=(0, 80), invert=True)
figure.walls(bounds=(-0.001, 0.205, -0.001, 0.185))
figure.caption("Deformable disks: the strongest compression")
figure.look(bounds=(-0.002, 0.206, -0.002, 0.187, 0, 0)).save()
