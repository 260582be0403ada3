"""Frames in pieces (output.pieces): VTK reads from a .pvtu the points, arrays and values of the .vtu of the same run in one piece, the PVD
file lists it, a run that goes on from a checkpoint leaves the same files, and a longer run before leaves none behind.

    pieces_check.py PROGRAM INPUT FOLDER

Exit status 0 when all is well, 1 with a line for each fault, 77 where VTK is not installed, which in continuous integration is a fault."""
import filecmp, os, re, shutil, subprocess, sys

try:
    import numpy, vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError as missing:
    print("skipped: %s (Debian: python3-numpy, python3-vtk9)" % missing)
    sys.exit(1 if os.environ.get("CI", "") not in ("", "0", "false") else 77)

program, decks, folder = sys.argv[1:4]
faults = []
PIECES = 3


def run(*words, expect=0):
    process = subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if process.returncode != expect:
        faults.append("%s: exit status %d\n%s" % (" ".join(words), process.returncode, process.stdout))
    return process.stdout


def make(out, end, *settings):
    words = [word for setting in ("time.end=%s" % end, "output.every=0.02", *settings) for word in ("--set", setting)]
    run("run", os.path.join(decks, "pour.yaml"), "--quiet", "--overwrite", *words, "--out", os.path.join(folder, out))


def read(path):
    reader = vtk.vtkXMLPUnstructuredGridReader() if path.endswith(".pvtu") else vtk.vtkXMLUnstructuredGridReader()
    reader.AddObserver("ErrorEvent", lambda caller, event: faults.append("%s: VTK cannot read it" % path))
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def same(name, a, b):
    """Points, arrays, cells."""
    if a.GetNumberOfPoints() != b.GetNumberOfPoints() or a.GetNumberOfCells() != b.GetNumberOfCells():
        return faults.append("%s: %d points and %d in pieces" % (name, a.GetNumberOfPoints(), b.GetNumberOfPoints()))
    if a.GetNumberOfPoints() == 0:
        return False
    if not numpy.array_equal(vtk_to_numpy(a.GetPoints().GetData()), vtk_to_numpy(b.GetPoints().GetData())):
        faults.append("%s: points differ" % name)
    for k in range(a.GetNumberOfCells()):
        ids = [[g.GetCell(k).GetPointId(n) for n in range(g.GetCell(k).GetNumberOfPoints())] for g in (a, b)]
        if ids[0] != ids[1] or a.GetCellType(k) != b.GetCellType(k):
            faults.append("%s: cell %d differs" % (name, k))
            break
    names = [sorted(g.GetPointData().GetArrayName(k) for k in range(g.GetPointData().GetNumberOfArrays())) for g in (a, b)]
    if names[0] != names[1]:
        faults.append("%s: arrays %s, in pieces %s" % (name, *names))
    for array in set(names[0]) & set(names[1]):
        x, y = [vtk_to_numpy(g.GetPointData().GetArray(array)) for g in (a, b)]
        if x.dtype != y.dtype or not numpy.array_equal(x, y, equal_nan=x.dtype.kind == "f"):
            faults.append("%s: %s differs" % (name, array))
    return True


shutil.rmtree(folder, ignore_errors=True)
make("whole", 0.2)
make("pieces", 0.3, "output.pieces=%d" % PIECES)
make("pieces", 0.2, "output.pieces=%d" % PIECES)
whole, pieces = os.path.join(folder, "whole"), os.path.join(folder, "pieces")
with_points = 0
for series in ("bodies", "contacts", "chains"):
    listed = re.findall('file="([^"]*)"', open(os.path.join(pieces, series + ".pvd")).read())
    files = sorted(name for name in os.listdir(pieces) if name.startswith(series + "_"))
    if len(listed) < 5 or not all(name.endswith(".pvtu") for name in listed):
        faults.append("%s.pvd lists %s" % (series, listed))
    if len(files) != len(listed) * (PIECES + 1):
        faults.append("%s: %d frames have %d files" % (series, len(listed), len(files)))
    for name in listed:
        one = os.path.join(whole, name.replace(".pvtu", ".vtu"))
        with_points += bool(same(name, read(one), read(os.path.join(pieces, name))))
if with_points < 5:
    faults.append("only %d frames have points; the run shows nothing" % with_points)
# Gone on with from its middle, and from a PVD file that was lost.
make("broken", 0.1, "output.pieces=%d" % PIECES)
broken = os.path.join(folder, "broken")
open(os.path.join(broken, "bodies.pvd"), "w").close()
run("run", "--restart", os.path.join(broken, "checkpoint.h5"), "--quiet", "--set", "time.end=0.2")
for name in sorted(os.listdir(pieces)):
    if name.endswith((".vtu", ".pvtu", ".pvd")) and not filecmp.cmp(os.path.join(pieces, name), os.path.join(broken, name), False):
        faults.append("gone on with: %s differs" % name)
text = run("post", "stress", pieces, expect=2)
if "output.pieces" not in text:
    faults.append("post on pieces says %s" % text)
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
