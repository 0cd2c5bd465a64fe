#!/usr/bin/env bash
#SBATCH --job-name=klast
#SBATCH --array=1-32
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --signal=B:TERM@120
# One part of a run for each task of an array: sbatch part.sh SCENE OUT
#
# A task that is interrupted or requeued goes on from what its folder keeps; a part that is complete is not run again.
set -euo pipefail
scene=$1
out=$2
if [[ ${SLURM_ARRAY_TASK_MIN:-1} != 1 || ${SLURM_ARRAY_TASK_STEP:-1} != 1 ]]; then
    echo "--array from ${SLURM_ARRAY_TASK_MIN} in steps of ${SLURM_ARRAY_TASK_STEP:-1}; accepted: 1-N" >&2
    exit 2
fi
part=$out/part-$SLURM_ARRAY_TASK_ID
if grep -qs '"complete": true' "$part/manifest.json"; then
    exit 0
fi
exec "${KLAST:-klast}" run "$scene" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" --out "$part" --quiet
