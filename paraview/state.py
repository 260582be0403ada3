"""A ready state: grains by load, force chains and boundaries of a run, at its last frame. In ParaView: File > Load State, this
file; or `DELASSUS_RUN=out/silo paraview paraview/state.py`. Without DELASSUS_RUN the run is out/silo of the current folder."""
import os

import paraview.simple as pv

try:
    here = os.path.dirname(os.path.abspath(__file__))
except NameError:  # some versions run state scripts as text
    here = os.path.join(os.getcwd(), "paraview")
run = os.environ.get("DELASSUS_RUN", os.path.join("out", "silo"))
if not os.path.exists(os.path.join(run, "bodies.pvd")):
    raise RuntimeError("%s has no bodies.pvd; set DELASSUS_RUN to the folder of a run" % os.path.abspath(run))
pv.LoadPlugin(os.path.join(here, "delassus.py"), remote=False, ns=pv.__dict__)

view = pv.GetActiveViewOrCreate("RenderView")
bodies, contacts, chains, boundaries = (
    pv.PVDReader(registrationName=name, FileName=os.path.join(os.path.abspath(run), name + ".pvd"))
    for name in ("bodies", "contacts", "chains", "boundaries"))
scene = pv.GetAnimationScene()
scene.UpdateAnimationUsingDataTimeSteps()
scene.GoToLast()

grains = pv.Glyph(registrationName="Grains", Input=bodies, GlyphType="Sphere", GlyphMode="All Points", ScaleFactor=2.0)
grains.OrientationArray, grains.ScaleArray = ["POINTS", "No orientation array"], ["POINTS", "radius"]
grains.GlyphType.ThetaResolution = grains.GlyphType.PhiResolution = 20
balls = pv.Show(grains, view)
pv.ColorBy(balls, ("POINTS", "load"))
balls.RescaleTransferFunctionToDataRange(True, False)
balls.Opacity = 0.15

tubes = pv.DelassusForceChains(registrationName="Force chains", Input=chains, Threshold=0.5)
shown = pv.Show(tubes, view)
pv.ColorBy(shown, ("POINTS", "force_ratio"))
table = pv.GetColorTransferFunction("force_ratio")
table.ApplyPreset("Inferno (matplotlib)", True)
table.InvertTransferFunction()
table.RescaleTransferFunction(0, 5)
shown.SetScalarBarVisibility(view, True)

stress = pv.DelassusGrainStress(registrationName="Grain stress", Bodies=bodies, Contacts=contacts)
crosses = pv.DelassusStressGlyphs(registrationName="Stress crosses (hidden)", Input=stress, Glyph="Crosses")
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [1.0, -2.2, 0.9], [0, 0, 0.2], [0, 0, 1]
pv.ResetCamera(view)  # before the boundaries, which may be far larger than the grains
outline = pv.Show(boundaries, view)
outline.Representation = "Wireframe"
outline.AmbientColor = outline.DiffuseColor = [0.8, 0.8, 0.8]
pv.SetActiveSource(tubes)
