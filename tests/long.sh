#!/bin/sh
# What `make check-long` does: tests/long.sh BUILD [PART ...]. Part by part, each with a line when it begins
# and ends and a log in BUILD/long; a part that has passed on this state of the tree is not done again, so
# that what was broken off is gone on with by the same command. Ends with status 1 where a part has failed.
set -u
cd "$(dirname "$0")/.."
build=$1
shift
wanted="$*"
mkdir -p "$build/long"
bin=$PWD/$build
export OMP_NUM_THREADS=1 DELASSUS_SHARED="${DELASSUS_SHARED:-$PWD/../shared}"

# The commit and what differs from it; without git the program itself.
state=$({ git rev-parse HEAD && git diff HEAD && git status --porcelain; } 2>/dev/null | cksum)
git rev-parse HEAD >/dev/null 2>&1 || state=$(cksum <"$bin/bin/delassus")

parts=$(grep -c '^part ' "$0")
number=0 failed=
part() {
  name=$1
  shift
  number=$((number + 1))
  case " $wanted " in *" $name "* | "  ") ;; *) return ;; esac
  if [ "$(cat "$build/long/$name.passed" 2>/dev/null)" = "$state" ]; then
    echo "$number of $parts: $name has passed before"
    return
  fi
  echo "$number of $parts: $name, begun at $(date +%H:%M:%S)"
  began=$(date +%s)
  "$@" >"$build/long/$name.log" 2>&1
  status=$? seconds=$(($(date +%s) - began))
  case $status in
    0)
      echo "$state" >"$build/long/$name.passed"
      echo "$number of $parts: $name passed in $seconds s"
      ;;
    77) echo "$number of $parts: $name skipped, see $build/long/$name.log" ;;
    *)
      tail -n 30 "$build/long/$name.log"
      echo "$number of $parts: $name FAILED after $seconds s, see $build/long/$name.log"
      failed="$failed $name"
      ;;
  esac
}

# Every test, and every test three times in a random order.
part check make --no-print-directory check
part random_order ctest --test-dir "$build" -j2 --output-on-failure --schedule-random --repeat until-fail:3
# Every command of the documentation, and every deck, as they stand; figures that pages quote.
part docs_commands /usr/bin/python3 -B tests/io/docs_commands_check.py "$bin/bin/delassus" "$PWD" "$bin" "$bin/tests/tmp/docs_full" full \
  README.md CONTRIBUTING.md $(ls docs/*.md docs/*/*.md | grep -vE '^docs/(law|bulk|solver)-author.md$') input
part docs_numbers /usr/bin/python3 -B tests/io/docs_numbers_check.py "$bin/bin/delassus" "$PWD" "$bin/tests/tmp/docs_numbers_full" full
# Two spheres on fine meshes, where Gmsh is there.
part fine_spheres sh -c 'command -v gmsh >/dev/null || exit 0; /usr/bin/python3 -B tests/validate/spheres.py "$1/bin/delassus" "$1/tests/tmp/spheres"' sh "$bin"
part sweeps /usr/bin/python3 -B tests/validate/sweeps.py "$bin/bin/delassus" "$bin/tests/tmp/sweeps_full" full
part silo /usr/bin/python3 -B tests/validate/silo.py "$bin/bin/delassus" "$bin/tests/tmp/silo_full" full
# 1e5 random problems for each solver, every law on ten seeds of its bench, decks by threads 20 times.
part false_convergence env DELASSUS_TRIALS=8400 "$bin/tests/verify/verify_false_convergence"
part law_seeds env DELASSUS_SEEDS=10 "$bin/tests/io/io_law_check"
part threads env DELASSUS_REPEATS=20 "$bin/tests/io/io_threads_decks"
# A million pairs of each family of solids.
part convex_million env DELASSUS_PAIRS=1000000 "$bin/tests/verify/verify_convex_nearest"
part rounded_million env DELASSUS_PAIRS=1000000 "$bin/tests/verify/verify_convex_rounded"
# Long forms: blocks, arches, imports, and the cases of the source documents at their full size.
part blocks env DELASSUS_LONG=1 "$bin/tests/verify/verify_convex_blocks"
part arches env DELASSUS_LONG=1 "$bin/tests/verify/verify_masonry_limit"
part lmgc90 env DELASSUS_LONG=1 "$bin/tests/validate/validate_lmgc90"
part import_mutations env DELASSUS_LONG=1 "$bin/tests/io/io_import_fuzz"
part shaken_disks env DELASSUS_LONG=1 "$bin/tests/validate/validate_shaken_disks"
part shaken_vessel env DELASSUS_LONG=1 "$bin/tests/validate/validate_shaken_vessel"
part shaken_wide env DELASSUS_LONG=1 "$bin/tests/validate/validate_shaken_wide"
part shaken_box env DELASSUS_LONG=1 "$bin/tests/validate/validate_shaken_box"
part shaken_beads env DELASSUS_LONG=1 "$bin/tests/validate/validate_shaken_beads"
part rain env DELASSUS_LONG=1 "$bin/tests/validate/validate_rain"
part piles env DELASSUS_LONG=full "$bin/tests/validate/validate_pile"
part banks env DELASSUS_LONG=1 "$bin/tests/validate/validate_bank"
part powders env DELASSUS_LONG=1 "$bin/tests/validate/validate_powder"
part shear_bands env DELASSUS_LONG=1 "$bin/tests/validate/validate_shear_bands"
part cell_stress env DELASSUS_LONG=1 "$bin/tests/validate/validate_cell_stress"
part footprint env DELASSUS_LONG=1 "$bin/tests/validate/validate_footprint"
part suspension env DELASSUS_LONG=1 "$bin/tests/validate/validate_suspension"
# Sanitizers, then the fuzzers.
part asan make --no-print-directory check-asan
part tsan make --no-print-directory check-tsan
part fuzz make --no-print-directory fuzz

[ -z "$failed" ] || {
  echo "failed:$failed"
  exit 1
}
