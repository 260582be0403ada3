"""Meshes of VTK's own writers are read: text, base64, raw appended, compressed or not, in 2-D and 3-D.

    mesh_vtk_check.py PROGRAM FOLDER

For each way of writing a deck with the mesh runs a few steps; its history is that of the same mesh from a file of text, byte for
byte but for times. Groups are the numbers of a cell array. Exit status 0, 1 with a line for each fault, 77 without VTK.
"""
import csv
import os
import shutil
import subprocess
import sys

try:
    import vtk
except ImportError:
    print("no VTK")
    sys.exit(77)

program, folder = sys.argv[1:3]
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
faults = []
DECK = """dimension: %d
time: {step: 1 ms, end: 20 ms, theta: 0.5}
gravity: [%s, -9.81]
materials: {rubber: {density: 1000}}
laws: [{law: coulomb, parameters: {mu: 0.3}}]
bodies:
  - material: rubber
    position: [%s]
    deformable:
      mesh: {file: %s}
      bulk: [{law: elastic, parameters: {young: 1 MPa, poisson: 0.3}}, {law: elastic, group: '7', parameters: {young: 2 MPa, poisson: 0.3}}]
boundaries: {floor: {shape: plane, material: rubber, axis: [%s, 1]}}
"""


def grid(dim):
    """Blocks of 2 x 2 (x 2) cells of edge 0.1 and, in 2-D, two triangles; half of the cells in group 7."""
    made, points, index = vtk.vtkUnstructuredGrid(), vtk.vtkPoints(), {}
    points.SetDataTypeToDouble()
    for k in range(3 if dim == 3 else 1):
        for j in range(3):
            for i in range(3):
                index[i, j, k] = points.InsertNextPoint(0.1 * i, 0.1 * j, 0.1 * k)
    made.SetPoints(points)
    groups = vtk.vtkIntArray()
    groups.SetName("group")
    square = ((0, 0), (1, 0), (1, 1), (0, 1))
    for k in range(2 if dim == 3 else 1):
        for j in range(2):
            for i in range(2):
                corners = [index[i + a, j + b, k + c] for c in range(2 if dim == 3 else 1) for a, b in square]
                if dim == 2 and (i, j) == (1, 1):
                    made.InsertNextCell(vtk.VTK_TRIANGLE, 3, [corners[0], corners[1], corners[2]])
                    made.InsertNextCell(vtk.VTK_TRIANGLE, 3, [corners[0], corners[2], corners[3]])
                    groups.InsertNextValue(7)
                    groups.InsertNextValue(3)
                    continue
                made.InsertNextCell(vtk.VTK_HEXAHEDRON if dim == 3 else vtk.VTK_QUAD, len(corners), corners)
                groups.InsertNextValue(7 if i else 3)
    made.GetCellData().AddArray(groups)
    return made


def history(name, dim):
    deck = os.path.join(folder, name + ".yaml")
    with open(deck, "w") as file:
        file.write(DECK % (dim, ", ".join("0" * (dim - 1)), ", ".join(["0"] * (dim - 1) + ["1 mm"]), name + ".vtu", ", ".join("0" * (dim - 1))))
    out = os.path.join(folder, name)
    done = subprocess.run([program, "run", deck, "--out", out], capture_output=True, text=True)
    if done.returncode:
        faults.append("%s: status %d: %s" % (name, done.returncode, done.stderr.strip()[-300:]))
        return None
    with open(os.path.join(out, "history.csv"), newline="") as file:
        rows = list(csv.reader(file))
    kept = [k for k, word in enumerate(rows[0]) if not word.endswith("_time [s]")]
    return [[row[k] for k in kept] for row in rows]


for dim in (2, 3):
    first = None
    for mode in ("Ascii", "Binary", "Appended", "AppendedRaw"):
        for compressed in (None, "vtkZLibDataCompressor"):
            for wide in (32, 64):
                writer = vtk.vtkXMLUnstructuredGridWriter()
                writer.SetInputData(grid(dim))
                getattr(writer, "SetDataModeTo" + mode.replace("Raw", ""))()
                if mode.startswith("Appended"):
                    writer.SetEncodeAppendedData(mode == "Appended")
                writer.SetCompressor(getattr(vtk, compressed)() if compressed else None)
                getattr(writer, "SetHeaderTypeToUInt%d" % wide)()
                name = "%s%d%s%d" % (mode.lower(), dim, "z" if compressed else "", wide)
                writer.SetFileName(os.path.join(folder, name + ".vtu"))
                writer.Write()
                rows = history(name, dim)
                if rows is None:
                    continue
                first = first or rows
                if rows != first:
                    faults.append("%s: another history than the text's" % name)
    if first and not float(first[-1][first[0].index("strain [J]")]) > 0:
        faults.append("%d-D: the block has not met the floor" % dim)
for line in faults:
    print(line)
sys.exit(1 if faults else 0)
