"""GeoDataFrames and the coordinate reference systems of what comes from other packages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def crs_of(data: Any) -> str | None:
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
    # A map of no system has its word.
    if code is None and isinstance(found, str) and not found.upper().startswith(("EPSG:", "LOCAL")):
        try:
            from pyproj import CRS

            code = CRS.from_user_input(found).to_epsg()
        except ImportError:
            code = None
    return f"EPSG:{code}" if code else str(found)


def parts(geometry: Any) -> list[Any]:
    return list(geometry.geoms) if hasattr(geometry, "geoms") else [geometry]


def geometries(frame: Any, crs: str | None, accepted: Sequence[str]) -> list[Any]:
    """The geometries of a GeoDataFrame that has the CRS of the terrain and holds what is accepted."""
    known = crs_of(frame)
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
