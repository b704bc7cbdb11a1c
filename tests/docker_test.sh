#!/usr/bin/env bash
# The container builds and counts as Dockerfile says, and Dockerfile has the stage that
# .devcontainer names.
# Only in make test-all: it fetches Debian and a toolkit and compiles everything.
source "$(dirname "$0")/tap.sh"
reads_json() {
    python3 -c 'import json, sys
print(json.load(open(".devcontainer/devcontainer.json"))["build"][sys.argv[1]])' "$1"
}
if ! needs 'the development container' python3; then
    :
elif target=$(reads_json target) && grep -q "^FROM .* AS $target\$" Dockerfile &&
    [[ -f .devcontainer/$(reads_json dockerfile) ]]; then
    pass 'the development container is a stage of Dockerfile'
else
    fail 'the development container is a stage of Dockerfile' "$target"
fi
if ! docker info >/dev/null 2>&1; then
    skip 'a container' 'no docker daemon'
    exit
fi
image=sgemm-test-$$
trap 'docker image rm -f "$image" >/dev/null 2>&1' EXIT
case_is 'docker build' 0 '' docker build -q -t "$image" .
case_is 'the simulator in it' 0 '07_z_order' docker run --rm "$image" build/07_z_order \
    --backend sim --size 128
if compgen -G '/dev/nvidia[0-9]*' >/dev/null; then
    case_is 'a GPU in it' 0 'measured on' docker run --rm --gpus all "$image" build/01_naive \
        --backend gpu --size 64
fi
