"""What a scene is made of beside the terrain: materials, rocks, sources, barriers, engines."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _keys
from .._arrays import floats
from .._parts import Part, known
from .distributions import Number
from .frames import geometries, parts

if TYPE_CHECKING:
    import geopandas
    from typing_extensions import Unpack


class Material(Part):
    """A slope material. Each number can be a distribution. `keys` are further keys of the scene, such as `class` (as
    `**{"class": name}`), `scarring` or `drag_per_s`."""

    def __init__(
        self,
        name: str,
        *,
        normal_restitution: Number = None,
        tangential_restitution: Number = None,
        friction: Number = None,
        friction_angle_deg: float | None = None,
        roughness_deg: Number = None,
        **keys: Unpack[_keys.MaterialKeys],
    ) -> None:
        known(_keys.MaterialKeys, keys, type(self))
        super().__init__(
            {
                "name": name,
                "normal_restitution": normal_restitution,
                "tangential_restitution": tangential_restitution,
                "friction": friction,
                "friction_angle_deg": friction_angle_deg,
                "roughness_deg": roughness_deg,
                **keys,
            }
        )


class Layout(Part):
    """Where materials lie."""

    @classmethod
    def segments(cls, names: Sequence[str]) -> Layout:
        """Name of the material of each segment of a profile."""
        return cls({"segments": list(names)})

    @classmethod
    def polygons(
        cls, areas: geopandas.GeoDataFrame, *, elsewhere: str, column: str = "material", crs: str | None = None
    ) -> Layout:
        """Polygons of a GeoDataFrame; a column has the names of the materials. If polygons overlap, the first polygon
        counts."""
        features = []
        for name, geometry in zip(areas[column], geometries(areas, crs, ("Polygon", "MultiPolygon"))):
            properties = {"material": str(name)}
            features += [
                {"type": "Feature", "properties": properties, "geometry": g.__geo_interface__} for g in parts(geometry)
            ]
        text = json.dumps({"type": "FeatureCollection", "features": features})
        return cls({"polygons": {"file": "layout.geojson", "elsewhere": elsewhere}}, {"layout.geojson": text.encode()})

    @classmethod
    def polygons_file(cls, file: str | os.PathLike[str], *, elsewhere: str) -> Layout:
        """Polygons of a GeoJSON file or a shapefile; their attribute `material` has the names of the materials."""
        return cls({"polygons": {"file": os.fspath(file), "elsewhere": elsewhere}})

    @classmethod
    def raster_file(cls, file: str | os.PathLike[str], *, elsewhere: str) -> Layout:
        """A raster whose values are the numbers of materials in the list of materials, counted from 0."""
        return cls({"raster": {"file": os.fspath(file), "elsewhere": elsewhere}})


class Rock(Part):
    """A kind of rock: its shape, and its volume or its mass. `keys` are further keys of the scene."""

    def __init__(
        self,
        shape: str | Mapping[str, Any],
        *,
        volume_m3: Number = None,
        mass_kg: Number = None,
        density_kg_m3: Number = None,
        share: float | None = None,
        **keys: Unpack[_keys.RockKeys],
    ) -> None:
        known(_keys.RockKeys, keys, type(self))
        size = {"volume_m3": volume_m3, "mass_kg": mass_kg, "density_kg_m3": density_kg_m3}
        super().__init__({"shape": shape, "share": share, **size, **keys})

    @classmethod
    def from_points(
        cls,
        points_m: ArrayLike,
        *,
        volume_m3: Number = None,
        mass_kg: Number = None,
        density_kg_m3: Number = None,
        share: float | None = None,
        **keys: Unpack[_keys.RockKeys],
    ) -> Rock:
        """A rock whose shape is the convex hull of points (N, 3), scaled to the volume."""
        shape = {"points": floats("points_m", points_m, (None, 3))}
        return cls(
            shape, volume_m3=volume_m3, mass_kg=mass_kg, density_kg_m3=density_kg_m3, share=share, **keys
        )


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
        """All points, all lines or all polygons of a file: GeoJSON, a shapefile, or a text with points in columns."""
        return cls({"file": os.fspath(file)})

    @classmethod
    def starts(cls, file: str | os.PathLike[str]) -> Release:
        """One start for each row of a CSV table with the columns `x_m` and `y_m`, and with any further columns that the
        scene accepts."""
        return cls({"starts": os.fspath(file)})

    @classmethod
    def steeper_than(cls, angle_deg: float) -> Release:
        """All raster cells that are steeper than an angle (degrees)."""
        return cls({"steeper_than_deg": angle_deg})

    @classmethod
    def from_geodataframe(
        cls, places: geopandas.GeoDataFrame, *, crs: str | None = None, name: str = "release"
    ) -> Release:
        """All points, all lines or all polygons of a GeoDataFrame. `crs` is the CRS of the terrain; the GeoDataFrame
        must have the same CRS."""
        found = geometries(
            places, crs, ("Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon")
        )
        features = [
            {"type": "Feature", "properties": {}, "geometry": part.__geo_interface__}
            for geometry in found
            for part in parts(geometry)
        ]
        text = json.dumps({"type": "FeatureCollection", "features": features})
        return cls({"file": f"{name}.geojson"}, {f"{name}.geojson": text.encode()})


class Source(Part):
    """A source of rocks. Without `rocks`, a release of starts has one rock for each row of its table. `keys` are
    further keys of the scene."""

    def __init__(
        self,
        name: str,
        release: Release | Mapping[str, Any],
        rocks: int | None = None,
        shapes: Sequence[Rock | Mapping[str, Any]] = (),
        *,
        height_m: Number = None,
        elevation_m: Number = None,
        velocity_m_s: Sequence[Number] | None = None,
        spin_rad_s: Sequence[Number] | None = None,
        upright: bool | None = None,
        annual_frequency: float | None = None,
        **keys: Unpack[_keys.SourceKeys],
    ) -> None:
        known(_keys.SourceKeys, keys, type(self))
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
                **keys,
            }
        )


class Barrier(Part):
    """A barrier, which holds rocks up to its height and its capacity. `keys` are further keys of the scene, such as
    `flexible`, `space_behind_m` or `design`."""

    def __init__(self, name: str, line_m: ArrayLike, *, height_m: float, capacity_kj: float, **keys: Unpack[_keys.BarrierKeys]) -> None:
        known(_keys.BarrierKeys, keys, type(self))
        line = floats("line_m", line_m, (None, 2))
        super().__init__({"name": name, "line_m": line, "height_m": height_m, "capacity_kj": capacity_kj, **keys})

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
        """One barrier for each line of a GeoDataFrame. `name`, `height_m` and `capacity_kj` are names of columns."""
        rows = zip(lines[name], lines[height_m], lines[capacity_kj], geometries(lines, crs, ("LineString",)))
        return [
            cls(str(n), np.asarray(g.coords)[:, :2], height_m=float(h), capacity_kj=float(c)) for n, h, c, g in rows
        ]


class Collector(Part):
    """A collector, which records rocks and lets them pass."""

    def __init__(self, name: str, line_m: ArrayLike) -> None:
        super().__init__({"name": name, "line_m": floats("line_m", line_m, (None, 2))})

    @classmethod
    def from_geodataframe(
        cls, lines: geopandas.GeoDataFrame, *, crs: str | None = None, name: str = "name"
    ) -> list[Collector]:
        """One collector for each line of a GeoDataFrame. `name` is the name of a column."""
        rows = zip(lines[name], geometries(lines, crs, ("LineString",)))
        return [cls(str(n), np.asarray(g.coords)[:, :2]) for n, g in rows]


class LumpedMass(Part):
    """The engine of lumped masses: points with the inertia of a sphere."""

    def __init__(self, *, rebound: str | None = None, manual: str | None = None) -> None:
        super().__init__({"lumped_mass": {"rebound": rebound, "manual": manual}})


class RigidBody(Part):
    """The engine of convex rigid bodies. The arguments are the keys of `engine.rigid_body` in a scene."""

    def __init__(self, **keys: Unpack[_keys.RigidBodyKeys]) -> None:
        known(_keys.RigidBodyKeys, keys, type(self))
        super().__init__({"rigid_body": keys})
