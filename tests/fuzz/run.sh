#!/bin/sh
# Runs the fuzzers of a build, one after the other, each for SECONDS of wall clock: run.sh BUILD SECONDS [TARGET...]
# Inputs that reach new code stay in BUILD/tests/fuzz/corpus, for the next run. What is found stands in
# BUILD/tests/fuzz/TARGET-crash-..., also -timeout- (above 60 s) and -oom- (above 2 GB); see docs/fuzzing.md. Exit status 1
# when there is any.
set -eu
build=$(cd "$1" && pwd)
seconds=$2
shift 2
here=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || set -- frame checkpoint restart deck table problem
export LSAN_OPTIONS="suppressions=$here/lsan.supp:print_suppressions=0"
failed=0
for target in "$@"; do
  corpus=$build/tests/fuzz/corpus/$target
  log=$build/tests/fuzz/$target.log
  mkdir -p "$corpus"
  DELASSUS_FUZZ_SEEDS=$corpus "$build/tests/fuzz/fuzz_$target"
  case $target in
    checkpoint | restart | problem) longest='200 -len_control=0' ;; # a dozen edits of a good file
    *) longest=20000 ;;
  esac
  if "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -max_len=$longest -timeout=60 -rss_limit_mb=2048 \
      -print_final_stats=1 -artifact_prefix="$build/tests/fuzz/$target-" "$corpus" > "$log" 2>&1; then
    echo "$target: $seconds s, $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, nothing found"
  else
    echo "$target: FOUND: see $log"
    grep -E -m 3 'ERROR|runtime error|SUMMARY' "$log" || tail -3 "$log"
    failed=1
  fi
  rm -rf "$build"/tests/tmp/fuzz
done
exit $failed
