"""What the figures share: a run is opened at a time, its grains, chains and walls are shown, and a PNG is written.

A figure is called with the folder of a run and the PNG to make:

    paraview/pvbatch.sh paraview/figures/silo_chains.py out/gallery/silo docs/pictures/gallery/silo_chains.png
"""
import os
import sys

import paraview.simple as pv
from paraview import servermanager

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
pv._DisableFirstRenderCameraReset()
pv.LoadPlugin(os.path.join(ROOT, "delassus.py"), remote=False, ns=pv.__dict__)

GREY, DARK, INK = [0.85, 0.85, 0.85], [0.45, 0.45, 0.45], [0.1, 0.1, 0.12]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    size = sum(x * x for x in a) ** 0.5
    return tuple(x / size for x in a)


class Figure:
    """One render view of one run."""

    def __init__(self, width=640, height=640, time=None):
        if len(sys.argv) < 3:
            sys.exit("usage: pvbatch.sh %s RUN-FOLDER FIGURE.png" % sys.argv[0])
        self.folder, self.png = sys.argv[1], sys.argv[2]
        self.size = [width, height]
        self.readers = {}
        self.spans = []  # of colours; set at the end, since showing a thing resets them
        self.view = pv.CreateView("RenderView")
        self.view.ViewSize = self.size
        self.view.UseColorPaletteForBackground = 0
        self.view.Background = [1, 1, 1]
        self.view.OrientationAxesVisibility = 0
        times = self.read("bodies").TimestepValues
        times = list(times) if hasattr(times, "__len__") else [times]
        self.time = times[-1] if time is None else min(times, key=lambda t: abs(t - time))
        self.view.ViewTime = self.time
        pv.UpdatePipeline(time=self.time, proxy=self.read("bodies"))
        # 2-D files have all z = 0
        low, high = self.read("bodies").GetDataInformation().GetBounds()[4:6]
        self.flat = low == 0 and high == 0

    def read(self, series):
        """Reader of bodies, solids, deformable, gauss, faces, contacts, chains or boundaries."""
        if series not in self.readers:
            path = os.path.join(self.folder, series + ".pvd")
            if not os.path.exists(path):
                sys.exit("%s: there is no such file; run the deck first, with --out %s" % (path, self.folder))
            self.readers[series] = pv.PVDReader(FileName=path)
        return self.readers[series]

    def update(self, source):
        pv.UpdatePipeline(time=self.time, proxy=source)
        return source

    def show(self, source, colour=None, kind="Surface", opacity=1.0, width=1.0, port=0):
        """Shows a source in one colour."""
        self.update(source)
        display = pv.Show(servermanager.OutputPort(source, port), self.view)
        display.Representation = kind
        display.ColorArrayName = ["POINTS", ""]
        if colour is not None:
            display.AmbientColor = display.DiffuseColor = colour
        display.Opacity, display.LineWidth = opacity, width
        return display

    def speed(self, display, span=None, preset="Viridis (matplotlib)", where="CELLS"):
        """Coloured by the size of the velocity."""
        return self.colour(display, "velocity", preset, "speed", "m/s", span=span, where=where)

    def colour(self, display, array, preset="Viridis (matplotlib)", title=None, unit="", span=None, where="POINTS",
               invert=False, bar=True, labels=None):
        """Colours what is shown by an array; labels {number: text} for numbers that stand for words."""
        pv.ColorBy(display, (where, array))
        table = pv.GetColorTransferFunction(array)
        if labels:
            table.InterpretValuesAsCategories = 1
            table.Annotations = [text for key, (text, _) in sorted(labels.items()) for text in (str(key), text)]
            table.IndexedColors = [part for _, (_, rgb) in sorted(labels.items()) for part in rgb]
        else:
            table.ApplyPreset(preset, True)
            if invert:
                table.InvertTransferFunction()
            if span:
                self.spans.append((table, span))
            else:
                display.RescaleTransferFunctionToDataRange(False, True)
        display.SetScalarBarVisibility(self.view, bar)
        if bar:
            legend = pv.GetScalarBar(table, self.view)
            legend.Title, legend.ComponentTitle = title or array, unit
            legend.TitleColor = legend.LabelColor = INK
            legend.TitleFontSize, legend.LabelFontSize = 14, 13
            legend.WindowLocation = "Any Location"
            legend.Position, legend.ScalarBarLength = [0.85, 0.3], 0.4
            legend.ScalarBarThickness, legend.HorizontalTitle, legend.AutomaticLabelFormat = 12, 1, 0
            if labels:
                legend.TextPosition = "Ticks left/bottom, annotations right/top"
            legend.LabelFormat = legend.RangeLabelFormat = "%.4g"
        return table

    def marks(self, source, shape, scale=2.0, array="radius"):
        """A shape at every point, scaled by an array (None: not)."""
        if isinstance(shape, str):
            glyph = pv.Glyph(Input=source, GlyphType=shape)
        else:  # the property has had other names
            glyph = pv.GlyphWithCustomSource(Input=source)
            setattr(glyph, next(p for p in ("GlyphSource", "GlyphType", "Source") if p in glyph.ListProperties()), shape)
        glyph.OrientationArray = ["POINTS", "No orientation array"]
        glyph.ScaleArray = ["POINTS", array or "No scale array"]
        glyph.ScaleFactor, glyph.GlyphMode = scale, "All Points"
        return glyph

    def grains(self, source=None, opacity=1.0, resolution=20):
        """Balls, in 2-D disks with an edge, of `radius`."""
        source = source or self.read("bodies")
        if not self.flat:
            balls = self.marks(source, "Sphere")
            balls.GlyphType.ThetaResolution = balls.GlyphType.PhiResolution = resolution
            return self.show(balls, GREY, opacity=opacity)
        disk = pv.Disk(InnerRadius=0.0, OuterRadius=0.5, CircumferentialResolution=28)
        ring = pv.Disk(InnerRadius=0.46, OuterRadius=0.5, CircumferentialResolution=28)
        display = self.show(self.marks(source, disk), GREY, opacity=opacity)
        edge = self.show(self.marks(source, ring), DARK, opacity=opacity)
        for item in (display, edge):
            item.Ambient, item.Diffuse, item.Specular = 1.0, 0.0, 0.0
        return display

    def solids(self, source=None, opacity=1.0):
        """Bodies with corners as they are: polygons, polyhedra, with their edges."""
        display = self.show(source or self.read("solids"), GREY, kind="Surface With Edges", opacity=opacity)
        display.EdgeColor = DARK
        display.LineWidth = 0.7
        if self.flat:
            display.Ambient, display.Diffuse, display.Specular = 1.0, 0.0, 0.0
        return display

    def mesh(self, source=None, width=0.5):
        """Deformable bodies, moved, with the edges of their cells (width 0: without)."""
        display = self.show(source or self.read("deformable"), GREY, kind="Surface With Edges" if width else "Surface", width=width)
        display.EdgeColor = DARK
        if self.flat:
            display.Ambient, display.Diffuse, display.Specular = 1.0, 0.0, 0.0
        return display

    def scaled(self, source, formula, name, where="Point Data"):
        """An array more, such as von_mises / 1000 for kPa."""
        return pv.Calculator(Input=source, AttributeType=where, Function=formula, ResultArrayName=name)

    def rigid(self):
        """bodies.pvd without the balls and faces by which deformable bodies meet others."""
        low, high = self.update(self.read("deformable")).PointData["id"].GetRange()
        meshed = pv.Calculator(Input=self.read("bodies"), AttributeType="Point Data", ResultArrayName="meshed",
                               Function="if(id < %d, 0, if(id > %d, 0, 1))" % (low, high))
        return pv.Threshold(Input=meshed, Scalars=["POINTS", "meshed"], LowerThreshold=-0.5, UpperThreshold=0.5)

    def faces(self, width=4.0):
        """Where flat sides meet: polygons, in 2-D lines."""
        display = self.show(self.read("faces"), width=width)
        display.Ambient, display.Diffuse, display.Specular = 1.0, 0.0, 0.0
        return display

    def behind(self):
        """Bodies with y > 0 alone: a look into the middle."""
        half = pv.Clip(Input=self.read("bodies"), ClipType="Plane", Invert=0)
        half.ClipType.Origin, half.ClipType.Normal = [0, 0, 0], [0, 1, 0]
        return half

    def chains(self, threshold=0.0, radius=0.0, source=None):
        """Tubes by force; a little in front of 2-D disks."""
        tubes = pv.DelassusForceChains(Input=source or self.read("chains"), Threshold=threshold, Radius=radius)
        return self.show(tubes)

    def walls(self, opacity=1.0, width=2.0, bounds=None):
        """Boundaries; in 2-D cut off at a box (x0, x1, y0, y1, ..)."""
        walls = self.read("boundaries")
        for k in range(4 if bounds else 0):
            walls = pv.Clip(Input=walls, ClipType="Plane", Invert=k % 2)
            normal = [1, 0, 0] if k < 2 else [0, 1, 0]
            walls.ClipType.Origin, walls.ClipType.Normal = [bounds[k] * n for n in normal], normal
        return self.show(walls, DARK, kind="Wireframe", opacity=opacity, width=width)

    def box(self):
        """Around the grains."""
        if os.path.exists(os.path.join(self.folder, "solids.pvd")):
            return list(self.update(self.read("solids")).GetDataInformation().GetBounds())
        bodies = self.read("bodies")
        radius = bodies.PointData["radius"].GetRange()[1]
        bounds = bodies.GetDataInformation().GetBounds()
        return [bounds[k] + (radius if k % 2 else -radius) for k in range(6)]

    def look(self, bounds=None, direction=(0.45, -1.0, 0.28), legend=True):
        """2-D: straight on, y up. 3-D: from a direction, z up. The box (x0, x1, y0, y1, z0, z1), by default that of the bodies,
        fills the picture but for a strip at the top and, for the legend, one at the right."""
        b = bounds or self.box()
        away = unit((0.0, 0.0, 1.0) if self.flat else direction)
        up = (0.0, 1.0, 0.0) if self.flat else (0.0, 0.0, 1.0)
        right = unit(cross(up, away))
        up = cross(away, right)
        corners = [(b[i], b[2 + j], b[4 + k]) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
        ranges = []
        for axis in (right, up, away):
            along = [sum(p * q for p, q in zip(corner, axis)) for corner in corners]
            ranges.append((min(along), max(along)))
        (left, most_right), (low, high), (near, far) = ranges
        wide, tall = self.size
        free, head, edge = (0.82 if legend else 0.96), 0.06, 0.02
        scale = max((most_right - left) / (wide * (free - edge)), (high - low) / (tall * (1 - head - 2 * edge)))
        # The middle of the picture, in the plane of the view: the box stands in the middle of the free part.
        x = 0.5 * (left + most_right) + scale * wide * (0.5 - 0.5 * (free + edge))
        y = 0.5 * (low + high) + scale * tall * 0.5 * head
        focus = [x * right[k] + y * up[k] + 0.5 * (near + far) * away[k] for k in range(3)]
        distance = 10 * max(high - low, most_right - left, far - near)
        view = self.view
        view.CameraParallelProjection, view.CameraParallelScale = 1, 0.5 * scale * tall
        view.CameraFocalPoint, view.CameraViewUp = focus, list(up)
        view.CameraPosition = [focus[k] + distance * away[k] for k in range(3)]
        return self

    def caption(self, text):
        """A line at the top left."""
        label = pv.Text(Text=text)
        display = pv.Show(label, self.view)
        display.Color, display.FontSize = INK, 16
        display.WindowLocation = "Upper Left Corner"

    def save(self):
        os.makedirs(os.path.dirname(os.path.abspath(self.png)), exist_ok=True)
        for table, span in self.spans:
            table.RescaleTransferFunction(*span)
        pv.Render(self.view)
        pv.SaveScreenshot(self.png, self.view, ImageResolution=self.size, CompressionLevel="9")
        squeeze(self.png)


def squeeze(path):
    """At most 128 colours, where Python's imaging library is installed; a picture of balls takes half as many bytes then."""
    try:
        from PIL import Image
    except ImportError:
        return
    picture = Image.open(path).convert("RGB")
    picture.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


STATUS = {0: ("open", [0.75, 0.75, 0.75]), 1: ("slips", [0.84, 0.19, 0.15]), 2: ("sticks", [0.13, 0.4, 0.67])}
