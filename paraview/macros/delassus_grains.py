"""Macro: the selected bodies.pvd becomes balls of `radius`, coloured by `load` (or `pressure`, where the run wrote it)."""
from paraview.simple import ColorBy, GetActiveSource, GetActiveViewOrCreate, Glyph, Hide, RenameSource, Render, Show

bodies, view = GetActiveSource(), GetActiveViewOrCreate("RenderView")
if bodies is None or "radius" not in bodies.PointData.keys():
    raise RuntimeError("select bodies.pvd of a run first, and Apply")
glyph = Glyph(Input=bodies, GlyphType="Sphere", GlyphMode="All Points", ScaleFactor=2.0)
glyph.OrientationArray, glyph.ScaleArray = ["POINTS", "No orientation array"], ["POINTS", "radius"]
glyph.GlyphType.ThetaResolution = glyph.GlyphType.PhiResolution = 20
RenameSource("Grains", glyph)
display = Show(glyph, view)
ColorBy(display, ("POINTS", "pressure" if "pressure" in bodies.PointData.keys() else "load"))
display.RescaleTransferFunctionToDataRange(True, False)
display.SetScalarBarVisibility(view, True)
Hide(bodies, view)
Render(view)
