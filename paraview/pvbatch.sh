#!/bin/sh
# Runs a ParaView script without a screen:   paraview/pvbatch.sh paraview/figures/silo_chains.py ...
# Debian 12: needs the packages paraview, xvfb and xauth. Where the module paraview.simple is missing (python3-paraview
# excludes python3-vtk9, which the tests need) its files are unpacked under build/, beside the system, once.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
aside=${DELASSUS_PARAVIEW_PYTHON:-$here/../build/paraview-python}
site=$aside/usr/lib/python3/dist-packages

for tool in pvbatch xvfb-run xauth; do
  command -v $tool >/dev/null 2>&1 || {
    echo "pvbatch.sh: $tool is missing; install: apt-get install --no-install-recommends paraview xvfb xauth" >&2
    exit 3
  }
done
if [ ! -d "$site/paraview" ] && ! /usr/bin/python3 -c 'import importlib.util as u; exit(not u.find_spec("paraview"))'; then
  mkdir -p "$aside"
  (cd "$aside" && apt-get download -q python3-paraview && dpkg -x python3-paraview_*.deb . && rm -f python3-paraview_*.deb) || {
    echo "pvbatch.sh: no paraview.simple; unpack Debian's python3-paraview into $aside (dpkg -x)" >&2
    exit 3
  }
fi
export PYTHONPATH="$here/startup:$site${PYTHONPATH:+:$PYTHONPATH}" OMP_NUM_THREADS=1
# A number of its own for the screen, since two that start at once would take the same one; -noreset, since the server
# would else start anew when ParaView closes its first connection, and refuse the next one meanwhile.
exec xvfb-run -a -n $(($$ % 20000 + 100)) -s "-noreset -screen 0 1280x1024x24" pvbatch "$@"
