"""Between VTK and numpy: arrays of a dataset, a Granulate of two files, and the polygons that the filters draw."""
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray

import delassus_math as dm

BODIES = ("radius", "id", "velocity")
NODES = ("velocity",)
CELLS = ("id", "volume", "stress")
CONTACTS = ("force", "normal", "normal_force", "tangential_force", "candidate", "antagonist")


def field(dataset, name, default):
    """The value of a field array of the file, or the default."""
    array = dataset.GetFieldData().GetArray(name)
    return vtk_to_numpy(array)[0] if array else default


def point_arrays(dataset, names, what):
    """{name: values} of the points, with `points`; a frame without points has empty ones."""
    data, count = dataset.GetPointData(), dataset.GetNumberOfPoints()
    out = {"points": vtk_to_numpy(dataset.GetPoints().GetData()) if count else np.zeros((0, 3))}
    for index in range(data.GetNumberOfArrays()):
        array = data.GetArray(index)
        if array:
            out[array.GetName()] = vtk_to_numpy(array)
    for name in names:
        if name not in out and count:
            raise ValueError("the input has no array '%s' on its points; give %s.pvd of a run" % (name, what))
        out.setdefault(name, np.zeros((0, 3) if name in ("velocity", "force", "normal") else 0))
    return out


def packing(bodies, contacts, deformable=None):
    """Of two files or, where there are deformable bodies and their cells are to count, of three."""
    points = point_arrays(bodies, BODIES, "bodies")
    dim = int(field(bodies, "dimension", 0)) or None
    g = dm.Granulate(points, point_arrays(contacts, CONTACTS, "contacts"), dim, float(field(bodies, "lag", 0.0)))
    if deformable is None or deformable.GetNumberOfCells() == 0:
        return g
    return g.refine(mesh_arrays(deformable))


def mesh_arrays(mesh):
    """What Granulate.refine() wants of a frame of deformable.pvd."""
    out = point_arrays(mesh, NODES, "deformable")
    out["offsets"] = vtk_to_numpy(mesh.GetCells().GetOffsetsArray())
    out["node"] = vtk_to_numpy(mesh.GetCells().GetConnectivityArray())
    nothing = np.zeros((0, 3))
    for data, names in ((mesh.GetCellData(), CELLS), (mesh.GetFieldData(), ("cell_force", "share_of", "share_force"))):
        for name in names:
            array = data.GetArray(name)
            if not array and not name.startswith("share"):
                raise ValueError("the input has no array '%s'; give deformable.pvd of a run, as it is" % name)
            out[name] = vtk_to_numpy(array) if array else nothing.astype(int) if name == "share_of" else nothing
    return out


def put_array(data, name, values):
    array = numpy_to_vtk(np.ascontiguousarray(values), deep=1)
    array.SetName(name)
    data.AddArray(array)


def fill(output, points, cells, kind, point_data=(), cell_data=()):
    """points [n][3]; cells: list of index arrays, or one [cells][corners]; kind: lines or polygons."""
    output.Initialize()
    vtk_points = vtkPoints()
    vtk_points.SetData(numpy_to_vtk(np.ascontiguousarray(points, float).reshape(-1, 3), deep=1))
    output.SetPoints(vtk_points)
    lengths = np.array([len(cell) for cell in cells], dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    flat = np.concatenate([np.asarray(cell).ravel() for cell in cells]) if len(cells) else np.zeros(0)
    array = vtkCellArray()
    array.SetData(numpy_to_vtkIdTypeArray(offsets, deep=1),
                  numpy_to_vtkIdTypeArray(flat.astype(np.int64), deep=1))
    output.SetLines(array) if kind == "lines" else output.SetPolys(array)
    for name, values in dict(point_data).items():
        put_array(output.GetPointData(), name, values)
    for name, values in dict(cell_data).items():
        put_array(output.GetCellData(), name, values)


def fill_table(output, columns):
    output.Initialize()
    for name, values in columns.items():
        put_array(output.GetRowData(), name, np.atleast_1d(np.asarray(values)))


def tensors(dataset, name, of_cells=False):
    """(places [n][3], tensors [n][3][3], radius or None) of an array of 9 or 6 (XX YY ZZ XY YZ XZ) components, of points or,
    where these have none or it is asked for, of cells."""
    from vtkmodules.vtkFiltersCore import vtkCellCenters
    if (of_cells or not dataset.GetPointData().GetArray(name)) and dataset.GetCellData().GetArray(name):
        centres = vtkCellCenters()
        centres.SetInputData(dataset)
        centres.Update()
        dataset = centres.GetOutput()
    array, count = dataset.GetPointData().GetArray(name), dataset.GetNumberOfPoints()
    if not array:
        if count:
            raise ValueError("the input has no tensor '%s'; run with output: post: [stress], or put Delassus Grain "
                             "Stress before this filter" % name)
        return np.zeros((0, 3)), np.zeros((0, 3, 3)), None
    values = vtk_to_numpy(array)
    if values.ndim != 2 or values.shape[1] not in (6, 9):
        raise ValueError("'%s' is no tensor: it has to have 6 or 9 components" % name)
    if values.shape[1] == 6:
        values = values[:, [0, 3, 5, 3, 1, 4, 5, 4, 2]]
    places = np.array([dataset.GetPoint(k) for k in range(count)])
    radius = dataset.GetPointData().GetArray("radius")
    return places, values.reshape(-1, 3, 3), vtk_to_numpy(radius) if radius else None


def sphere(around=16, up=8):
    """(points, quads) of the unit sphere; poles are rings of equal points, so that all faces have four corners."""
    u, v = np.meshgrid(2 * np.pi * np.arange(around) / around, np.pi * np.arange(up + 1) / up)
    points = np.stack([np.sin(v) * np.cos(u), np.sin(v) * np.sin(u), np.cos(v)], axis=-1).reshape(-1, 3)
    row, col = np.meshgrid(np.arange(up), np.arange(around), indexing="ij")
    here, right = row * around + col, row * around + (col + 1) % around
    return points, np.stack([here, here + around, right + around, right], axis=-1).reshape(-1, 4)


def disk(corners=32):
    angle = 2 * np.pi * np.arange(corners) / corners
    return np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1), np.arange(corners)[None, :]


def circle(centre, radius, axes=((1, 0, 0), (0, 1, 0)), steps=72):
    """A closed line of steps + 1 points in the plane of two axes."""
    angle = np.linspace(0, 2 * np.pi, steps + 1)
    return np.asarray(centre) + radius * (np.cos(angle)[:, None] * np.asarray(axes[0])
                                          + np.sin(angle)[:, None] * np.asarray(axes[1]))


def ellipsoids(places, axes, half, dim):
    """(points, cells, owner of each point): half [n][3] are the half axes along the rows of axes."""
    shape, faces = sphere() if dim == 3 else disk()
    points = places[:, None, :] + np.einsum("pk,nk,nki->npi", shape, half, axes)
    shift = (np.arange(len(places)) * len(shape))[:, None, None]
    return points.reshape(-1, 3), (faces[None] + shift).reshape(-1, faces.shape[1]), np.repeat(np.arange(len(places)), len(shape))


def crosses(places, axes, half, dim):
    """(points, lines, owner, axis of each point)."""
    arm = half[:, :dim, None] * axes[:, :dim, :]
    points = np.stack([places[:, None, :] - arm, places[:, None, :] + arm], axis=2)
    count = len(places) * dim
    return (points.reshape(-1, 3), np.arange(2 * count).reshape(-1, 2), np.repeat(np.arange(len(places)), 2 * dim),
            np.tile(np.repeat(np.arange(dim), 2), len(places)))
