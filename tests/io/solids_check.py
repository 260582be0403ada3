"""Bodies with corners in the files of runs, read back by VTK and measured against closed forms.

    solids_check.py PROGRAM FOLDER

Cells of solids.pvd: their volume, by VTK and by their faces, is that of the shape; faces look outwards; every array of bodies is
there. Faces: resultant, area and centre of pressure of a block on a slope are those of statics. Post-processing: the mean stress
of a column is -rho g H / 2, a cut carries the weight above it, a field adds up to the moments of grains; bricks between pressed walls have
the pressures of the walls, stresses of grains sum up to the moments of wall forces.

Exit status 0 when all is well, 1 with one line for each fault, 77 when VTK is not installed.
"""
import json
import math
import os
import subprocess
import sys

import vtu_check  # ends with 77 where VTK is missing
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

program, folder = sys.argv[1:3]
os.makedirs(folder, exist_ok=True)
G = 10.0

HEAD = """
dimension: %d
time: {step: 1 ms, end: %s}
gravity: %s
materials: {stone: {density: 2000}}
laws: [{law: coulomb, parameters: {mu: %g}}]
solver: {tolerance: 1e-12, max_iterations: 200000}
output: {every: %s, post: [stress, fabric, chains], compress: %s}
"""


def head(dim, end, gravity, mu=0.8, every="1 ms", compress="true"):
    return HEAD % (dim, end, gravity, mu, every, compress)


def run(name, text):
    deck, out = os.path.join(folder, name + ".yaml"), os.path.join(folder, name)
    with open(deck, "w") as file:
        file.write("title: %s\n" % name + text)
    subprocess.run([program, "run", deck, "--out", out, "--overwrite"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return out


def last(out, series):
    number = max(n for n in os.listdir(out) if n.startswith(series + "_") and n.endswith(".vtu"))
    return os.path.join(out, number)


def near(path, what, found, wanted, tolerance):
    found, wanted = np.asarray(found, float), np.asarray(wanted, float)
    apart = np.abs(found - wanted).max(initial=0)
    if found.shape != wanted.shape or not apart <= tolerance:
        vtu_check.fault(path, "%s is %s, not %s (%g apart, %g allowed)" % (what, found, wanted, apart, tolerance))


def arrays(data):
    return {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}


def by_faces(cell):
    """Volume by the faces of a polyhedron, and whether all look away from its middle."""
    points = vtk_to_numpy(cell.GetPoints().GetData())
    middle, volume, outward = points.mean(axis=0), 0, True
    edges = {}
    for k in range(cell.GetNumberOfFaces()):
        face = cell.GetFace(k)
        x = vtk_to_numpy(face.GetPoints().GetData()) - middle
        ids = [face.GetPointId(i) for i in range(len(x))]
        area = sum(np.cross(x[i] - x[0], x[i + 1] - x[0]) for i in range(1, len(x) - 1))
        volume += sum(np.dot(x[0], np.cross(x[i], x[i + 1])) for i in range(1, len(x) - 1)) / 6
        outward = outward and np.dot(area, x.mean(axis=0)) > 0
        for i in range(len(ids)):
            edge = (ids[i], ids[(i + 1) % len(ids)])
            edges[edge] = edges.get(edge, 0) + 1
    closed = all(n == 1 and edges.get((b, a)) == 1 for (a, b), n in edges.items())
    return volume, outward, closed


SHAPES = [
    "shape: {kind: box, lengths: [1, 2, 3]}, turn: [0.3, 0.4, 0.5], position: [0, 0, 0]",
    "shape: {kind: hull, points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]}, turn: [1, 0, 0], position: [5, 0, 0]",
    "shape: {kind: prism, points: [0, 0, 1, 0, 1.5, 1, 0.5, 2, -0.5, 1], height: 0.7}, position: [10, 0, 0]",
    "shape: {kind: box, lengths: [1, 1, 2], rounding: 0.2}, turn: [0, 0.7, 0], position: [15, 0, 0]",
    "shape: {kind: capsule, lengths: [2], radius: 0.5}, turn: [0, 0, 1], position: [20, 0, 0]",
    "shape: {kind: hull, points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], rounding: 0.1}, position: [25, 0, 0]",
    "radius: 1, position: [30, 0, 0]",
]


def check_shapes(compress):
    bodies = "bodies:\n" + "".join("  - {material: stone, %s}\n" % s for s in SHAPES)
    out = run("shapes_" + compress, head(3, "2 ms", "[0, 0, 0]", compress=compress) + bodies)
    path = last(out, "solids")
    grid, points = vtu_check.read(path), vtu_check.read(last(out, "bodies"))
    cells, of_bodies = arrays(grid.GetCellData()), arrays(points.GetPointData())
    near(path, "cells", grid.GetNumberOfCells(), len(SHAPES) - 1, 0)
    if set(cells) != set(of_bodies):
        vtu_check.fault(path, "arrays differ from those of bodies: %s" % (set(cells) ^ set(of_bodies)))
    near(path, "corners", of_bodies["corners"], [8, 4, 10, 8, 2, 4, 0], 0)
    for name in cells:
        if not np.array_equal(cells[name], of_bodies[name][:-1]):
            vtu_check.fault(path, "array '%s' is not that of the bodies" % name)
    # Of rounded ones the surface is inscribed: below the true volume, by a tenth at most of what rounding adds to the core.
    core = [0, 0, 0, 0.6 * 0.6 * 1.6, 0, 1 / 6]
    measure = vtk.vtkCellSizeFilter()
    measure.SetInputData(grid)
    measure.Update()
    by_vtk = vtk_to_numpy(measure.GetOutput().GetCellData().GetArray("Volume"))
    exact = [6, 1 / 6, 0.7 * 2.5]
    near(path, "volumes", cells["volume"][:3], exact, 1e-14)
    for k in range(grid.GetNumberOfCells()):
        if grid.GetCellType(k) != vtk.VTK_POLYHEDRON:
            vtu_check.fault(path, "cell %d is no polyhedron" % k)
        volume, outward, closed = by_faces(grid.GetCell(k))
        true = cells["volume"][k]
        if not outward or not closed:
            vtu_check.fault(path, "cell %d: outward %s, closed %s" % (k, outward, closed))
        slack = 1e-12 if k < 3 else 0.1 * (true - core[k])
        if not true - slack <= volume <= true * (1 + 1e-12):
            vtu_check.fault(path, "cell %d has the volume %g, its shape %g" % (k, volume, true))
        # Quadrilaterals of rounded corners are not plane: the volume depends on how they are split.
        near(path, "VTK's volume of cell %d" % k, by_vtk[k], volume, 1e-2 * slack if k in (3, 5) else 1e-9)
    # A frame has the centre of mass, wherever the origin of the shape is.
    near(path, "points", vtk_to_numpy(points.GetPoints().GetData()), of_bodies["mass_centre"], 1e-14)


def check_plane():
    shapes = ["shape: {kind: box, lengths: [1, 4]}, turn: [0.2], position: [0, 0]",
              "shape: {kind: regular, corners: 6, radius: 1}, position: [5, 0]",
              "shape: {kind: polygon, points: [0, 0, 2, 0, 0, 1], rounding: 0.3}, position: [10, 0]", "radius: 1, position: [15, 0]"]
    bodies = "bodies:\n" + "".join("  - {material: stone, %s}\n" % s for s in shapes)
    path = last(run("plane", head(2, "2 ms", "[0, 0]") + bodies), "solids")
    grid = vtu_check.read(path)
    measure = vtk.vtkCellSizeFilter()
    measure.SetInputData(grid)
    measure.Update()
    by_vtk = vtk_to_numpy(measure.GetOutput().GetCellData().GetArray("Area"))
    true = arrays(grid.GetCellData())["volume"]
    sides = 2 + math.sqrt(5) + 1
    near(path, "areas", true, [4, 1.5 * math.sqrt(3), 1 + 0.3 * sides + math.pi * 0.09], 1e-13)
    near(path, "VTK's areas", by_vtk[:2], true[:2], 1e-13)
    if not true[2] - 0.02 * math.pi * 0.09 <= by_vtk[2] <= true[2]:
        vtu_check.fault(path, "the rounded triangle has the area %g, not %g" % (by_vtk[2], true[2]))
    for k in range(3):
        x = vtk_to_numpy(grid.GetCell(k).GetPoints().GetData())
        if not sum(np.cross(x[i] - x[0], x[i + 1] - x[0])[2] for i in range(1, len(x) - 1)) > 0:
            vtu_check.fault(path, "polygon %d is not counter-clockwise" % k)


def check_slope():
    """Centre at the height 1 above a floor: the line of the weight meets it at (tan a, 0) from the middle."""
    a = math.atan(0.3)
    sine, cosine = math.sin(a), math.cos(a)
    deck = head(3, "5 ms", "[%.17g, 0, %.17g]" % (G * sine, -G * cosine)) + """
bodies:
  - {material: stone, shape: {kind: box, lengths: [1, 0.8, 2]}, position: [0.25, 0.5, 1]}
boundaries: {floor: {shape: plane, material: stone}}
"""
    out = run("slope", deck)
    path, weight = last(out, "faces"), 2000 * 1.6 * G
    grid = vtu_check.read(path)
    face = arrays(grid.GetCellData())
    near(path, "faces", [grid.GetNumberOfCells(), grid.GetCellType(0)], [1, vtk.VTK_POLYGON], 0)
    near(path, "area", face["area"], [0.8], 1e-12)
    near(path, "force", face["force"], [[-weight * sine, 0, weight * cosine]], 1e-9 * weight)
    near(path, "pressure", face["pressure"], [weight * cosine / 0.8], 1e-9 * weight)
    near(path, "traction", face["traction"], face["force"] / 0.8, 1e-9 * weight)
    near(path, "centre", face["centre"], [[0.25, 0.5, 0]], 1e-12)
    near(path, "centre of pressure", face["pressure_centre"], [[0.25 + math.tan(a), 0.5, 0]], 1e-8)
    near(path, "moment across", face["moment"][0, :2], [0, -weight * cosine * math.tan(a)], 1e-8 * weight)
    near(path, "twist", face["twist"], [0], 1e-8 * weight)
    near(path, "status", face["status"], [2], 0)
    x = vtk_to_numpy(grid.GetPoints().GetData())
    area = sum(np.cross(x[i] - x[0], x[i + 1] - x[0]) for i in range(1, len(x) - 1)) / 2
    near(path, "polygon", area, [0, 0, 0.8], 1e-12)
    contacts = arrays(vtu_check.read(last(out, "contacts")).GetPointData())
    near(path, "sum of the forces of points", contacts["force"].sum(axis=0), face["force"][0], 1e-12 * weight)
    near(path, "sum of the areas of points", contacts["area"].sum(), 0.8, 1e-12)
    dots = vtu_check.read(last(out, "resultants"))
    near(path, "resultants", vtk_to_numpy(dots.GetPoints().GetData()), face["pressure_centre"], 0)


def post(*words):
    return json.loads(subprocess.run([program, "post"] + list(words) + ["--json"], check=True, stdout=subprocess.PIPE).stdout)


def numbers(value):
    return np.array(value, float).reshape(-1)


def check_column():
    """Five blocks 2 m by 1 m: the mean stress of the grains is that of the continuum, -rho g H / 2, and none across."""
    deck = head(2, "5 ms", "[0, -10]") + "bodies:\n" + "".join(
        "  - {material: stone, shape: {kind: box, lengths: [2, 1]}, position: [0, %g]}\n" % (k + 0.5) for k in range(5))
    out = run("column", deck + "boundaries: {floor: {shape: plane, material: stone}}\n")
    weight = 2000 * 2 * G
    stress = numbers(post("stress", out)["stress"])
    near(out, "mean stress yy", stress[3 if len(stress) == 4 else 4], -2000 * G * 5 / 2, 1e-6 * weight)
    near(out, "solid fraction", post("stress", out)["solid"], 1, 1e-6)
    for k in range(5):
        cut = post("cut", out, "--cut", "plane:0,%g:0,1" % (k + 1e-9))
        near(out, "force across the joint %d" % k, cut[0]["force"][1], -(5 - k) * weight, 1e-8 * weight)
    fabric = post("fabric", out)
    near(out, "contacts and neighbours", [fabric["coordination"], fabric["neighbours"]], [(10 + 8) / 5, 9 / 5], 1e-12)
    # Pictures: five rectangles and no disk, of the state and of the chains of the frame; columns of blocks are chains.
    svg = os.path.join(folder, "column.svg")
    post("chains", out, "--svg", svg)
    for path in (svg, os.path.join(out, "picture.svg")):
        text = open(path).read()
        near(path, "polygons and disks", [text.count("Z\""), text.count("<circle")], [5, 0], 0)
    post("probe", out, "--svg", svg)  # grains are filled with this colour
    text = open(svg).read()
    grains = [element for element in text.split("<") if "#eeeeee" in element]
    near(svg, "grains in the window, those that are disks", [len(grains), sum(g.startswith("circle") for g in grains)], [3, 0], 0)
    cells = arrays(vtu_check.read(last(out, "solids")).GetCellData())
    near(out, "stress of each block", cells["stress"].reshape(-1, 3, 3)[:, 1, 1],
         [-(2 * (5 - k) - 1) * weight / 4 for k in range(5)], 1e-8 * weight)
    faces = arrays(vtu_check.read(last(out, "faces")).GetCellData())
    near(out, "pressure of the joints", np.sort(faces["pressure"]), [(k + 1) * weight / 2 for k in range(5)], 1e-8 * weight)


    # A field that reaches beyond all grains adds up to their moments and to their mass.
    path = os.path.join(folder, "column_field.vtu")
    words = [program, "post", "field", out, "--region", "box:-3,-2:3,7", "--grid", "61x91", "--kernel", "lucy:0.5", "--no-walls", "--out", path]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    field = arrays(vtu_check.read(path).GetPointData())
    near(path, "sum of the stress yy", 0.01 * field["stress"][:, 4].sum(), -2000 * G * 25, 1e-4 * 2000 * G * 25)
    near(path, "sum of the density", 0.01 * field["density"].sum(), 2000 * 10, 1e-4 * 2000 * 10)


def check_biaxial():
    """20 bricks that fill a box between smooth walls, two of them pressed: the mean stress has their pressures, in every way. Its shear is no
    known number, since how a wall deals out its force over rigid bricks is not unique: it is that of the places of the wall forces."""
    bricks = "".join("  - {material: stone, shape: {kind: box, lengths: [1, 0.5]}, position: [%g, %g]}\n" % (k + 0.5, 0.5 * row + 0.25)
                     for row in range(4) for k in range(5))
    walls = """boundaries:
  left: {shape: plane, material: smooth, axis: [1, 0]}
  bottom: {shape: plane, material: smooth}
  right: {shape: plane, material: smooth, position: [5, 0], axis: [-1, 0], servo: {pressure: 3 kPa, area: 2, mass: 1000}}
  top: {shape: plane, material: smooth, position: [0, 2], axis: [0, -1], servo: {pressure: 7 kPa, area: 5, mass: 1000}}
"""
    laws = "laws: [{law: coulomb, parameters: {mu: 0.8}}, {between: [stone, smooth], law: signorini}]"
    text = head(2, "5 ms", "[0, 0]").replace("laws: [{law: coulomb, parameters: {mu: 0.8}}]", laws).replace("{stone:", "{smooth: {}, stone:")
    out = run("biaxial", text + "bodies:\n" + bricks + walls)
    contact = vtu_check.read(last(out, "contacts"))
    forces, x = arrays(contact.GetPointData()), vtk_to_numpy(contact.GetPoints().GetData())
    on_walls = forces["antagonist"] < 0
    wanted = (forces["force"][on_walls].T @ x[on_walls])[:2, :2] / 10
    near(out, "pressures of the walls", np.diag(wanted), [-3000, -7000], 1e-9 * 7000)
    for words in ([], ["--average", "lines"], ["--region", "box:0,0:5,2"]):
        stress = numbers(post("stress", out, *words)["stress"])
        stress = stress.reshape(2, 2) if len(stress) == 4 else stress.reshape(3, 3)[:2, :2]
        near(out, "mean stress %s" % words, stress, wanted, 1e-9 * 7000)
    cell = arrays(vtu_check.read(last(out, "solids")).GetCellData())
    near(out, "sum over grains", (cell["volume"][:, None] * cell["stress"]).sum(axis=0).reshape(3, 3)[:2, :2] / 10, wanted, 1e-9 * 7000)
    cuts = post("cut", out, "--cut", "plane:0,%.9f:0,1" % (0.5 + 1e-9), "--cut", "plane:%.9f,0:1,0" % (1 + 1e-9))
    near(out, "force across level and upright joints", [cuts[0]["force"][1], cuts[1]["force"][0]], [-35000, -6000], 1e-9 * 35000)


def check_wall():
    """Running bond of half bricks and bricks: grain by grain f (x) arm sums up to wall forces and momentum, whatever the state."""
    bricks = []
    for row in range(4):
        for k in range(5):
            bricks.append("  - {material: stone, shape: {kind: box, lengths: [1, 0.5, 0.4]}, position: [%g, 0, %g]}\n" %
                          (k + 0.5 * (row % 2), 0.2 + 0.4 * row))
    deck = head(3, "20 ms", "[4, 0, -10]", mu=0.5, every="20 ms")
    out = run("wall", deck + "bodies:\n" + "".join(bricks) + "boundaries: {floor: {shape: plane, material: stone}}\n")
    bodies, contacts = vtu_check.read(last(out, "bodies")), vtu_check.read(last(out, "contacts"))
    body, contact = arrays(bodies.GetPointData()), arrays(contacts.GetPointData())
    lag = vtk_to_numpy(bodies.GetFieldData().GetArray("lag"))[0]
    centre = body["mass_centre"] - lag * body["velocity"]
    walls = contact["antagonist"] < 0
    x = vtk_to_numpy(contacts.GetPoints().GetData())
    grains = (body["volume"][:, None] * body["stress"]).sum(axis=0).reshape(3, 3)
    outer = contact["force"][walls].T @ x[walls] - body["contact_force"].T @ centre
    near(out, "sum over grains", grains, outer, 1e-10 * np.abs(outer).max())
    faces = arrays(vtu_check.read(last(out, "faces")).GetCellData())
    near(out, "force on the floor by faces", faces["force"][faces["antagonist"] < 0].sum(axis=0),
         contact["force"][walls].sum(axis=0), 1e-10 * np.abs(outer).max())


for compress in ("true", "false"):
    check_shapes(compress)
check_plane()
check_slope()
check_column()
check_biaxial()
check_wall()
for line in vtu_check.faults:
    print(line)
sys.exit(1 if vtu_check.faults else 0)
