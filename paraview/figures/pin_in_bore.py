"""A pin in a bore with friction, pressed down: von Mises stress near the bore, and the normal forces; white ones stick, red ones slip."""
import paraview.simple as pv
from figure import STATUS, Figure

figure = Figure(700, 640)
near = figure.scaled(figure.read("deformable"), "von_mises/1000000", "mega")
for place, normal in (((0.1, 0, 0), (1, 0, 0)), ((0, -0.1, 0), (0, -1, 0)), ((0, 0.075, 0), (0, 1, 0))):
    near = pv.Clip(Input=near, ClipType="Plane", Invert=1)
    near.ClipType.Origin, near.ClipType.Normal = place, normal
figure.colour(figure.mesh(near), "mega", "Viridis (matplotlib)", "von Mises", "MPa", span=(0, 30))
for status, (_, rgb) in STATUS.items():
    some = pv.Threshold(Input=figure.read("contacts"), Scalars=["POINTS", "status"], LowerThreshold=status - 0.5, UpperThreshold=status + 0.5)
    arrows = pv.Glyph(Input=some, GlyphType="Arrow", OrientationArray=["POINTS", "normal"], GlyphMode="All Points")
    arrows.ScaleArray, arrows.ScaleFactor = ["POINTS", "normal_force"], 2.5e-7
    if status > 0:  # an open one has no force
        display = figure.show(arrows, [1, 1, 1] if status == 2 else rgb)
        display.Ambient, display.Diffuse = 1.0, 0.0
figure.caption("A pin in a bore with friction: normal forces that stick (white), that slip (red)")
figure.look(bounds=(-0.001, 0.1, -0.1, 0.075, 0, 0)).save()
