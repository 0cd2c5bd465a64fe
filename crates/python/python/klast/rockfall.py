"""Rocks released on terrain: how far they run, with what energy, and what a barrier sees.

Objects have the names of the scene keys and turn into the same JSON (`to_json`), which the program runs with the same
bits. Positions are map coordinates in m.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _klast
from ._arrays import Floats, all_finite, floats, numeric, structured
from .results import Outcome
from .scene import Part, Progress, check, plain, run

if TYPE_CHECKING:
    import geopandas
    import xarray

Number = Union[float, "Distribution", Any]


class Distribution(Part):
    """A distribution in the unit of the key it stands under, cut at `min` and `max` where they are given."""

    def __init__(self, family: str, parameters: Any, *, min: float | None = None, max: float | None = None) -> None:
        super().__init__({family: parameters, "min": min, "max": max})


def normal(mean: float, sd: float, **cut: float) -> Distribution:
    """Normal by mean and standard deviation."""
    return Distribution("normal", [mean, sd], **cut)


def uniform(lower: float, upper: float, **cut: float) -> Distribution:
    """Uniform between two ends."""
    return Distribution("uniform", [lower, upper], **cut)


def triangular(lower: float, mode: float, upper: float, **cut: float) -> Distribution:
    """Triangular by its ends and its mode."""
    return Distribution("triangular", [lower, mode, upper], **cut)


def lognormal(mean: float, sd: float, **cut: float) -> Distribution:
    """Lognormal by mean and standard deviation of the variable itself."""
    return Distribution("lognormal", [mean, sd], **cut)


def exponential(mean: float, **cut: float) -> Distribution:
    """Exponential by its mean."""
    return Distribution("exponential", mean, **cut)


def beta(alpha: float, beta: float, lower: float, upper: float, **cut: float) -> Distribution:
    """Beta between two ends."""
    return Distribution("beta", [alpha, beta, lower, upper], **cut)


def gamma(shape: float, scale: float, **cut: float) -> Distribution:
    """Gamma by shape and scale."""
    return Distribution("gamma", [shape, scale], **cut)


def distribution(frozen: Any, field: str = "distribution") -> Distribution:
    """A frozen distribution of scipy.stats as one of ours."""
    name = frozen.dist.name
    shapes, loc, scale = frozen.dist._parse_args(*frozen.args, **frozen.kwds)
    shapes, loc, scale = [float(s) for s in shapes], float(loc), float(scale)
    at_zero = name in ("lognorm", "expon", "gamma")
    if at_zero and loc != 0.0:
        raise ValueError(f"{field}: scipy.stats.{name} with loc {loc}; accepted: loc 0")
    if name == "norm":
        return normal(loc, scale)
    if name == "truncnorm":
        return normal(loc, scale, min=loc + scale * shapes[0], max=loc + scale * shapes[1])
    if name == "uniform":
        return uniform(loc, loc + scale)
    if name == "triang":
        return triangular(loc, loc + shapes[0] * scale, loc + scale)
    if name == "lognorm":
        mean = scale * math.exp(0.5 * shapes[0] ** 2)
        return lognormal(mean, mean * math.sqrt(math.expm1(shapes[0] ** 2)))
    if name == "expon":
        return exponential(scale)
    if name == "gamma":
        return gamma(shapes[0], scale)
    if name == "beta":
        return beta(shapes[0], shapes[1], loc, loc + scale)
    accepted = "norm, truncnorm, uniform, triang, lognorm, expon, gamma, beta"
    raise ValueError(f"{field}: scipy.stats.{name}; accepted: {accepted}")


class Terrain(Part):
    """The shape of the ground."""

    @classmethod
    def from_raster(
        cls,
        file: str | os.PathLike[str],
        *,
        diagonal: str | None = None,
        crs: str | None = None,
        vertical_resolution_m: float | None = None,
    ) -> Terrain:
        """A raster file: ESRI ASCII or GeoTIFF, with north up and square cells."""
        keys = {
            "file": os.fspath(file),
            "diagonal": diagonal,
            "crs": crs,
            "vertical_resolution_m": vertical_resolution_m,
        }
        return cls({"raster": keys})

    @classmethod
    def from_array(
        cls,
        heights_m: ArrayLike,
        *,
        cell_m: float,
        corner_m: Sequence[float],
        crs: str | None,
        diagonal: str | None = None,
        vertical_resolution_m: float | None = None,
    ) -> Terrain:
        """Heights (rows, columns) from north to south; not a number where there is no ground. `corner_m` is the
        south-west corner of the raster, not the centre of its cell. `crs` is a name like 'EPSG:2056', or None on
        purpose."""
        heights = floats("heights_m", heights_m, (None, None), finite=False)
        if np.isinf(heights).any():
            raise ValueError("heights_m: infinite; accepted: numbers, and nan where there is no ground")
        if min(heights.shape) < 2:
            raise ValueError(f"heights_m: shape {heights.shape}; accepted: 2 or more rows and columns")
        corner = floats("corner_m", corner_m, (2,))
        cell = float(cell_m)
        if not (math.isfinite(cell) and cell > 0.0):
            raise ValueError(f"cell_m: {cell}; accepted: finite and above 0")
        code = _epsg(crs)
        south_first = np.ascontiguousarray(heights[::-1])
        data = _klast.geotiff(south_first, cell, corner[0] + 0.5 * cell, corner[1] + 0.5 * cell, code)
        keys = {"file": "terrain.tif", "diagonal": diagonal, "crs": crs, "vertical_resolution_m": vertical_resolution_m}
        return cls({"raster": keys}, {"terrain.tif": data})

    @classmethod
    def from_xarray(cls, heights: xarray.DataArray, *, crs: str | None = None, **keys: Any) -> Terrain:
        """A DataArray over evenly spaced `y` and `x` (cell centres), as rioxarray opens a raster. Its CRS is that of
        `rio` or of the attribute `crs`; one that has neither is refused unless `crs` is given."""
        squeezed = heights.squeeze(drop=True)
        if set(squeezed.dims) != {"y", "x"}:
            raise ValueError(f"heights: dimensions {tuple(squeezed.dims)}; accepted: y and x")
        squeezed = squeezed.transpose("y", "x")
        x, y = np.asarray(squeezed["x"], float), np.asarray(squeezed["y"], float)
        dx, dy = _step("x", x), _step("y", y)
        values = np.asarray(squeezed.values)
        if dx < 0.0:
            x, values, dx = x[::-1], values[:, ::-1], -dx
        if dy > 0.0:
            y, values, dy = y[::-1], values[::-1], -dy
        if abs(dx + dy) > 1e-9 * dx:
            raise ValueError(f"heights: cells of {dx} by {-dy} m; accepted: square")
        known = crs or _crs_of(heights)
        if known is None:
            raise ValueError("heights: no CRS; accepted: crs='EPSG:…', or a DataArray with rio.crs or attrs['crs']")
        fill = squeezed.attrs.get("_FillValue", squeezed.encoding.get("_FillValue"))
        numbers = numeric("heights", values).astype(float)
        if fill is not None:
            numbers = np.where(numbers == float(fill), np.nan, numbers)
        return cls.from_array(numbers, cell_m=dx, corner_m=(x[0] - 0.5 * dx, y[-1] - 0.5 * dx), crs=known, **keys)

    @classmethod
    def from_mesh(
        cls,
        vertices_m: ArrayLike,
        triangles: ArrayLike,
        *,
        crs: str | None = None,
        vertical_resolution_m: float | None = None,
    ) -> Terrain:
        """A mesh of triangles: corners (N, 3), and numbers of corners (M, 3) from 0."""
        corners = floats("vertices_m", vertices_m, (None, 3))
        faces = np.asarray(triangles)
        if faces.dtype.kind not in "iu" or faces.ndim != 2 or faces.shape[1] != 3:
            raise ValueError(f"triangles: dtype {faces.dtype}, shape {faces.shape}; accepted: whole numbers, (M, 3)")
        if faces.size and not (faces.min() >= 0 and faces.max() < len(corners)):
            raise ValueError(f"triangles: {faces.min()} to {faces.max()}; accepted: 0 to {len(corners) - 1}")
        lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in corners.tolist()]
        lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces.tolist()]
        keys = {"file": "terrain.obj", "crs": crs, "vertical_resolution_m": vertical_resolution_m}
        return cls({"mesh": keys}, {"terrain.obj": ("\n".join(lines) + "\n").encode()})

    @classmethod
    def from_mesh_file(cls, file: str | os.PathLike[str], *, crs: str | None = None) -> Terrain:
        """A mesh file: STL or OBJ."""
        return cls({"mesh": {"file": os.fspath(file), "crs": crs}})

    @classmethod
    def from_profile(cls, points_m: ArrayLike, *, vertical_resolution_m: float | None = None) -> Terrain:
        """A profile of (station, height), the same for all y."""
        points = floats("points_m", points_m, (None, 2))
        return cls({"profile": {"points_m": points, "vertical_resolution_m": vertical_resolution_m}})

    @classmethod
    def slope(cls, angle_deg: float) -> Terrain:
        """An unbounded plane that falls towards +x."""
        return cls({"slope": {"angle_deg": angle_deg}})

    @property
    def crs(self) -> str | None:
        """Name of the coordinate reference system, where the scene states it."""
        (keys,) = self._keys.values()
        found: str | None = keys.get("crs")
        return found


def _step(axis: str, values: Floats) -> float:
    if values.ndim != 1 or len(values) < 2:
        raise ValueError(f"heights: {len(values)} values along {axis}; accepted: 2 or more")
    step = float((values[-1] - values[0]) / (len(values) - 1))
    if step == 0.0 or np.abs(np.diff(values) - step).max() > 1e-6 * abs(step):
        raise ValueError(f"heights: {axis} is not evenly spaced; accepted: a regular raster (resample it first)")
    return step


def _epsg(crs: str | None) -> int | None:
    code = crs.upper().removeprefix("EPSG:") if crs else ""
    return int(code) if code.isdigit() and int(code) < 65536 else None


def _crs_of(data: Any) -> str | None:
    """The CRS of a DataArray or a GeoDataFrame by name."""
    found = getattr(data, "attrs", {}).get("crs")
    if found is None and "spatial_ref" in getattr(data, "coords", {}):
        found = data.coords["spatial_ref"].attrs.get("crs_wkt")
    if found is None:
        found = getattr(data, "crs", None)
    if found is None:
        return None
    to_epsg = getattr(found, "to_epsg", None)
    code = to_epsg() if to_epsg else None
    if code is None and isinstance(found, str) and not found.upper().startswith("EPSG:"):
        try:
            from pyproj import CRS

            code = CRS.from_user_input(found).to_epsg()
        except ImportError:
            code = None
    return f"EPSG:{code}" if code else str(found)


class Material(Part):
    """A slope material. A number may be a distribution."""

    def __init__(
        self,
        name: str,
        *,
        normal_restitution: Number,
        tangential_restitution: Number = None,
        friction: Number = None,
        friction_angle_deg: float | None = None,
        roughness_deg: Number = None,
    ) -> None:
        super().__init__(
            {
                "name": name,
                "normal_restitution": normal_restitution,
                "tangential_restitution": tangential_restitution,
                "friction": friction,
                "friction_angle_deg": friction_angle_deg,
                "roughness_deg": roughness_deg,
            }
        )


class Layout(Part):
    """Where materials lie."""

    @classmethod
    def segments(cls, names: Sequence[str]) -> Layout:
        """Names of materials by segment of a profile."""
        return cls({"segments": list(names)})

    @classmethod
    def polygons(
        cls, areas: geopandas.GeoDataFrame, *, elsewhere: str, column: str = "material", crs: str | None = None
    ) -> Layout:
        """Polygons of a GeoDataFrame, named by a column; the first that covers a point counts."""
        features = []
        for name, geometry in zip(areas[column], _geometries(areas, crs, ("Polygon", "MultiPolygon"))):
            properties = {"material": str(name)}
            features += [
                {"type": "Feature", "properties": properties, "geometry": g.__geo_interface__} for g in _parts(geometry)
            ]
        text = json.dumps({"type": "FeatureCollection", "features": features})
        return cls({"polygons": {"file": "layout.geojson", "elsewhere": elsewhere}}, {"layout.geojson": text.encode()})

    @classmethod
    def polygons_file(cls, file: str | os.PathLike[str], *, elsewhere: str) -> Layout:
        """Polygons of a GeoJSON file, named by their property `material`."""
        return cls({"polygons": {"file": os.fspath(file), "elsewhere": elsewhere}})

    @classmethod
    def raster_file(cls, file: str | os.PathLike[str], *, elsewhere: str) -> Layout:
        """A raster of numbers into the list of materials, from 0."""
        return cls({"raster": {"file": os.fspath(file), "elsewhere": elsewhere}})


class Rock(Part):
    """A kind of rock: its shape, and its volume or its mass."""

    def __init__(
        self,
        shape: str | Mapping[str, Any],
        *,
        volume_m3: Number = None,
        mass_kg: Number = None,
        density_kg_m3: Number = None,
        share: float | None = None,
    ) -> None:
        super().__init__(
            {"shape": shape, "share": share, "volume_m3": volume_m3, "mass_kg": mass_kg, "density_kg_m3": density_kg_m3}
        )

    @classmethod
    def from_points(cls, points_m: ArrayLike, **keys: Any) -> Rock:
        """The convex hull of points (N, 3), scaled to the volume."""
        return cls({"points": floats("points_m", points_m, (None, 3))}, **keys)


class Release(Part):
    """Where rocks are released."""

    @classmethod
    def point(cls, position_m: ArrayLike) -> Release:
        """At a point (x, y)."""
        return cls({"point": floats("position_m", position_m, (2,))})

    @classmethod
    def line(cls, points_m: ArrayLike) -> Release:
        """Along a line (N, 2)."""
        return cls({"line": floats("points_m", points_m, (None, 2))})

    @classmethod
    def polygon(cls, points_m: ArrayLike) -> Release:
        """Over a polygon (N, 2)."""
        return cls({"polygon": floats("points_m", points_m, (None, 2))})

    @classmethod
    def file(cls, file: str | os.PathLike[str]) -> Release:
        """All points, all lines or all polygons of a GeoJSON file."""
        return cls({"file": os.fspath(file)})

    @classmethod
    def steeper_than(cls, angle_deg: float) -> Release:
        """Every raster cell steeper than an angle."""
        return cls({"steeper_than_deg": angle_deg})

    @classmethod
    def from_geodataframe(
        cls, places: geopandas.GeoDataFrame, *, crs: str | None = None, name: str = "release"
    ) -> Release:
        """All points, all lines or all polygons of a GeoDataFrame. `crs` is that of the terrain, which must be the
        same."""
        geometries = _geometries(
            places, crs, ("Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon")
        )
        features = [
            {"type": "Feature", "properties": {}, "geometry": part.__geo_interface__}
            for geometry in geometries
            for part in _parts(geometry)
        ]
        text = json.dumps({"type": "FeatureCollection", "features": features})
        return cls({"file": f"{name}.geojson"}, {f"{name}.geojson": text.encode()})


class Source(Part):
    """A source of rocks."""

    def __init__(
        self,
        name: str,
        release: Release | Mapping[str, Any],
        rocks: int,
        shapes: Sequence[Rock | Mapping[str, Any]],
        *,
        height_m: Number = None,
        elevation_m: Number = None,
        velocity_m_s: Sequence[Number] | None = None,
        spin_rad_s: Sequence[Number] | None = None,
        upright: bool | None = None,
        annual_frequency: float | None = None,
    ) -> None:
        super().__init__(
            {
                "name": name,
                "release": release,
                "rocks": rocks,
                "height_m": height_m,
                "elevation_m": elevation_m,
                "shapes": list(shapes),
                "velocity_m_s": velocity_m_s,
                "spin_rad_s": spin_rad_s,
                "upright": upright,
                "annual_frequency": annual_frequency,
            }
        )


class Barrier(Part):
    """A barrier: it holds rocks up to its height and its capacity."""

    def __init__(self, name: str, line_m: ArrayLike, *, height_m: float, capacity_kj: float) -> None:
        line = floats("line_m", line_m, (None, 2))
        super().__init__({"name": name, "line_m": line, "height_m": height_m, "capacity_kj": capacity_kj})

    @classmethod
    def from_geodataframe(
        cls,
        lines: geopandas.GeoDataFrame,
        *,
        crs: str | None = None,
        name: str = "name",
        height_m: str = "height_m",
        capacity_kj: str = "capacity_kj",
    ) -> list[Barrier]:
        """A barrier for each line; the words are names of columns."""
        rows = zip(lines[name], lines[height_m], lines[capacity_kj], _geometries(lines, crs, ("LineString",)))
        return [
            cls(str(n), np.asarray(g.coords)[:, :2], height_m=float(h), capacity_kj=float(c)) for n, h, c, g in rows
        ]


class Collector(Part):
    """A collector: it records rocks and lets them pass."""

    def __init__(self, name: str, line_m: ArrayLike) -> None:
        super().__init__({"name": name, "line_m": floats("line_m", line_m, (None, 2))})

    @classmethod
    def from_geodataframe(
        cls, lines: geopandas.GeoDataFrame, *, crs: str | None = None, name: str = "name"
    ) -> list[Collector]:
        """A collector for each line; `name` is a column."""
        rows = zip(lines[name], _geometries(lines, crs, ("LineString",)))
        return [cls(str(n), np.asarray(g.coords)[:, :2]) for n, g in rows]


def _parts(geometry: Any) -> list[Any]:
    return list(geometry.geoms) if hasattr(geometry, "geoms") else [geometry]


def _geometries(frame: Any, crs: str | None, accepted: Sequence[str]) -> list[Any]:
    """The geometries of a GeoDataFrame that has the CRS of the terrain and holds what is accepted."""
    known = _crs_of(frame)
    if known is None:
        raise ValueError("GeoDataFrame: no CRS; accepted: one with it (set_crs says which, to_crs changes it)")
    if crs is not None and known.upper() != crs.upper():
        raise ValueError(f"GeoDataFrame: CRS {known}; accepted: that of the terrain, {crs} (to_crs('{crs}'))")
    geographic = getattr(getattr(frame, "crs", None), "is_geographic", False)
    if geographic:
        raise ValueError(f"GeoDataFrame: CRS {known} is in degrees; accepted: a projected CRS in m (to_crs)")
    geometries = list(frame.geometry)
    for k, geometry in enumerate(geometries):
        kind = getattr(geometry, "geom_type", None)
        if kind not in accepted or geometry.is_empty:
            raise ValueError(f"GeoDataFrame: row {k} holds {kind or 'nothing'}; accepted: {', '.join(accepted)}")
    return geometries


class LumpedMass(Part):
    """The engine of points with the inertia of a sphere."""

    def __init__(self, *, rotations: bool | None = None, literal: bool | None = None) -> None:
        super().__init__({"lumped_mass": {"rotations": rotations, "literal": literal}})


class RigidBody(Part):
    """The engine of convex rigid bodies; the keys of the scene's `engine.rigid_body`."""

    def __init__(self, **keys: Any) -> None:
        super().__init__({"rigid_body": keys})


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
    ) -> None:
        super().__init__(
            {
                "schema": 1,
                "kind": "rockfall",
                "terrain": terrain,
                "materials": list(materials),
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
            }
        )
        self._base = os.fspath(base)

    @classmethod
    def from_json(cls, scene: str | os.PathLike[str], *, base: str | os.PathLike[str] | None = None) -> Rockfall:
        """From a scene file, or from its text."""
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
        """The scene as text. With a folder, `scene.json` is written there with the files that came as arrays or
        frames."""
        files = dict(self._files)
        text = json.dumps(plain(self._keys, "", files), indent=2)
        if folder is not None:
            FilePath(folder).mkdir(parents=True, exist_ok=True)
            FilePath(folder, "scene.json").write_text(text + "\n", encoding="utf-8")
            for name, data in files.items():
                FilePath(folder, name).write_bytes(data)
        return text

    def check(self) -> str:
        """Checks everything, and says what would be run."""
        return check(self)

    def with_collectors(self, collectors: Iterable[Collector | Mapping[str, Any]]) -> Rockfall:
        """The same scene with more collectors, which change no rock's path."""
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
        """Runs the scene: see `klast.run`. `keep="rocks"` keeps a row of every rock."""
        done = run(self, seed=seed, threads=threads, progress=progress, keep=keep, shard=shard, folder=folder)
        assert isinstance(done, RockfallResults)
        done.scene = self
        return done


class Path:
    """The exact path of one rock: arcs of constant acceleration of the mass centre."""

    def __init__(self, rock: int, arcs: NDArray[Any], mass_kg: float, outcome: str) -> None:
        self.rock = rock
        self.arcs = arcs
        self.mass_kg = mass_kg
        self.outcome = outcome

    @property
    def duration_s(self) -> float:
        """Time from release to the end (s)."""
        return float(self.arcs["time_s"][-1] + self.arcs["duration_s"][-1]) if len(self.arcs) else 0.0

    def _on(self, t: ArrayLike) -> tuple[NDArray[Any], Floats]:
        times = numeric("t", t).astype(float)
        all_finite("t", times)
        if not len(self.arcs):
            raise ValueError(f"rock {self.rock}: no path (outcome {self.outcome}); accepted: a rock that was run")
        if times.size and not (times.min() >= 0.0 and times.max() <= self.duration_s):
            raise ValueError(f"t: {times.min()} to {times.max()} s; accepted: 0 to {self.duration_s} s")
        arc = self.arcs[np.maximum(np.searchsorted(self.arcs["time_s"], times, side="right") - 1, 0)]
        # A gap between two arcs, by rounding, belongs to the end of the first.
        return arc, np.minimum(times - arc["time_s"], arc["duration_s"])[..., np.newaxis]

    def position(self, t: ArrayLike) -> Floats:
        """Position (m) at times since release (s): (3,) for a number, (N, 3) for N of them."""
        arc, s = self._on(t)
        place: Floats = arc["position_m"] + (arc["velocity_m_s"] + arc["acceleration_m_s2"] * (0.5 * s)) * s
        return place

    def velocity(self, t: ArrayLike) -> Floats:
        """Velocity (m/s) at times since release (s)."""
        arc, s = self._on(t)
        speed: Floats = arc["velocity_m_s"] + arc["acceleration_m_s2"] * s
        return speed

    def energy_kj(self, t: ArrayLike) -> Floats:
        """Kinetic energy of translation and rotation (kJ) at times since release (s)."""
        arc, _ = self._on(t)
        v = self.velocity(t)
        energy: Floats = 1e-3 * (0.5 * self.mass_kg * (v * v).sum(axis=-1) + arc["rotational_energy_j"])
        return energy

    def sample(self, step_s: float = 0.05) -> tuple[Floats, Floats]:
        """Times (s) and positions (m) at equal steps and at the ends of all arcs."""
        times = np.concatenate([np.arange(0.0, self.duration_s, step_s), self.arcs["time_s"], [self.duration_s]])
        times = np.unique(np.minimum(times, self.duration_s))
        return times, self.position(times)


class RockfallResults(Outcome):
    """The results of a rockfall run: tables, maps, exact paths."""

    scene: Rockfall | None = None

    @property
    def crs(self) -> str | None:
        """Coordinate reference system of the terrain."""
        return self._ran.crs

    @property
    def rocks(self) -> NDArray[Any]:
        """A row of every rock: where it started and ended, how, when; of runs with `keep="rocks"`."""
        kept = self._ran.rocks()
        if kept is None:
            raise ValueError("rocks: not kept; accepted: results of run(..., keep='rocks')")
        return structured(kept)

    def path(self, rock: int) -> Path:
        """The exact path of a rock by its number, from 0."""
        return self.paths([rock])[0]

    def paths(self, rocks: Iterable[int]) -> list[Path]:
        """The exact paths of rocks by their numbers. They are followed again, all at once, and are the ones of the
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
        """Every map (rows from north to south); not a number where no rock came. Empty without `map_cell_m`."""
        found = self._ran.maps()
        return {} if found is None else {name: values[::-1] for name, _, _, values in found["maps"]}

    @property
    def map_extent_m(self) -> tuple[float, float, float, float] | None:
        """West, east, south and north edge of the maps (m), as `imshow(extent=...)` takes them."""
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
        maps = {
            name: (("y", "x"), values[::-1], {"long_name": words, "label": label})
            for name, words, label, values in found["maps"]
        }
        dataset = xarray.Dataset(maps, coords={"y": y, "x": x}, attrs={"crs": self.crs or ""})
        if hasattr(dataset, "rio") and self.crs:
            dataset = dataset.rio.write_crs(self.crs)
        return dataset

    def to_geopandas(self, what: str = "trajectories") -> geopandas.GeoDataFrame:
        """Lines with their numbers as a GeoDataFrame with the CRS: `trajectories` or `barriers`, or `rocks` where they
        ended."""
        import geopandas

        if what == "rocks":
            import pandas

            from .results import columns_of

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
        """A quantile at a barrier or collector with its 95 % band: value, lower and upper bound; p is 50, 90, 95 or
        99."""
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
        """Collectors that were not in the scene: all rocks run again on the same paths, and the new results have the
        collectors too."""
        if self.scene is None:
            raise ValueError("collect: results without their scene; accepted: results of Rockfall(...).run()")
        return self.scene.with_collectors(collectors).run(seed=self.seed, threads=threads)
