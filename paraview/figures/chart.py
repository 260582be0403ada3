"""Curves of a run: a chart view of tables, or of the points of a polygon, written as PNG."""
import os

import paraview.simple as pv
from paraview import servermanager

from figure import INK, Figure, squeeze

LINE, CIRCLE = "1", "4"
COLOURS = {"red": (0.8, 0.15, 0.1), "blue": (0.13, 0.4, 0.67), "grey": (0.5, 0.5, 0.5), "black": tuple(INK)}


class Chart(Figure):
    def __init__(self, title, x, y, width=700, height=520):
        super().__init__(width, height)
        chart = self.chart = pv.CreateView("XYChartView")
        chart.ViewSize = self.size
        chart.ChartTitle, chart.ChartTitleFontSize = title, 15
        chart.BottomAxisTitle, chart.LeftAxisTitle = x, y
        for name in ("BottomAxisTitleFontSize", "LeftAxisTitleFontSize", "BottomAxisLabelFontSize", "LeftAxisLabelFontSize"):
            setattr(chart, name, 14 if "Title" in name else 12)
        chart.ShowLegend, chart.LegendLocation = 1, "TopRight"

    def curve(self, source, port, x, series):
        """series {array: (label, colour, kind)}, kind LINE or CIRCLE."""
        self.update(source)
        display = pv.Show(servermanager.OutputPort(source, port), self.chart)
        display.UseIndexForXAxis, display.XArrayName = 0, x
        if source.GetDataInformation(port).GetDataSetTypeAsString() == "vtkPolyData":
            display.AttributeType = "Point Data"
        names = list(series)
        display.SeriesVisibility = names
        display.SeriesLabel = [text for name in names for text in (name, series[name][0])]
        display.SeriesColor = [text for name in names for text in (name, *map(str, COLOURS[series[name][1]]))]
        display.SeriesLineStyle = [text for name in names for text in (name, "1" if series[name][2] == LINE else "0")]
        display.SeriesMarkerStyle = [text for name in names for text in (name, "0" if series[name][2] == LINE else CIRCLE)]
        display.SeriesMarkerSize = [text for name in names for text in (name, "7")]
        display.SeriesLineThickness = [text for name in names for text in (name, "2")]
        return display

    def ranges(self, x, y):
        chart = self.chart
        chart.BottomAxisUseCustomRange = chart.LeftAxisUseCustomRange = 1
        chart.BottomAxisRangeMinimum, chart.BottomAxisRangeMaximum = x
        chart.LeftAxisRangeMinimum, chart.LeftAxisRangeMaximum = y

    def save(self):
        os.makedirs(os.path.dirname(os.path.abspath(self.png)), exist_ok=True)
        self.chart.ViewTime = self.time
        pv.Render(self.chart)
        pv.SaveScreenshot(self.png, self.chart, ImageResolution=self.size)
        squeeze(self.png)
