"""Filters for the files of delassus runs. ParaView 5.11 and later: Tools > Manage Plugins > Load New, this file; they stand in
the menu Filters > Delassus. The files delassus_data.py and delassus_math.py beside it are needed.

Without ParaView (plain VTK) the classes are algorithms like any other; that is how tests run them.
"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import delassus_data as dd  # noqa: E402
import delassus_math as dm  # noqa: E402
from vtkmodules.util.vtkAlgorithm import VTKPythonAlgorithmBase  # noqa: E402
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkDataSet, vtkPolyData, vtkTable, vtkUnstructuredGrid  # noqa: E402
from vtkmodules.vtkFiltersCore import vtkTubeFilter  # noqa: E402

try:
    from paraview.util.vtkAlgorithm import smdomain, smhint, smproperty, smproxy
except ImportError:

    class Silent:
        """Stands for ParaView's decorators: leaves classes and methods as they are."""

        def __getattr__(self, name):
            return lambda *words, **options: lambda thing: thing

    smdomain = smhint = smproperty = smproxy = Silent()


OPTIONAL_INPUT = ('<InputProperty name="%s" port_index="%d" command="SetInputConnection"><ProxyGroupDomain name="groups">'
                  '<Group name="sources"/><Group name="filters"/></ProxyGroupDomain><DataTypeDomain name="input_type">'
                  '<DataType value="vtkDataSet"/></DataTypeDomain><Hints><Optional/></Hints></InputProperty>')


def delassus_filter(name, label, help_text, inputs, outputs=("Output",), optional=()):
    """The decorators of a filter: its menu, its inputs (the first is port 0), those that may be left out behind them, and the
    names of its outputs."""

    def decorate(cls):
        for port, title in reversed(list(enumerate(optional, len(inputs)))):
            cls = smproperty.xml(OPTIONAL_INPUT % (title, port))(cls)
        for port, title in reversed(list(enumerate(inputs))):
            cls = smdomain.datatype(dataTypes=["vtkDataSet"], composite_data_supported=False)(cls)
            cls = smproperty.input(name=title, port_index=port)(cls)
        ports = "".join('<OutputPort name="%s" index="%d"/>' % (title, k) for k, title in enumerate(outputs))
        cls = smproperty.xml(ports)(cls) if len(outputs) > 1 else cls
        cls = smproperty.xml("<Documentation>%s</Documentation>" % help_text)(cls)
        cls = smhint.xml('<ShowInMenu category="Delassus"/>')(cls)
        return smproxy.filter(name=name, label=label)(cls)

    return decorate


def choice(name, words, default=0):
    """A drop-down list whose value is the number of a word."""
    entries = "".join('<Entry text="%s" value="%d"/>' % (word, k) for k, word in enumerate(words))
    return smproperty.xml('<IntVectorProperty name="%s" command="Set%s" number_of_elements="1" default_values="%d">'
                          '<EnumerationDomain name="enum">%s</EnumerationDomain></IntVectorProperty>'
                          % (name, name.replace(" ", ""), default, entries))


class Filter(VTKPythonAlgorithmBase):
    """Datasets in, the given types out; inputs from number `needed` on may be left out."""

    def __init__(self, inputs, outputs, needed=None):
        self.needed = inputs if needed is None else needed
        super().__init__(nInputPorts=inputs, nOutputPorts=len(outputs), outputType=outputs[0].__name__)
        self.types = [kind.__name__ for kind in outputs]

    def FillInputPortInformation(self, port, info):
        info.Set(self.INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet")
        if port >= self.needed:
            info.Set(self.INPUT_IS_OPTIONAL(), 1)
        return 1

    def FillOutputPortInformation(self, port, info):
        info.Set(vtkDataObject.DATA_TYPE_NAME(), self.types[port])
        return 1

    def change(self, name, value):
        if getattr(self, name, None) != value:
            setattr(self, name, value)
            self.Modified()


def copy_time(source, target):
    array = source.GetFieldData().GetArray("TimeValue")
    if array:
        target.GetFieldData().AddArray(array)


@delassus_filter("DelassusForceChains", "Delassus Force Chains",
                 "Tubes along the contacts of chains.pvd, as thick as their force; weak ones left out.", ["Input"])
class ForceChains(Filter):
    """chains.pvd into tubes: radius of a contact = Radius |f| / mean(f), at most MaximumRatio Radius; those that pull have a
    `force_ratio` below 0. The mean is that of contacts that push or, where none does, of those that pull."""

    def __init__(self):
        super().__init__(1, [vtkPolyData])
        self.threshold, self.radius, self.most, self.sides = 0.0, 0.0, 6.0, 8

    @smproperty.doublevector(name="Threshold", default_values=0.0)
    @smdomain.doublerange(min=0, max=5)
    def SetThreshold(self, value):
        """Contacts below this many times the mean normal force, pushing or pulling, are left out; 1 leaves the strong ones."""
        self.change("threshold", value)

    @smproperty.doublevector(name="Radius", default_values=0.0)
    def SetRadius(self, value):
        """Of a tube with the mean force, m. 0: a fifteenth of the median length of a line."""
        self.change("radius", value)

    @smproperty.doublevector(name="MaximumRatio", default_values=6.0)
    def SetMaximumRatio(self, value):
        self.change("most", value)

    @smproperty.intvector(name="Sides", default_values=8)
    def SetSides(self, value):
        self.change("sides", value)

    def RequestData(self, request, inInfo, outInfo):
        lines, output = vtkDataSet.GetData(inInfo[0], 0), vtkPolyData.GetData(outInfo, 0)
        data = dd.point_arrays(lines, ("normal_force", "tangential_force", "status"), "chains")
        ends = data["points"].reshape(-1, 2, 3)
        force = data["normal_force"][::2]
        mean = dm.mean_force(force) or dm.mean_force(-force)
        ratio = force / mean if mean > 0 else np.zeros(len(force))
        keep = np.abs(ratio) >= self.threshold if self.threshold > 0 else np.ones(len(force), bool)
        if not keep.any():
            return 1
        length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        unit = self.radius if self.radius > 0 else np.median(length) / 15
        plain = vtkPolyData()
        twice = {name: np.repeat(values[keep], 2) for name, values in (
            ("normal_force", force), ("tangential_force", data["tangential_force"][::2]),
            ("status", data["status"][::2]), ("force_ratio", ratio),
            ("tube_radius", unit * np.clip(np.abs(ratio), 0.02, self.most)))}
        dd.fill(plain, ends[keep], np.arange(2 * keep.sum()).reshape(-1, 2), "lines", twice)
        plain.GetPointData().SetActiveScalars("tube_radius")
        tube = vtkTubeFilter()
        tube.SetInputData(plain)
        tube.SetVaryRadiusToVaryRadiusByAbsoluteScalar()
        tube.SetNumberOfSides(max(3, self.sides))
        tube.CappingOn()
        tube.Update()
        output.ShallowCopy(tube.GetOutput())
        output.GetPointData().SetActiveScalars("force_ratio")
        copy_time(lines, output)
        return 1


@delassus_filter("DelassusGrainStress", "Delassus Grain Stress",
                 "Adds the stress tensor of each grain, its principal values, pressure and deviator to bodies.pvd, from "
                 "contacts.pvd; for runs without output: post: [stress].", ["Bodies", "Contacts"])
class GrainStress(Filter):
    def __init__(self):
        super().__init__(2, [vtkUnstructuredGrid])

    def RequestData(self, request, inInfo, outInfo):
        bodies, contacts = vtkDataSet.GetData(inInfo[0], 0), vtkDataSet.GetData(inInfo[1], 0)
        output = vtkDataSet.GetData(outInfo, 0)
        output.ShallowCopy(bodies)
        if bodies.GetNumberOfPoints() == 0:
            return 1
        g = dd.packing(bodies, contacts)
        stress = dm.grain_stress(g)
        state = dm.stress_state(stress, g.dim)
        data = output.GetPointData()
        for name, values in (("volume", g.volume), ("pressure", state["pressure"]), ("deviator", state["deviator"]),
                             ("stress_ratio", state["ratio"]), ("principal_stress", state["principal"]),
                             ("principal_direction", state["axes"][:, 0]), ("stress", stress.reshape(-1, 9))):
            dd.put_array(data, name, values[g.grain])
        data.SetActiveScalars("pressure")
        data.SetActiveTensors("stress")
        return 1


@delassus_filter("DelassusStressGlyphs", "Delassus Stress Glyphs",
                 "Ellipsoids or crosses along the principal directions of a tensor, with pressure and deviator as colours.",
                 ["Input"])
class StressGlyphs(Filter):
    def __init__(self):
        super().__init__(1, [vtkPolyData])
        self.tensor, self.cross, self.scale, self.above, self.cells = "stress", 0, 0.0, 0.0, 0

    @smproperty.stringvector(name="Tensor", default_values="stress")
    def SetTensor(self, value):
        """Array of 9 or 6 components, of points or of cells."""
        self.change("tensor", value)

    @choice("Where", ["Points, else cells", "Cells, else points"])
    def SetWhere(self, value):
        """Meshes of deformable bodies have stress in both: recovered at nodes, the mean of each cell at its centre."""
        self.change("cells", value)

    @choice("Glyph", ["Ellipsoids", "Crosses"])
    def SetGlyph(self, value):
        self.change("cross", value)

    @smproperty.doublevector(name="ScaleFactor", default_values=0.0)
    def SetScaleFactor(self, value):
        """m per Pa for half an axis. 0: the 90 % quantile of the largest principal values is a mean radius, and what would be
        longer than six of them is drawn as long as that, its shape kept."""
        self.change("scale", value)

    @smproperty.doublevector(name="Above", default_values=0.0)
    def SetAbove(self, value):
        """Tensors whose largest principal value is below this share of that quantile are left out."""
        self.change("above", value)

    def RequestData(self, request, inInfo, outInfo):
        source, output = vtkDataSet.GetData(inInfo[0], 0), vtkPolyData.GetData(outInfo, 0)
        places, stress, radius = dd.tensors(source, self.tensor, self.cells)
        dim = int(dd.field(source, "dimension", 0)) or dm.dimension(places)
        state = dm.stress_state(stress, dim)
        largest = np.abs(state["principal"]).max(axis=1) if len(places) else np.zeros(0)
        if not np.any(largest > 0):
            return 1
        top = np.quantile(largest[largest > 0], 0.9)
        keep = largest > max(self.above * top, 0)
        size = radius.mean() if radius is not None else spacing(places, dim) / 2
        scale = self.scale if self.scale > 0 else size / top
        half = np.abs(state["principal"][keep]) * scale
        if self.scale <= 0:
            half *= np.minimum(1, 6 * size / half.max(axis=1))[:, None]
        axes = state["axes"][keep]
        if self.cross:
            points, cells, owner, axis = dd.crosses(places[keep], axes, half, dim)
            more = {"principal": state["principal"][keep][owner, axis]}
            kind = "lines"
        else:
            thin = 0.05 * half.max(axis=1)[:, None]  # so that a grain between two forces stays visible
            points, cells, owner = dd.ellipsoids(places[keep], axes, np.maximum(half, thin), dim)
            more, kind = {}, "polygons"
        more.update({name: state[name][keep][owner] for name in ("pressure", "deviator")})
        dd.fill(output, points, cells, kind, more)
        output.GetPointData().SetActiveScalars("pressure")
        copy_time(source, output)
        return 1


def spacing(places, dim):
    """Mean distance of points that fill a box evenly."""
    extent = np.ptp(places, axis=0)[:dim]
    extent = extent[extent > 0]
    return float((extent.prod() / len(places)) ** (1 / max(len(extent), 1))) if len(extent) else 1.0


@delassus_filter("DelassusFabricRose", "Delassus Fabric Rose",
                 "Polar histogram of the contact directions of contacts.pvd, with its Fourier fit.", ["Input"],
                 ("Rose", "Fit", "Table"))
class FabricRose(Filter):
    """Output 0: a polygon for each sector; 1: the fit, a closed line; 2: table of both. A circle of radius Size is the
    uniform distribution. As a sphere: a pyramid for each of 10 x 24 bins of equal area; the fit, of harmonics 2 and 4, as a net; a
    sphere of radius Size is the uniform distribution."""

    PLANES = (("xy", 0, 1), ("xz", 0, 2), ("yz", 1, 2))

    def __init__(self):
        super().__init__(1, [vtkPolyData, vtkPolyData, vtkTable])
        self.sectors, self.harmonics, self.plane, self.weight, self.walls, self.size = 24, 3, 0, 0, 1, 1.0
        self.shape = 0

    @choice("Shape", ["Circle", "Sphere"])
    def SetShape(self, value):
        """In the plane or, for 3-D, on the sphere."""
        self.change("shape", value)

    @smproperty.intvector(name="Sectors", default_values=24)
    def SetSectors(self, value):
        self.change("sectors", max(4, value))

    @smproperty.intvector(name="Harmonics", default_values=3)
    def SetHarmonics(self, value):
        """Of the fit: multiples of twice the angle."""
        self.change("harmonics", max(1, value))

    @choice("Plane", ["xy", "xz", "yz"])
    def SetPlane(self, value):
        """Directions are projected on it."""
        self.change("plane", value)

    @choice("Weight", ["Number of contacts", "Normal force"])
    def SetWeight(self, value):
        self.change("weight", value)

    @smproperty.intvector(name="Walls", default_values=1)
    @smdomain.xml('<BooleanDomain name="bool"/>')
    def SetWalls(self, value):
        """Whether contacts with boundaries count."""
        self.change("walls", value)

    @smproperty.doublevector(name="Size", default_values=1.0)
    def SetSize(self, value):
        """m: radius that stands for the mean density."""
        self.change("size", value)

    def RequestData(self, request, inInfo, outInfo):
        contacts = vtkDataSet.GetData(inInfo[0], 0)
        data = dd.point_arrays(contacts, dd.CONTACTS, "contacts")
        _, i, j = self.PLANES[self.plane]
        keep = data["normal_force"] != 0
        if not self.walls:
            keep &= data["antagonist"] >= 0
        if self.shape:
            return self.sphere(data["normal"][keep], np.abs(data["normal_force"][keep]) if self.weight else None, outInfo)
        angle = np.arctan2(data["normal"][keep][:, j], data["normal"][keep][:, i])
        density, a, b = dm.rose(angle, np.abs(data["normal_force"][keep]) if self.weight else None, self.sectors, self.harmonics)
        width = 2 * np.pi / self.sectors
        points, steps = [], 8
        for k, value in enumerate(density):
            arc = np.linspace(k * width, (k + 1) * width, steps)
            radius = self.size * 2 * np.pi * value
            points.append(np.vstack([[0, 0, 0], np.stack([radius * np.cos(arc), radius * np.sin(arc), 0 * arc], axis=1)]))
        cells = np.arange(self.sectors * (steps + 1)).reshape(self.sectors, -1)
        dd.fill(vtkPolyData.GetData(outInfo, 0), np.vstack(points), cells, "polygons",
                cell_data={"density": density, "relative_density": 2 * np.pi * density})
        turn = np.linspace(0, 2 * np.pi, 181)
        fit = dm.rose_fit(a, b, turn)
        radius = self.size * 2 * np.pi * fit
        dd.fill(vtkPolyData.GetData(outInfo, 1), np.stack([radius * np.cos(turn), radius * np.sin(turn), 0 * turn], axis=1),
                [np.arange(181)], "lines", {"density": fit})
        middle = (np.arange(self.sectors) + 0.5) * width
        table = vtkTable.GetData(outInfo, 2)
        dd.fill_table(table, {"angle": np.degrees(middle), "density": density, "fit": dm.rose_fit(a, b, middle)})
        for name, values in (("a", a), ("b", b), ("contacts", np.array([int(keep.sum())]))):
            dd.put_array(table.GetFieldData(), name, values)
        return 1


    def sphere(self, normal, weight, outInfo):
        density = dm.sphere_rose(normal, weight)
        bands, sectors = density.shape
        points, cells, values = [], [], []
        for (band, sector), value in np.ndenumerate(density):
            height = -1 + 2 * (band + np.array([0, 1])) / bands
            turn = 2 * np.pi * (sector + np.linspace(0, 1, 4)) / sectors
            rim = [(h, t) for h, row in ((height[0], turn), (height[1], turn[::-1])) for t in row]
            top = [(np.sqrt(1 - h * h) * np.cos(t), np.sqrt(1 - h * h) * np.sin(t), h) for h, t in rim]
            start = len(points)
            points += [(0.0, 0.0, 0.0)] + [tuple(4 * np.pi * value * self.size * x for x in place) for place in top]
            corner = start + 1 + np.arange(8)
            cells.append(corner)
            cells += [np.array([start, corner[k], corner[(k + 1) % 8]]) for k in range(8)]
            values += 9 * [value]
        values = np.array(values)
        dd.fill(vtkPolyData.GetData(outInfo, 0), np.array(points), cells, "polygons",
                cell_data={"density": values, "relative_density": 4 * np.pi * values})
        height, turn = np.meshgrid(np.cos(np.linspace(0, np.pi, 25)), np.linspace(0, 2 * np.pi, 49), indexing="ij")
        rho = np.sqrt(np.maximum(0, 1 - height**2))
        net = np.stack([rho * np.cos(turn), rho * np.sin(turn), height], axis=2).reshape(-1, 3)
        fit = dm.sphere_fit(normal, net, weight)
        number = np.arange(25 * 49).reshape(25, 49)
        dd.fill(vtkPolyData.GetData(outInfo, 1), 4 * np.pi * self.size * fit[:, None] * net, list(number) + list(number.T[::2]),
                "lines", {"density": fit})
        middle, around = np.meshgrid(-1 + 2 * (np.arange(bands) + 0.5) / bands, 360 * (np.arange(sectors) + 0.5) / sectors, indexing="ij")
        table = vtkTable.GetData(outInfo, 2)
        place = np.stack([np.sqrt(1 - middle**2) * np.cos(np.radians(around)), np.sqrt(1 - middle**2) * np.sin(np.radians(around)), middle], axis=2)
        dd.fill_table(table, {"height": middle.ravel(), "azimuth": around.ravel(), "density": density.ravel(),
                              "fit": dm.sphere_fit(normal, place.reshape(-1, 3), weight)})
        dd.put_array(table.GetFieldData(), "contacts", np.array([len(normal)]))
        return 1


class PointAndRadius(Filter):
    """bodies.pvd and contacts.pvd with a place; deformable.pvd too where there are deformable bodies: their cells count then as
    grains do."""

    def __init__(self, outputs):
        super().__init__(3, outputs, needed=2)

    def packing(self, inInfo):
        third = inInfo[2].GetNumberOfInformationObjects() > 0
        return dd.packing(vtkDataSet.GetData(inInfo[0], 0), vtkDataSet.GetData(inInfo[1], 0),
                          vtkDataSet.GetData(inInfo[2], 0) if third else None)


@delassus_filter("DelassusStressProbe", "Delassus Stress Probe",
                 "Mean stress over a sphere (2-D: a disk) of bodies.pvd and contacts.pvd (and deformable.pvd), Mohr's circle, cuts.",
                 ["Bodies", "Contacts"], ("Probe", "Mohr", "Cuts", "Table"), ["Deformable"])
class StressProbe(PointAndRadius):
    """Output 0: outline of the probe and the cross of principal stresses, in space; 1: Mohr's circles in the plane of
    normal and shear stress (kPa times MohrScale); 2: tractions on 31 diameters against the tensor (2-D); 3: the mean stress."""

    def __init__(self):
        super().__init__([vtkPolyData, vtkPolyData, vtkTable, vtkTable])
        self.centre, self.radius, self.kind, self.cuts, self.mohr = (0.0, 0.0, 0.0), 0.05, 0, 31, 1.0

    @smproperty.doublevector(name="Centre", default_values=[0.0, 0.0, 0.0])
    def SetCentre(self, x, y, z):
        self.change("centre", (x, y, z))

    @smproperty.doublevector(name="Radius", default_values=0.05)
    def SetRadius(self, value):
        """m"""
        self.change("radius", value)

    @choice("Average", ["Grains with their centre inside", "Lines by the share inside"])
    def SetAverage(self, value):
        self.change("kind", value)

    @smproperty.intvector(name="NumberOfCuts", default_values=31)
    def SetNumberOfCuts(self, value):
        self.change("cuts", max(2, value))

    @smproperty.doublevector(name="MohrScale", default_values=1.0)
    def SetMohrScale(self, value):
        """Length per kPa of output Mohr."""
        self.change("mohr", value)

    def RequestData(self, request, inInfo, outInfo):
        if self.radius <= 0:
            raise ValueError("the radius of the probe is %g m; it has to be positive" % self.radius)
        g = self.packing(inInfo)
        mean = dm.probe(g, self.centre, self.radius, ("centres", "lines")[self.kind])
        state = dm.stress_state(mean["stress"], g.dim)
        self.draw(vtkPolyData.GetData(outInfo, 0), g.dim, state)
        self.draw_mohr(vtkPolyData.GetData(outInfo, 1), g.dim, mean["stress"])
        if g.dim == 2:
            angle, normal, tangent = dm.cut_directions(g, self.centre, self.radius, self.cuts).T
            smooth_n, smooth_t = dm.traction(mean["stress"], angle)
            dd.fill_table(vtkTable.GetData(outInfo, 2), {
                "angle": np.degrees(angle), "normal_cut": normal, "tangential_cut": tangent,
                "normal_tensor": smooth_n, "tangential_tensor": smooth_t})
        row = {"stress_" + "xyz"[i] + "xyz"[j]: mean["stress"][i, j] for i in range(3) for j in range(3)}
        row.update({"principal_%d" % (k + 1): state["principal"][k] for k in range(3)})
        row.update({name: state[name] for name in ("pressure", "deviator", "ratio")})
        row.update({name: mean[name] for name in ("volume", "grains", "cells", "solid")})
        dd.fill_table(vtkTable.GetData(outInfo, 3), row)
        return 1

    def draw(self, output, dim, state):
        centre, radius = np.array(self.centre), self.radius
        x, y, z = np.eye(3)
        rings = [dd.circle(centre, radius, pair) for pair in ([(x, y)] if dim == 2 else [(x, y), (x, z), (y, z)])]
        top = np.abs(state["principal"]).max()
        half = 0.8 * radius * np.abs(state["principal"]) / (top if top > 0 else 1)
        lines = [centre + np.outer([-1, 1], half[k] * state["axes"][k]) for k in range(dim)]
        parts, at, cells = rings + lines, 0, []
        for part in parts:
            cells.append(np.arange(at, at + len(part)))
            at += len(part)
        value = np.concatenate([np.zeros(len(rings)), state["principal"][:dim]])
        dd.fill(output, np.vstack(parts), cells, "lines", cell_data={"principal": value})

    def draw_mohr(self, output, dim, stress):
        circles = dm.mohr_circles(stress, dim)
        flat = np.vstack(circles)
        count = len(circles[0])
        cells = np.arange(len(flat)).reshape(-1, count)
        dd.fill(output, np.column_stack([flat * 1e-3 * self.mohr, 0 * flat[:, 0]]), cells, "lines",
                {"normal_stress": flat[:, 0], "shear_stress": flat[:, 1]})


@delassus_filter("DelassusCutResultant", "Delassus Cut Resultant",
                 "The force that is transmitted across a plane, a disk of it (2-D: a segment), or the mantle of a cylinder.", ["Bodies", "Contacts"],
                 ("Cut", "Table"), ["Deformable"])
class CutResultant(PointAndRadius):
    """Output 0: the outline of the portion, and the force as an arrow's line from its middle; 1: a table. The force is what
    the side that the normal points to exerts on the other."""

    def __init__(self):
        super().__init__([vtkPolyData, vtkTable])
        self.origin, self.normal, self.radius, self.scale = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.0, 0.0
        self.shape, self.length = 0, 1.0

    @choice("Shape", ["Plane or disk", "Cylinder"])
    def SetShape(self, value):
        self.change("shape", value)

    @smproperty.doublevector(name="Length", default_values=1.0)
    def SetLength(self, value):
        """m, of the cylinder along its axis, which is the normal; half of it on each side of the origin."""
        self.change("length", value)

    @smproperty.doublevector(name="Origin", default_values=[0.0, 0.0, 0.0])
    def SetOrigin(self, x, y, z):
        self.change("origin", (x, y, z))

    @smproperty.doublevector(name="Normal", default_values=[0.0, 0.0, 1.0])
    def SetNormal(self, x, y, z):
        self.change("normal", (x, y, z))

    @smproperty.doublevector(name="Radius", default_values=0.0)
    def SetRadius(self, value):
        """m, of the disk, or half the segment; 0: the whole plane."""
        self.change("radius", value)

    @smproperty.doublevector(name="ScaleFactor", default_values=0.0)
    def SetScaleFactor(self, value):
        """m per N for the line of the force. 0: as long as the portion is wide."""
        self.change("scale", value)

    def RequestData(self, request, inInfo, outInfo):
        g = self.packing(inInfo)
        if self.shape:
            return self.cylinder(g, outInfo)
        force, area, contacts = dm.cut(g, self.origin, self.normal, self.radius)
        normal = np.array(self.normal) / np.linalg.norm(self.normal)
        wide = self.radius if self.radius > 0 else 0.5 * np.ptp(g.centre, axis=0).max() if len(g.id) else 1.0
        if g.dim == 2:
            along = np.array([-normal[1], normal[0], 0])
            outline = np.array(self.origin) + np.outer([-wide, wide], along)
        else:
            first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
            first /= np.linalg.norm(first)
            outline = dd.circle(self.origin, wide, (first, np.cross(normal, first)))
        size = np.linalg.norm(force)
        scale = self.scale if self.scale > 0 else 1.5 * wide / size if size > 0 else 0.0
        line = np.array(self.origin) + np.outer([0, 1], scale * force)
        cells = [np.arange(len(outline)), len(outline) + np.arange(2)]
        dd.fill(vtkPolyData.GetData(outInfo, 0), np.vstack([outline, line]), cells, "lines",
                cell_data={"force": np.array([[0, 0, 0], force])})
        row = {"force_" + "xyz"[k]: force[k] for k in range(3)}
        row.update({"force": size, "normal_force": force @ normal, "area": area, "contacts": contacts,
                    "tangential_force": np.linalg.norm(force - (force @ normal) * normal)})
        dd.fill_table(vtkTable.GetData(outInfo, 1), row)
        return 1

    def cylinder(self, g, outInfo):
        if g.dim == 2:
            raise ValueError("a cylinder is a cut of 3-D; in 2-D take a plane or a segment")
        force, area, contacts, radial = dm.cut_cylinder(g, self.origin, self.normal, self.radius, self.length)
        axis = np.array(self.normal) / np.linalg.norm(self.normal)
        first = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
        first /= np.linalg.norm(first)
        second = np.cross(axis, first)
        ends = [np.array(self.origin) + 0.5 * k * self.length * axis for k in (-1, 1)]
        rims = [dd.circle(end, self.radius, (first, second)) for end in ends]
        sides = [np.array([end + self.radius * (np.cos(t) * first + np.sin(t) * second) for end in ends])
                 for t in np.arange(8) * np.pi / 4]
        parts, cells, start = rims + sides, [], 0
        for part in parts:
            cells.append(start + np.arange(len(part)))
            start += len(part)
        dd.fill(vtkPolyData.GetData(outInfo, 0), np.vstack(parts), cells, "lines")
        row = {"force_" + "xyz"[k]: force[k] for k in range(3)}
        row.update({"force": np.linalg.norm(force), "normal_force": radial, "axial_force": force @ axis, "area": area,
                    "contacts": contacts})
        dd.fill_table(vtkTable.GetData(outInfo, 1), row)
        return 1
