"""A cluster of two workers: the bytes of one run, also when a worker dies."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import klast
import klast.dask
import numpy as np
import pytest
from conftest import EXAMPLES
from klast import rocking

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


def test_two_runs_at_once_have_files_of_their_own(client: Any) -> None:
    keys, files = scene(40)
    name = keys["terrain"]["raster"]["file"]
    lines = files[name].decode().splitlines()
    lower = [" ".join(str(0.5 * float(z)) for z in line.split()) for line in lines[6:]]
    flat = {**files, name: "\n".join([*lines[:6], *lower]).encode()}
    running = [klast.dask.submit(keys, client, files=given, parts=3) for given in (files, flat)]
    wholes = [klast.run(keys, files=given) for given in (files, flat)]
    assert wholes[0].read("result.json") != wholes[1].read("result.json")
    for run, whole in zip(running, wholes):
        joined = run.result()
        assert all(joined.read(name) == whole.read(name) for name in whole.files)


def test_what_a_scene_reads_is_sent_along(client: Any, tmp_path: Path) -> None:
    # Files of parts, records of a folder and what stands beside a raster; the disk they were on is gone.
    t = np.arange(0.0, 2.0, 0.01)
    folder = tmp_path / "motions"
    (folder / "records").mkdir(parents=True)
    for k in (1, 2):
        record = "".join(f"{4.0 * math.sin(6.0 * k * x)!r}\n" for x in t.tolist())
        (folder / "records" / f"{k}.txt").write_text(record)
    fragility = {
        **json.loads((EXAMPLES / "rocking-fragility.json").read_text()),
        "motions": [rocking.Motion(5.0 * np.sin(5.0 * t), 0.01, unit="m_s2")],
        "records": [{"files": "records/*.txt", "unit": "m_s2", "step_s": 0.01}],
    }
    keys, files = scene(20)
    slope = tmp_path / "slope"
    slope.mkdir()
    for name, data in files.items():
        (slope / name).write_bytes(data)
    raster = keys["terrain"]["raster"]
    del raster["crs"]
    (slope / raster["file"]).with_suffix(".prj").write_text("EPSG:2056")
    (slope / "scene.json").write_text(json.dumps(keys))
    for given, base in ((fragility, folder), (slope / "scene.json", None)):
        whole = klast.run(given, base=base)
        running = klast.dask.submit(given, client, base=base, parts=3)
        shutil.rmtree(folder if base else slope)
        joined = running.result()
        assert all(joined.read(name) == whole.read(name) for name in whole.files)


def test_what_has_no_parts_is_refused(client: Any) -> None:
    keys, files = klast.example("rocking")
    with pytest.raises(ValueError, match=r"in one piece; accepted: "):
        klast.dask.run(keys, client, files=files)
    keys, files = scene(10)
    with pytest.raises(ValueError, match=r"parts: 0; accepted: a whole number from 1"):
        klast.dask.run(keys, client, files=files, parts=0)
