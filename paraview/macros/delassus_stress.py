"""Macro: the selected bodies.pvd becomes stress crosses coloured by pressure. Where the run did not write `stress`, contacts.pvd
has to be open too. The plugin has to be loaded."""
import paraview.simple as pv

bodies, view = pv.GetActiveSource(), pv.GetActiveViewOrCreate("RenderView")
if not hasattr(pv, "DelassusStressGlyphs"):
    raise RuntimeError("load the plugin first: Tools > Manage Plugins > Load New, paraview/delassus.py")
if bodies is None or "radius" not in bodies.PointData.keys():
    raise RuntimeError("select bodies.pvd of a run first, and Apply")
if "stress" not in bodies.PointData.keys():
    readers = [source for source in pv.GetSources().values() if "FileName" in source.ListProperties()]
    contacts = [reader for reader in readers if "contacts.pvd" in str(reader.FileName)]
    if not contacts:
        raise RuntimeError("open contacts.pvd of the run too: its forces make the stress")
    bodies = pv.DelassusGrainStress(Bodies=bodies, Contacts=contacts[0])
    pv.RenameSource("Grain stress", bodies)
glyphs = pv.DelassusStressGlyphs(Input=bodies, Glyph="Crosses")
pv.RenameSource("Stress crosses", glyphs)
display = pv.Show(glyphs, view)
display.LineWidth = 2.0
pv.ColorBy(display, ("POINTS", "pressure"))
display.RescaleTransferFunctionToDataRange(True, False)
display.SetScalarBarVisibility(view, True)
pv.Render(view)
