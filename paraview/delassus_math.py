"""What the ParaView filters compute, with numpy alone; definitions and signs are those of the program (docs/stress.md).

    M     = sum over the contacts of a grain of f (x) l    its internal moment, N m (Moreau 1997)
    sigma = M / V                                          its mean stress, TENSION POSITIVE
    p     = -tr(sigma) / dim                               pressure, positive in compression

f is the force on the grain, l goes from its centre to the contact point. t = sigma n is what the side that n points to
exerts on the other. In 2-D volumes are areas, and stresses forces per length for 1 m of depth.
"""
import numpy as np


class Granulate:
    """Grains and contacts of one frame.

    bodies:   points [elements][3], radius, id, velocity, and where the run wrote them volume, held, mass_centre
    contacts: points [contacts][3], force (on the candidate), normal, normal_force, tangential_force, candidate, antagonist
    lag:      s, from the places where the contacts of the step were found to its end (field `lag` of the bodies)

    After refine() deformable bodies are gone, and for them there are cells, their nodes and points of contact as grains.
    """

    def __init__(self, bodies, contacts, dim=None, lag=0.0):
        points = np.asarray(bodies["points"], float)
        self.dim, self.lag = dim or dimension(points), lag
        ids, first, self.grain = np.unique(bodies["id"], return_index=True, return_inverse=True)
        self.id = ids
        self.first = first  # an element of each grain
        self.volume = volumes(bodies, self.dim, self.grain, first)
        self.centre = centres(bodies, points, self.grain, first)
        self.velocity = np.asarray(bodies["velocity"], float)[first]
        self.centre = self.centre - lag * self.velocity  # every element has the velocity of its body's centre
        self.held = np.asarray(bodies["held"])[first] != 0 if "held" in bodies else np.zeros(len(ids), bool)
        self.point = np.asarray(contacts["points"], float).reshape(-1, 3)
        self.force = np.asarray(contacts["force"], float).reshape(-1, 3)
        self.normal = np.asarray(contacts["normal"], float).reshape(-1, 3)
        self.normal_force = np.asarray(contacts["normal_force"], float)
        self.tangential_force = np.asarray(contacts["tangential_force"], float)
        self.active = (self.normal_force != 0) | (self.tangential_force != 0)
        self.candidate = self.find(contacts["candidate"])
        self.antagonist = self.find(contacts["antagonist"])  # -1: a boundary
        self.moment = None  # [grains][3][3], N m: what forces and arms leave of the moment of a cell
        self.is_grain, self.is_cell = np.ones(len(ids), bool), np.zeros(len(ids), bool)

    def find(self, ids):
        """Numbers of the grains with these ids; -1 for those that are none."""
        ids = np.asarray(ids)
        if len(self.id) == 0 or len(ids) == 0:
            return np.full(len(ids), -1)
        at = np.clip(np.searchsorted(self.id, ids), 0, len(self.id) - 1)
        return np.where(self.id[at] == ids, at, -1)

    def arms(self):
        """(grain, start, end, force on the grain, contact) of each side of each contact that is a grain."""
        contact = np.arange(len(self.point))
        one = self.active & (self.candidate >= 0)
        two = self.active & (self.antagonist >= 0)
        grain = np.concatenate([self.candidate[one], self.antagonist[two]])
        end = np.concatenate([self.point[one], self.point[two]])
        force = np.concatenate([self.force[one], -self.force[two]])
        return grain, self.centre[grain], end, force, np.concatenate([contact[one], contact[two]])

    def refine(self, cells):
        """The cells of deformable bodies among the grains, as core/post/packing_cells.h has it: nodes pull at cells, contacts at
        points between, and these at the nodes by their shares.

        cells: points, velocity [nodes][3]; offsets [cells + 1], node, cell_force [corners]; id, volume, stress [cells];
               share_of [shares][3] (contact, side, node), share_force [shares][3]
        """
        start, node = np.asarray(cells["offsets"]), np.asarray(cells["node"])
        velocity, volume = np.asarray(cells["velocity"], float), np.asarray(cells["volume"], float)
        place = np.asarray(cells["points"], float) - self.lag * velocity
        count, nodes = len(start) - 1, len(place)
        cell = np.repeat(np.arange(count), np.diff(start))
        soft = np.isin(self.id, cells["id"])
        rigid = np.flatnonzero(~soft)
        number = np.append(np.where(soft, -1, np.cumsum(~soft) - 1), -1)  # the last is that of a boundary
        first_cell, first_node = len(rigid), len(rigid) + count
        is_soft = np.append(soft, False)
        sides = [is_soft[self.candidate], is_soft[self.antagonist]]
        between = np.flatnonzero(sides[0] | sides[1])
        point = np.full(len(self.point), -1)
        point[between] = first_node + nodes + np.arange(len(between))

        def mean(values):
            return np.stack([np.bincount(cell, values[node, k], count) for k in range(3)], axis=1) / np.diff(start)[:, None]

        middle, force = mean(place), np.asarray(cells["cell_force"], float)
        stress = np.array(cells["stress"], float).reshape(-1, 3, 3)
        if self.dim == 2:  # as all sums over grains in 2-D
            stress[:, 2, 2] = 0
        rest = stress * volume[:, None, None] - add_tensors(count, cell, force, place[node] - middle[cell])
        none = np.zeros(nodes + len(between))
        share = np.asarray(cells["share_of"]).reshape(-1, 3)
        plain, one, two = np.flatnonzero(point < 0), between[~sides[0][between]], between[~sides[1][between]]
        of = np.concatenate([plain, one, two])  # contacts that keep their force
        ends = (np.concatenate([number[self.candidate[plain]], number[self.candidate[one]], point[two],
                                first_node + share[:, 2], first_cell + cell]),
                np.concatenate([number[self.antagonist[plain]], point[one], number[self.antagonist[two]],
                                point[share[:, 0]], first_node + node]))
        inner = np.concatenate([np.asarray(cells["share_force"], float).reshape(-1, 3), force])
        more = len(inner)
        self.candidate, self.antagonist = ends
        self.force = np.concatenate([self.force[of], inner])
        self.normal = np.concatenate([self.normal[of], np.zeros((more, 3))])
        # Forces within bodies are no contacts that push.
        self.normal_force = np.concatenate([self.normal_force[of], np.zeros(more)])
        self.tangential_force = np.concatenate([self.tangential_force[of], np.linalg.norm(inner, axis=1)])
        self.active = (self.normal_force != 0) | (self.tangential_force != 0)
        self.centre = np.concatenate([self.centre[rigid], middle, place, self.point[between]])
        self.velocity = np.concatenate([self.velocity[rigid], mean(velocity), velocity, np.zeros((len(between), 3))])
        self.point = np.concatenate([self.point[of], self.point[share[:, 0]], place[node]])
        self.volume = np.concatenate([self.volume[rigid], volume, none])
        self.id = np.concatenate([self.id[rigid], np.asarray(cells["id"]), np.full(len(none), -1)])
        self.held = np.concatenate([self.held[rigid], np.zeros(count + len(none), bool)])
        self.moment = np.concatenate([np.zeros((len(rigid), 3, 3)), rest, np.zeros((len(none), 3, 3))])
        kind = np.repeat([0, 1, 2], [len(rigid), count, len(none)])
        self.is_grain, self.is_cell = kind == 0, kind == 1
        self.grain = self.first = None  # no array of bodies.pvd belongs to these grains
        return self


def dimension(points):
    """2 where all points lie in z = 0, else 3; for files that do not say."""
    return 2 if len(points) and not np.any(points[:, 2]) else 3


def volumes(bodies, dim, grain, first):
    if "volume" in bodies:
        return np.asarray(bodies["volume"], float)[first]
    radius = np.asarray(bodies["radius"], float)
    each = 4.0 / 3.0 * np.pi * radius**3 if dim == 3 else np.pi * radius**2
    return np.bincount(grain, each, len(first))


def centres(bodies, points, grain, first):
    if "mass_centre" in bodies:
        return np.asarray(bodies["mass_centre"], float)[first]
    count = np.bincount(grain, minlength=len(first))
    return np.stack([np.bincount(grain, points[:, k], len(first)) / np.maximum(count, 1) for k in range(3)], axis=1)


def mean_force(normal_force):
    """Mean normal force of the contacts that push: what divides strong from weak."""
    pushing = np.asarray(normal_force)[np.asarray(normal_force) > 0]
    return float(pushing.mean()) if len(pushing) else 0.0


def add_tensors(count, index, a, b):
    """[count][3][3]: the sums of a (x) b by index."""
    flat = np.einsum("ni,nj->nij", a, b).reshape(-1, 9)
    return np.stack([np.bincount(index, flat[:, k], count) for k in range(9)], axis=1).reshape(count, 3, 3)


def grain_stress(g):
    """Stress of each grain [grains][3][3], Pa."""
    grain, start, end, force, _ = g.arms()
    return add_tensors(len(g.id), grain, force, end - start) / g.volume[:, None, None]


def stress_state(stress, dim):
    """Of tensors [..][3][3]: principal values ascending (the strongest compression first; in 2-D two, then 0), their
    axes as rows, pressure, deviator (3-D: von Mises; 2-D: radius of Mohr's circle), deviator / pressure."""
    stress = np.asarray(stress, float)
    symmetric = 0.5 * (stress + np.swapaxes(stress, -1, -2))
    value, vector = np.linalg.eigh(symmetric[..., :dim, :dim])
    principal = np.zeros(stress.shape[:-1])
    principal[..., :dim] = value
    axes = np.zeros(stress.shape)
    axes[..., 2, 2] = 1.0
    axes[..., :dim, :dim] = np.swapaxes(vector, -1, -2)
    pressure = -value.mean(axis=-1)
    if dim == 3:
        deviator = np.sqrt(1.5 * ((value + pressure[..., None]) ** 2).sum(axis=-1))
    else:
        deviator = 0.5 * (value[..., 1] - value[..., 0])
    ratio = np.divide(deviator, pressure, out=np.zeros_like(deviator), where=pressure != 0)
    return {"principal": principal, "axes": axes, "pressure": pressure, "deviator": deviator, "ratio": ratio}


def share_in_sphere(a, b, centre, radius):
    """The share of each way from a to b within a sphere: the roots of |a + s (b - a) - centre| = radius."""
    way, p = b - a, a - centre
    A, B, C = (way * way).sum(1), (p * way).sum(1), (p * p).sum(1) - radius**2
    square = B * B - A * C
    root = np.sqrt(np.maximum(square, 0.0))
    safe = np.where(A > 0, A, 1.0)
    low, high = np.clip((-B - root) / safe, 0, 1), np.clip((-B + root) / safe, 0, 1)
    return np.where(A > 0, np.where(square > 0, high - low, 0.0), (C <= 0).astype(float))


def probe(g, centre, radius, kind="centres"):
    """Mean stress over a sphere (2-D: a disk). `centres`: the internal moments of grains with their centre in it, over its
    volume; `lines`: each arm by the share of it that lies within. Held bodies do not count."""
    centre = np.asarray(centre, float)
    volume = 4.0 / 3.0 * np.pi * radius**3 if g.dim == 3 else np.pi * radius**2
    inside = (((g.centre - centre) ** 2).sum(1) <= radius**2) & ~g.held
    grain, start, end, force, _ = g.arms()
    if kind == "centres":
        share = inside[grain].astype(float)
    else:
        share = share_in_sphere(start, end, centre, radius) * ~g.held[grain]
    stress = np.einsum("n,ni,nj->ij", share, force, end - start) / volume
    if g.moment is not None:
        stress += g.moment[inside].sum(0) / volume
    return {"stress": stress, "volume": volume, "grains": int((inside & g.is_grain).sum()),
            "cells": int((inside & g.is_cell).sum()), "solid": float(g.volume[inside].sum() / volume)}


def cut(g, origin, normal, radius=0.0):
    """Resultant across a plane, or (radius > 0) a disk of it, in 2-D the segment of that half length: what the side that
    the normal points to exerts on the other. A force runs from centre to contact point to centre, and counts where it crosses.
    (force [3] N, area or 0, contacts that cross)."""
    origin, normal = np.asarray(origin, float), np.asarray(normal, float)
    length = np.linalg.norm(normal)
    if length == 0:
        raise ValueError("the normal of a cut is the zero vector; give it a direction")
    normal = normal / length
    _, start, end, force, contact = g.arms()
    a, b = (start - origin) @ normal, (end - origin) @ normal
    times = (b > 0).astype(int) - (a > 0)
    if radius > 0:
        step = np.where(times != 0, b - a, 1.0)
        at = start - (a / step)[:, None] * (end - start) - origin
        times = np.where((at * at).sum(1) <= radius**2, times, 0)
    area = 0.0 if radius <= 0 else np.pi * radius**2 if g.dim == 3 else 2 * radius
    # A way that goes to the other side and back counts its two arms with opposite signs of force: nothing is left.
    net = np.zeros(len(g.point), int)
    first = np.arange(len(contact)) < int((g.active & (g.candidate >= 0)).sum())
    np.add.at(net, contact, np.where(first, times, -times))
    return (times[:, None] * force).sum(0), area, int((net != 0).sum())


def cut_cylinder(g, centre, axis, radius, length):
    """Across the mantle of a cylinder, 3-D: what the outside exerts on the inside. (force [3] N, area, contacts that cross, sum of
    f . e_r over them N)."""
    centre, axis = np.asarray(centre, float), np.asarray(axis, float)
    if not (np.linalg.norm(axis) > 0 and radius > 0 and length > 0):
        raise ValueError("a cylinder needs an axis, a radius and a length above 0")
    axis = axis / np.linalg.norm(axis)
    _, start, end, force, contact = g.arms()
    p, d = start - centre, end - start
    along, way = p @ axis, d @ axis
    p, d = p - np.outer(along, axis), d - np.outer(way, axis)
    A, B, C = (d * d).sum(1), (p * d).sum(1), (p * p).sum(1) - radius**2
    square = B * B - A * C
    good = (A > 0) & (square > 0)
    total, normal, net = np.zeros(3), 0.0, np.zeros(len(g.point), int)
    first = np.arange(len(contact)) < int((g.active & (g.candidate >= 0)).sum())
    for sign in (-1, 1):  # in, then out
        t = (-B + sign * np.sqrt(np.where(good, square, 0))) / np.where(good, A, 1)
        cross = good & (t >= 0) & (t < 1) & (np.abs(along + t * way) <= 0.5 * length)
        outward = (p + t[:, None] * d) / radius
        total += sign * force[cross].sum(0)
        normal += sign * (force[cross] * outward[cross]).sum()
        np.add.at(net, contact[cross], sign * np.where(first[cross], 1, -1))
    return total, 2 * np.pi * radius * length, int((net != 0).sum()), normal


def cut_directions(g, centre, radius, count=31):
    """Moreau's check (2001, Fig. 3), 2-D: tractions on `count` diameters of a probe. Rows (angle of the normal, normal
    traction, tangential traction), Pa."""
    rows = []
    for angle in np.pi * np.arange(count) / count:
        n, t = np.array([np.cos(angle), np.sin(angle), 0]), np.array([-np.sin(angle), np.cos(angle), 0])
        force, area, _ = cut(g, centre, n, radius)
        rows.append((angle, force @ n / area, force @ t / area))
    return np.array(rows)


def traction(stress, angle):
    """(normal, tangential) traction of a tensor on cuts whose normals have these angles in the plane xy."""
    angle = np.asarray(angle, float)
    n = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=-1)
    t = np.stack([-np.sin(angle), np.cos(angle), 0 * angle], axis=-1)
    force = n @ np.asarray(stress, float).T
    return (force * n).sum(-1), (force * t).sum(-1)


def mohr_circles(stress, dim, steps=72):
    """List of [steps + 1][2] (normal stress, shear stress), Pa: one circle in 2-D; in 3-D three, the largest first."""
    s = stress_state(stress, dim)["principal"]
    pairs = [(s[0], s[1])] if dim == 2 else [(s[0], s[2]), (s[0], s[1]), (s[1], s[2])]
    angle = np.linspace(0, 2 * np.pi, steps + 1)
    return [np.stack([0.5 * (a + b) + 0.5 * (b - a) * np.cos(angle), 0.5 * (b - a) * np.sin(angle)], axis=1)
            for a, b in pairs]


def fabric(normal):
    """Fabric tensor <n (x) n> [3][3]; its trace is 1."""
    normal = np.asarray(normal, float)
    return np.einsum("ni,nj->ij", normal, normal) / max(len(normal), 1)


def rose(angle, weight=None, sectors=24, harmonics=2):
    """Histogram of directions over 360 degrees (Moreau 2001, Fig. 2). A contact counts in its direction and in the
    opposite one. (density [sectors] per rad, mean 1 / 2 pi; a [harmonics]; b [harmonics]), the fit being
    p = (1 + sum_k a_k cos 2k angle + b_k sin 2k angle) / 2 pi with a_k = 2 <cos 2k angle>, b_k = 2 <sin 2k angle>."""
    angle = np.asarray(angle, float)
    weight = np.ones(len(angle)) if weight is None else np.asarray(weight, float)
    total = weight.sum()
    if total <= 0:
        return np.zeros(sectors), np.zeros(harmonics), np.zeros(harmonics)
    both = np.mod(np.concatenate([angle, angle + np.pi]), 2 * np.pi)
    count = np.zeros(sectors)
    for nudge in (-1e-9, 1e-9):  # on the edge of two sectors, as of walls: half in each
        turn = both / (2 * np.pi) + nudge
        sector = np.minimum(((turn - np.floor(turn)) * sectors).astype(int), sectors - 1)
        count += np.bincount(sector, np.concatenate([weight, weight]) / 2, sectors)
    order = 2 * np.arange(1, harmonics + 1)[:, None]
    a = 2 * (weight * np.cos(order * angle)).sum(1) / total
    b = 2 * (weight * np.sin(order * angle)).sum(1) / total
    return count / (2 * total) * sectors / (2 * np.pi), a, b


def rose_fit(a, b, angle):
    order = 2 * np.arange(1, len(a) + 1)[:, None]
    angle = np.asarray(angle, float)
    return (1 + (a[:, None] * np.cos(order * angle) + b[:, None] * np.sin(order * angle)).sum(0)) / (2 * np.pi)


def sphere_rose(normal, weight=None, bands=10, sectors=24):
    """Directions on the sphere, each in both senses, in bins of equal area: bands of equal height by sectors of azimuth, as in
    core/post/fabric.h. Density per solid angle [bands][sectors], integral 1."""
    both = np.concatenate([normal, -normal])
    weight = np.ones(len(normal)) if weight is None else np.asarray(weight, float)
    turn = np.arctan2(both[:, 1], both[:, 0]) / (2 * np.pi)
    count = np.zeros((bands, sectors))
    for up in (-1e-9, 1e-9):  # on the edge of bins, as of walls: a share in each
        for along in (-1e-9, 1e-9):
            band = np.clip((((both[:, 2] + 1) / 2 + up) * bands).astype(int), 0, bands - 1)
            part = turn + along - np.floor(turn + along)
            sector = np.clip((part * sectors).astype(int), 0, sectors - 1)
            np.add.at(count, (band, sector), np.concatenate([weight, weight]) / 4)
    total = count.sum()
    return count * (bands * sectors / (4 * np.pi * total)) if total > 0 else count


def sphere_fit(normal, direction, weight=None, order=4):
    """Density of the best harmonics of order 2, or 2 and 4 (Kanatani 1984): 1 + 5 mean P2(c) + 9 mean P4(c) over 4 pi, c the
    cosine between a direction and a normal."""
    if len(normal) == 0:
        return np.zeros(len(direction))
    square = (direction @ normal.T) ** 2
    mean = square.mean(1) if weight is None else square @ weight / np.sum(weight)
    out = 1 + 7.5 * (mean - 1 / 3)
    if order >= 4:
        fourth = (square**2).mean(1) if weight is None else square**2 @ weight / np.sum(weight)
        out += 315 / 8 * (fourth - 6 / 7 * mean + 3 / 35)
    return out / (4 * np.pi)
