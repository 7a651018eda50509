#!/usr/bin/env bash
# simrun and other engines on the same figure, in one run: installs and builds what it can, runs each, prints one table.
# usage: runtime/bench/peers/run.sh [DIR] [REPEATS]
#   DIR       where things are installed, built and kept for the next time (target/peers)
#   REPEATS   of which the least counts (5)
# PEERS="rapier jolt" leaves the others out. PhysX takes many minutes to build: PEERS=all, or by name.
# What is missing or fails is left out with a line that says so.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:-$here/../../../target/peers}/bin"
dir=$(cd "${1:-$here/../../../target/peers}" && pwd)
repeats=${2:-5}
[[ $repeats =~ ^[1-9][0-9]*$ ]] || { echo "REPEATS is a number from 1, not \"$repeats\"" >&2; exit 2; }

all="rapier box3d physx jolt mujoco bullet"
peers=${PEERS:-rapier box3d jolt mujoco bullet}
[ "$peers" = all ] && peers=$all
for peer in $peers; do
  [[ " $all " == *" $peer "* ]] || { echo "there is no peer \"$peer\"; there are: $all" >&2; exit 2; }
done

log=$dir/log.txt rows=$dir/rows.txt
: >"$log"
: >"$rows"
export PYTHONDONTWRITEBYTECODE=1 PEERS_DIR=$dir

say() { echo "$*" | tee -a "$log" >&2; }
has() { command -v "$1" >/dev/null || { echo "there is no $1" >>"$log"; return 1; }; }
# Runs a command with its words in the log.
quietly() {
  echo "--- $*" >>"$log"
  "$@" >>"$log" 2>&1 </dev/null
}

python=$dir/venv/bin/python
# Installs packages of Python beside what stands there.
pip_install() {
  has python3 || return 1
  [ -x "$python" ] || quietly python3 -m venv "$dir/venv" || return 1
  quietly "$python" -m pip install -q "$@"
}

# Builds the program in Rust for one engine; simrun is one too.
build() {
  has cargo || return 1
  case $1 in
    box3d) # Its build asks for cmake and libclang; the one from Python's packages knows no compiler's headers.
      if ! has cmake || ! has clang; then
        pip_install cmake==4.4.5 libclang==18.1.1 || return 1
        local clang=("$dir"/venv/lib/python3*/site-packages/clang/native)
        local -x PATH=$dir/venv/bin:$PATH LIBCLANG_PATH=${clang[0]}
        local -x BINDGEN_EXTRA_CLANG_ARGS="-I$(cc -print-file-name=include)"
      fi ;;
    physx) local -x CC=${CC:-cc} CXX=${CXX:-c++} ;; # Its build takes clang++ unless it is told.
  esac
  (cd "$here" && quietly cargo build --release --features "$1" --target-dir "$dir/cargo") || return 1
  cp "$dir/cargo/release/simrun-peers" "$dir/bin/$1"
}

prepare() {
  case $1 in
    simrun | rapier | box3d | physx) build "$1" ;;
    jolt) has node && has npm && { [ -d "$dir/js/node_modules/jolt-physics" ] || {
      mkdir -p "$dir/js" && quietly npm install --prefix "$dir/js" jolt-physics@1.1.0; }; } ;;
    mujoco) pip_install mujoco==4.0.0 ;;
    bullet) pip_install pybullet==3.2.7 ;;
  esac
}

# Runs an engine; its rows are kept, and shown as they come.
run() {
  local command
  case $1 in
    simrun | rapier | box3d | physx) command=("$dir/bin/$1") ;;
    jolt) command=(node "$here/bench_jolt.mjs") ;;
    *) command=("$python" "$here/bench_$1.py") ;;
  esac
  say "running $1"
  "${command[@]}" --repeats "$repeats" 2>>"$log" </dev/null | grep --line-buffered -P '^[^\t]+(\t[^\t]+){7}$' | tee -a "$rows" >&2
  [ "${PIPESTATUS[0]}" = 0 ] || skipped+=("$1 ended with an error, see $log")
}

skipped=() ready=()
for peer in simrun $peers; do
  say "preparing $peer"
  if prepare "$peer"; then ready+=("$peer"); else skipped+=("$peer is left out: it cannot be installed or built here, see $log"); fi
done

# simrun before and after the others: how far its two runs are apart is the noise of the run.
[[ " ${ready[*]-} " == *" simrun "* ]] && ready+=(simrun)
for peer in ${ready[@]+"${ready[@]}"}; do run "$peer"; done

echo; echo "µs of CPU a figure a step of 1/60 s: least (median) of $repeats repeats"
LC_ALL=C awk -f "$here/table.awk" "$rows"
for line in ${skipped[@]+"${skipped[@]}"}; do echo "$line"; done
exit 0
