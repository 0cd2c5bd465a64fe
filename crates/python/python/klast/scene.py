"""Scenes in, results out: the same JSON, the same checks and the same bits as the program."""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Union

import numpy as np

from . import _klast
from ._parts import Part, SceneLike, plain
from .results import Outcome, of

Progress = Union[bool, Callable[[str, int, int], object]]


def native(
    scene: SceneLike, base: str | os.PathLike[str] | None = None, files: Mapping[str, bytes] | None = None
) -> _klast.Scene:
    """The scene, read; files that it names are in `files`, or on the disk from `base` on. A scene file has its own
    folder, and takes neither."""
    if isinstance(scene, (str, os.PathLike)):
        text = os.fspath(scene)
        if isinstance(text, str) and text.lstrip().startswith("{"):
            return _klast.Scene(text, os.fspath(base or "."), "scene", dict(files or {}))
        if not os.path.exists(text):
            raise FileNotFoundError(f"{text}: no such file; accepted: a scene file, its text, or a dictionary")
        if base is not None or files:
            given = "base" if base is not None else "files"
            raise ValueError(
                f"{given}: beside the scene file {text}; accepted: None, or the scene as a dictionary or text"
            )
        return _klast.Scene.read(text)
    if not isinstance(scene, (Mapping, Part)):
        raise ValueError(
            f"scene: a {type(scene).__name__}; accepted: a dictionary, a path, a text, or an object of klast"
        )
    attached = dict(files or {})
    keys = plain(scene, "", attached)
    keys = {"schema": 1, **keys}
    base = base if base is not None else getattr(scene, "_base", None)
    return _klast.Scene(json.dumps(keys, indent=1), os.fspath(base or "."), "scene", attached)


def run(
    scene: SceneLike,
    *,
    seed: int | None = None,
    threads: int | None = None,
    shard: tuple[int, int] | None = None,
    progress: Progress = False,
    keep: Iterable[str] = (),
    folder: str | os.PathLike[str] | None = None,
    base: str | os.PathLike[str] | None = None,
    files: Mapping[str, bytes] | None = None,
) -> Outcome:
    """Runs a scene of any kind.

    `seed` replaces the seed of the scene. `threads` is the number of threads, all cores unless stated; results do not
    depend on it. `shard=(k, n)` runs only part k of n parts, counted from 1; `merge` merges the parts. `progress` is
    True for a progress bar, or a callable with three arguments: the name of the work, the amount done and the whole
    amount. `keep="rocks"` keeps a row for every rock of a rockfall. It is refused together with `folder`, because a
    continued run has only the remaining rocks. `folder` is a folder into which the results are written as the program
    writes them; a call with the folder of an interrupted run continues this run. `base` is the folder at which relative
    paths of the scene start. `files` is a dictionary from names of files in the scene to their bytes.
    """
    read = native(scene, base, files)
    kept = {keep} if isinstance(keep, str) else set(keep)
    if kept - {"rocks"}:
        raise ValueError(f"keep: {sorted(kept - {'rocks'})}; accepted: 'rocks'")
    if kept and (read.kind != "rockfall" or folder is not None):
        found = f"a scene of kind '{read.kind}'" if read.kind != "rockfall" else "a run with a folder"
        raise ValueError(f"keep: 'rocks' of {found}; accepted: a scene of kind 'rockfall', without a folder")
    _whole("seed", seed, 0, 2**64 - 1)
    _whole("threads", threads, 1, 4096)
    if shard is not None:
        if not (isinstance(shard, tuple) and len(shard) == 2):
            raise ValueError(f"shard: {shard!r}; accepted: (k, n) with 1 <= k <= n")
        _whole("shard", shard[0], 1, 2**64 - 1)
        _whole("shard", shard[1], 1, 2**64 - 1)
    where = None if folder is None else os.fspath(folder)
    with _told(progress) as told:
        ran = read.run(seed, threads, shard, told, "rocks" in kept, where)
    if where is not None:
        ran.write(where)
    return of(ran, read)


def _whole(field: str, value: object, low: int, high: int) -> None:
    """Refuses what is not a whole number in a range; None is no number."""
    if value is None:
        return
    if isinstance(value, (bool, float)) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise ValueError(f"{field}: {value!r}; accepted: a whole number from {low} to {high}")


def study_scene(
    scene: SceneLike,
    over: Mapping[str, Any],
    *,
    look_at: Iterable[str] = (),
    method: str | Mapping[str, Any] = "grid",
    base: str | os.PathLike[str] | None = None,
    files: Mapping[str, bytes] | None = None,
) -> Part:
    """The study of a scene of any kind, a scene of kind `study`: for `run`, for parts, and for a cluster.

    `over` is a dictionary from keys of the scene, such as `"materials.0.friction"`, to their values: a list or an array
    of values, a frozen distribution of scipy.stats, or a dictionary as the scene of a study has it, such as
    `{"range": {"from": 1, "to": 2, "count": 5}}`. `look_at` and `method` are those of the scene. `base` and `files` are
    those of `run`.
    """
    read = native(scene, base, files)
    keys = json.loads("\n".join(line for line in read.text.splitlines() if not line.lstrip().startswith("//")))
    attached = dict(files or {})
    if isinstance(scene, Part):
        plain(scene, "", attached)
    made = Part(
        {
            "kind": "study",
            "scene": keys,
            "over": [{"key": key, **_values(key, values)} for key, values in over.items()],
            "look_at": list(look_at),
            "method": method,
        },
        attached,
    )
    made._base = read.base
    return made


def _values(key: str, values: Any) -> dict[str, Any]:
    """The values of a key as the scene of a study has them."""
    if isinstance(values, Mapping):
        return dict(values)
    if hasattr(values, "dist"):
        return {"distribution": values}
    if isinstance(values, (list, tuple, np.ndarray, range)):
        return {"values": list(values)}
    raise ValueError(f"over: {key}: a {type(values).__name__}; accepted: a list, an array, a distribution, a dictionary")


def study(
    scene: SceneLike,
    over: Mapping[str, Any],
    *,
    look_at: Iterable[str] = (),
    method: str | Mapping[str, Any] = "grid",
    base: str | os.PathLike[str] | None = None,
    files: Mapping[str, bytes] | None = None,
    seed: int | None = None,
    threads: int | None = None,
    shard: tuple[int, int] | None = None,
    progress: Progress = False,
    folder: str | os.PathLike[str] | None = None,
) -> Outcome:
    """Runs a scene of any kind for many values of its keys: `run` of `study_scene`. The last five arguments are those
    of `run`."""
    made = study_scene(scene, over, look_at=look_at, method=method, base=base, files=files)
    return run(made, seed=seed, threads=threads, shard=shard, progress=progress, folder=folder)


def check(
    scene: SceneLike, *, base: str | os.PathLike[str] | None = None, files: Mapping[str, bytes] | None = None
) -> str:
    """Checks a scene and every file that it names, and returns a description of what it would run."""
    described, notes, _, _ = native(scene, base, files).check()
    return "\n".join([described, *notes])


def with_files(
    scene: SceneLike, *, base: str | os.PathLike[str] | None = None, files: Mapping[str, bytes] | None = None
) -> tuple[str, dict[str, bytes]]:
    """The text of a scene and every file that it reads, for a machine that does not see this disk:
    `run(text, files=files)`."""
    read = native(scene, base, files)
    read.check()
    return read.text, read.inputs()


def merge(
    parts: Iterable[Outcome | bytes | str | os.PathLike[str]],
    scene: SceneLike | None = None,
    *,
    base: str | os.PathLike[str] | None = None,
    files: Mapping[str, bytes] | None = None,
) -> Outcome:
    """Merges all parts of a run, in any order, into the results of the whole run. A part is an outcome in memory, a
    packed outcome (`Outcome.packed`), or a folder.

    A part in memory contains its scene. For other parts, `scene` is the scene; unless stated, it is read from the path
    that the first part states.
    """
    parts = list(parts)
    if not parts:
        raise ValueError("parts: none; accepted: every part of a run")
    with tempfile.TemporaryDirectory() as scratch:
        folders = []
        for k, part in enumerate(parts):
            if isinstance(part, Outcome):
                folder = os.path.join(scratch, str(k))
                part._parts_into(folder)
                folders.append(folder)
            elif isinstance(part, bytes):
                import zipfile

                folders.append(os.path.join(scratch, str(k)))
                with zipfile.ZipFile(io.BytesIO(part)) as packed:
                    packed.extractall(folders[-1])
            else:
                folders.append(os.fspath(part))
        if scene is not None:
            read = native(scene, base, files)
        elif isinstance(parts[0], Outcome):
            read = parts[0]._scene
        else:
            manifest = json.loads(Path(folders[0], "manifest.json").read_text(encoding="utf-8"))
            read = _klast.Scene.read(manifest["scene"])
        return of(_klast.merge(read, folders), read)


def kinds() -> dict[str, str]:
    """All kinds of scenes, each with a short description."""
    return dict(_klast.kinds())


def schema(kind: str, *, results: bool = False) -> dict[str, Any]:
    """The JSON Schema of a kind of scene, or, with `results=True`, of its results."""
    loaded: dict[str, Any] = json.loads(_klast.schema(kind, results))
    return loaded


def example(kind: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    """An example scene of a kind, and the files that it names. `run(scene, files=files)` runs it."""
    text, files = _klast.example(kind)
    scene: dict[str, Any] = json.loads(
        "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))
    )
    return scene, dict(files)


class _told:
    """A callable for a run's progress, and its end."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._bar: Any = None

    def __enter__(self) -> Callable[[str, int, int], object] | None:
        if callable(self._progress):
            return self._progress
        return self._show if self._progress else None

    def _show(self, what: str, done: int, total: int) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            sys.stderr.write(f"\r{what}: {done} of {total}")
            self._bar = sys.stderr
            return
        if self._bar is None or self._bar.desc != f"{what}: ":
            self._close()
            self._bar = tqdm(total=total, desc=what)
        self._bar.update(done - self._bar.n)

    def _close(self) -> None:
        if self._bar is sys.stderr:
            sys.stderr.write("\n")
        elif self._bar is not None:
            self._bar.close()

    def __exit__(self, *_: object) -> None:
        self._close()
