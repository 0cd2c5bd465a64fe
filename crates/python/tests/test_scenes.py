"""Scenes of every kind: the bits of the program, parts, errors of the whole path from Python to the engines."""

from __future__ import annotations

import csv
import fcntl
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
        with open(tmp_path / f"{table}.csv", newline="", encoding="utf-8") as file:
            head, *cells = csv.reader(file)
        assert list(rows.dtype.names or ()) == head and len(rows) == len(cells)
        for column, printed in zip(head, zip(*cells)):
            values = rows[column]
            if values.dtype.kind == "b":
                assert [str(v).lower() for v in values] == list(printed), (table, column)
            elif values.dtype.kind in "if":
                numbers = np.array([float(cell) if cell else np.nan for cell in printed])
                assert np.array_equal(values.astype(float), numbers, equal_nan=True), (table, column)
            else:
                assert values.tolist() == list(printed), (table, column)


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
        # A part can be looked at before the others are there.
        counted = [part.summary.get("trials", part.summary.get("runs")) for part in parts]
        assert all(n > 0 for n in counted), counted


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


def test_parts_of_other_files_or_another_version_are_refused(tmp_path: Path) -> None:
    scene, files = klast.example("rockfall")
    scene["sources"][0]["rocks"] = 10
    klast.run(scene, files=files, shard=(1, 1)).write(tmp_path / "part")
    name = scene["terrain"]["raster"]["file"]
    with pytest.raises(ValueError, match=f"{name}: not the file that the parts were run with"):
        klast.merge([tmp_path / "part"], scene, files={**files, name: files[name] + b"\n"})
    with pytest.raises(ValueError, match="not the scene that the parts were run from"):
        klast.merge([tmp_path / "part"], {**scene, "seed": 99}, files=files)
    assert klast.merge([tmp_path / "part"], scene, files=files).summary["seeded"] == 10
    manifest = tmp_path / "part" / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "klast": "0.0.1"}))
    with pytest.raises(ValueError, match=r"parts of version 0\.0\.1; accepted: "):
        klast.merge([tmp_path / "part"], scene, files=files)


@pytest.mark.parametrize(
    "kind", ["study", "rocking_map", "rockfall_calibration", "assess"]
)
def test_parts_in_one_piece_have_the_bytes_of_one_run(kind: str) -> None:
    scene, files = klast.example(kind)
    if kind == "rockfall_calibration":
        scene["sets"] = 8
    text, sent = klast.with_files(scene, files=files)
    whole = klast.run(text, files=sent)
    pieces = [klast.run(text, files=sent, shard=(k, 3)).packed() for k in (3, 1, 2)]
    joined = klast.merge(pieces, text, files=sent)
    assert joined.files == whole.files and joined.warnings == whole.warnings
    assert all(joined.read(name) == whole.read(name) for name in whole.files)


def test_a_study_is_that_of_its_scene_file_and_has_parts(tmp_path: Path) -> None:
    scene, _ = klast.example("rocking")
    scene["duration_s"] = 2.0
    values = [2.0, 4.0, 8.0]
    ran = klast.study(scene, {"horizontal.amplitude_m_s2": np.array(values)}, look_at=["max_rotation_rad"])
    written = {
        "schema": 1,
        "kind": "study",
        "scene": scene,
        "over": [{"key": "horizontal.amplitude_m_s2", "values": values}],
        "look_at": ["max_rotation_rad"],
    }
    same = klast.run(written)
    assert ran.files == same.files and all(ran.read(name) == same.read(name) for name in same.files)
    single = klast.run({**scene, "horizontal": {**scene["horizontal"], "amplitude_m_s2": 8.0}})
    assert ran["study"]["max_rotation_rad"][2] == single.summary["max_rotation_rad"]
    # Of a file, and with distributions of another library.
    (tmp_path / "block.json").write_text(json.dumps(scene))
    uniform = pytest.importorskip("scipy.stats").uniform(2.0, 4.0)
    over = {"horizontal.amplitude_m_s2": uniform, "block.width_m": {"distribution": {"uniform": [0.4, 0.6]}}}
    made = klast.study_scene(tmp_path / "block.json", over, method={"sobol": {"sets": 5}})
    whole = klast.run(made)
    joined = klast.merge([klast.run(made, shard=(k, 3)) for k in (2, 3, 1)])
    assert joined.files == whole.files and all(joined.read(name) == whole.read(name) for name in whole.files)
    assert whole.summary["runs"] == 20 and len(whole["indices"]) > 0
    with pytest.raises(ValueError, match=r"over: friction: a float; accepted: "):
        klast.study(scene, {"friction": 0.3})


def test_a_merge_has_the_warnings_of_one_run() -> None:
    scene = json.loads((EXAMPLES / "rocking-map.json").read_text())
    scene["block"].update(width_m=60.0, height_m=270.0)
    whole = klast.run(scene)
    assert any("270" in warning for warning in whole.warnings)
    assert klast.merge([klast.run(scene, shard=(k, 2)) for k in (1, 2)]).warnings == whole.warnings


def test_a_folder_is_held_and_that_of_something_else_is_left(tmp_path: Path) -> None:
    scene, files = klast.example("rocking")
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("years of work")
    outcome = klast.run(scene, files=files)
    for use in (lambda folder: klast.run(scene, files=files, folder=folder), outcome.write):
        with pytest.raises(ValueError, match="holds files of something else"):
            use(other)
        assert [path.name for path in other.iterdir()] == ["thesis.tex"]
    own = tmp_path / "own"
    outcome.write(own)
    # Of an earlier run, that had one table more.
    manifest = json.loads((own / "manifest.json").read_text())
    (own / "old.csv").write_text("a\n1\n")
    (own / "manifest.json").write_text(json.dumps({**manifest, "files": [*manifest["files"], "old.csv"]}))
    held = os.open(own, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    with pytest.raises(ValueError, match="another run is at work in this folder"):
        klast.run(scene, files=files, folder=own)
    os.close(held)
    klast.run(scene, files=files, folder=own)
    again = json.loads((own / "manifest.json").read_text())
    assert not (own / "old.csv").exists()
    assert again["complete"] and again["files"] == manifest["files"]


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
    assert not json.loads((tmp_path / "manifest.json").read_text())["complete"]
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


def test_tables_become_frames() -> None:
    outcome = klast.run(EXAMPLES / "rocking.json")
    history = outcome["history"]
    frame = outcome.to_pandas("history")
    assert list(frame.columns) == list(history.dtype.names or ())
    assert np.array_equal(frame["rotation_rad"].to_numpy(), history["rotation_rad"])
    html = outcome._repr_html_()
    assert "<svg" in html and "rocking" in html
    assert "tables: " in repr(outcome)
