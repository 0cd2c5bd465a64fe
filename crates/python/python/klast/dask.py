"""One run on a cluster of Dask. Its parts are tasks; the merged results have the same bytes as a single run.

A part depends only on the scene, the seed and its number. If a worker is lost, its task is run again on another worker
and gives the same bytes. Parts return as files in memory, so the workers need no common folder. The scene and the files
that it names are sent to the workers.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import _klast
from .results import Outcome, of
from ._parts import SceneLike
from .scene import native

if TYPE_CHECKING:
    from distributed import Client, Future


class Part:
    """A part that has returned."""

    def __init__(self, index: int, count: int, packed: bytes) -> None:
        self.index = index
        self.count = count
        self._packed = packed

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Writes the part as `klast run --shard` does, without figures."""
        with zipfile.ZipFile(io.BytesIO(self._packed)) as packed:
            packed.extractall(folder)

    def result(self) -> dict[str, Any]:
        """The results of this part, which can be read while other parts run."""
        with zipfile.ZipFile(io.BytesIO(self._packed)) as packed:
            return json.loads(packed.read("result.json")) if "result.json" in packed.namelist() else {}


def _run_part(
    text: str, base: str, files: dict[str, bytes], seed: int | None, index: int, count: int, threads: int | None
) -> bytes:
    """Runs a part on a worker: its files, packed. Nothing of an earlier try is used."""
    scene = _klast.Scene(text, base, "scene", files)
    return of(scene.run(seed, threads, (index, count), None, False, None), scene).packed()


class Run:
    """A run that was submitted."""

    def __init__(
        self, client: Client, scene: _klast.Scene, futures: list[Future], seed: int | None, spread: object
    ) -> None:
        self._client = client
        self._scene = scene
        self._seed = seed
        # Files on the workers live as long as this does: a part may have to be run again.
        self._spread = spread
        self.futures = futures

    def parts(self) -> Iterator[Part]:
        """Parts in the order in which they return."""
        from distributed import as_completed

        place = {future.key: k + 1 for k, future in enumerate(self.futures)}
        for future, packed in as_completed(self.futures, with_results=True):
            yield Part(place[future.key], len(self.futures), packed)

    def result(self, progress: Callable[[str, int, int], object] | None = None) -> Outcome:
        """The merged results, which have the same bytes as a single run."""
        with tempfile.TemporaryDirectory() as scratch:
            folders = []
            for k, part in enumerate(self.parts()):
                folder = os.path.join(scratch, str(part.index))
                part.write(folder)
                folders.append(folder)
                if progress is not None:
                    progress("parts", k + 1, len(self.futures))
            return of(_klast.merge(self._scene, folders), self._scene)

    def cancel(self) -> None:
        """Cancels the parts that have not begun."""
        self._client.cancel(self.futures)


def submit(
    scene: SceneLike,
    client: Client,
    *,
    parts: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    retries: int = 3,
    base: str | os.PathLike[str] | None = None,
    files: Mapping[str, bytes] | None = None,
) -> Run:
    """Submits a scene of a kind that has parts, and returns at once.

    `parts` is the number of parts. Unless stated, it is four for each thread of the cluster, so that the last part is
    short compared with the run. `threads` is the number of threads of each part. It is one unless stated, because each
    thread of a worker runs a part.
    """
    read = native(scene, base, files)
    _, _, has_parts, draws = read.check()
    if not has_parts:
        raise ValueError(
            f"scene: this one of kind '{read.kind}' runs in one piece; accepted: rockfall, rockfall_calibration, "
            "rockfall_study, rocking_fragility, assess, maps that run every cell, and a study of any other scene"
        )
    if seed is not None and not draws:
        raise ValueError(f"seed: a scene of kind '{read.kind}' draws nothing at random; accepted: None")
    if parts is None:
        parts = 4 * max(1, sum(client.nthreads().values()))
    if isinstance(parts, bool) or not isinstance(parts, int) or parts < 1:
        raise ValueError(f"parts: {parts!r}; accepted: a whole number from 1")
    # What the check has read, and what stands beside it: workers may not see this disk.
    text, base, needed = read.text, os.path.abspath(read.base), read.inputs()
    whole = _klast.Scene(text, base, "scene", needed)
    # In a list, so that the files of two runs that have the same names stay apart.
    spread = client.scatter([needed], broadcast=True, hash=False)[0] if needed else {}
    futures = [
        client.submit(_run_part, text, base, spread, seed, k + 1, parts, threads or 1, retries=retries, pure=False)
        for k in range(parts)
    ]
    return Run(client, whole, futures, seed, spread)


def run(
    scene: SceneLike,
    client: Client,
    *,
    parts: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    retries: int = 3,
    base: str | os.PathLike[str] | None = None,
    files: Mapping[str, bytes] | None = None,
    progress: Callable[[str, int, int], object] | None = None,
) -> Outcome:
    """Runs a scene on a cluster and waits for all parts. The arguments are those of `submit`; `progress` is called for
    each part."""
    running = submit(
        scene, client, parts=parts, seed=seed, threads=threads, retries=retries, base=base, files=files
    )
    return running.result(progress)


__all__ = ["Part", "Run", "run", "submit"]


def __dir__() -> list[str]:
    return sorted(__all__)
