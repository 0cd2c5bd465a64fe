"""Figures with matplotlib, and views in 3D with plotly; both packages are optional (`klast[plot]`, `klast[3d]`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from .bodies import World
from .results import Outcome
from .rockfall import Path, RockfallResults

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _axes(axes: Axes | None) -> Axes:
    if axes is not None:
        return axes
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("matplotlib is not there: pip install 'klast[plot]'") from error
    made: Axes = plt.subplots(layout="constrained")[1]
    return made


def history(outcome: Outcome, column: str = "rotation_rad", *, axes: Axes | None = None) -> Axes:
    """Draws a column of the table `history` over time. For several blocks, it draws the column of each block, such as
    `rotation_1_rad` and `rotation_2_rad`."""
    table = outcome["history"]
    stem, _, unit = column.rpartition("_")
    of_each = re.compile(rf"{re.escape(stem)}_\d+_{re.escape(unit)}")
    names = [n for n in table.dtype.names or () if n == column or of_each.fullmatch(n)]
    if not names:
        raise ValueError(f"column: {column!r}; accepted: {', '.join(table.dtype.names or ())}")
    axes = _axes(axes)
    for name in names:
        axes.plot(table["time_s"], table[name], label=name)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(column)
    if len(names) > 1:
        axes.legend()
    return axes


def paths(found: Iterable[Path], *, along: str = "x", axes: Axes | None = None) -> Axes:
    """Draws exact paths, seen from the side (`along` is 'x' or 'y') or from above ('plan')."""
    if along not in ("x", "y", "plan"):
        raise ValueError(f"along: {along!r}; accepted: 'x', 'y', 'plan'")
    axes = _axes(axes)
    across = {"x": (0, 2), "y": (1, 2), "plan": (0, 1)}[along]
    for path in found:
        if len(path.arcs):
            _, places = path.sample()
            axes.plot(places[:, across[0]], places[:, across[1]], linewidth=0.8)
    axes.set_xlabel("xy"[across[0]] + " [m]")
    axes.set_ylabel("xyz"[across[1]] + " [m]")
    axes.set_aspect("equal")
    return axes


def raster(results: RockfallResults, name: str = "energy_95", *, axes: Axes | None = None, **image: Any) -> Axes:
    """Draws a map of a rockfall run."""
    maps = results.maps
    if name not in maps:
        raise ValueError(f"map: {name!r}; accepted: {', '.join(maps) or 'none: a scene without map_cell_m'}")
    axes = _axes(axes)
    drawn = axes.imshow(maps[name], extent=results.map_extent_m, **image)
    axes.figure.colorbar(drawn, ax=axes, label=name)
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")
    return axes


def fragility(outcome: Outcome, *, axes: Axes | None = None) -> Axes:
    """Draws the fraction of records that reach each damage state over the scale factor, with exact 95 % bounds."""
    axes = _axes(axes)
    table = outcome["fractions"]
    for state in dict.fromkeys(table["state"].tolist()):
        rows = table[table["state"] == state]
        (line,) = axes.plot(rows["scale"], rows["fraction"], label=state)
        axes.fill_between(rows["scale"], rows["lower"], rows["upper"], color=line.get_color(), alpha=0.15)
    axes.set_xlabel("factor on the motions [-]")
    axes.set_ylabel("fraction of records [-]")
    axes.legend()
    return axes


def world(shown: World, *, axes: Axes | None = None) -> Axes:
    """Draws the bodies of a world, seen along y."""
    axes = _axes(axes)
    for body in range(len(shown)):
        corners = _placed(shown, body)
        for facet in shown.shape(body)[1]:
            ring = corners[[*facet, facet[0]]]
            axes.plot(ring[:, 0], ring[:, 2], color="0.3" if shown.free[body] else "0.7", linewidth=0.6)
    axes.set_xlabel("x [m]")
    axes.set_ylabel("z [m]")
    axes.set_aspect("equal")
    return axes


def _placed(shown: World, body: int) -> Any:
    corners, _ = shown.shape(body)
    w, x, y, z = shown.quaternions[body]
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return corners @ turn.T + shown.positions[body]


def _plotly() -> Any:
    try:
        import plotly.graph_objects as go
    except ImportError as error:
        raise ImportError("plotly is not there: pip install 'klast[3d]'") from error
    return go


def view(shown: World) -> Any:
    """Draws the bodies of a world as an interactive figure of plotly."""
    go = _plotly()
    meshes = []
    for body, name in enumerate(shown.names):
        corners = _placed(shown, body)
        facets = shown.shape(body)[1]
        triangles = np.array([(f[0], a, b) for f in facets for a, b in zip(f[1:-1], f[2:])])
        i, j, k = triangles.T
        x, y, z = corners.T
        meshes.append(go.Mesh3d(x=x, y=y, z=z, i=i, j=j, k=k, name=name, flatshading=True))
    return go.Figure(meshes, layout={"scene": {"aspectmode": "data"}})


def view_paths(found: Iterable[Path]) -> Any:
    """Draws exact paths as an interactive figure of plotly."""
    go = _plotly()
    lines = []
    for path in found:
        if len(path.arcs):
            _, places = path.sample()
            x, y, z = places.T
            lines.append(go.Scatter3d(x=x, y=y, z=z, mode="lines", name=f"rock {path.rock}"))
    return go.Figure(lines, layout={"scene": {"aspectmode": "data"}})


__all__ = ["fragility", "history", "paths", "raster", "view", "view_paths", "world"]


def __dir__() -> list[str]:
    return sorted(__all__)
