"""Rocks released on terrain: how far they run, with what energy, and what a barrier sees.

Objects have the names of the scene keys and turn into the same JSON (`to_json`), which the program runs with the same
bits. Positions are map coordinates in m.
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
