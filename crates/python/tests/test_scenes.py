"""Scenes of every kind: the bits of the program, parts, errors of the whole path from Python to the engines."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import klast
import numpy as np
import pytest
from conftest import EXAMPLES

SCENES = sorted(path.stem for path in EXAMPLES.glob("*.json"))


@pytest.mark.parametrize("name", SCENES)
def test_results_equal_those_of_the_program_bit_for_bit(name: str, program: str, tmp_path: Path) -> None:
    scene = EXAMPLES / f"{name}.json"
    subprocess.run([program, "run", str(scene), "--out", str(tmp_path), "--quiet"], check=True)
    outcome = klast.run(scene)
    written = {path.name for path in tmp_path.iterdir()}
    figures = {f"{figure}.svg": text.encode() for figure, text in outcome.figures.items()}
    assert written - {"scene.gltf"} == {*outcome.files, *figures, "manifest.json", "index.html"}
    for file in outcome.files:
        assert outcome.read(file) == (tmp_path / file).read_bytes(), file
    for file, drawn in figures.items():
        assert drawn == (tmp_path / file).read_bytes(), file
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert outcome.counts == manifest["counts"]
    assert outcome.seed == manifest["seed"]
    assert outcome.warnings == manifest["warnings"]
    # Every table is an array whose numbers print as the cells do.
    for table in outcome.tables:
        rows = outcome[table]
        lines = (tmp_path / f"{table}.csv").read_text().splitlines()
        assert list(rows.dtype.names or ()) == lines[0].split(",")
        assert len(rows) == len(lines) - 1 or '"' in "".join(lines)


@pytest.mark.parametrize("kind", list(klast.kinds()))
def test_every_kind_brings_an_example_that_can_be_checked(kind: str) -> None:
    scene, files = klast.example(kind)
    assert scene["kind"] == kind
    assert klast.check(scene, files=files)
    assert klast.schema(kind)["properties"]["kind"]["const"] == kind
    assert "properties" in klast.schema(kind, results=True)


def test_threads_and_folders_change_no_bit(tmp_path: Path) -> None:
    scene, files = klast.example("rockfall")
    scene["sources"][0]["rocks"] = 60
    whole = klast.run(scene, files=files)
    for threads in (1, 3):
        again = klast.run(scene, files=files, threads=threads)
        assert all(again.read(f) == whole.read(f) for f in whole.files)
    klast.run(scene, files=files, folder=tmp_path)
    assert all((tmp_path / f).read_bytes() == whole.read(f) for f in whole.files)
    assert json.loads((tmp_path / "manifest.json").read_text())["complete"]


def test_parts_join_to_the_bytes_of_one_run(tmp_path: Path) -> None:
    scene, files = klast.example("rockfall")
    scene["sources"][0]["rocks"] = 60
    whole = klast.run(scene, files=files)
    parts = [klast.run(scene, files=files, shard=(k, 3)) for k in (2, 3, 1)]
    joined = klast.merge(parts)
    assert joined.files == whole.files
    assert all(joined.read(f) == whole.read(f) for f in whole.files)
    for k, part in enumerate(parts):
        part.write(tmp_path / str(k))
    folders = [tmp_path / str(k) for k in range(3)]
    again = klast.merge(folders, {**scene, "schema": 1} if "schema" not in scene else scene, files=files)
    assert all(again.read(f) == whole.read(f) for f in whole.files)
    with pytest.raises(ValueError, match="every part once"):
        klast.merge(parts[:2])
    with pytest.raises(ValueError, match="a whole run"):
        klast.merge([whole])


@pytest.mark.parametrize("name", ["rocking-fragility", "assembly-sweep"])
def test_every_ensemble_has_parts(name: str) -> None:
    whole = klast.run(EXAMPLES / f"{name}.json")
    for count in (1, 3, 7):
        parts = [klast.run(EXAMPLES / f"{name}.json", shard=(k, count)) for k in range(1, count + 1)]
        joined = klast.merge(reversed(parts))
        assert joined.files == whole.files
        assert all(joined.read(f) == whole.read(f) for f in whole.files), count


def test_parts_of_the_program_join_here(program: str, tmp_path: Path) -> None:
    for k in (1, 2):
        part = ["--shard", f"{k}/2", "--out", str(tmp_path / str(k)), "--quiet"]
        subprocess.run([program, "run", str(EXAMPLES / "rocking-map.json"), *part], check=True)
    subprocess.run(
        [program, "merge", str(tmp_path / "1"), str(tmp_path / "2"), "--out", str(tmp_path / "whole"), "--quiet"],
        check=True,
    )
    joined = klast.merge([tmp_path / "2", tmp_path / "1"])
    assert all(joined.read(f) == (tmp_path / "whole" / f).read_bytes() for f in joined.files)


def test_progress_is_told_and_what_it_raises_is_raised() -> None:
    scene, files = klast.example("rockfall")
    told: list[tuple[str, int, int]] = []
    klast.run(scene, files=files, progress=lambda *stage: told.append(stage))
    assert told[-1] == ("rocks", 300, 300)

    def stop(what: str, done: int, total: int) -> None:
        raise RuntimeError("enough")

    scene["sources"][0]["rocks"] = 100_000
    with pytest.raises(RuntimeError, match="enough"):
        klast.run(scene, files=files, progress=stop)


def test_ctrl_c_ends_a_run_and_a_folder_goes_on(tmp_path: Path) -> None:
    scene, files = klast.example("rockfall")
    scene["sources"][0]["rocks"] = 1_000_000
    scene["write_trajectories"] = 0
    begun = threading.Event()

    def interrupt() -> None:
        begun.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        klast.run(scene, files=files, folder=tmp_path, progress=lambda *_: begun.set())
    thread.join()
    # A digest stands before the state.
    state = json.loads((tmp_path / "state.json").read_text()[64:])
    assert 0 < state["next"] < 1_000_000
    again: list[int] = []

    class Enough(Exception):
        pass

    def first(what: str, done: int, total: int) -> None:
        again.append(done)
        raise Enough

    with pytest.raises(Enough):
        klast.run(scene, files=files, folder=tmp_path, progress=first)
    assert again[0] >= state["next"]


def test_the_lock_of_the_interpreter_is_released() -> None:
    scene, files = klast.example("rockfall")
    scene["sources"][0]["rocks"] = 3000
    ticks = 0
    ended = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not ended.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    klast.run(scene, files=files)
    ended.set()
    thread.join()
    assert ticks > 20


def test_old_spellings_are_warned_of() -> None:
    scene, _ = klast.example("rocking_spectrum")
    scene["kind"] = "rocking-spectrum"
    assert any("rocking_spectrum" in warning for warning in klast.run(scene).warnings)


def test_tables_become_frames() -> None:
    outcome = klast.run(EXAMPLES / "rocking.json")
    history = outcome["history"]
    frame = outcome.to_pandas("history")
    assert list(frame.columns) == list(history.dtype.names or ())
    assert np.array_equal(frame["rotation_rad"].to_numpy(), history["rotation_rad"])
    html = outcome._repr_html_()
    assert "<svg" in html and "rocking" in html
    assert "tables: " in repr(outcome)
