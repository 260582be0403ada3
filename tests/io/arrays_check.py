"""Every array of every file of a run with everything switched on, read back by VTK.

    arrays_check.py PROGRAM SOURCES FOLDER

Each array must be in the table below: a new one cannot be forgotten. Its number of components is that of the table, its values
are finite; tensors have nine components and are symmetric where they have to be; scalars that colour them agree with them.

Exit status 0 when all is well, 1 with one line for each fault, 77 when VTK is not installed.
"""
import glob
import os
import subprocess
import sys

import vtu_check  # ends with 77 where VTK is missing
import numpy as np
from vtk.util.numpy_support import vtk_to_numpy

program, sources, folder = sys.argv[1:4]

TENSOR, SYMMETRIC, PLAIN = "nine numbers", "nine numbers, symmetric", ""

# Series: {array: (components, kind)}; of points, of cells, of the field.
BODIES = {
    "radius": 1, "load": 1, "velocity": 3, "spin": 3, "kinetic_energy": 1, "id": 1, "material": 1, "coordination": 1, "mass": 1,
    "volume": 1, "inertia": 1, "contact_force": 3, "held": 1, "pressure": 1, "deviator": 1, "stress_ratio": 1,
    "principal_stress": 3, "principal_direction": 3, "stress_skew": 3, "rattler": 1, "chain": 1,
    "orientation": TENSOR, "stress": TENSOR, "stress_normal": TENSOR, "stress_tangential": TENSOR, "stress_strong": TENSOR,
    "stress_weak": TENSOR, "kinetic_stress": SYMMETRIC, "fabric": SYMMETRIC,
    "spin_stress": TENSOR,
}
CONTACTS = {"normal_force": 1, "force": 3, "normal": 3, "tangential_force": 1, "normal_velocity": 1, "slip_velocity": 1, "gap": 1,
            "friction_limit": 1, "candidate": 1, "antagonist": 1, "law": 1, "status": 1, "cohesion": 1,
            "dissipated": 1}
CHAINS = {"normal_force": 1, "tangential_force": 1, "status": 1}
FIELD = {"pressure": 1, "deviator": 1, "velocity": 3, "density": 1, "solid_fraction": 1, "contact_density": 1, "wall_force": 3,
         "stress": TENSOR, "kinetic_stress": SYMMETRIC, "fabric": SYMMETRIC}
FRAME = {"TimeValue": 1, "dimension": 1, "lag": 1, "time_step": 1, "boundaries": 1, "gravity": 3, "walls": 1, "wall_shape": 9}
TIME = {"TimeValue": 1}
SERIES = {"bodies": (BODIES, {}, FRAME), "contacts": (CONTACTS, {}, TIME), "chains": (CHAINS, {}, TIME),
          "boundaries": ({}, {"boundary": 1, "force": 3}, TIME), "walls": ({}, {"boundary": 1, "force": 3}, TIME),
          "field": (FIELD, {}, TIME)}
WHOLE = [a + b for a in "XYZ" for b in "XYZ"]  # names of the components of a tensor, as VTK reads them
NAMES = {"principal_stress": ["1", "2", "3"]}


def check_values(path, place, name, values, kind):
    components = 9 if isinstance(kind, str) else kind
    if values.shape[1] != components:
        vtu_check.fault(path, "%s '%s' has %d components, not %d" % (place, name, values.shape[1], components))
        return
    if not np.isfinite(values).all():
        vtu_check.fault(path, "%s '%s' has %d values that are not finite" % (place, name, (~np.isfinite(values)).sum()))
    if kind == SYMMETRIC:
        tensor = values.reshape(-1, 3, 3)
        apart = np.abs(tensor - tensor.transpose(0, 2, 1)).max(initial=0)
        if apart > 1e-12 * np.abs(tensor).max(initial=0):
            vtu_check.fault(path, "%s '%s' is not symmetric, by %g" % (place, name, apart))


def check_place(path, place, data, table):
    there = {data.GetArrayName(k) for k in range(data.GetNumberOfArrays())}
    if place == "point":  # state variables of laws are called law.variable
        table = dict(table, **{name: 1 for name in there if "." in name})
    for name in sorted(there - set(table)):
        vtu_check.fault(path, "%s '%s' is new: put it into the table of arrays_check.py, and into docs" % (place, name))
    for name in sorted(set(table) - there):
        vtu_check.fault(path, "%s '%s' is missing" % (place, name))
    for name in sorted(there & set(table)):
        array = data.GetArray(name)
        wanted = WHOLE if isinstance(table[name], str) else NAMES.get(name)
        found = [array.GetComponentName(k) for k in range(array.GetNumberOfComponents())]
        if wanted and found != wanted:
            vtu_check.fault(path, "%s '%s' has components called %s, not %s" % (place, name, found, wanted))
        values = vtk_to_numpy(array).reshape(array.GetNumberOfTuples(), -1)
        check_values(path, place, name, values, table[name])


def arrays(data):
    return {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}


def check_colours(path, data, dim):
    """Pressure and principal values are those of the tensor; parts add up; the fabric has trace 1 where it is."""
    a = arrays(data)
    tensor = a["stress"].reshape(-1, 3, 3)
    size = np.abs(tensor).max()
    trace = np.trace(tensor, axis1=1, axis2=2)
    rules = [("pressure", a["pressure"] + trace / dim)]
    if "principal_stress" in a:
        rules.append(("principal_stress", a["principal_stress"].sum(1) - trace))
        rules.append(("stress_normal and stress_tangential", a["stress_normal"] + a["stress_tangential"] - a["stress"]))
        rules.append(("stress_strong and stress_weak", a["stress_strong"] + a["stress_weak"] - a["stress"]))
    for name, rest in rules:
        if np.abs(rest).max() > 1e-9 * size:
            vtu_check.fault(path, "%s against stress: apart by %g of %g Pa" % (name, np.abs(rest).max(), size))
    if not size > 0:
        vtu_check.fault(path, "the stress is zero everywhere")
    trace = np.trace(a["fabric"].reshape(-1, 3, 3), axis1=1, axis2=2)
    if np.abs(trace * (trace - 1)).max() > 1e-9:
        vtu_check.fault(path, "a fabric of trace %g" % trace[np.argmax(np.abs(trace * (trace - 1)))])


def check_walls(path, grid):
    """The floor of the pyramid: one square at z = 0, about the grains, which reach no farther."""
    low_x, high_x, low_y, high_y, low_z, high_z = grid.GetBounds()
    bodies = vtu_check.read(path.replace("walls_", "bodies_"))
    radius = vtk_to_numpy(bodies.GetPointData().GetArray("radius"))
    centre = vtk_to_numpy(bodies.GetPoints().GetData())
    grains = [((centre[:, k] - radius).min(), (centre[:, k] + radius).max()) for k in range(3)]
    if grid.GetNumberOfCells() != 1 or grid.GetCell(0).GetClassName() != "vtkQuad":
        vtu_check.fault(path, "%d cells, not one quadrilateral" % grid.GetNumberOfCells())
    if (low_z, high_z) != (0, 0):
        vtu_check.fault(path, "the floor reaches from z = %g to %g" % (low_z, high_z))
    for low, high, (least, most) in ((low_x, high_x, grains[0]), (low_y, high_y, grains[1])):
        if not (low < least and most < high and abs(low + high - least - most) < 1e-9 and high - low < 2 * (most - least)):
            vtu_check.fault(path, "the floor from %g to %g is not about the grains, %g to %g" % (low, high, least, most))


def call(*words):
    status = subprocess.run([program, *words], stdout=subprocess.DEVNULL).returncode
    if status not in (0, 1):
        sys.exit("%s ended with %d" % (" ".join(words), status))


def check_run(name, dim, grid, *settings):
    out = os.path.join(folder, name)
    words = ["run", os.path.join(sources, "input", name + ".yaml"), "--out", out, "--quiet"]
    for setting in ("output.post=[stress,kinetic,splits,fabric,chains]", "output.every=0") + settings:
        words += ["--set", setting]
    call(*words)
    call("post", "field", out, "--grid", grid, "--out", os.path.join(out, "field_000000.vtu"))
    known = 0
    for path in sorted(glob.glob(os.path.join(out, "*.vtu"))):
        series = os.path.basename(path).rsplit("_", 1)[0]
        grid_read = vtu_check.read(path)
        if grid_read is None:
            continue
        if series not in SERIES:
            vtu_check.fault(path, "a series that arrays_check.py does not know")
            continue
        known += 1
        for place, table in zip(("point", "cell", "field"), SERIES[series]):
            check_place(path, place, vtu_check.data_of(grid_read, place), table)
        last = path.endswith("_%06d.vtu" % (len(glob.glob(os.path.join(out, series + "_*.vtu"))) - 1))
        if series == "walls":
            check_walls(path, grid_read)
        if series in ("bodies", "field") and last and not vtu_check.faults:
            check_colours(path, grid_read.GetPointData(), dim)
    if known < (6 if "output.walls=true" in settings else 5):
        vtu_check.fault(out, "%d files, fewer than one of each series" % known)


os.makedirs(folder, exist_ok=True)
check_run("biaxial", 2, "13x13", "time.end=0.3")
check_run("pyramid", 3, "7x7x7", "time.end=0.02", "output.walls=true")
for line in vtu_check.faults:
    print(line)
sys.exit(1 if vtu_check.faults else 0)
