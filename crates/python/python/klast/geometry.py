"""Two convex bodies: distance, overlap, the features that touch, and their Minkowski difference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from . import _klast
from ._arrays import Floats, floats


@dataclass(frozen=True)
class Features:
    """How two convex bodies A and B stand to one another."""

    gap_m: float
    """Distance; below zero the length of the least translation that takes them apart."""
    normal: Floats
    """(3,) unit normal from A to B; zeros where they just touch without overlap."""
    point_a_m: Floats
    """(3,) the nearest point of A, or its deepest in B."""
    point_b_m: Floats
    """(3,) the nearest point of B, or its deepest in A."""
    features: str | None
    """Of bodies that touch or overlap: 'vertex-face', 'edge-edge', 'edge-face' or 'face-face'."""
    vertices_m: Floats
    """(N, 3) corners of the Minkowski difference, the hull of all a - b: it has the origin in it where A and B overlap."""
    facets: list[list[int]]
    """The corners of each of its facets, counter-clockwise seen from outside."""


def minkowski(a_m: ArrayLike, b_m: ArrayLike) -> Features:
    """The features of the convex hulls of two sets of points, (N, 3) each, in m.

    The least translation and the features come from the separating axes of both bodies, the distance from the algorithm
    of Gilbert, Johnson and Keerthi (1988).
    """
    a, b = floats("a_m", a_m, (None, 3)), floats("b_m", b_m, (None, 3))
    found = _klast.minkowski(a.reshape(-1), b.reshape(-1))
    vectors = {name: np.array(found[name]) for name in ("normal", "point_a_m", "point_b_m")}
    return Features(
        gap_m=found["gap_m"],
        features=found["features"],
        vertices_m=found["vertices_m"],
        facets=found["facets"],
        **vectors,
    )


__all__ = ["Features", "minkowski"]


def __dir__() -> list[str]:
    return sorted(__all__)
