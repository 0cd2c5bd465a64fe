"""A run as tasks of Ray: python run.py SCENE OUT --parts 32.

RAY_ADDRESS names the cluster; without it one is started here. The scene and the files that it reads travel with the
tasks, parts come back in one piece each, and no disk is shared. A task whose worker dies is run again.
"""

from __future__ import annotations

import argparse
from typing import Any

import klast
import ray


def part(text: str, files: dict[str, bytes], seed: int | None, index: int, count: int) -> bytes:
    """A part of the run."""
    return klast.run(text, files=files, seed=seed, shard=(index, count), threads=1).packed()


def run(scene: str, parts: int, seed: int | None = None) -> klast.Outcome:
    """The whole, with the bytes of one run."""
    text, files = klast.with_files(scene)
    sent: Any = ray.put(files)
    task = ray.remote(part).options(num_cpus=1, max_retries=3)
    tasks = [task.remote(text, sent, seed, k + 1, parts) for k in range(parts)]
    return klast.merge(ray.get(tasks), text, files=files)


def main() -> None:
    """Runs a scene and writes the whole."""
    parser = argparse.ArgumentParser(description="A run as tasks of Ray")
    parser.add_argument("scene")
    parser.add_argument("out")
    parser.add_argument("--parts", type=int, default=32)
    parser.add_argument("--seed", type=int)
    given = parser.parse_args()
    ray.init()
    run(given.scene, given.parts, given.seed).write(given.out)


if __name__ == "__main__":
    main()
