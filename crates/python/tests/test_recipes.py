"""Recipes for clusters, run by a stand-in for the scheduler."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import klast
import pytest
from conftest import EXAMPLES, ROOT

RECIPES = ROOT / "crates" / "python" / "recipes"
SLURM = RECIPES / "slurm"


def task(program: str, index: int, count: int, scene: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """A task of an array, with the variables that the scheduler sets."""
    variables = {
        "KLAST": program,
        "SLURM_ARRAY_TASK_ID": str(index),
        "SLURM_ARRAY_TASK_COUNT": str(count),
        "SLURM_ARRAY_TASK_MIN": "1",
        "SLURM_CPUS_PER_TASK": "1",
    }
    command = [str(SLURM / "part.sh"), str(scene), str(out)]
    return subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["rocking-fragility", "rockfall"])
def test_the_array_and_the_merge_give_the_bytes_of_one_run(name: str, program: str, tmp_path: Path) -> None:
    scene = EXAMPLES / f"{name}.json"
    for index in (2, 3, 1):
        done = task(program, index, 3, scene, tmp_path)
        assert done.returncode == 0, done.stderr
    # A task that comes again finds its part complete and leaves it.
    before = (tmp_path / "part-2" / "manifest.json").stat().st_mtime_ns
    assert task(program, 2, 3, scene, tmp_path).returncode == 0
    assert (tmp_path / "part-2" / "manifest.json").stat().st_mtime_ns == before
    merge = [str(SLURM / "merge.sh"), str(tmp_path)]
    subprocess.run(merge, env={**os.environ, "KLAST": program}, check=True)
    subprocess.run([program, "run", str(scene), "--out", str(tmp_path / "one"), "--quiet"], check=True)
    joined, one = tmp_path / "whole", tmp_path / "one"
    assert {p.name for p in joined.iterdir()} == {p.name for p in one.iterdir()}
    for path in one.iterdir():
        if path.name != "manifest.json":
            assert path.read_bytes() == (joined / path.name).read_bytes(), path.name


def test_an_array_that_does_not_begin_at_one_is_refused(program: str, tmp_path: Path) -> None:
    variables = {
        "KLAST": program,
        "SLURM_ARRAY_TASK_ID": "0",
        "SLURM_ARRAY_TASK_COUNT": "3",
        "SLURM_ARRAY_TASK_MIN": "0",
    }
    command = [str(SLURM / "part.sh"), str(EXAMPLES / "rocking-fragility.json"), str(tmp_path)]
    done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "accepted: 1-N" in done.stderr


def test_a_task_that_is_terminated_goes_on_where_it_was(program: str, tmp_path: Path) -> None:
    keys, files = klast.example("rockfall")
    keys["sources"][0]["rocks"] = 2000
    (tmp_path / "scene.json").write_text(json.dumps(keys))
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    command = [program, "run", str(tmp_path / "scene.json"), "--out", str(tmp_path / "stopped"), "--quiet"]
    running = subprocess.Popen(command)
    # The folder says from the first moment on that the run is not complete; then it is at work.
    while not (tmp_path / "stopped" / "manifest.json").exists():
        time.sleep(0.01)
    time.sleep(0.5)
    running.send_signal(signal.SIGTERM)
    assert running.wait(120) == 130
    # A digest stands before the state.
    state = json.loads((tmp_path / "stopped" / "state.json").read_text()[64:])
    assert state["next"] < 2000
    assert subprocess.run(command, check=True).returncode == 0
    whole = klast.run(tmp_path / "scene.json")
    assert all((tmp_path / "stopped" / f).read_bytes() == whole.read(f) for f in whole.files)


def test_a_part_that_was_interrupted_goes_on_elsewhere(program: str, tmp_path: Path) -> None:
    keys, files = klast.example("rockfall")
    keys["sources"][0]["rocks"] = 2000
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    (here / "scene.json").write_text(json.dumps(keys))
    for name, data in files.items():
        (here / name).write_bytes(data)

    def part(folder: Path, k: int) -> list[str]:
        command = [program, "run", str(folder / "scene.json"), "--shard", f"{k}/2", "--threads", "1", "--quiet"]
        return [*command, "--out", str(folder / f"part-{k}")]

    running = subprocess.Popen(part(here, 2))
    while not (here / "part-2" / "manifest.json").exists():
        time.sleep(0.01)
    time.sleep(0.5)
    running.send_signal(signal.SIGTERM)
    assert running.wait(120) == 130
    state = json.loads((here / "part-2" / "state.json").read_text()[64:])
    assert 1000 < state["next"] < 2000
    # Another node has the folder under another name.
    here.rename(there)
    for k in (1, 2):
        subprocess.run(part(there, k), check=True)
    joined = klast.merge([there / "part-1", there / "part-2"])
    whole = klast.run(there / "scene.json")
    assert all(joined.read(f) == whole.read(f) for f in whole.files)


def test_an_indexed_job_gives_the_parts_of_one_run(program: str, tmp_path: Path) -> None:
    scene = EXAMPLES / "rocking-fragility.json"
    script = ROOT / "crates" / "python" / "recipes" / "kubernetes" / "part.sh"
    for index in (1, 0):
        variables = {"KLAST": program, "JOB_COMPLETION_INDEX": str(index), "PARTS": "2"}
        subprocess.run([str(script), str(scene), str(tmp_path)], env={**os.environ, **variables}, check=True)
    joined = klast.merge([tmp_path / "part-1", tmp_path / "part-2"], scene)
    whole = klast.run(scene)
    assert all(joined.read(f) == whole.read(f) for f in whole.files)


def test_parts_in_object_storage_are_those_of_one_run(tmp_path: Path) -> None:
    script = str(RECIPES / "object_storage" / "parts.py")
    bucket = (tmp_path / "bucket" / "run").as_uri()
    scene = EXAMPLES / "rockfall.json"

    def parts(*words: str) -> None:
        subprocess.run([sys.executable, script, *words], cwd=tmp_path, check=True)

    parts("put", str(scene), bucket)
    for k in (2, 1, 3):
        parts("run", bucket, f"{k}/3")
    # A part that is there is left alone.
    kept = tmp_path / "bucket" / "run" / "parts-3" / "2.zip"
    before = kept.stat().st_mtime_ns
    parts("run", bucket, "2/3")
    assert kept.stat().st_mtime_ns == before
    parts("merge", bucket, str(tmp_path / "out"))
    whole = klast.run(scene)
    assert all((tmp_path / "out" / f).read_bytes() == whole.read(f) for f in whole.files)


def test_the_program_needs_nothing_around_it(program: str, tmp_path: Path) -> None:
    # As in a container: no environment, a folder of data, another working folder.
    keys, files = klast.example("rocking_fragility")
    (tmp_path / "scene.json").write_text(json.dumps(keys))
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    for k in (1, 2):
        command = [program, "run", "scene.json", "--shard", f"{k}/2", "--out", f"part-{k}"]
        subprocess.run(command, cwd=tmp_path, env={}, check=True, capture_output=True)
    joined = klast.merge([tmp_path / "part-1", tmp_path / "part-2"])
    whole = klast.run(tmp_path / "scene.json")
    assert all(joined.read(f) == whole.read(f) for f in whole.files)


def test_tasks_of_ray_give_the_bytes_of_one_run(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    script = str(RECIPES / "ray" / "run.py")
    scene = EXAMPLES / "rocking-fragility.json"
    command = [sys.executable, script, str(scene), str(tmp_path / "out"), "--parts", "3"]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    whole = klast.run(scene)
    assert all((tmp_path / "out" / f).read_bytes() == whole.read(f) for f in whole.files)


def test_the_model_of_costs_is_that_of_its_limits() -> None:
    path = ROOT / "crates" / "python" / "recipes" / "cost.py"
    specification = importlib.util.spec_from_file_location("cost", path)
    assert specification is not None and specification.loader is not None
    cost = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(cost)
    exact = {"rocks": 1e6, "nodes": 10, "rock_s": 1e-3, "bandwidth": 1e9, "seed": 1}
    free = {"start_s": 0.0, "part_bytes": 0.0, "merge_s": 0.0, "spread": 0.0, "failures_per_hour": 0.0}
    told = cost.simulate(parts=40, **exact, **free)
    # Equal nodes without costs take the ideal time: 10⁶ rocks of a millisecond over ten nodes.
    assert told["joined_s"] == pytest.approx(100.0, rel=1e-12) and told["efficiency"] == pytest.approx(1.0, rel=1e-12)
    # Starts and merges add up: 4 starts on each node, 40 merges in turn.
    told = cost.simulate(parts=40, **exact, **{**free, "start_s": 2.0, "merge_s": 0.5})
    assert told["joined_s"] == pytest.approx(100.0 + 8.0 + 20.0, rel=1e-12)
    # 41 parts on ten nodes wait for the last one.
    told = cost.simulate(parts=41, **exact, **free)
    assert told["last_part_s"] == pytest.approx(5 * 1000.0 / 41, rel=1e-12)
    # A tree of eights over 64 parts: two levels, each of eight merges in turn; the second moves the eight of the first.
    tree = cost.simulate(parts=64, fan_in=8, **exact, **{**free, "merge_s": 0.5, "part_bytes": 1.0})
    assert tree["joined_s"] - tree["last_part_s"] == pytest.approx(8.0, rel=1e-6) and tree["moved_bytes"] == 72.0
