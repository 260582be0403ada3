# Sourced by pvbatch.sh and paraview.sh, with $here set to this folder: Python's path for ParaView. Where the module
# paraview.simple is missing (Debian's python3-paraview excludes python3-vtk9, which the tests need) its files are unpacked
# under build/, beside the system, once. -I: else this folder itself would pass for that module.
aside=${DELASSUS_PARAVIEW_PYTHON:-$here/../build/paraview-python}
site=$aside/usr/lib/python3/dist-packages

if [ ! -d "$site/paraview" ] && ! /usr/bin/python3 -I -c 'import importlib.util as u; exit(not u.find_spec("paraview"))'; then
  mkdir -p "$aside"
  (cd "$aside" && apt-get download -q python3-paraview && dpkg -x python3-paraview_*.deb . && rm -f python3-paraview_*.deb) || {
    echo "$0: no paraview.simple; unpack Debian's python3-paraview into $aside (dpkg -x)" >&2
    exit 3
  }
fi
export PYTHONPATH="$here/startup:$site${PYTHONPATH:+:$PYTHONPATH}"
