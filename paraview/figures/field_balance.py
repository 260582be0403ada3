"""The error of div sigma + rho g in the bulk against the width of the kernel, as SVG: asks `delassus post field --no-walls` for
each width. Needs Python alone, neither ParaView nor VTK:

    /usr/bin/python3 paraview/figures/field_balance.py build/bin/delassus out/gallery/settled field_balance.svg
"""
import math
import os
import re
import subprocess
import sys
import tempfile

program, run, svg = sys.argv[1:4]
WIDTHS = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0)
KERNELS = (("gauss", "#b2182b"), ("lucy", "#2166ac"))
GRID = "301x181"
LEFT, TOP, WIDE, TALL = 80, 40, 480, 320
X, Y = (0.2, 2.5), (1e-4, 1.0)


def bulk(kernel, width):
    with tempfile.TemporaryDirectory() as folder:
        words = [program, "post", "field", run, "--no-walls", "--grid", GRID, "--kernel", "%s:%gd" % (kernel, width),
                 "--out", os.path.join(folder, "field.vtu")]
        text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return float(re.search(r"points of the bulk\s+(\S+)", text).group(1))


def place(x, y):
    across = math.log(x / X[0]) / math.log(X[1] / X[0])
    up = math.log(y / Y[0]) / math.log(Y[1] / Y[0])
    return LEFT + WIDE * across, TOP + TALL * (1 - up)


def label(x, y, text, anchor="middle", turn=""):
    return '<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>' % (x, y, anchor, turn, text)


out = ['<svg xmlns="http://www.w3.org/2000/svg" width="640" height="430" font-family="sans-serif" font-size="13">',
       '<rect width="640" height="430" fill="white"/>',
       '<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#444"/>' % (LEFT, TOP, WIDE, TALL),
       label(LEFT + WIDE / 2, 24, "div \u03c3 + \u03c1 g in the bulk, over the largest \u03c1 g"),
       label(LEFT + WIDE / 2, TOP + TALL + 45, "width of the kernel / mean diameter"),
       label(24, TOP + TALL / 2, "root mean square", turn=' transform="rotate(-90 24 %g)"' % (TOP + TALL / 2))]
for x in (0.25, 0.5, 1, 2):
    at = place(x, Y[0])
    out += ['<path d="M%.1f %d V%d" stroke="#ddd"/>' % (at[0], TOP, TOP + TALL), label(at[0], at[1] + 20, "%g" % x)]
for power in range(-4, 1):
    at = place(X[0], 10.0**power)
    out += ['<path d="M%d %.1f H%d" stroke="#ddd"/>' % (LEFT, at[1], LEFT + WIDE), label(LEFT - 8, at[1] + 5, "1e%d" % power, "end")]
for number, (kernel, ink) in enumerate(KERNELS):
    errors = [bulk(kernel, width) for width in WIDTHS]
    print(kernel, *("%g:%.2e" % pair for pair in zip(WIDTHS, errors)))
    points = [place(width, min(max(error, Y[0]), Y[1])) for width, error in zip(WIDTHS, errors)]
    out.append('<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>' % (ink, " ".join("%.1f,%.1f" % p for p in points)))
    out += ['<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>' % (*p, ink) for p in points]
    out += [label(LEFT + WIDE - 20, TOP + 25 + 20 * number, kernel, "end"),
            '<path d="M%d %d h-40" stroke="%s" stroke-width="2"/>' % (LEFT + WIDE - 80, TOP + 20 + 20 * number, ink)]
with open(svg, "w", encoding="utf-8") as file:
    file.write("\n".join(out + ["</svg>\n"]))
