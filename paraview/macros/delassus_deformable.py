"""Macro: the selected deformable.pvd, the moved mesh, is coloured by `von_mises`, with its edges, and has the principal directions
of its stress as crosses. The plugin has to be loaded for the crosses."""
import paraview.simple as pv

mesh, view = pv.GetActiveSource(), pv.GetActiveViewOrCreate("RenderView")
if mesh is None or "von_mises" not in mesh.PointData.keys():
    raise RuntimeError("select deformable.pvd of a run first, and Apply")
display = pv.Show(mesh, view)
display.Representation = "Surface With Edges"
display.EdgeColor = [0.25, 0.25, 0.25]
pv.ColorBy(display, ("POINTS", "von_mises"))
display.RescaleTransferFunctionToDataRange(True, False)
pv.GetColorTransferFunction("von_mises").ApplyPreset("Viridis (matplotlib)", True)
display.SetScalarBarVisibility(view, True)
if hasattr(pv, "DelassusStressGlyphs"):
    crosses = pv.DelassusStressGlyphs(Input=mesh, Glyph="Crosses")
    pv.RenameSource("Stress crosses", crosses)
    shown = pv.Show(crosses, view)
    shown.LineWidth = 2.0
    pv.ColorBy(shown, None)
    shown.AmbientColor = shown.DiffuseColor = [0.0, 0.0, 0.0]
pv.Render(view)
