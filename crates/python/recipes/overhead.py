"""What a cluster adds to a run: python overhead.py --rocks 20000 --workers 2 --parts 8 32.

Processor time is counted, which other work on the machine does not disturb: that of a run here on as many threads as
there are workers, of the workers, and of this process, which holds the scheduler, takes the parts and joins them. A
machine with nothing else to do needs for the run its processor time over the threads, and for the cluster at most that
of the busiest worker and that of this process in turn.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import klast
import klast.dask
from distributed import Client, LocalCluster


def scene(rocks: int) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The slope of the examples with so many rocks."""
    keys, files = klast.example("rockfall")
    keys["sources"][0]["rocks"] = rocks
    return keys, files


def on_cluster(keys: dict[str, Any], files: dict[str, bytes], client: Client, parts: int) -> dict[str, Any]:
    """Times (s) of a run on workers that are up, its merge included, and the whole."""
    before = client.run(time.process_time)
    wall, own = time.perf_counter(), time.process_time()
    whole = klast.dask.run(keys, client, files=files, parts=parts)
    own = time.process_time() - own
    wall = time.perf_counter() - wall
    after = client.run(time.process_time)
    workers = [after[name] - before[name] for name in after]
    return {"workers_s": workers, "here_s": own, "wall_s": wall, "whole": whole}


def main() -> None:
    """Prints a line for the run and one for each number of parts."""
    parser = argparse.ArgumentParser(description="What a cluster adds to a run")
    parser.add_argument("--rocks", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--parts", type=int, nargs="+", default=[8, 32])
    given = parser.parse_args()
    keys, files = scene(given.rocks)
    wall, own = time.perf_counter(), time.process_time()
    one = klast.run(keys, files=files, threads=given.workers)
    own = time.process_time() - own
    wall = time.perf_counter() - wall
    alone = own / given.workers
    threads = f"{alone:.2f} s on {given.workers} threads of their own"
    print(f"one run: {own:.2f} s of processors, {threads}; {wall:.1f} s passed")
    with LocalCluster(n_workers=given.workers, threads_per_worker=1) as cluster, Client(cluster) as client:
        # Workers have the package before the clock starts, as those of a cluster that is up do.
        client.run(klast.kinds)
        for parts in given.parts:
            told = on_cluster(keys, files, client, parts)
            same = all(told["whole"].read(name) == one.read(name) for name in one.files)
            most = max(told["workers_s"]) + told["here_s"]
            tasks = sum(told["workers_s"]) / own
            print(
                f"{parts} parts: tasks {sum(told['workers_s']):.2f} s ({tasks:.3f} of the run), here "
                f"{told['here_s']:.2f} s, at most {most:.2f} s ({most - alone:+.2f} s); {told['wall_s']:.1f} s passed; "
                f"bytes {'equal' if same else 'DIFFER'}"
            )


if __name__ == "__main__":
    main()
