#!/usr/bin/env bash
#SBATCH --job-name=klast-merge
#SBATCH --time=01:00:00
# The whole from all parts, when they are done: sbatch --dependency=afterok:JOB merge.sh OUT
set -euo pipefail
out=$1
exec "${KLAST:-klast}" merge "$out"/part-* --out "$out/whole" --quiet
