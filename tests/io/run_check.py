"""Checks what delassus run left in a folder: the files, their arrays, and that their numbers agree.

    run_check.py FOLDER DIMENSION STEPS FRAMES BODIES BOUNDARIES

BODIES 0: as many as the summary says. Exit status 0 when all is well, 1 with one line for each fault,
77 when VTK is not installed.
"""
import csv
import json
import os
import sys
import xml.etree.ElementTree

import vtu_check  # exits with 77 without VTK
import numpy
import vtk

# name: components, for each series; where: of points or of cells.
SERIES = {
    "bodies": ("point", {"radius": 1, "load": 1, "velocity": 3, "spin": 3, "orientation": 9,
                         "kinetic_energy": 1, "id": 1, "material": 1, "coordination": 1, "mass": 1,
                         "volume": 1, "contact_force": 3, "held": 1}),
    "contacts": ("point", {"normal_force": 1, "force": 3, "normal": 3, "tangential_force": 1,
                           "normal_velocity": 1, "slip_velocity": 1, "gap": 1, "friction_limit": 1,
                           "candidate": 1,
                           "antagonist": 1, "law": 1, "status": 1, "cohesion": 1,
                           "dissipated": 1}),
    "chains": ("point", {"normal_force": 1, "tangential_force": 1, "status": 1}),
    "boundaries": ("cell", {"boundary": 1, "force": 3}),
}
# Of the words of output.post, where a deck asks for it; mass_centre, and inertia of 9: where there are clusters.
# Of runs with bodies that are no balls; the share of the surface of a contact from 0 on.
# shift: of runs in a periodic cell.
CORNERS = {"bodies": {"corners": 1, "extent_low": 3, "extent_high": 3, "neighbours": 1}, "contacts": {"area": 1, "shift": 3}}
POST = {"stress": 9, "pressure": 1, "deviator": 1, "stress_ratio": 1, "principal_stress": 3,
        "principal_direction": 3, "stress_skew": 3, "kinetic_stress": 9, "stress_normal": 9,
        "stress_tangential": 9, "stress_strong": 9, "stress_weak": 9, "mass_centre": 3,
        "spin_stress": 9, "inertia": (1, 9), "fabric": 9, "rattler": 1, "chain": 1}
ACTIVE = {"bodies": "load", "contacts": "normal_force", "chains": "normal_force"}

folder = sys.argv[1]
dimension, steps, frames, bodies, boundaries = (int(text) for text in sys.argv[2:7])


def require(condition, name, text):
    if not condition:
        vtu_check.fault(os.path.join(folder, name), text)


def near(a, b, scale):
    return numpy.all(numpy.abs(numpy.asarray(a) - numpy.asarray(b)) <= 1e-9 * (scale + 1e-300))


def read_history():
    """{column without unit: numbers}; every number finite, a row for each step."""
    with open(os.path.join(folder, "history.csv"), newline="") as file:
        rows = list(csv.reader(file))
    table = numpy.array([[float(cell) for cell in row] for row in rows[1:]])
    require(table.shape == (steps, len(rows[0])), "history.csv", "shape %s" % (table.shape,))
    require(numpy.all(numpy.isfinite(table)), "history.csv", "a number is not finite")
    history = {name.split(" [")[0]: table[:, k] for k, name in enumerate(rows[0])}
    require(near(history["step"], range(1, steps + 1), 0), "history.csv", "steps are missing")
    parts = ("kinetic", "dissipated", "gravity_work", "force_work", "boundary_work", "strain")
    energy = sum(abs(history[name]) for name in parts if name in history)
    with open(os.path.join(folder, "summary.json")) as file:  # springs: of second order in the step
        bound = 1e-3 if json.load(file)["scheme"] == "explicit" else 1e-9
    require(numpy.all(abs(history["balance"]) <= bound * energy.max()), "history.csv",
            "energy balance %g of %g J" % (abs(history["balance"]).max(), energy.max()))
    return history


def read_series(name):
    """[(time, grid, {array: values})] of a series, with all that VTK complains of as faults."""
    path = os.path.join(folder, name + ".pvd")
    place, wanted = SERIES[name]
    found = []
    for entry in xml.etree.ElementTree.parse(path).getroot().findall("Collection/DataSet"):
        file = entry.get("file")
        vtu_check.check_head(os.path.join(folder, file))
        grid = vtu_check.read(os.path.join(folder, file))
        if grid is None:
            continue
        arrays = {"points": vtu_check.array_of(grid, "points", "")[0]}
        for array, components in wanted.items():
            values, _ = vtu_check.array_of(grid, place, array)
            require(values is not None and values.shape[1] == components, file, "no good " + array)
            if values is not None:
                # A law without a limit of friction, such as a tie, has none to tell.
                told = values[~numpy.isnan(values)] if array == "friction_limit" else values
                require(numpy.all(numpy.isfinite(told)), file, array + " is not finite")
                arrays[array] = values[:, 0] if components == 1 else values
        data = vtu_check.data_of(grid, place)
        names = {data.GetArrayName(k) for k in range(data.GetNumberOfArrays())}
        for state in sorted(n for n in names if name == "contacts" and "." in n):  # LAW.STATE
            values, _ = vtu_check.array_of(grid, place, state)
            require(numpy.all(numpy.isfinite(values)), file, state + " is not finite")
            arrays[state] = values[:, 0]
        if name == "contacts" and "torque" in names:  # where a law has rows of spins
            arrays["torque"], _ = vtu_check.array_of(grid, place, "torque")
            require(arrays["torque"].shape[1] == 3, file, "no good torque")
            require(numpy.all(numpy.isfinite(arrays["torque"])), file, "torque is not finite")
        for array, components in (CORNERS.get(name, {})).items():  # where a body is no ball
            if array not in names:
                continue
            arrays[array], _ = vtu_check.array_of(grid, place, array)
            require(arrays[array].shape[1] == components, file, "no good " + array)
            require(numpy.all(numpy.isfinite(arrays[array])), file, array + " is not finite")
        if name == "contacts" and "law_status" in names:  # where a law has words of its own
            arrays["law_status"] = vtu_check.array_of(grid, place, "law_status")[0][:, 0]
            require(numpy.all(arrays["law_status"] >= 0), file, "law_status below 0")
        for array in sorted(names & set(POST) if name == "bodies" else []):
            values, _ = vtu_check.array_of(grid, place, array)
            sizes = POST[array] if isinstance(POST[array], tuple) else (POST[array],)
            require(values.shape[1] in sizes, file, "no good " + array)
            require(numpy.all(numpy.isfinite(values)), file, array + " is not finite")
            arrays[array] = values
        extra = {n for n in names - set(wanted) if n not in arrays}
        require(not extra, file, "arrays that no one knows: %s" % sorted(extra))
        active = vtu_check.data_of(grid, place).GetScalars()
        require(name not in ACTIVE or active and active.GetName() == ACTIVE[name], file,
                "the active scalars are not " + ACTIVE.get(name, ""))
        time = float(entry.get("timestep"))
        require(vtu_check.array_of(grid, "field", "TimeValue")[0] == time, file, "TimeValue")
        found.append((time, grid, arrays))
    require(len(found) == frames, name + ".pvd", "%d frames, not %d" % (len(found), frames))
    return found


def check_stress(name, arrays):
    """The colour scalars and the principal values are those of the tensor, found by numpy."""
    stress = arrays["stress"].reshape(-1, 3, 3)[:, :dimension, :dimension]
    values = numpy.linalg.eigvalsh((stress + stress.transpose(0, 2, 1)) / 2)
    size = abs(values).max(initial=0)
    mean = values.mean(1)
    require(near(arrays["pressure"][:, 0], -mean, size), name, "pressure")
    require(near(arrays["principal_stress"][:, :dimension], values, size), name, "principal values")
    deviator = numpy.sqrt(1.5 * ((values - mean[:, None]) ** 2).sum(1)) if dimension == 3 else (
        values[:, 1] - values[:, 0]) / 2
    require(near(arrays["deviator"][:, 0], deviator, size), name, "deviator")
    if "stress_normal" in arrays:
        for a, b in (("normal", "tangential"), ("strong", "weak")):
            total = arrays["stress_" + a] + arrays["stress_" + b]
            require(near(total, arrays["stress"], size), name, "%s + %s" % (a, b))


NODES = {"displacement": 3, "velocity": 3, "reaction": 3, "contact_traction": 3, "contact_pressure": 1, "stress": 9, "strain": 9,
         "von_mises": 1, "pressure": 1, "principal_stress": 3, "principal_1": 3, "principal_2": 3, "principal_3": 3, "status": 1, "id": 1}
CELLS = {"stress": 9, "strain": 9, "von_mises": 1, "pressure": 1, "principal_stress": 3, "principal_1": 3, "principal_2": 3,
         "principal_3": 3, "energy_density": 1, "stress_error": 1, "id": 1, "material": 1, "volume": 1, "mass": 1}
SIMPLEX = {vtk.VTK_TRIANGLE: 3, vtk.VTK_TETRA: 4}  # one point of integration, in the middle
STRAIGHT = {**SIMPLEX, vtk.VTK_QUAD: 4, vtk.VTK_HEXAHEDRON: 8}


def check_cells():
    """Cells of deformable bodies: what is read off stresses, masses, and the error that Zienkiewicz and Zhu see.

    e^2 is the mean over the cell of |sigma* - sigma|^2, sigma* between the nodes: of a simplex with one point the difference in its
    middle, where sigma* is the mean of its nodes; of parallelograms no less than that of the means."""
    for entry in xml.etree.ElementTree.parse(os.path.join(folder, "deformable.pvd")).getroot().findall("Collection/DataSet"):
        file = entry.get("file")
        vtu_check.check_head(os.path.join(folder, file))
        grid = vtu_check.read(os.path.join(folder, file))
        if grid is None:
            continue
        found = {}
        for place, wanted in (("point", NODES), ("cell", CELLS)):
            for array, components in wanted.items():
                values, _ = vtu_check.array_of(grid, place, array)
                require(values is not None and values.shape[1] == components and numpy.all(numpy.isfinite(values)), file,
                        "no good %s of %ss" % (array, place))
                found[place, array] = values
        if vtu_check.faults:
            return
        gap, pressed = vtu_check.array_of(grid, "point", "gap")[0], found["point", "contact_pressure"][:, 0] != 0
        require(gap is not None and numpy.all(numpy.isfinite(gap[pressed])), file, "a node that is pressed has no gap")
        require(numpy.all(found["point", "status"][pressed] > 0), file, "a node that is pressed is open")
        traction = numpy.linalg.norm(found["point", "contact_traction"], axis=1)
        require(numpy.all(traction >= (1 - 1e-9) * abs(found["point", "contact_pressure"][:, 0])), file, "a traction below its pressure")
        for place in ("point", "cell"):
            stress = found[place, "stress"].reshape(-1, 3, 3)
            values, size = numpy.linalg.eigvalsh(stress), abs(stress).max(initial=0)
            mean = values.mean(1)
            require(near(found[place, "principal_stress"], values, size), file, "principal values of %ss" % place)
            ways = [found[place, "principal_%d" % (k + 1)] for k in range(3)]
            built = sum(values[:, k, None, None] * ways[k][:, :, None] * ways[k][:, None, :] for k in range(3))
            require(near(built, stress, 10 * size), file, "principal directions of %ss" % place)
            require(near(found[place, "pressure"][:, 0], -mean, size), file, "pressure of %ss" % place)
            require(near(found[place, "von_mises"][:, 0], numpy.sqrt(1.5 * ((values - mean[:, None]) ** 2).sum(1)), 10 * size), file,
                    "von Mises' stress of %ss" % place)
        require(numpy.all(found["cell", "volume"] > 0) and numpy.all(found["cell", "mass"] > 0), file, "a volume or mass is not above 0")
        require(numpy.all(found["cell", "energy_density"] >= -1e-12 * found["cell", "energy_density"].max(initial=0)), file, "energy below 0")
        error, size = found["cell", "stress_error"][:, 0], abs(found["cell", "stress"]).max(initial=0)
        for c in range(grid.GetNumberOfCells()):
            kind, ids = grid.GetCellType(c), grid.GetCell(c).GetPointIds()
            if STRAIGHT.get(kind) != ids.GetNumberOfIds():
                continue
            nodes = [ids.GetId(k) for k in range(ids.GetNumberOfIds())]
            apart = numpy.linalg.norm(found["point", "stress"][nodes].mean(0) - found["cell", "stress"][c])
            if kind in SIMPLEX:
                require(near(error[c], apart, size), file, "stress_error of cell %d is %g, not %g Pa" % (c, error[c], apart))
            elif is_parallelogram(grid, c, nodes):
                require(error[c] >= apart - 1e-9 * size, file, "stress_error of cell %d is %g, below %g Pa" % (c, error[c], apart))


def is_parallelogram(grid, c, nodes):
    """A quadrilateral or hexahedron whose interpolations have the mean 1/n each."""
    x = numpy.array([grid.GetPoint(k) for k in nodes])
    faces = ([0, 1, 2, 3],) if len(nodes) == 4 else ([0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 5, 4])
    size = abs(x - x[0]).max()
    return all(abs(x[f[0]] - x[f[1]] + x[f[2]] - x[f[3]]).max() < 1e-12 * size for f in faces)


def check_bodies(time, arrays, history):
    name = "bodies at t = %g" % time
    changing = "poured" in history or "taken" in history
    ids = numpy.unique(arrays["id"])
    if not changing:
        require(len(ids) == bodies, name, "%d bodies" % len(ids))
    require(numpy.all(arrays["radius"] > 0), name, "a radius is not positive")
    require(deformable or len(ids) == len(arrays["id"]), name, "an id stands twice")
    turn = arrays["orientation"].reshape(-1, 3, 3)
    require(near(turn @ turn.transpose(0, 2, 1), numpy.eye(3), 1), name, "no rotation")
    if "stress" in arrays:
        check_stress(name, arrays)
    if dimension == 2:
        require(near(arrays["points"][:, 2], 0, 0), name, "z is not 0")
        require(near(arrays["velocity"][:, 2], 0, 0), name, "v_z is not 0")
    row = numpy.argmin(abs(history["time"] - time))
    if time > 0 and not deformable:  # of those the nodes stand here, each with its id
        kinetic = arrays["kinetic_energy"].sum()
        walls = history["servo_energy"][row] if "servo_energy" in history else 0
        require(near(kinetic + walls, history["kinetic"][row], kinetic), name, "kinetic energy")
        require(history["bodies"][row] == len(arrays["radius"]), name,
                "history has another number of bodies")


def check_contacts(time, arrays, load, history):
    name = "contacts at t = %g" % time
    force, normal = arrays["force"], arrays["normal"]
    require(near((normal ** 2).sum(1), 1, 1), name, "a normal is no unit vector")
    scale = abs(force).max(initial=0)
    require(near((force * normal).sum(1), arrays["normal_force"], scale), name, "f . n")
    tangential = force - arrays["normal_force"][:, None] * normal
    require(near(numpy.sqrt((tangential ** 2).sum(1)), arrays["tangential_force"], 10 * scale), name,
            "tangential force")
    require(set(arrays["status"]) <= {0, 1, 2}, name, "status %s" % set(arrays["status"]))
    require(set(arrays["cohesion"]) <= {0, 1, 2}, name, "cohesion %s" % set(arrays["cohesion"]))
    require(numpy.array_equal(arrays["cohesion"] == 2, arrays["normal_force"] < 0), name,
            "cohesion is 2 where a contact pulls")
    for state in (n for n in arrays if n == "coulomb.sliding"):
        require(set(arrays[state]) <= {0, 1}, name, "%s %s" % (state, set(arrays[state])))
    grains = arrays["antagonist"] > 0
    total = abs(arrays["normal_force"]).sum() + abs(arrays["normal_force"][grains]).sum()
    # A node that stands for a face's point bears a share of what the contact has.
    require(deformable or near(load.sum(), total, total), name,
            "loads of the bodies are not those of contacts")
    if time > 0:
        row = numpy.argmin(abs(history["time"] - time))
        require(history["contacts"][row] == len(normal), name, "history has another number")
    return -force[~grains].sum(0)


def check_tubes(grid, force):
    """Tubes as a user makes them: thicker where the force is larger."""
    if not grid.GetNumberOfCells() or force.max() < 2 * force.min() or force.min() < 0:
        return
    surface, tube = vtk.vtkDataSetSurfaceFilter(), vtk.vtkTubeFilter()
    surface.SetInputData(grid)
    tube.SetInputConnection(surface.GetOutputPort())
    tube.SetRadius(1e-3)
    tube.SetVaryRadiusToVaryRadiusByScalar()
    tube.Update()
    made = tube.GetOutput()
    require(made.GetNumberOfPoints() > 0, "chains", "no tubes")
    values = vtu_check.array_of(made, "point", "normal_force")[0][:, 0]
    require(near(values.max(), force.max(), force.max()), "chains", "tubes of other forces")


def check_frame(at, series, history):
    time, _, body = series["bodies"][at]
    _, _, contact = series["contacts"][at]
    _, chain_grid, chain = series["chains"][at]
    _, _, wall = series["boundaries"][at]
    check_bodies(time, body, history)
    on_walls = check_contacts(time, contact, body["load"], history)
    carrying = (contact["normal_force"] != 0) | (contact["tangential_force"] > 0)
    require(chain_grid.GetNumberOfCells() == carrying.sum(), "chains", "not one for each force")
    require(near(chain["normal_force"].sum() / 2, contact["normal_force"][carrying].sum(),
                 abs(chain["normal_force"]).sum()), "chains", "forces differ from the contacts'")
    check_tubes(chain_grid, chain["normal_force"])
    require(set(wall["boundary"]) == set(range(boundaries)), "boundaries at t = %g" % time,
            "outlines of %s" % set(wall["boundary"]))
    first = [list(wall["boundary"]).index(k) for k in sorted(set(wall["boundary"]))]
    pushed = wall["force"][first].sum(0)
    scale = abs(contact["normal_force"]).sum()
    require(near(pushed, on_walls, scale), "boundaries at t = %g" % time,
            "forces %s, those of the contacts %s" % (pushed, on_walls))
    if time > 0:
        row = numpy.argmin(abs(history["time"] - time))
        for k in range(dimension):
            told = [history[name][row] for name in history if name.startswith("force_%s_" % "xyz"[k])]
            require(near(sum(told), pushed[k], scale), "history.csv", "other forces on boundaries")


with open(os.path.join(folder, "summary.json")) as file:
    summary = json.load(file)
require(summary["finished"] is True and summary["steps"] == steps, "summary.json", "not finished")
bodies = bodies or summary["bodies"]
require(bodies == summary["bodies"] > 0, "summary.json", "%d bodies" % summary["bodies"])
require(os.path.getsize(os.path.join(folder, "resolved.yaml")) > 500, "resolved.yaml", "too short")
xml.etree.ElementTree.parse(os.path.join(folder, "picture.svg"))
deformable = os.path.exists(os.path.join(folder, "deformable.pvd"))
table = read_history()
require(near(table["kinetic"][-1], summary["energy"]["kinetic"], abs(table["kinetic"][-1])),
        "summary.json", "another kinetic energy than the history")
everything = {name: read_series(name) for name in SERIES}
if not vtu_check.faults:
    for number in range(frames):
        check_frame(number, everything, table)
if deformable:
    check_cells()
for text in vtu_check.faults:
    print(text)
sys.exit(1 if vtu_check.faults else 0)
