"""The shape of the ground, from files, arrays and rasters of other packages."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _klast
from .._arrays import Floats, floats, numeric
from .._parts import Part
from .frames import crs_of

if TYPE_CHECKING:
    import xarray


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
        """Heights in m as an array (rows, columns), with rows from north to south; NaN marks missing ground. `corner_m`
        is the south-west corner of the raster, not the centre of its first cell. `crs` is a name such as 'EPSG:2056',
        or None for no CRS."""
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
    def from_xarray(cls, heights: xarray.DataArray, *, crs: str | None = None, diagonal: str | None = None, vertical_resolution_m: float | None = None) -> Terrain:
        """A DataArray over evenly spaced `y` and `x` (cell centres), as rioxarray opens a raster. Its CRS comes from
        `rio` or from the attribute `crs`. A DataArray that has neither is refused unless the argument `crs` is given."""
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
        known = crs or crs_of(heights)
        if known is None:
            raise ValueError("heights: no CRS; accepted: crs='EPSG:…', or a DataArray with rio.crs or attrs['crs']")
        fill = squeezed.attrs.get("_FillValue", squeezed.encoding.get("_FillValue"))
        numbers = numeric("heights", values).astype(float)
        if fill is not None:
            numbers = np.where(numbers == float(fill), np.nan, numbers)
        corner = (x[0] - 0.5 * dx, y[-1] - 0.5 * dx)
        return cls.from_array(
            numbers,
            cell_m=dx,
            corner_m=corner,
            crs=known,
            diagonal=diagonal,
            vertical_resolution_m=vertical_resolution_m,
        )

    @classmethod
    def from_mesh(
        cls,
        vertices_m: ArrayLike,
        triangles: ArrayLike,
        *,
        crs: str | None = None,
        vertical_resolution_m: float | None = None,
    ) -> Terrain:
        """A mesh of triangles: vertices (N, 3) in m, and for each triangle the numbers of its vertices (M, 3), counted
        from 0."""
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
        """A mesh file: STL, OBJ or PLY."""
        return cls({"mesh": {"file": os.fspath(file), "crs": crs}})

    @classmethod
    def from_profile(cls, points_m: ArrayLike, *, vertical_resolution_m: float | None = None) -> Terrain:
        """A profile as points (distance along the profile, height) in m, the same for all y."""
        points = floats("points_m", points_m, (None, 2))
        return cls({"profile": {"points_m": points, "vertical_resolution_m": vertical_resolution_m}})

    @classmethod
    def slope(cls, angle_deg: float) -> Terrain:
        """An unbounded plane that falls towards +x."""
        return cls({"slope": {"angle_deg": angle_deg}})

    @property
    def crs(self) -> str | None:
        """Name of the coordinate reference system; None if the scene does not state it."""
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
