"""Reads VTU, PVTU and PVD files with VTK itself and says what is wrong with them.

    vtu_check.py FILE.vtu|FILE.pvtu|FILE.pvd|SIDECAR.json ...

VTK stays silent on truncated files: CanReadFile says 1, the error code is 0, the output is empty. So an
observer listens for errors, and what was read is compared with what the head of the file promises. A
sidecar, which the tests write beside a file, holds every value: they are compared bit for bit.

Exit status 0 when all is well, 1 with one line for each fault, 77 when VTK is not installed, which in
continuous integration (CI in the environment) is a fault.
"""
import json
import os
import re
import sys
import xml.etree.ElementTree

try:
    import numpy
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError as missing:
    print("skipped: %s (Debian: python3-numpy, python3-vtk9)" % missing)
    sys.exit(1 if os.environ.get("CI", "") not in ("", "0", "false") else 77)  # .ci/install brings them

NUMPY = {"Float64": "f8", "Float32": "f4", "Int32": "i4", "Int64": "i8", "UInt8": "u1"}
faults = []


def fault(path, text):
    faults.append("%s: %s" % (path, text))


def read(path):
    """The grid that VTK reads, or None; every error that VTK raises is a fault."""
    heard = []

    def observe(caller, event, text=""):
        heard.append(" ".join(str(text).split()))

    observe.CallDataType = vtk.VTK_STRING
    parallel = path.endswith(".pvtu")
    reader = vtk.vtkXMLPUnstructuredGridReader() if parallel else vtk.vtkXMLUnstructuredGridReader()
    reader.AddObserver("ErrorEvent", observe)
    reader.SetFileName(path)
    if not os.path.exists(path):
        fault(path, "does not exist")
        return None
    if not reader.CanReadFile(path):
        fault(path, "VTK cannot read it")
        return None
    reader.Update()
    for text in heard:
        fault(path, "VTK: " + text)
    if reader.GetErrorCode():
        fault(path, "VTK: error code %d" % reader.GetErrorCode())
    return None if heard else reader.GetOutput()


def attributes(tag):
    return dict(re.findall(r'(\w+)="([^"]*)"', tag))


def unescape(text):
    for code, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        text = text.replace(code, sign)
    return text


def data_of(grid, place):
    return {"point": grid.GetPointData, "cell": grid.GetCellData, "field": grid.GetFieldData}[place]()


def array_of(grid, place, name):
    """An array of the grid as numpy [tuples][components] and as VTK has it."""
    if place == "points":
        found = grid.GetPoints().GetData() if grid.GetPoints() else None
    elif place == "cells":
        cells = grid.GetCells()
        found = {"connectivity": cells.GetConnectivityArray, "offsets": cells.GetOffsetsArray,
                 "types": grid.GetCellTypesArray}[name]()
    else:
        found = data_of(grid, place).GetArray(name)
    if found is None:
        return None, None
    values = numpy.ascontiguousarray(vtk_to_numpy(found))
    return values.reshape(found.GetNumberOfTuples(), found.GetNumberOfComponents()), found


def check_head(path):
    """The grid holds what the XML in front of the appended data promises."""
    with open(path, "rb") as file:
        head = file.read(1 << 20).split(b"<AppendedData")[0].decode()
    grid = read(path)
    if grid is None:
        return
    piece = attributes(re.search(r"<Piece [^>]*>", head).group())
    for name, count in (("Points", grid.GetNumberOfPoints()), ("Cells", grid.GetNumberOfCells())):
        if int(piece["NumberOf" + name]) != count:
            fault(path, "%s %s promised, %d read" % (piece["NumberOf" + name], name, count))
    for place, tag in (("point", "PointData"), ("cell", "CellData"), ("field", "FieldData")):
        part = re.search(r"<%s[ >].*?</%s>" % (tag, tag), head, re.S)
        for array in re.findall(r"<DataArray[^>]*>", part.group() if part else ""):
            promised = attributes(array)
            name = unescape(promised["Name"])
            values, found = array_of(grid, place, name)
            if found is None:
                fault(path, "%s data '%s' promised, not read" % (place, name))
                continue
            tuples = promised.get("NumberOfTuples",
                                  piece["NumberOfPoints" if place == "point" else "NumberOfCells"])
            shape = (int(tuples), int(promised["NumberOfComponents"]))
            if values.shape != shape:
                fault(path, "'%s' promised as %s, read as %s" % (name, shape, values.shape))


def compare_array(path, grid, expected, blob):
    place, name, components = expected["place"], expected["name"], expected["components"]
    kind = numpy.dtype(NUMPY[expected["type"]])
    wanted = numpy.frombuffer(blob, kind, expected["count"], expected["start"])
    wanted = wanted.reshape(-1, components)
    values, found = array_of(grid, place, name)
    if found is None:
        if wanted.size:
            fault(path, "%s '%s' is missing" % (place, name))
        return
    if place == "cells" and name == "offsets":
        wanted = numpy.concatenate([numpy.zeros((1, 1), kind), wanted])  # VTK keeps the starts too
    if values.dtype != kind:
        fault(path, "'%s' is of type %s, not %s" % (name, values.dtype, kind))
    if values.shape != wanted.shape:
        fault(path, "'%s' has shape %s, not %s" % (name, values.shape, wanted.shape))
    elif values.tobytes() != wanted.tobytes():
        differs = numpy.argwhere((values != wanted) & ~((values != values) & (wanted != wanted)))
        fault(path, "'%s' differs in %d numbers, first at %s" % (name, len(differs), differs[:1]))
    for i, wanted_name in enumerate(expected["names"]):
        if found.GetComponentName(i) != wanted_name:
            fault(path, "'%s' component %d is named %r, not %r" %
                  (name, i, found.GetComponentName(i), wanted_name))
    if expected["role"]:
        active = getattr(data_of(grid, place), "Get" + expected["role"])()
        if active is None or active.GetName() != name:
            fault(path, "'%s' is not the active %s" % (name, expected["role"]))


def check_sidecar(sidecar):
    with open(sidecar) as file:
        expected = json.load(file)
    folder = os.path.dirname(sidecar)
    path = os.path.join(folder, expected["file"])
    with open(os.path.join(folder, expected["data"]), "rb") as file:
        blob = file.read()
    grid = read(path)
    if grid is None:
        return
    if grid.GetNumberOfPoints() != expected["points"] or grid.GetNumberOfCells() != expected["cells"]:
        fault(path, "%d points and %d cells, not %d and %d" % (
            grid.GetNumberOfPoints(), grid.GetNumberOfCells(), expected["points"], expected["cells"]))
        return
    for array in expected["arrays"]:
        compare_array(path, grid, array, blob)
    for place in ("point", "cell", "field"):
        wanted = sum(array["place"] == place for array in expected["arrays"])
        if data_of(grid, place).GetNumberOfArrays() != wanted:
            fault(path, "%d arrays of %s data, not %d" %
                  (data_of(grid, place).GetNumberOfArrays(), place, wanted))
    check_head(path)


def check_collection(path):
    """A series: well-formed, times that do not fall, every file there and good."""
    try:
        sets = xml.etree.ElementTree.parse(path).getroot().findall("Collection/DataSet")
    except xml.etree.ElementTree.ParseError as error:
        fault(path, "not well-formed: %s" % error)
        return
    times = [float(entry.get("timestep")) for entry in sets]
    if times != sorted(times):
        fault(path, "times fall")
    for entry in sets:
        if os.path.isabs(entry.get("file")):
            fault(path, "absolute path %s" % entry.get("file"))
        check(os.path.join(os.path.dirname(path), entry.get("file")))
    print("%s: %d frames" % (path, len(sets)))


def check(path):
    if path.endswith(".json"):
        check_sidecar(path)
    elif path.endswith(".pvd"):
        check_collection(path)
    elif path.endswith(".pvtu"):
        read(path)
    else:
        check_head(path)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        check(argument)
    for line in faults:
        print(line)
    sys.exit(1 if faults else 0)
