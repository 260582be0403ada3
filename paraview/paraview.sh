#!/bin/sh
# Starts ParaView so that Python plugins load on Debian 12 (see environment.sh and startup/).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v paraview >/dev/null 2>&1 || {
  echo "paraview.sh: paraview is missing; install: apt-get install --no-install-recommends paraview" >&2
  exit 3
}
. "$here/environment.sh"
exec paraview "$@"
