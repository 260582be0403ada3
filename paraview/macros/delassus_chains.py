"""Macro: the selected chains.pvd becomes force chains, as thick as their force. The plugin has to be loaded."""
import paraview.simple as pv

chains, view = pv.GetActiveSource(), pv.GetActiveViewOrCreate("RenderView")
if chains is not None and chains.GetDataInformation().GetNumberOfPoints() == 0:
    # The first frame of most runs has no contacts, and VTK no arrays then: take the last one.
    times = chains.TimestepValues
    last = times[-1] if hasattr(times, "__len__") else times
    pv.GetAnimationScene().AnimationTime = last
    pv.UpdatePipeline(last, chains)
if chains is None or "normal_force" not in chains.PointData.keys():
    raise RuntimeError("select chains.pvd of a run first, and Apply")
if not hasattr(pv, "DelassusForceChains"):
    raise RuntimeError("load the plugin first: Tools > Manage Plugins > Load New, paraview/delassus.py")
tubes = pv.DelassusForceChains(Input=chains, Threshold=0.5)
pv.RenameSource("Force chains", tubes)
display = pv.Show(tubes, view)
pv.ColorBy(display, ("POINTS", "force_ratio"))
table = pv.GetColorTransferFunction("force_ratio")
table.ApplyPreset("Inferno (matplotlib)", True)
table.InvertTransferFunction()
table.RescaleTransferFunction(0, 5)
display.SetScalarBarVisibility(view, True)
pv.Hide(chains, view)
pv.Render(view)
