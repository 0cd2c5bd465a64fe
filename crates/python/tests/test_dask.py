"""A cluster of two workers: the bytes of one run, also when a worker dies."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import klast
import klast.dask
import pytest

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    quiet: dict[str, Any] = {"dashboard_address": None, "silence_logs": 50}
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, **quiet)
    with cluster, distributed.Client(cluster) as connected:
        yield connected


def scene(rocks: int) -> tuple[dict[str, Any], dict[str, bytes]]:
    keys, files = klast.example("rockfall")
    keys["sources"][0]["rocks"] = rocks
    keys["write_trajectories"] = 5
    return keys, files


def test_parts_on_a_cluster_have_the_bytes_of_one_run(client: Any) -> None:
    keys, files = scene(80)
    whole = klast.run(keys, files=files)
    told: list[tuple[str, int, int]] = []
    joined = klast.dask.run(keys, client, files=files, parts=5, progress=lambda *stage: told.append(stage))
    assert joined.files == whole.files
    assert all(joined.read(name) == whole.read(name) for name in whole.files)
    assert told[-1] == ("parts", 5, 5)
    # Parts can be looked at as they come.
    seeded = [part.result()["seeded"] for part in klast.dask.submit(keys, client, files=files, parts=4).parts()]
    assert sum(seeded) == 80


def test_the_part_of_a_worker_that_dies_is_run_again(client: Any) -> None:
    keys, files = scene(600)
    whole = klast.run(keys, files=files)
    running = klast.dask.submit(keys, client, files=files, parts=6)
    victim = next(iter(client.scheduler_info()["workers"]))
    while not client.processing().get(victim):
        time.sleep(0.01)
    # The worker's process is killed, and with it the part that it was at; its nanny starts another one.
    os.kill(client.run(os.getpid, workers=[victim])[victim], signal.SIGKILL)
    joined = running.result()
    assert all(joined.read(name) == whole.read(name) for name in whole.files)


def test_what_has_no_parts_is_refused(client: Any) -> None:
    keys, files = klast.example("rocking")
    with pytest.raises(ValueError, match=r"in one piece; accepted: "):
        klast.dask.run(keys, client, files=files)
    keys, files = scene(10)
    with pytest.raises(ValueError, match=r"parts: 0; accepted: a whole number from 1"):
        klast.dask.run(keys, client, files=files, parts=0)
