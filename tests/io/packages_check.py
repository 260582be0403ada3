"""What a fresh machine gets is what the tests need.

    packages_check.py ROOT SCRATCH BUILD

Every module that a Python script of tests/ or paraview/ imports is part of Python, of this tree, or of a Debian
package that .ci/packages brings (for the scripts of ParaView itself: .ci/packages-gallery). .ci/install waits for
another apt, stops with its sentence on other failures, and does nothing when all is there: tried with an apt-get
and a dpkg-query that are scripts of ours. `make demo` builds no test, and `make check` takes over what it has built.

Exit status 0 when all is well, 1 with one line for each fault.
"""
import ast
import os
import subprocess
import sys

# Where a module comes from. A module that is in none of the lists is a fault, so the table stays whole.
PACKAGE = {"numpy": "python3-numpy", "vtk": "python3-vtk9", "vtkmodules": "python3-vtk9", "paraview": "paraview", "PIL": "python3-pil"}
faults = []


def listed(root, name):
    with open(os.path.join(root, ".ci", name)) as lines:
        return {line.split("#")[0].strip() for line in lines} - {""}


def scripts(root, folder):
    for where, _, files in os.walk(os.path.join(root, folder)):
        for name in sorted(files):
            if name.endswith(".py"):
                yield os.path.join(where, name)


def optional(tree):
    """Imports inside a `try` that catches ImportError: the script goes on without them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any(getattr(h.type, "id", "") == "ImportError" for h in node.handlers):
            if not any(isinstance(c, ast.Call) and getattr(c.func, "attr", "") == "exit" for h in node.handlers for c in ast.walk(h)):
                yield from (id(inner) for inner in ast.walk(node))


def imports(tree):
    leave = set(optional(tree))
    for node in ast.walk(tree):
        if id(node) in leave:
            continue
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.split(".")[0]


def check_imports(root):
    required, gallery = listed(root, "packages"), listed(root, "packages-gallery")
    ours = {os.path.basename(path)[:-3] for folder in ("tests", "paraview") for path in scripts(root, folder)}
    seen = 0
    for folder in ("tests", "paraview"):
        for path in scripts(root, folder):
            with open(path) as file:
                tree = ast.parse(file.read())
            modules = set(imports(tree))
            pictures = folder == "paraview" and (os.sep + "figures" + os.sep in path or "paraview" in modules)
            for module in sorted(modules - ours - set(sys.stdlib_module_names)):
                seen += 1
                allowed = required | gallery if pictures else required
                if PACKAGE.get(module) not in allowed:
                    faults.append("%s imports %s, which no package of .ci/ brings" % (os.path.relpath(path, root), module))
    if seen < 5:
        faults.append("only %d imports from packages were found: this test looks in the wrong place" % seen)


def install(root, scratch, apt, dpkg="exit 1"):
    """Exit status and words of .ci/install with these scripts in the place of apt-get and dpkg-query."""
    os.makedirs(scratch, exist_ok=True)
    for name, text in (("apt-get", apt), ("dpkg-query", dpkg), ("sleep", "exit 0"), ("sudo", 'exec "$@"')):
        with open(os.path.join(scratch, name), "w") as file:
            file.write("#!/bin/sh\n" + text + "\n")
        os.chmod(os.path.join(scratch, name), 0o755)
    calls = os.path.join(scratch, "calls")
    open(calls, "w").close()
    done = subprocess.run([os.path.join(root, ".ci", "install")], capture_output=True, text=True,
                          env=dict(os.environ, PATH=scratch + os.pathsep + os.environ["PATH"], CALLS=calls))
    with open(calls) as file:
        return done.returncode, done.stdout + done.stderr, file.read().splitlines()


def expect(condition, text):
    if not condition:
        faults.append(".ci/install: " + text)


def check_install(root, scratch):
    log = 'echo "$*" >> "$CALLS"; '
    status, _, calls = install(root, scratch, log, "echo installed")
    expect(status == 0 and not calls, "does something though all packages are there: %s" % calls)

    busy = log + 'case "$*" in *update*) [ $(grep -c update "$CALLS") -ge 3 ] || { echo "E: Could not get lock" >&2; exit 100; };; esac'
    status, said, calls = install(root, scratch, busy)
    expect(status == 0, "gives up while another apt holds the lists (exit %d)" % status)
    expect(sum("update" in c for c in calls) == 3, "does not try again: %s" % calls)
    expect(said.count("waiting") == 1, "does not say, once, that it waits: %s" % said)
    installs = [c for c in calls if "install" in c.split()]
    expect(len(installs) == 1 and "DPkg::Lock::Timeout" in installs[0], "does not wait for dpkg: %s" % installs)
    expect(all(p in installs[0].split() for p in listed(root, "packages")), "leaves out packages: %s" % installs)

    status, said, calls = install(root, scratch, log + 'echo "E: no network" >&2; exit 100')
    expect(status != 0 and "no network" in said and len(calls) == 1, "hides a failure: %d %s" % (status, said))


def check_make(root, build):
    """The same configuration in both commands; none of the tests among what the product is made of."""
    configured = {}
    for target in ("demo", "check"):
        said = subprocess.run(["make", "-n", target], cwd=root, capture_output=True, text=True).stdout
        configured[target] = {line.split(">")[0].strip() for line in said.splitlines() if " -S . -B " in line}
    if len(configured["demo"]) != 1 or configured["demo"] != configured["check"]:
        faults.append("make demo and make check configure differently: %s" % configured)
    made = subprocess.run(["ninja", "-C", build, "-t", "inputs", "product"], capture_output=True, text=True).stdout.splitlines()
    objects = [path for path in made if path.endswith(".o")]
    if len(objects) < 100 or any(path.startswith("tests") for path in objects):
        faults.append("the target product is made of %d objects, some of tests: %s" % (len(objects), made[:5]))


def main():
    root, scratch, build = sys.argv[1:4]
    check_imports(root)
    check_install(root, scratch)
    check_make(root, build)
    for line in faults:
        print(line)
    sys.exit(1 if faults else 0)


main()
