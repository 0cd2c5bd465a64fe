"""A scene of kind `rockfall` as an object."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from .. import _keys
from .._parts import Part, known, plain
from ..scene import Progress, check, run
from .inputs import Barrier, Collector, Layout, LumpedMass, Material, RigidBody, Source
from .results import RockfallResults
from .terrain import Terrain

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Rockfall(Part):
    """A scene of kind `rockfall`."""

    def __init__(
        self,
        terrain: Terrain | Mapping[str, Any],
        materials: Sequence[Material | Mapping[str, Any]],
        sources: Sequence[Source | Mapping[str, Any]],
        *,
        layout: Layout | Mapping[str, Any] | None = None,
        engine: LumpedMass | RigidBody | Mapping[str, Any] | None = None,
        stop: Mapping[str, Any] | None = None,
        barriers: Sequence[Barrier | Mapping[str, Any]] = (),
        collectors: Sequence[Collector | Mapping[str, Any]] = (),
        map_cell_m: float | None = None,
        return_period_energies_kj: Sequence[float] | None = None,
        return_periods_a: Sequence[float] | None = None,
        write_trajectories: int | None = None,
        seed: int | None = None,
        base: str | os.PathLike[str] = ".",
        **keys: Unpack[_keys.RockfallKeys],
    ) -> None:
        """`keys` are further keys of the scene, such as `earthworks`, `sweeps` or `collectors_file`."""
        known(_keys.RockfallKeys, keys, type(self))
        super().__init__(
            {
                "schema": 1,
                "kind": "rockfall",
                "terrain": terrain,
                "materials": list(materials) or None,
                "layout": layout,
                "sources": list(sources),
                "engine": engine,
                "stop": stop,
                "barriers": list(barriers) or None,
                "collectors": list(collectors) or None,
                "map_cell_m": map_cell_m,
                "return_period_energies_kj": return_period_energies_kj,
                "return_periods_a": return_periods_a,
                "write_trajectories": write_trajectories,
                "seed": seed,
                **keys,
            }
        )
        self._base = os.fspath(base)

    @classmethod
    def from_json(cls, scene: str | os.PathLike[str], *, base: str | os.PathLike[str] | None = None) -> Rockfall:
        """A rockfall from a scene file, or from the text of a scene."""
        text = os.fspath(scene)
        if not text.lstrip().startswith("{"):
            base = base or FilePath(text).parent
            text = FilePath(text).read_text(encoding="utf-8")
        keys = json.loads("\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//")))
        if keys.get("kind") != "rockfall":
            raise ValueError(f"kind: {keys.get('kind')!r}; accepted: 'rockfall'")
        made = cls.__new__(cls)
        Part.__init__(made, keys)
        made._base = os.fspath(base or ".")
        return made

    def to_json(self, folder: str | os.PathLike[str] | None = None) -> str:
        """The scene as JSON text. With a folder, it also writes `scene.json` and a file for each array or
        GeoDataFrame."""
        files = dict(self._files)
        text = json.dumps(plain(self._keys, "", files), indent=2)
        if folder is not None:
            FilePath(folder).mkdir(parents=True, exist_ok=True)
            FilePath(folder, "scene.json").write_text(text + "\n", encoding="utf-8")
            for name, data in files.items():
                FilePath(folder, name).write_bytes(data)
        return text

    def check(self) -> str:
        """Checks the scene and its files, and returns a description of what it would run."""
        return check(self)

    def with_collectors(self, collectors: Iterable[Collector | Mapping[str, Any]]) -> Rockfall:
        """The same scene with more collectors. Collectors do not change the path of any rock."""
        made = type(self).__new__(type(self))
        present = self._keys.get("collectors") or []
        Part.__init__(made, {**self._keys, "collectors": [*present, *collectors]}, self._files)
        made._base = self._base
        return made

    def run(
        self,
        *,
        seed: int | None = None,
        threads: int | None = None,
        progress: Progress = False,
        keep: Iterable[str] = (),
        shard: tuple[int, int] | None = None,
        folder: str | os.PathLike[str] | None = None,
    ) -> RockfallResults:
        """Runs the scene: see `klast.run`. `keep="rocks"` keeps a row for every rock; it is refused together with
        `folder`."""
        done = run(self, seed=seed, threads=threads, progress=progress, keep=keep, shard=shard, folder=folder)
        assert isinstance(done, RockfallResults)
        done.scene = self
        return done
