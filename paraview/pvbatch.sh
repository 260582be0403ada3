#!/bin/sh
# Runs a ParaView script without a screen:   paraview/pvbatch.sh paraview/figures/silo_chains.py out/silo silo_chains.png
# Debian 12: needs the packages paraview, xvfb and xauth (.ci/install --gallery).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
for tool in pvbatch xvfb-run xauth; do
  command -v $tool >/dev/null 2>&1 || {
    echo "pvbatch.sh: $tool is missing; install: apt-get install --no-install-recommends paraview xvfb xauth" >&2
    exit 3
  }
done
. "$here/environment.sh"
export OMP_NUM_THREADS=1
# A number of its own for the screen, since two that start at once would take the same one; -noreset, since the server
# would else start anew when ParaView closes its first connection, and refuse the next one meanwhile.
exec xvfb-run -a -n $(($$ % 20000 + 100)) -s "-noreset -screen 0 1280x1024x24" pvbatch "$@"
