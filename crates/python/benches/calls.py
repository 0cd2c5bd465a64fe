"""What a call costs from Python: python calls.py.

Import time is what `python -X importtime` says of klast less what it says of numpy, and the difference in processor
time of two interpreters that import the one and the other, each the median of twenty. Calls are told in processor time
for a block, the least of five; `cargo run --release -p klast-rocking --example many_blocks` runs the same blocks from
Rust. Processor time is what other work on the machine disturbs little.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time

import numpy as np
from klast import rocking


def imported() -> float:
    """Seconds that `import klast` takes beyond those of numpy."""
    command = [sys.executable, "-X", "importtime", "-c", "import klast"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stderr.splitlines()
    # A line is: import time: self | cumulative | name, in microseconds.
    total = {line.split("|")[2].strip(): int(line.split("|")[1]) for line in told[1:]}
    return 1e-6 * (total["klast"] - total["numpy"])


def processor_s(name: str) -> float:
    """Processor time of an interpreter that imports a module."""
    before = os.times()
    subprocess.run([sys.executable, "-c", f"import {name}"], check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def block_s(count: int) -> float:
    """Processor time of a block among so many in one call, on one thread. Up to 256 blocks no thread is started."""
    heights = 1.0 + np.arange(count) / count
    motion = rocking.Motion.waves(5.0, 1.2)
    threads = 1 if count > 256 else None
    times = []
    for _ in range(5):
        start = time.process_time()
        rocking.rock_many(0.25 * heights, heights, motions=motion, duration_s=10.0, threads=threads)
        times.append(time.process_time() - start)
    return min(times) / count


def main() -> None:
    """Prints the medians."""
    print(f"import klast: {statistics.median(imported() for _ in range(20)):.3f} s beyond numpy")
    processor = (processor_s("klast") - processor_s("numpy") for _ in range(20))
    print(f"import klast: {statistics.median(processor):.3f} s of processor time beyond numpy")
    for count in (1, 1_000, 100_000):
        print(f"rock_many, {count} blocks: {1e6 * block_s(count):.3f} us a block")


if __name__ == "__main__":
    main()
