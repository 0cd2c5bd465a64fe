"""Rockfall on terrain: runouts and energies of rocks, and the rocks that reach barriers.

Arguments of objects have the names of the scene keys. `to_json` returns the scene as JSON, which the program runs with
the same bits. Positions are map coordinates in m.
"""

from __future__ import annotations

from .distributions import Distribution, beta, distribution, exponential, gamma, lognormal, normal, triangular, uniform
from .inputs import Barrier, Collector, Layout, LumpedMass, Material, Release, RigidBody, Rock, Source
from .model import Rockfall
from .path import Path
from .results import RockfallResults
from .terrain import Terrain

__all__ = [
    "Rockfall",
    "Terrain",
    "Material",
    "Layout",
    "Rock",
    "Release",
    "Source",
    "Barrier",
    "Collector",
    "LumpedMass",
    "RigidBody",
    "RockfallResults",
    "Path",
    "Distribution",
    "normal",
    "uniform",
    "triangular",
    "lognormal",
    "exponential",
    "beta",
    "gamma",
    "distribution",
]


def __dir__() -> list[str]:
    return sorted(__all__)
