"""What a rockfall run gives: tables, maps, exact paths."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .._arrays import Floats, Table, structured
from ..results import Outcome, columns_of
from .inputs import Collector
from .path import Path

if TYPE_CHECKING:
    import geopandas
    import xarray


def _wkt(crs: str) -> str:
    """The definition of a CRS; its name, which rioxarray reads too, where there is no pyproj."""
    try:
        from pyproj import CRS
    except ImportError:
        return crs
    text: str = CRS.from_user_input(crs).to_wkt()
    return text


class _Scene(Protocol):
    """What results ask of the scene they come from."""

    def with_collectors(self, collectors: Iterable[Collector]) -> _Scene: ...

    def run(self, *, seed: int | None, threads: int | None) -> RockfallResults: ...


class RockfallResults(Outcome):
    """The results of a rockfall run: tables, maps, exact paths."""

    scene: _Scene | None = None

    @property
    def crs(self) -> str | None:
        """Coordinate reference system of the terrain."""
        return self._ran.crs

    @property
    def rocks(self) -> Table:
        """One row for each rock with its release, its end, its outcome and its time. The run needs `keep="rocks"`."""
        kept = self._ran.rocks()
        if kept is None:
            raise ValueError("rocks: not kept; accepted: results of run(..., keep='rocks')")
        return structured(kept)

    def path(self, rock: int) -> Path:
        """The exact path of a rock, given by its number, counted from 0."""
        return self.paths([rock])[0]

    def paths(self, rocks: Iterable[int]) -> list[Path]:
        """The exact paths of rocks, given by their numbers. All paths are computed again, and agree with those of the
        run."""
        numbers = []
        for rock in rocks:
            if isinstance(rock, bool) or not isinstance(rock, (int, np.integer)) or rock < 0:
                raise ValueError(f"rock: {rock!r}; accepted: a whole number from 0")
            numbers.append(int(rock))
        found = self._ran.paths(numbers)
        first, mass, outcome = found.pop("first"), found.pop("mass_kg"), found.pop("outcome")
        arcs = structured(found)
        rows = zip(numbers, first[:-1], first[1:], mass, outcome)
        return [Path(number, arcs[a:b], float(m), word) for number, a, b, m, word in rows]

    @property
    def maps(self) -> dict[str, Floats]:
        """All maps by name, with rows from north to south and NaN in cells that no rock reached. There are no maps
        without `map_cell_m`."""
        found = self._ran.maps()
        return {} if found is None else {name: values[::-1] for name, _, _, values in found["maps"]}

    @property
    def map_extent_m(self) -> tuple[float, float, float, float] | None:
        """West, east, south and north edge of the maps (m), as `imshow(extent=...)` of matplotlib takes them."""
        found = self._ran.maps()
        if found is None:
            return None
        (west, south), cell = found["corner_m"], found["cell_m"]
        rows, columns = found["maps"][0][3].shape
        return west, west + columns * cell, south, south + rows * cell

    def to_xarray(self) -> xarray.Dataset:
        """The maps as a Dataset over `y` and `x` (cell centres) with the CRS."""
        import xarray

        found = self._ran.maps()
        if found is None:
            raise ValueError("maps: none; accepted: a scene with map_cell_m")
        (west, south), cell = found["corner_m"], found["cell_m"]
        rows, columns = found["maps"][0][3].shape
        x = west + (np.arange(columns) + 0.5) * cell
        y = south + (np.arange(rows)[::-1] + 0.5) * cell
        place: dict[str, Any] = {"y": y, "x": x}
        about: dict[str, str] = {}
        if self.crs:
            # Where rioxarray and GDAL look for the CRS, on each map too (the conventions of CF).
            told = {"crs_wkt": _wkt(self.crs), "spatial_ref": _wkt(self.crs)}
            place["spatial_ref"] = xarray.Variable((), 0, told)
            about["grid_mapping"] = "spatial_ref"
        maps = {
            name: (("y", "x"), values[::-1], {"long_name": words, "label": label, **about})
            for name, words, label, values in found["maps"]
        }
        return xarray.Dataset(maps, coords=place, attrs={"crs": self.crs or ""})

    def to_geopandas(self, what: str = "trajectories") -> geopandas.GeoDataFrame:
        """A GeoDataFrame with the CRS: the lines of `trajectories` or `barriers`, or the ends of `rocks`."""
        import geopandas

        if what == "rocks":
            import pandas

            rocks = self.rocks
            end = rocks["end_m"]
            points = geopandas.points_from_xy(end[:, 0], end[:, 1], end[:, 2])
            return geopandas.GeoDataFrame(pandas.DataFrame(columns_of(rocks)), geometry=points, crs=self.crs)
        if what not in ("trajectories", "barriers"):
            raise ValueError(f"what: {what!r}; accepted: 'trajectories', 'barriers', 'rocks'")
        if f"{what}.geojson" not in self.files:
            raise ValueError(f"{what}: none in these results; accepted: {', '.join(self.files)}")
        features = json.loads(self.read(f"{what}.geojson"))["features"]
        return geopandas.GeoDataFrame.from_features(features, crs=self.crs)

    def quantile(self, screen: str, quantity: str = "energy_kj", p: int = 95) -> tuple[float, float, float]:
        """A quantile at a barrier or collector with its 95 % confidence interval: value, lower and upper bound.
        `screen` is the name of the barrier or collector, and `p` (in %) is 50, 90, 95 or 99."""
        table = self["barrier_quantiles"]
        rows = table[(table["name"] == screen) & (table["quantity"] == quantity)]
        if not len(rows):
            known = sorted({f"({n}, {q})" for n, q in zip(table["name"].tolist(), table["quantity"].tolist())})
            raise ValueError(f"({screen}, {quantity}): no such row; accepted: {', '.join(known)}")
        if p not in (50, 90, 95, 99):
            raise ValueError(f"p: {p}; accepted: 50, 90, 95, 99")
        row = rows[0]
        return float(row[f"q{p}"]), float(row[f"q{p}_low"]), float(row[f"q{p}_high"])

    def collect(self, *collectors: Collector, threads: int | None = None) -> RockfallResults:
        """Adds collectors that were not in the scene, and returns new results that include them. All rocks run again on
        the same paths."""
        if self.scene is None:
            raise ValueError("collect: results without their scene; accepted: results of Rockfall(...).run()")
        return self.scene.with_collectors(collectors).run(seed=self.seed, threads=threads)
