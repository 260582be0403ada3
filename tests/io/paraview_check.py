"""Checks what paraview/ computes: closed forms, and the frames of two short runs.

    paraview_check.py PROGRAM SOURCES FOLDER

Exit status 0 when all is well, 1 with one line for each fault, 77 when VTK is not installed.
"""
import glob
import json
import os
import subprocess
import sys

import vtu_check  # exits with 77 without VTK
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

program, sources, folder = sys.argv[1:4]
sys.path.insert(0, os.path.join(sources, "paraview"))
import delassus  # noqa: E402
import delassus_data as dd  # noqa: E402
import delassus_math as dm  # noqa: E402


def require(condition, name, text):
    if not condition:
        vtu_check.fault(name, text)


def near(a, b, tolerance, name, text):
    a, b = np.asarray(a, float), np.asarray(b, float)
    worst = np.max(np.abs(a - b)) if a.shape == b.shape and a.size else np.inf
    require(worst <= tolerance, name, "%s: %s against %s" % (text, a.ravel()[:9], b.ravel()[:9]))


def lattice(side, radius, force):
    """A cube of touching spheres, each contact pushing with `force`; walls push on all sides with as much."""
    index = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    number = {tuple(key): k for k, key in enumerate(index)}
    points, normals, candidate, antagonist = [], [], [], []
    for key, k in number.items():
        for axis in range(3):
            unit = np.eye(3)[axis]
            below = tuple(np.array(key) - unit.astype(int))
            points.append(np.array(key) * 2 * radius - radius * unit)
            normals.append(unit)
            candidate.append(k)
            antagonist.append(number.get(below, -1))
            if key[axis] == side - 1:
                points.append(np.array(key) * 2 * radius + radius * unit)
                normals.append(-unit)
                candidate.append(k)
                antagonist.append(-2)
    count = len(points)
    bodies = {"points": index * 2 * radius, "radius": np.full(len(index), radius), "id": np.arange(len(index)),
              "velocity": np.zeros((len(index), 3))}
    contacts = {"points": np.array(points), "normal": np.array(normals), "force": force * np.array(normals),
                "normal_force": np.full(count, force), "tangential_force": np.zeros(count),
                "candidate": np.array(candidate), "antagonist": np.array(antagonist)}
    return dm.Granulate(bodies, contacts)


def check_lattice():
    """Hydrostatic: a square of (2 r)^2 carries F, so p = F / (4 r^2), a share pi / 6 of the space in grains."""
    g = lattice(6, 0.5, 3.0)
    near(dm.grain_stress(g), np.tile(-3.0 / (np.pi / 6) * np.eye(3), (216, 1, 1)), 1e-12, "lattice", "stress")
    for kind, tolerance in (("lines", 0.3), ("centres", 0.9)):
        mean = dm.probe(g, (2.5, 2.5, 2.5), 2.4, kind)
        near(mean["stress"], -3.0 * np.eye(3), tolerance, "lattice", "probe by " + kind)
    force, area, contacts = dm.cut(g, (0, 0, 1.9), (0, 0, 2))
    near(force, (0, 0, -36 * 3.0), 1e-12, "lattice", "cut")
    require(contacts == 36 and area == 0, "lattice", "%d contacts cross, area %g" % (contacts, area))
    force, area, contacts = dm.cut(g, (2, 2, 1.9), (0, 0, -1), 1.1)
    near(force, (0, 0, 5 * 3.0), 1e-12, "lattice", "cut by a disk")  # a centre and its four neighbours
    near(area, np.pi * 1.21, 1e-12, "lattice", "area of a disk")
    force, _, contacts = dm.cut(g, (0, 0, -0.4), (0, 0, 1))  # between centres and the floor
    near(force, (0, 0, -36 * 3.0), 1e-12, "lattice", "cut above the floor")
    try:
        dm.cut(g, (0, 0, 0), (0, 0, 0))
        require(False, "lattice", "a cut without a normal is taken")
    except ValueError:
        pass


def check_state():
    stress = np.array([[-5.0, 2, 0], [2, -1, 0], [0, 0, 0]])
    state = dm.stress_state(stress, 2)
    root = np.sqrt(8.0)
    near(state["principal"], (-3 - root, -3 + root, 0), 1e-12, "state", "principal values in 2-D")
    near((state["pressure"], state["deviator"], state["ratio"]), (3, root, root / 3), 1e-12, "state", "2-D")
    circle = dm.mohr_circles(stress, 2)[0]
    normal, tangent = dm.traction(stress, np.linspace(0, np.pi, 13))
    near(np.hypot(circle[:, 0] + 3, circle[:, 1]), np.full(73, root), 1e-12, "state", "Mohr's circle")
    near(np.hypot(normal + 3, tangent), np.full(13, root), 1e-12, "state", "tractions lie on Mohr's circle")
    solid = np.array([[-6.0, 1, 2], [3, -2, 0.5], [0, -0.5, 1]])
    state = dm.stress_state(solid, 3)
    s = 0.5 * (solid + solid.T) - np.trace(solid) / 3 * np.eye(3)
    near(state["deviator"], np.sqrt(1.5 * (s * s).sum()), 1e-12, "state", "von Mises")
    rebuilt = state["axes"].T @ np.diag(state["principal"]) @ state["axes"]
    near(rebuilt, 0.5 * (solid + solid.T), 1e-12, "state", "axes and principal values")


def check_rose():
    """Directions drawn by inverse distribution from (1 + 0.4 cos 2(x - 0.3)) / 2 pi."""
    x = np.linspace(0, 2 * np.pi, 40001)
    total = (x + 0.2 * (np.sin(2 * (x - 0.3)) + np.sin(0.6))) / (2 * np.pi)
    angle = np.interp((np.arange(20000) + 0.5) / 20000, total, x)
    density, a, b = dm.rose(angle, None, 24, 2)
    near(density.sum() * 2 * np.pi / 24, 1, 1e-12, "rose", "integral")
    near(np.concatenate([a, b]), (0.4 * np.cos(0.6), 0, 0.4 * np.sin(0.6), 0), 1e-3, "rose", "Fourier fit")
    middle = (np.arange(24) + 0.5) * np.pi / 12
    near(density, dm.rose_fit(a, b, middle), 2e-3, "rose", "histogram against fit")


def check_sphere():
    """Directions of density (1 + 0.6 P2(z)) / 4 pi: heights by inverse distribution, azimuths of a golden spiral."""
    z = np.linspace(-1, 1, 40001)
    total = (z + 1 + 0.3 * (z**3 - z)) / 2
    height = np.interp((np.arange(24000) + 0.5) / 24000, total, z)
    turn = np.pi * (3 - np.sqrt(5)) * np.arange(24000)
    normal = np.stack([np.sqrt(1 - height**2) * np.cos(turn), np.sqrt(1 - height**2) * np.sin(turn), height], axis=1)
    density = dm.sphere_rose(normal)
    near(density.sum() * 4 * np.pi / 240, 1, 1e-12, "sphere", "integral")
    middle = -0.9 + 0.2 * np.arange(10)
    expected = (1 + 0.6 * (1.5 * middle**2 - 0.5)) / (4 * np.pi)
    near(density.mean(1), expected, 2e-3, "sphere", "bands")
    place = np.stack([np.sqrt(1 - middle**2), 0 * middle, middle], axis=1)
    for order in (2, 4):
        near(dm.sphere_fit(normal, place, order=order), expected, 1e-4, "sphere", "harmonics up to %d" % order)


# Bodies of several spheres, that meet while they turn.
CLUSTERS = """
time: {step: 1 ms, end: 60 ms}
gravity: [0, 0, -9.81]
materials: {wood: {density: 700}}
laws: [{law: coulomb, parameters: {mu: 0.4}}]
bodies:
  - {material: wood, position: [0, 0, 2 cm],
     cluster: [{radius: 2 cm, at: [0, 0, 0]}, {radius: 1 cm, at: [3 cm, 0, 0]}]}
  - {material: wood, position: [1 cm, 0, 6.2 cm], spin: [0, 9, 2],
     cluster: [{radius: 2 cm, at: [0, 0, 0]}, {radius: 1 cm, at: [0, 3 cm, 0]}]}
  - {material: wood, radius: 2 cm, position: [-4.1 cm, 0, 2.1 cm], velocity: [1, 0, 0]}
boundaries:
  floor: {shape: plane, material: wood}
output: {every: 0, post: [stress]}
"""


# Weight of a block and of a ball on it, through a section of the block: 24 hexahedra, held below.
BALL_ON_BLOCK = """
time: {step: 1 ms, end: 120 ms, theta: 0.7}
gravity: [0, 0, -9.81]
materials: {rubber: {density: 1200}, steel: {density: 7800}}
laws: [{law: coulomb, parameters: {mu: 0.3}}]
bodies:
  - material: rubber
    position: [0, 0, 3 cm]
    deformable:
      mesh: {kind: block, size: [8 cm, 8 cm, 6 cm], cells: [4, 4, 3]}
      bulk: {law: elastic, parameters: {young: 1 MPa, poisson: 0.3}}
      damping: {mass: 600 1/s, stiffness: 6 ms}
      fixed: {group: bottom}
      contact: {groups: [top]}
  - {material: steel, radius: 2 cm, position: [5 mm, 3 mm, 8 cm]}
output: {every: 0}
"""
# Pressed by a twentieth of its height, beyond yield, with large strains.
PLASTIC = """
dimension: 2
time: {step: 0.5 ms, end: 50 ms, theta: 0.6}
gravity: [0, 0]
materials: {clay: {density: 1000}}
laws: [{law: coulomb, parameters: {mu: 0.3}}]
bodies:
  - material: clay
    position: [0, 0.05]
    deformable:
      mesh: {kind: block, size: [0.1, 0.1], cells: [3, 2]}
      bulk: {law: j2, parameters: {young: 1 MPa, poisson: 0.3, yield: 5 kPa}}
      kinematics: total-lagrangian
      damping: {stiffness: 1 ms}
      fixed: {group: bottom}
      prescribed: {group: top, vx: 0, vy: -0.1}
output: {every: 10 ms, gauss: true}
"""
DECKS = {"clusters": CLUSTERS, "ball-on-block": BALL_ON_BLOCK, "plastic": PLASTIC}


def check_pulls():
    """Tubes of contacts that push with 2 N and pull with 1 N and 0.5 N: as thick as |f| over the mean push, of the sign of f."""
    for force, mean, threshold, kept in (((2, -1, -0.5), 2, 0.4, 2), ((-2, -1, -3), 2, 0.0, 3)):
        lines = vtk.vtkPolyData()
        ends = np.array([[(0, k, 0), (1, k, 0)] for k in range(3)], float)
        arrays = {"normal_force": np.repeat(force, 2).astype(float), "tangential_force": np.zeros(6), "status": np.zeros(6)}
        dd.fill(lines, ends, np.arange(6).reshape(-1, 2), "lines", arrays)
        tubes = delassus.ForceChains()
        tubes.SetThreshold(threshold)
        tubes.SetRadius(0.1)
        tubes.SetSides(4)
        made, = update(tubes, lines)
        points, ratio = vtk_to_numpy(made.GetPoints().GetData()), vtk_to_numpy(made.GetPointData().GetArray("force_ratio"))
        require(len(set(np.rint(points[:, 1]))) == kept, "pulls", "not %d tubes" % kept)
        for k in range(kept):
            own = np.rint(points[:, 1]) == k
            if not own.any():
                vtu_check.fault("pulls", "contact %d has no tube" % k)
                continue
            near(np.unique(ratio[own]), [force[k] / mean], 1e-12, "pulls", "ratio of contact %d" % k)
            wide = np.hypot(points[own, 1] - k, points[own, 2]).max()
            near([wide], [0.1 * abs(force[k]) / mean], 1e-6, "pulls", "radius of contact %d" % k)


def run(name, *settings, series=("bodies", "contacts", "chains")):
    out = os.path.join(folder, name)
    deck = os.path.join(sources, "input", name + ".yaml")
    if name in DECKS:
        deck = os.path.join(folder, name + ".yaml")
        with open(deck, "w") as file:
            file.write(DECKS[name])
    command = [program, "run", deck, "--out", out, "--quiet"]
    for setting in settings:
        command += ["--set", setting]
    status = subprocess.run(command).returncode
    require(status in (0, 1), name, "delassus run ended with %d" % status)
    return [vtu_check.read(sorted(glob.glob(os.path.join(out, one + "_*.vtu")))[-1]) for one in series]


def update(algorithm, *inputs):
    faults = []
    algorithm.AddObserver("ErrorEvent", lambda *_: faults.append(1))
    for port, data in enumerate(inputs):
        algorithm.SetInputDataObject(port, data)
    algorithm.Update()
    require(not faults, type(algorithm).__name__, "an error")
    return [algorithm.GetOutputDataObject(port) for port in range(algorithm.GetNumberOfOutputPorts())]


def column(table, name):
    return vtk_to_numpy(table.GetRowData().GetArray(name))


def check_stress(name, bodies, contacts):
    """Internal moments add up to those of the walls and the weights or the momenta; arrays of the file are the same."""
    g = dd.packing(bodies, contacts)
    solid, = update(delassus.GrainStress(), bodies, contacts)
    stress = vtk_to_numpy(solid.GetPointData().GetArray("stress")).reshape(-1, 3, 3)[g.first]
    inner = (stress * g.volume[:, None, None]).sum(0)
    wall = (g.antagonist < 0) & g.active
    sums = dm.add_tensors(len(g.id), g.candidate, g.force, np.ones((len(g.force), 3)))[:, :, 0]
    pair = ~wall & g.active
    sums -= dm.add_tensors(len(g.id), g.antagonist[pair], g.force[pair], np.ones((pair.sum(), 3)))[:, :, 0]
    outer = g.force[wall].T @ g.point[wall] - sums.T @ g.centre
    near(inner, outer, 1e-10 * np.abs(outer).max(), name, "volume stress against the moments of the boundaries")
    for key in ("stress", "pressure", "deviator", "stress_ratio", "principal_stress"):
        written = bodies.GetPointData().GetArray(key)
        if written:
            ours, theirs = vtk_to_numpy(solid.GetPointData().GetArray(key)), vtk_to_numpy(written)
            near(ours, theirs, 1e-9 * np.abs(theirs).max(), name, key + " of the filter and of the file")
    return g, solid


def check_filters(name, bodies, contacts, chains, centre):
    g, solid = check_stress(name, bodies, contacts)
    loaded = int((dm.stress_state(dm.grain_stress(g), g.dim)["deviator"] > 0).sum())
    for glyph, cells in ((0, 1 if g.dim == 2 else 128), (1, g.dim)):
        shapes = delassus.StressGlyphs()
        shapes.SetGlyph(glyph)
        made, = update(shapes, solid)
        require(made.GetNumberOfCells() == cells * loaded, name, "%d cells of stress glyphs for %d grains" % (
            made.GetNumberOfCells(), loaded))
    tubes = delassus.ForceChains()
    everything = update(tubes, chains)[0].GetNumberOfPoints()
    tubes.SetThreshold(1.0)
    strong, = update(tubes, chains)
    ratio = vtk_to_numpy(strong.GetPointData().GetArray("force_ratio"))
    require(0 < strong.GetNumberOfPoints() < everything and ratio.min() >= 1, name, "strong chains")
    rose, fit, table = update(delassus.FabricRose(), contacts)
    require(rose.GetNumberOfCells() == 24 and fit.GetNumberOfCells() == 1, name, "rose")
    near(column(table, "density").sum() * np.pi / 12, 1, 1e-12, name, "integral of the rose")
    ball = delassus.FabricRose()
    ball.SetShape(1)
    rose, fit, table = update(ball, contacts)
    require(rose.GetNumberOfCells() == 240 * 9 and fit.GetNumberOfCells() == 50, name, "rose on the sphere")
    near(column(table, "density").sum() * 4 * np.pi / 240, 1, 1e-12, name, "integral of the rose on the sphere")
    probe = delassus.StressProbe()
    probe.SetCentre(*centre)
    shape, mohr, cuts, mean = update(probe, bodies, contacts)
    require(shape.GetNumberOfCells() == (3 if g.dim == 2 else 6), name, "outline of the probe")
    shear = vtk_to_numpy(mohr.GetPointData().GetArray("shear_stress"))
    spread = column(mean, "principal_%d" % g.dim) - column(mean, "principal_1")
    near(2 * shear.max(), spread[0], 1e-9 * spread[0], name, "diameter of Mohr's circle")
    if g.dim == 2:
        # 31 diameters of 11 grains each: the mean of their tractions is the mean stress within the scatter of forces.
        tensor, cut = column(cuts, "normal_tensor").mean(), column(cuts, "normal_cut").mean()
        near(cut, tensor, 0.2 * abs(tensor), name, "mean of the cuts against the tensor")


def ask(name, *words):
    """The object that delassus post prints about a run."""
    command = [program, "post", words[0], os.path.join(folder, name), *words[1:], "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    require(done.returncode == 0, name, "delassus post %s: %s" % (words[0], done.stderr))
    return json.loads(done.stdout)


def check_program(name, bodies, contacts, centre, radius, *deformable):
    """The filters and delassus post give the same numbers: probes of both kinds, a cut, the rose."""
    g = dd.packing(bodies, contacts, *deformable)
    place = ",".join("%g" % x for x in centre[:g.dim])
    for kind in ("centres", "lines"):
        theirs = ask(name, "stress", "--region", "sphere:%s:%g" % (place, radius), "--average", kind)
        ours = dm.probe(g, centre, radius, kind)
        scale = np.abs(theirs["stress"]).max()
        near(ours["stress"].ravel(), theirs["stress"], 1e-9 * scale, name, "probe by %s and delassus post" % kind)
        require(ours["grains"] == theirs["grains"], name, "%d grains in the probe, not %d" % (ours["grains"], theirs["grains"]))
        require(ours["cells"] == theirs.get("cells", 0), name, "%d cells in the probe" % ours["cells"])
        state = dm.stress_state(ours["stress"], g.dim)
        near((state["pressure"], state["deviator"]), (theirs["pressure"], theirs["deviator"]), 1e-9 * scale, name, "its state")
    axis = [0.0, 1.0, 0.0] if g.dim == 2 else [0.0, 0.6, 0.8]
    words = "disk:%s:%s:%g" % (place, ",".join("%g" % x for x in axis[:g.dim]), radius)
    theirs = ask(name, "cut", "--cut", words)[0]
    force, area, crossing = dm.cut(g, centre, axis, radius)
    near(force, theirs["force"], 1e-9 * np.abs(theirs["force"]).max(), name, "cut and delassus post")
    near(area, theirs["area"], 1e-12, name, "area of the cut")
    require(crossing == theirs["contacts"], name, "%d contacts cross, not %d" % (crossing, theirs["contacts"]))
    if g.dim == 3:
        tube = ",".join("%g" % x for x in axis)
        theirs = ask(name, "cut", "--cut", "cylinder:%s:%s:%g:%g" % (place, tube, radius, 3 * radius))[0]
        cut = delassus.CutResultant()
        cut.SetShape(1)
        cut.SetOrigin(*centre)
        cut.SetNormal(*axis)
        cut.SetRadius(radius)
        cut.SetLength(3 * radius)
        outline, table = update(cut, bodies, contacts, *deformable)
        require(outline.GetNumberOfCells() == 10, name, "outline of the cylinder")
        force = [column(table, "force_" + k)[0] for k in "xyz"]
        near(force, theirs["force"], 1e-9 * np.abs(theirs["force"]).max(), name, "cylinder and delassus post")
        require(column(table, "contacts")[0] == theirs["contacts"] > 0, name, "contacts that cross the cylinder")
    theirs = ask(name, "fabric")
    table = update(delassus.FabricRose(), contacts)[2].GetFieldData()
    ours = np.stack([vtk_to_numpy(table.GetArray(key)) for key in "ab"], axis=1).ravel()
    if g.dim == 2:
        near(ours, theirs["harmonics"], 1e-9, name, "harmonics of the rose and delassus post")
    g = dd.packing(bodies, contacts)
    touching = g.normal_force != 0
    near(dm.fabric(g.normal[touching]).ravel(), theirs["fabric"], 1e-9, name, "fabric tensor and delassus post")


def check_load(name, files, axis, levels, load, tolerance):
    """Through each section of a deformable body at rest goes what is above it: load(level), N."""
    for level in levels:
        cut = delassus.CutResultant()
        cut.SetOrigin(*(level * np.eye(3)[axis]))
        cut.SetNormal(*np.eye(3)[axis])
        _, table = update(cut, *files)
        near(column(table, "normal_force"), [-load(level)], tolerance * load(level), name, "cut at %g m" % level)


def check_cells(name, files, centre, radius):
    """Glyphs on nodes, on cells and on points of integration; Mohr's circle of a probe is as wide as its state."""
    bodies, contacts, mesh, gauss = files
    for data, where, count in ((mesh, 0, mesh.GetNumberOfPoints()), (mesh, 1, mesh.GetNumberOfCells()),
                               (gauss, 0, gauss.GetNumberOfPoints())):
        shapes = delassus.StressGlyphs()
        shapes.SetGlyph(1)
        shapes.SetWhere(where)
        made, = update(shapes, data)
        dim = 2 if not np.any(vtk_to_numpy(mesh.GetPoints().GetData())[:, 2]) else 3
        require(made.GetNumberOfCells() == dim * count, name, "%d lines of crosses for %d tensors" % (made.GetNumberOfCells(), count))
    probe = delassus.StressProbe()
    probe.SetCentre(*centre)
    probe.SetRadius(radius)
    _, mohr, _, mean = update(probe, bodies, contacts, mesh)
    shear = vtk_to_numpy(mohr.GetPointData().GetArray("shear_stress"))
    spread = column(mean, "principal_%d" % dim) - column(mean, "principal_1")
    require(spread[0] > 0, name, "Mohr's circle is a point")
    near(2 * shear.max(), spread[0], 1e-9 * spread[0], name, "diameter of Mohr's circle")
    return mean


def check_plastic(mesh, gauss):
    """States of the bulk law by their names, of cells the means of their points; plastic flow keeps the volume."""
    cells, points = mesh.GetCellData(), gauss.GetPointData()
    shear = ("plastic_xy", "plastic_yz", "plastic_xz")
    found = {name: tuple(vtk_to_numpy(data.GetArray(name)) if data.GetArray(name) else None for data in (cells, points))
             for name in ("equivalent_plastic", "plastic_xx", "plastic_yy", "plastic_zz") + shear}
    for name, (mean, inner) in found.items():
        require(mean is not None and inner is not None, "plastic", "no state " + name)
        if mean is not None and inner is not None:
            weight = vtk_to_numpy(points.GetArray("weight")).reshape(len(mean), -1)
            expected = (weight * inner.reshape(len(mean), -1)).sum(1) / weight.sum(1)
            near(mean, expected, 1e-12, "plastic", name + " of cells")
    require(found["equivalent_plastic"][1].min() > 0, "plastic", "a point has not yielded")
    trace = sum(found["plastic_" + axis][1] for axis in ("xx", "yy", "zz"))
    near(trace, 0 * trace, 1e-12, "plastic", "trace of the plastic strain")


def check_series(name, speed, height, lag):
    """post stress --series on elements: the height of the sample, and in its last row what a call for the last frame says; Mohr's
    circle as a picture."""
    out = os.path.join(folder, name)
    picture = os.path.join(folder, "mohr.svg")
    last = ask(name, "stress", "--svg", picture)
    subprocess.run([program, "post", "stress", out, "--series"], check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(out, "series.csv")) as file:
        table = [line.strip().split(",") for line in file]
    head = [word.split(" ")[0] for word in table[0]]
    rows = [dict(zip(head, map(float, line))) for line in table[1:]]
    require(len(rows) == 6, name, "%d rows of the series" % len(rows))
    for row in rows[1:]:
        near(row["axial_strain"], np.log(1 - speed * (row["time"] - lag) / height), 1e-9, name, "axial strain at %g s" % row["time"])
    scale = np.abs(last["stress"]).max()
    near((rows[-1]["stress_xx"], rows[-1]["stress_yy"], rows[-1]["stress_xy"]), np.array(last["stress"])[[0, 4, 1]], 1e-12 * scale, name,
         "last row of the series")
    require(last["cells"] == 6 and last["principal"][0] < 0, name, "cells of the region, or its sign")
    with open(picture) as file:
        text = file.read()
    title = "Mohr: pressure %.4g Pa, deviator %.4g Pa" % (last["pressure"], last["deviator"])
    require(title in text and text.rstrip().endswith("</svg>"), name, "Mohr's circle is not of " + title)


def check_weight(bodies, contacts):
    """Cannon balls at rest: what crosses a level is the weight of those with centres above (density 7800)."""
    g = dd.packing(bodies, contacts)
    weight = 7800 * 9.81 * g.volume
    for level in (0.02, 0.09, 0.16, 0.22):
        cut = delassus.CutResultant()
        cut.SetOrigin(0, 0, level)
        _, table = update(cut, bodies, contacts)
        above = weight[g.centre[:, 2] > level].sum()
        near(column(table, "normal_force"), [-above], 1e-4 * weight.sum(), "pyramid", "cut at %g m" % level)


os.makedirs(folder, exist_ok=True)
check_lattice()
check_state()
check_rose()
check_sphere()
check_pulls()
post = ["output.post=[stress]"]
pyramid = run("pyramid", "time.end=0.02", "output.every=0", *post)
check_filters("pyramid", *pyramid, (0, 0, 0.1))
check_weight(*pyramid[:2])
check_program("pyramid", *pyramid[:2], (0.01, 0.02, 0.1), 0.12)
biaxial = run("biaxial", "time.end=0.5", "output.every=0", *post)
check_filters("biaxial", *biaxial, (0.1, 0.1, 0))
check_program("biaxial", *biaxial[:2], (0.1, 0.09, 0), 0.05)
clusters = run("clusters")
check_stress("clusters", *clusters[:2])
check_program("clusters", *clusters[:2], (0, 0, 0.02), 0.04)
meshed = {"series": ("bodies", "contacts", "deformable", "gauss")}
# The slowest mode (660 rad/s) is damped critically: 25 ms after the load has grown exp(-16) of it is left.
critical = ["bodies[%d].deformable.damping.mass=1300 1/s" % k for k in (0, 1)]
press = run("press", "time.end=30 ms", "solver.tolerance=1e-10", *critical, "output.every=0", "output.gauss=true", **meshed)
check_program("press", *press[:2], (0, 0.002, 0), 0.007, press[2])
check_load("press", press[:3], 1, (-0.012, -0.004, 0.0, 0.003, 0.011), lambda level: 400.0, 1e-5)
# The stress of the patch test in the whole probe: lines that its rim cuts count by share, the rest is -p e e^T.
mean = check_cells("press", press, (0, 0.01, 0), 0.008)
near((column(mean, "stress_yy")[0], column(mean, "stress_xx")[0]), (-1e4, 0), 1e3, "press", "mean stress of the patch test")
ball = run("ball-on-block", "output.gauss=true", **meshed)
check_program("ball-on-block", *ball[:2], (0, 0, 0.03), 0.025, ball[2])
check_load("ball-on-block", ball[:3], 2, (0.01, 0.03, 0.05),
           lambda level: 9.81 * (1200 * 0.08**2 * (0.06 - level) + 7800 * 4 / 3 * np.pi * 0.02**3), 1e-4)
check_cells("ball-on-block", ball, (0, 0, 0.03), 0.025)
plastic = run("plastic", series=("deformable", "gauss"))
check_plastic(*plastic)
check_series("plastic", 0.1, 0.1, 0.6 * 0.5e-3)
try:
    dd.packing(pyramid[2], pyramid[1])
    require(False, "chains", "are taken for bodies")
except ValueError as error:
    require("bodies.pvd" in str(error), "chains", str(error))
for line in vtu_check.faults:
    print(line)
sys.exit(1 if vtu_check.faults else 0)
