#!/usr/bin/env bash
# One part of a run for each index of an indexed Job: part.sh SCENE OUT; PARTS is the number of completions.
set -euo pipefail
scene=$1
out=$2
index=$((JOB_COMPLETION_INDEX + 1))
part=$out/part-$index
if grep -qs '"complete": true' "$part/manifest.json"; then
    exit 0
fi
exec "${KLAST:-klast}" run "$scene" --shard "$index/$PARTS" --out "$part" --quiet
