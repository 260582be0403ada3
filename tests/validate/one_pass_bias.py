#!/usr/bin/env python3
"""How a race in one pass differs from a solve for each tolerance: the ratios one pass / each of
iterations, work and seconds, solver by solver and tolerance by tolerance, over the problems that
both solved. Prints the table of docs/race.md.

    one_pass_bias.py FOLDER_EACH FOLDER_ONE_PASS
"""
import csv
import statistics
import sys


def read(folder):
    rows = {}
    with open(folder + "/runs.csv") as table:
        for row in csv.DictReader(table):
            if row["status"] == "converged":
                rows[row["hash"], row["solver"], float(row["tolerance"])] = row
    return rows


def ratios(each, one, solver, tolerance, column, least):
    out = []
    for key, row in each.items():
        if key[1:] != (solver, tolerance) or key not in one:
            continue
        a, b = float(one[key][column]), float(row[column])
        if min(a, b) > least:
            out.append(a / b)
    return out


def main():
    each, one = read(sys.argv[1]), read(sys.argv[2])
    solvers = list(dict.fromkeys(key[1] for key in each))
    tolerances = sorted({key[2] for key in each}, reverse=True)
    print("| solver | tolerance | problems | iterations: median, least, most | work: median, most | "
          "seconds: median, most |")
    print("|---|---|---|---|---|---|")
    for solver in solvers + ["all"]:
        for tolerance in tolerances:
            cells = {"iterations": [], "work": [], "time_s": []}
            for name in solvers if solver == "all" else [solver]:
                for column, least in (("iterations", 0), ("work", 0), ("time_s", 1e-3)):
                    cells[column] += ratios(each, one, name, tolerance, column, least)
            if not cells["iterations"]:
                continue
            n, w, t = cells["iterations"], cells["work"], cells["time_s"]
            seconds = f"{statistics.median(t):.2f}, {max(t):.2f}" if t else "-"
            print(f"| {solver} | {tolerance:g} | {len(n)} | {statistics.median(n):.2f}, "
                  f"{min(n):.2f}, {max(n):.2f} | {statistics.median(w):.2f}, {max(w):.2f} | "
                  f"{seconds} |")


if __name__ == "__main__":
    main()
