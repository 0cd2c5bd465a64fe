"""What a run on many nodes costs: python cost.py --rocks 1e9 --nodes 1000 --rock 1e-3 --part-bytes 2e5 --merge 2e-3.

A part takes a start, its share of the rocks at the speed of its node, and sends its statistics. Parts are handed to
whoever is free; a node that fails loses the part that it is at. The merge reads parts one after the other when all are
there; with --fan-in it is a tree whose nodes join so many at a time, which `klast merge` is not.
"""

from __future__ import annotations

import argparse
import heapq
import math

import numpy as np


def simulate(
    *,
    rocks: float,
    nodes: int,
    parts: int,
    rock_s: float,
    start_s: float,
    part_bytes: float,
    merge_s: float,
    bandwidth: float,
    spread: float,
    failures_per_hour: float,
    seed: int,
    fan_in: int = 0,
) -> dict[str, float]:
    """Seconds until the last part is there and until the whole is joined, bytes moved, parts lost."""
    rng = np.random.default_rng(seed)
    speed = np.exp(spread * rng.standard_normal(nodes))
    free = [(0.0, k) for k in range(nodes)]
    heapq.heapify(free)
    left, last, lost, worked = parts, 0.0, 0, 0.0
    while left:
        begin, node = heapq.heappop(free)
        takes = start_s + rocks / parts * rock_s / speed[node]
        until = rng.exponential(3600.0 / failures_per_hour) if failures_per_hour > 0.0 else np.inf
        if until < takes:
            lost += 1
            worked += until
            heapq.heappush(free, (begin + until + start_s, node))
            continue
        left -= 1
        worked += takes
        heapq.heappush(free, (begin + takes, node))
        last = max(last, begin + takes)
    each = merge_s + part_bytes / bandwidth
    levels = math.ceil(round(math.log(parts, fan_in), 9)) if fan_in else 1
    # A tree moves what is joined once a level; its groups are joined side by side.
    moved = part_bytes * sum(math.ceil(parts / fan_in**k) for k in range(levels)) if fan_in else part_bytes * parts
    joined = last + (levels * fan_in if fan_in else parts) * each
    ideal = rocks * rock_s / speed.sum()
    return {
        "ideal_s": float(ideal),
        "last_part_s": float(last),
        "joined_s": float(joined),
        "moved_bytes": float(moved),
        "lost_parts": float(lost),
        "efficiency": float(ideal / joined),
        "worked_s": float(worked),
    }


def main() -> None:
    """Prints a table over the number of parts for each node."""
    parser = argparse.ArgumentParser(description="What a run on many nodes costs")
    for name, value in (
        ("rocks", 1e9),
        ("rock", 1e-3),
        ("start", 1.0),
        ("part-bytes", 2e5),
        ("merge", 2e-3),
        ("bandwidth", 1e9),
        ("spread", 0.1),
        ("failures-per-hour", 0.001),
    ):
        parser.add_argument(f"--{name}", type=float, default=value)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fan-in", type=int, default=0)
    given = parser.parse_args()
    titles = " ".join(f"{word:>10}" for word in ("last part", "joined", "ideal", "moved"))
    print(f"{'parts a node':>12} {titles} {'lost':>6} {'efficiency':>10}")
    for each in (1, 2, 4, 8, 16, 32):
        told = simulate(
            rocks=given.rocks,
            nodes=given.nodes,
            parts=each * given.nodes,
            rock_s=given.rock,
            start_s=given.start,
            part_bytes=given.part_bytes,
            merge_s=given.merge,
            bandwidth=given.bandwidth,
            spread=given.spread,
            failures_per_hour=given.failures_per_hour,
            seed=given.seed,
            fan_in=given.fan_in,
        )
        times = f"{told['last_part_s']:>8.0f} s {told['joined_s']:>8.0f} s {told['ideal_s']:>8.0f} s"
        rest = f"{told['moved_bytes'] / 1e9:>7.2f} GB {told['lost_parts']:>6.0f} {told['efficiency']:>10.3f}"
        print(f"{each:>12} {times} {rest}")


if __name__ == "__main__":
    main()
